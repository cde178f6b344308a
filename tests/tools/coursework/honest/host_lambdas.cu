// Lambdas and functions in variables of the host; generic lambdas and templates on the device.
#include <functional>
#include <vector>
auto twice = [](int x) { return 2 * x; };
std::function<int(int)> stored = [](int x) { return x + 1; };
std::vector<std::function<void()>> all = {[] { stored(1); }, [] { twice(2); }};
template <class F>
__device__ void for_each(int n, F&& f) {
  for (int i = 0; i < n; ++i) f(i);
}
template <int N>
struct Unrolled {
  template <class F>
  static __device__ void run(const F& f) {
    if constexpr (N > 0) {
      Unrolled<N - 1>::run(f);
      f(N - 1);
    }
  }
};
template <class... T>
__device__ auto total(T... parts) {
  return (parts + ... + 0.0f);
}
__global__ void kernel(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  auto add = [&sum](auto x) mutable { sum += x; };
  for_each(i % 4, [&](int k) { add(in[k]); });
  Unrolled<4>::run([&](int k) { add(total(k, k, 1)); });
  out[i] = sum + in[i];
}
