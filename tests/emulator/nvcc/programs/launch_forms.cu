// Every place and form in which a launch may stand, and every form of kernel: each adds a power of two.
#include <cstdio>
#include <type_traits>
#include <utility>

using Word = unsigned long long;

__device__ Word word;

__device__ void set_bit(int bit) { atomicAdd(&word, 1ull << bit); }

__global__ void plain(int bit) { set_bit(bit); }
__global__ void no_parameters() { set_bit(1); }
template <int kBit, class = void>
__global__ void by_value() {
  set_bit(kBit);
}
template <class... Ts>
__global__ void pack(Ts... bits) {
  (set_bit(static_cast<int>(bits)), ...);
}
template <class T, int = 3, std::enable_if_t<std::is_integral<T>::value, int> = 0>
__global__ void unnamed(T bit, float, const char*) {
  set_bit(bit);
}
namespace deep::er {
__global__ void shadow(int shadow) { set_bit(shadow); }
}  // namespace deep::er
extern "C" __global__ void c_name(int bit) { set_bit(bit); }
static __global__ void file_local(int bit) { set_bit(bit); }
__global__ void overloaded(int bit) { set_bit(bit); }
__global__ void overloaded(long bit) { set_bit(static_cast<int>(bit) + 1); }
__global__ void __launch_bounds__(32) bounded(int bit);
__global__ void __launch_bounds__(32) bounded(int bit) { set_bit(bit); }
#define LAUNCH(k, ...) k<<<1, 1>>>(__VA_ARGS__)
#define EXPAND(x) x
#define GRID 1, 1
#define DEFINE_KERNEL(name, bit) \
  __global__ void name() { set_bit(bit); }
DEFINE_KERNEL(from_macro, 10)

struct Table {
  void (*kernel)(int);
  void (*get() const)(int) { return kernel; }
  void launch(int bit) const { this->kernel<<<1, 1>>>(bit); }
};

template <class T>
struct Generic {
  template <int kBit>
  static void (*pick())() {
    return by_value<kBit>;
  }
  static void run(T bit) { unnamed<T><<<1, 1>>>(bit, 1.0f, nullptr); }
};
template <class G>
void run_dependent() {
  G::template pick<21>()<<<1, 1>>>();
}

int with_default(int bit, int result = (plain<<<1, 1>>>(3), 4)) {
  plain<<<1, 1>>>(bit);
  return result;
}
void nothing() {}

int main() {
  plain<<<1, 1>>>(0);
  no_parameters<<<dim3(1), dim3(1, 1, 1)>>>();
  by_value<2><<<1, 1, 0>>>();
  if (with_default(4) == 4) plain<<<1, 1, 0, cudaStreamLegacy>>>(5);
  LAUNCH(plain, 6);
  EXPAND(LAUNCH(EXPAND(plain), 7));
  plain<<<GRID>>>(8);
  by_value<(3 > 2 ? 9 : 63)><<<1, 1>>>();
  from_macro<<<1, 1>>>();
  pack<<<1, 1>>>(11, 12l, 'a' - 84);
  [&] { plain<<<1, 1>>>(14); }();
  auto launch = [](auto kernel, auto... bits) { return kernel<<<1, 1>>>(bits...); };
  launch(plain, 15);
  const bool yes = sizeof(Word) == 8;
  yes ? plain<<<1, 1>>>(16) : no_parameters<<<1, 1>>>();
  plain<<<1, 1>>>((plain<<<1, 1>>>(17), 18)), nothing();
  const Table table{plain}, *pointer = &table;
  table.kernel<<<1, 1>>>(19);
  pointer->get()<<<1, 1>>>(20);
  run_dependent<Generic<int>>();
  void (*array[])(int) = {nullptr, plain};
  array[1]<<<1, 1>>>(22);
  (*array[1])<<<1, 1>>>(23);
  (yes ? deep::er::shadow : plain)<<<1, 1>>>(24);
  deep::er::shadow<<<1, 1>>>(25);
  ::c_name<<<1, 1>>>(26);
  file_local<<<1, 1>>>(27);
  overloaded<<<1, 1>>>(28);
  overloaded<<<1, 1>>>(28l);
  bounded<<<1, 1>>>(30);
  table.launch(31);
  Generic<short>::run(32);
  int bit = 33;
  void* arguments[] = {&bit};
  cudaLaunchKernel((void*)plain, dim3(1), dim3(1), arguments, 0, 0);
  cudaLaunchKernel((const void*)by_value<34>, 1, 1, nullptr, 0, nullptr);
  int other = 35;
  void* more[] = {&other};
  cudaLaunchKernel(reinterpret_cast<void*>(&pack<int>), dim3(1), dim3(1), more, 0, 0);
  void (*by_pointer)(int) = plain;
  other = 43;
  cudaLaunchKernel((void*)by_pointer, dim3(1), dim3(1), more, 0, 0);
  cudaLaunchKernel(by_value<36>, 1, 1, nullptr);
  struct Nested {
    int first, second;
  };
  constexpr Nested nested{1, 1};
  plain<<<
      nested.first < nested.second ? 2 : 1,
      nested.first << 0
      >>>(37);
  plain<<<4 >> 2, sizeof(Nested) >> 3>>>(38);
  for (int i = 39; i < 41; ++i) plain<<<1, 1>>>(i);
  switch (bit) {
    case 33: plain<<<1, 1>>>(41);
  }
  do plain<<<1, 1>>>(42);
  while (!yes);

  Word found = 0;
  cudaMemcpyFromSymbol(&found, word, sizeof found);
  const Word expected = (1ull << 44) - 1;
  const Word wrong = found ^ expected;
  std::printf("launch_forms: %llx wrong, %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
  return wrong != 0;
}
