// CUDA's mathematics, with results through pointers too.
__global__ void kernel(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i] * 0.01f;
  float s, c;
  sincosf(x, &s, &c);
  int exponent;
  const float fraction = frexpf(x + 3.0f, &exponent);
  const double d = exp(static_cast<double>(x)) + sqrt(fabs(static_cast<double>(x)));
  unsigned bits = __float_as_uint(x);
  bits = __brev(bits) ^ __clz(i + 1) ^ __ffs(i);
  out[i] = s * s + c + fraction + exponent + static_cast<float>(d) + rsqrtf(x * x + 1.0f) +
           __fdividef(x, 3.0f) + powf(fabsf(x), 1.5f) + fminf(x, 0.25f) + __expf(x) +
           static_cast<float>(bits & 255) + static_cast<float>(__popc(bits)) + fmodf(x, 0.3f);
}
