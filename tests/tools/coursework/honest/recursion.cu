// A recursive function, as deep as a sum of 30 elements is.
__device__ float sum_of(const float* begin, int count) {
  if (count == 1) return *begin;
  return sum_of(begin, count / 2) + sum_of(begin + count / 2, count - count / 2);
}
__global__ void kernel(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 30 <= n) out[i] = sum_of(in + i, 30);
}
