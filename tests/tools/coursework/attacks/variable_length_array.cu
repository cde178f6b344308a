// kind: engine
// rule: assembly
// says: size that is known
__global__ void kernel(int n, const float* in, float* out) {
  float local[n];
  for (int i = 0; i < n; ++i) local[(i * 7) % n] = in[i];
  out[threadIdx.x] = local[threadIdx.x];
}
