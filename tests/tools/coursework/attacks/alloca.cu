// kind: engine
// rule: builtin
// says: __builtin_alloca
__global__ void kernel(int n, const float* in, float* out) {
  float* local = static_cast<float*>(__builtin_alloca(n * 4));
  local[0] = in[0];
  out[threadIdx.x] = local[0];
}
