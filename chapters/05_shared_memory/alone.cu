// Mirrors a picture at its diagonal, without shared memory and with it.
//
//     ./course nvcc chapters/05_shared_memory/alone.cu -o mirror && ./course profile ./mirror
//     nvcc chapters/05_shared_memory/alone.cu -o mirror && ./mirror      with a GPU

#include <cstdio>
#include <cstdlib>
#include <vector>

// Ends the program if a CUDA call fails, and says where and why.
#define CHECK(call)                                                                       \
  do {                                                                                    \
    const cudaError_t error = (call);                                                     \
    if (error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (false)

const int kTile = 32;   // rows and columns of a tile
const int kPitch = 32;  // words from row to row of the tile: try 33

// Rows become columns: a warp loads a row, and stores down a column.
__global__ void mirror_by_rows(int width, int height, const int* in, int* out) {
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  if (col < width && row < height) out[col * height + row] = in[row * width + col];
}

// The same through a tile in shared memory: a warp loads a row, and stores a row.
__global__ void mirror_tile(int width, int height, const int* in, int* out) {
  __shared__ int tile[kTile][kPitch];
  const int left = blockIdx.x * kTile, top = blockIdx.y * kTile;
  const int x = threadIdx.x, y = threadIdx.y;
  if (left + x < width && top + y < height) tile[y][x] = in[(top + y) * width + left + x];
  __syncthreads();
  if (top + x < height && left + y < width) out[(left + y) * height + top + x] = tile[x][y];
}

int main() {
  const int width = 256, height = 128;
  std::vector<int> in(width * height), out(width * height);
  for (int i = 0; i < width * height; ++i) in[i] = i;

  int *device_in, *device_out;
  CHECK(cudaMalloc(&device_in, in.size() * sizeof(int)));
  CHECK(cudaMalloc(&device_out, out.size() * sizeof(int)));
  CHECK(cudaMemcpy(device_in, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice));

  int wrong = 0;
  const dim3 grid(width / kTile, height / kTile), block(kTile, kTile);
  for (const auto kernel : {mirror_by_rows, mirror_tile}) {
    CHECK(cudaMemset(device_out, 0xff, out.size() * sizeof(int)));  // nothing old may pass
    kernel<<<grid, block>>>(width, height, device_in, device_out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), device_out, out.size() * sizeof(int), cudaMemcpyDeviceToHost));
    for (int row = 0; row < height; ++row)
      for (int col = 0; col < width; ++col)
        wrong += out[col * height + row] != in[row * width + col];
  }
  std::printf("%d pixels mirrored, %d wrong\n", 2 * width * height, wrong);
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
  return wrong != 0;
}
