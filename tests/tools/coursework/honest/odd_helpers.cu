// Helpers of the host in every form, with lines that only the preprocessor has to skip.
#include <vector>
#pragma region helpers
__host__ void a() {}
__host__ __device__ void b() {}
inline void c() { a(), b(); }
static void d(void (*f)()) { f(); }
void e() { d(c); }
int f(int);
int g(int x) { return x; }
template <typename T>
T h(T x) {
  return x + 1;
}
template <>
int h<int>(int x) {
  return x + 2;
}
auto i() { return 1; }
auto j() -> decltype(1 + 2) { return i(); }
void reference(int n) {
  // A long comment

  // is behind us.
  std::vector<int> all(static_cast<std::size_t>(n));
#pragma unroll
  for (int k = 0; k < n; ++k) all[static_cast<std::size_t>(k)] = k;
#pragma omp parallel for
  for (int& one : all) one = h(one);
}
int (*const pointers[2])(int) = {g, h<int>};
#pragma endregion
#pragma GCC diagnostic ignored "-Wsign-compare"
__global__ void kernel(int n, const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] - 1.0f;
}
