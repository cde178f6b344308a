// Matrix transpose through a padded tile in shared memory, for sizes that no tile divides.
#include <cstdio>
#include <vector>

template <int kTile, int kRows>
__global__ void __launch_bounds__(kTile * kRows) transpose(const double* __restrict__ in, double* __restrict__ out,
                                                           int width, int height) {
  __shared__ double tile[kTile][kTile + 1];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < kTile; j += kRows) {
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  }
  __syncthreads();
  const int tx = blockIdx.y * kTile + threadIdx.x;
  const int ty = blockIdx.x * kTile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < kTile; j += kRows) {
    if (tx < height && ty + j < width) out[(ty + j) * height + tx] = tile[threadIdx.x][threadIdx.y + j];
  }
}

template <int kTile, int kRows>
int test(int width, int height) {
  std::vector<double> in(static_cast<size_t>(width) * height), out(in.size(), -1.0);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<double>(i) + 0.25;
  double *d_in = nullptr, *d_out = nullptr;
  cudaMalloc(&d_in, in.size() * sizeof(double));
  cudaMalloc(&d_out, in.size() * sizeof(double));
  cudaMemcpy(d_in, in.data(), in.size() * sizeof(double), cudaMemcpyHostToDevice);
  const dim3 block(kTile, kRows);
  const dim3 grid((width + kTile - 1) / kTile, (height + kTile - 1) / kTile);
  transpose<kTile, kRows><<<grid, block>>>(d_in, d_out, width, height);
  cudaMemcpy(out.data(), d_out, out.size() * sizeof(double), cudaMemcpyDeviceToHost);
  int wrong = cudaGetLastError() != cudaSuccess;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) wrong += out[x * height + y] != in[y * width + x];
  }
  cudaFree(d_in);
  cudaFree(d_out);
  return wrong;
}

int main() {
  const int wrong = test<32, 8>(100, 67) + test<16, 16>(64, 48) + test<32, 32>(1, 33) + test<8, 2>(31, 1);
  std::printf("transpose: %d wrong\n", wrong);
  return wrong != 0;
}
