// kind: uncounted access
// rule: attribute
// says: no_sanitize
[ [gnu::no_sanitize("thread")]
] __device__ float peek(const float* p) { return *p; }
__global__ void kernel(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = peek(in + i);
}
