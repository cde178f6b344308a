// A warp has 512 results in its registers, and stores them to C in two ways: a whole CUDA program.
//
//     ./course nvcc chapters/10_maxas_epilogue/alone.cu -o store && ./store     without a GPU
//     nvcc chapters/10_maxas_epilogue/alone.cu -o store && ./store              with one

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

constexpr int kRows = 256, kCols = 256;        // of C; its columns are contiguous
constexpr int kTileRows = 32, kTileCols = 16;  // of a warp's tile: each lane has 4 x 4 results
constexpr int kPad = 0;                        // floats left free behind each staged column

// Stands for a long computation: the result that belongs to this element of C.
__host__ __device__ float result(int row, int col) { return static_cast<float>(col * kRows + row); }

// Each lane stores its own 16 results.
__global__ void straight(float* C) {
  const int lane = threadIdx.x, row_group = lane / 2 % 8, col_group = lane / 16 * 2 + lane % 2;
  const int row = blockIdx.x * kTileRows + 4 * row_group;
  const int col = blockIdx.y * kTileCols + 4 * col_group;
  for (int j = 0; j < 4; ++j) {
    float* const out = C + (col + j) * kRows + row;
    for (int i = 0; i < 4; ++i) out[i] = result(row + i, col + j);
  }
}

// In each of four rounds, the warp passes four columns of its tile through shared memory.
__global__ void staged(float* C) {
  __shared__ float4 stage[4][(kTileRows + kPad) / 4];  // a column for each column group
  const int lane = threadIdx.x, row_group = lane / 2 % 8, col_group = lane / 16 * 2 + lane % 2;
  const int tile_row = blockIdx.x * kTileRows, row = tile_row + 4 * row_group;
  const int tile_col = blockIdx.y * kTileCols;
  for (int j = 0; j < 4; ++j) {
    const int col = tile_col + 4 * col_group + j;
    stage[col_group][row_group] = make_float4(result(row, col), result(row + 1, col),
                                              result(row + 2, col), result(row + 3, col));
    __syncwarp();  // until all lanes have stored
    float* const out = C + (tile_col + j) * kRows + tile_row + lane;
    for (int group = 0; group < 4; ++group) {
      const float* const column = reinterpret_cast<const float*>(stage[group]);
      out[4 * group * kRows] = column[lane];
    }
    __syncwarp();  // until all lanes have loaded: the next round stores to the same place
  }
}

// Launches one of the two on a C that holds no result yet, and counts what is wrong afterwards.
int wrong_results(const char* name, void (*kernel)(float*), float* device_c) {
  std::vector<float> c(kRows * kCols, -1.0f);
  CHECK(cudaMemcpy(device_c, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice));
  kernel<<<dim3(kRows / kTileRows, kCols / kTileCols), 32>>>(device_c);  // a warp per block
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(c.data(), device_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int col = 0; col < kCols; ++col)
    for (int row = 0; row < kRows; ++row) wrong += c[col * kRows + row] != result(row, col);
  std::printf("%-8s %5d of %d wrong; row 9 of column 4 is %g\n", name, wrong, kRows * kCols,
              c[4 * kRows + 9]);
  return wrong;
}

int main() {
  float* device_c;
  CHECK(cudaMalloc(&device_c, kRows * kCols * sizeof(float)));
  const int wrong =
      wrong_results("straight", straight, device_c) + wrong_results("staged", staged, device_c);
  CHECK(cudaFree(device_c));
  return wrong != 0;
}
