// kind: engine symbols
// rule: function-pointer
// says: called by its address
__global__ void kernel(int n, const float* in, float* out) {
  auto f = reinterpret_cast<float (*)(float)>(0x401000ull + static_cast<unsigned>(n));
  out[threadIdx.x] = f(1.0f);
}
