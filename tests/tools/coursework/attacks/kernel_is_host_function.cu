// kind: no kernel
// rule: host-function
// says: kernel
void kernel(int n, const float* in, float* out) {
  for (int i = 0; i < n; ++i) out[i] = 2.0f * in[i];
}
