// kind: uncounted access
// rule: builtin
// says: __builtin_memmove
// A promise about an address is allowed, what moves memory is not.
__global__ void kernel(int n, const float* in, float* out) {
  float* const whole = static_cast<float*>(__builtin_assume_aligned(out, 16));
  __builtin_memmove(whole, in, 4000);
}
