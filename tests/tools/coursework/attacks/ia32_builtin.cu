// kind: uncounted access
// rule: builtin
// says: __builtin_ia32_lddqu
typedef char Vector __attribute__((aligned(16)));
__global__ void kernel(int n, const float* in, float* out) {
  auto v = __builtin_ia32_lddqu(reinterpret_cast<const char*>(in));
  out[0] = static_cast<float>(v[0]);
}
