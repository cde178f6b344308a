// Lambdas, function objects, range loops, references and reversed loops.
#include <utility>
template <class Function>
__device__ float fold(const float* begin, const float* end, Function f) {
  float value = 0.0f;
  for (const float* p = end; p-- != begin;) value = f(value, *p);
  return value;
}
struct Scale {
  float factor;
  __device__ float operator()(float a, float b) const { return factor * a + b; }
};
__global__ void kernel(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int calls = 0;
  const auto add = [&calls](float a, float b) {
    ++calls;
    return a + b;
  };
  const int last = min(i + 7, n);
  float values[3] = {fold(in + i, in + last, add), fold(in + i, in + last, Scale{0.5f}), 1.0f};
  std::swap(values[0], values[2]);
  float sum = static_cast<float>(calls);
  for (const float& value : values) sum += value;
  out[i] = sum;
}
