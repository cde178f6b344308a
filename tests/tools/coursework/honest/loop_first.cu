// A function that begins with a loop, which goes round more often than calls may be deep.
__device__ __noinline__ int collatz(unsigned n, int steps) {
  do {
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    ++steps;
  } while (steps < 2000 && n != 1);
  return steps;
}
__global__ void kernel(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<float>(collatz(27u + static_cast<unsigned>(i), i & 1)) + in[i];
}
