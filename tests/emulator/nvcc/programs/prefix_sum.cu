// Exclusive prefix sums with dynamic shared memory: Blelloch's sweep in a block, then over blocks.
#include <cstdio>
#include <vector>

template <typename T>
__global__ void scan_block(T* data, T* sums, int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  T* temp = reinterpret_cast<T*>(raw);
  const int t = threadIdx.x, width = 2 * blockDim.x, base = blockIdx.x * width;
  temp[2 * t] = base + 2 * t < n ? data[base + 2 * t] : T(0);
  temp[2 * t + 1] = base + 2 * t + 1 < n ? data[base + 2 * t + 1] : T(0);
  int offset = 1;
  for (int d = width >> 1; d > 0; d >>= 1, offset <<= 1) {
    __syncthreads();
    if (t < d) temp[offset * (2 * t + 2) - 1] += temp[offset * (2 * t + 1) - 1];
  }
  if (t == 0) {
    if (sums) sums[blockIdx.x] = temp[width - 1];
    temp[width - 1] = T(0);
  }
  for (int d = 1; d < width; d <<= 1) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
      const T moved = temp[left];
      temp[left] = temp[right];
      temp[right] += moved;
    }
  }
  __syncthreads();
  if (base + 2 * t < n) data[base + 2 * t] = temp[2 * t];
  if (base + 2 * t + 1 < n) data[base + 2 * t + 1] = temp[2 * t + 1];
}

template <typename T>
__global__ void add_offsets(T* data, const T* offsets, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += offsets[blockIdx.x];
}

template <typename T>
void scan(T* data, int n, int threads) {
  const int width = 2 * threads, blocks = (n + width - 1) / width;
  T* sums = nullptr;
  if (blocks > 1) cudaMalloc(&sums, blocks * sizeof(T));
  scan_block<T><<<blocks, threads, width * sizeof(T)>>>(data, sums, n);
  if (blocks > 1) {
    scan(sums, blocks, threads);
    add_offsets<<<blocks, width>>>(data, sums, n);
    cudaFree(sums);
  }
}

template <typename T>
int test(int n, int threads) {
  std::vector<T> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = static_cast<T>((i * 31) % 11) - T(3);
  T* data;
  cudaMalloc(&data, n * sizeof(T));
  cudaMemcpy(data, in.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  scan(data, n, threads);
  cudaMemcpy(out.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(data);
  int wrong = cudaGetLastError() != cudaSuccess;
  T sum = 0;
  for (int i = 0; i < n; ++i) {
    wrong += out[i] != sum;
    sum += in[i];
  }
  return wrong;
}

int main() {
  const int wrong = test<int>(1, 32) + test<int>(64, 32) + test<float>(1000, 64) + test<double>(4099, 16) +
                    test<long long>(129, 64);
  std::printf("prefix_sum: %d wrong\n", wrong);
  return wrong != 0;
}
