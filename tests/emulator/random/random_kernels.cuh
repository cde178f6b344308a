/// @file
/// The parts of generated kernels: inputs, storing results, device functions to call, and the
/// program that runs them.
///
/// nvcc compiles the same text, which recorded the results, and the emulator, whose results are
/// compared with the record.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

namespace random_kernels {

using Word = unsigned long long;

constexpr int kBlocks = 2, kBlock = 64, kThreads = kBlocks * kBlock;
constexpr int kInputs = 10;  // words that each thread reads
constexpr int kShared = 64;  // words that each kernel's blocks share

/// Returns a number that is difficult for arithmetic, or an ordinary one.
__device__ inline float float_of(Word word) {
  const unsigned bits = static_cast<unsigned>(word >> 32);
  const int small = static_cast<int>(bits >> 12) % 4001 - 2000;
  switch (word & 15) {
    case 0:
      return __uint_as_float((bits & 0x80000000u) | (bits & 3) << 22);  // 0, denormal
    case 1:
      return __uint_as_float((bits & 0x80000000u) | 0x7f800000u);  // infinity
    case 2:
      return __uint_as_float(0x7fc00000u);  // NaN
    case 3:
      return __uint_as_float((bits & 0x80000000u) | (150 + (bits & 15)) << 23 | bits << 12 >> 9);
    case 4:
      return __uint_as_float((bits & 0x80000000u) | (120 + (bits & 15)) << 23 | bits << 14 >> 9);
    case 5:
      return __uint_as_float(bits);
    case 6:
      return static_cast<float>(static_cast<int>(bits));
    case 7:
      return static_cast<float>(word);
    case 8:
      return static_cast<float>(small);
    case 9:
      return static_cast<float>(small) + 0.5f;
    default:
      return static_cast<float>(small) * 0.1f;
  }
}

__device__ inline double double_of(Word word) {
  const long long small = static_cast<long long>(word >> 20) % 4001 - 2000;
  switch (word & 7) {
    case 0:
      return __longlong_as_double(static_cast<long long>(word & ~Word{15}));
    case 1:
      return __longlong_as_double(static_cast<long long>(
          (word & (Word{1} << 63)) | (1023 + (word >> 4 & 127)) << 52 | word << 16 >> 12));
    case 2:
      return static_cast<double>(static_cast<long long>(word));
    case 3:
      return static_cast<double>(small) + 0.5;
    case 4:
      return static_cast<double>(small) * 0.1;
    default:
      return static_cast<double>(float_of(word >> 3));
  }
}

__device__ inline __half half_of(Word word) {
  return (word & 3) == 0 ? __ushort_as_half(static_cast<unsigned short>(word >> 8))
                         : __float2half_rn(float_of(word >> 2));
}
__device__ inline __nv_bfloat16 bfloat_of(Word word) {
  return (word & 3) == 0 ? __ushort_as_bfloat16(static_cast<unsigned short>(word >> 8))
                         : __float2bfloat16_rn(float_of(word >> 2));
}

/// Returns a number's bits; all NaN count as equal.
template <class T>
__device__ inline Word bits_of(T value) {
  if constexpr (std::is_same_v<T, float>)
    return value != value ? 0x7fffffffu : __float_as_uint(value);
  else if constexpr (std::is_same_v<T, double>)
    return value != value ? ~Word{0} >> 1 : static_cast<Word>(__double_as_longlong(value));
  else if constexpr (std::is_same_v<T, __half>)
    return __hisnan(value) ? 0x7fffu : __half_as_ushort(value);
  else if constexpr (std::is_same_v<T, __nv_bfloat16>)
    return __hisnan(value) ? 0x7fffu : __bfloat16_as_ushort(value);
  else
    return static_cast<Word>(value);
}

/// Stores the results of one thread by column, so that a difference identifies its statement.
class Sink {
 public:
  __device__ Sink(Word* results, int thread) : results_(results + thread) {}
  template <class T>
  __device__ void operator()(int column, T value) const {
    results_[column * kThreads] = bits_of(value);
  }

 private:
  Word* results_;
};

// Functions for the kernels to call. None of them overflows a signed type.

template <class T>
__device__ T mix(T a, const T& b) {
  return static_cast<T>(static_cast<Word>(a) * 5 + static_cast<Word>(b));
}
template <class T>
__device__ T smaller(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T>
__device__ void order(T& a, T& b) {
  if (!(b < a)) return;
  const T kept = a;
  a = b;
  b = kept;
}
template <class T, int n>
__device__ T last_above(const T (&values)[n], T bound) {
  T found = values[0];
  for (const T& value : values)
    if (value > bound) found = value;
  return found;
}
template <int n>
struct Turned {
  __device__ static unsigned of(unsigned x) { return Turned<n - 1>::of(x * 2654435761u) ^ x >> 3; }
};
template <>
struct Turned<0> {
  __device__ static unsigned of(unsigned x) { return x; }
};
__device__ inline unsigned all_of() { return 7; }
template <class T, class... Rest>
__device__ unsigned all_of(T first, Rest... rest) {
  return static_cast<unsigned>(static_cast<Word>(first)) * 31u + all_of(rest...);
}
__device__ inline int kind(int) { return 1; }
__device__ inline int kind(unsigned) { return 2; }
__device__ inline int kind(long long) { return 3; }
__device__ inline int kind(unsigned long long) { return 4; }
__device__ inline int kind(float) { return 5; }
__device__ inline int kind(double) { return 6; }
__device__ inline int kind(long) { return 7; }
__device__ inline int kind(unsigned long) { return 8; }
__device__ inline unsigned stepped(unsigned x, unsigned step = 3, unsigned times = 2) {
  while (times-- > 0) x = x * 17 + step;
  return x;
}
template <class F>
__device__ auto twice(F f, unsigned x) -> decltype(f(x)) {
  return f(f(x));
}

struct Pair {
  unsigned a;
  short b;
  unsigned char c;
  double d;
};
__device__ inline Pair turned(Pair p) {
  p.a = p.a << 7 | p.a >> 25;
  p.b = static_cast<short>(p.b ^ p.c);
  p.c = static_cast<unsigned char>(p.c + 3);
  p.d = p.d * 0.5;
  return p;
}

class Modular {
 public:
  __device__ explicit Modular(unsigned value) : value_(value % kModulus) {}
  __device__ Modular operator+(Modular o) const { return Modular(value_ + o.value_); }
  __device__ Modular operator*(const Modular& o) const { return Modular(value_ * o.value_); }
  __device__ Modular& operator+=(Modular o) { return *this = *this + o; }
  __device__ bool operator<(const Modular& o) const { return value_ < o.value_; }
  __device__ explicit operator unsigned() const { return value_; }

 private:
  static constexpr unsigned kModulus = 65521;
  unsigned value_;
};

struct Fields {
  unsigned low : 5;
  int middle : 9;
  unsigned high : 18;
};

// The program.

struct Kernel {
  const char* name;
  void (*run)(const Word*, Word*, Word*);
  int columns;
};

inline void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(2);
}

/// Returns the next number of a fixed sequence (splitmix64).
inline Word next(Word& state) {
  Word x = state += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

inline std::vector<Word> make_inputs() {
  std::vector<Word> words;
  Word state = 17;
  for (int i = 0; i < kInputs * kThreads; ++i) {
    const Word x = next(state);
    const Word edge = (Word{1} << (x >> 8 & 63)) - (x >> 16 & 1);
    switch (x & 3) {
      case 0:
        words.push_back((x >> 20 & 1) != 0 ? edge : ~edge);
        break;
      case 1:
        words.push_back(static_cast<Word>(static_cast<long long>(x) >> (x >> 8 & 63)));
        break;
      default:
        words.push_back(next(state));
        break;
    }
  }
  return words;
}

inline Word hash(Word sum, Word word) {  // FNV-1a
  for (int byte = 0; byte < 8; ++byte) sum = (sum ^ (word >> (8 * byte) & 0xff)) * 0x100000001b3u;
  return sum;
}

/// Prints a line for each kernel: its name and a hash; with `--columns`, a hash for each column,
/// too.
/// `--values FILE` writes the results of the first block's threads; `--only NAME` prints those of
/// one kernel.
inline int run_all(const std::vector<Kernel>& kernels, int argc, char** argv) {
  bool columns = false;
  std::FILE* values = nullptr;
  const char* only = nullptr;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--columns") == 0) {
      columns = true;
    } else if (std::strcmp(argv[i], "--values") == 0 && i + 1 < argc) {
      values = std::fopen(argv[++i], "wb");
      if (values == nullptr) return std::perror(argv[i]), 2;
    } else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
      only = argv[++i];
    } else {
      std::fprintf(stderr, "usage: %s [--columns] [--values FILE] [--only NAME]\n", argv[0]);
      return 2;
    }
  }
  const std::vector<Word> inputs = make_inputs();
  Word *in = nullptr, *out = nullptr, *shared = nullptr;
  constexpr int kMaxColumns = 64;
  std::vector<Word> results(kMaxColumns * kThreads);
  require(cudaMalloc(&in, inputs.size() * sizeof(Word)), "cudaMalloc");
  require(cudaMalloc(&out, results.size() * sizeof(Word)), "cudaMalloc");
  require(cudaMalloc(&shared, kShared * sizeof(Word)), "cudaMalloc");
  require(cudaMemcpy(in, inputs.data(), inputs.size() * sizeof(Word), cudaMemcpyHostToDevice),
          "cudaMemcpy");
  for (const Kernel& kernel : kernels) {
    if (only != nullptr && std::strcmp(only, kernel.name) != 0) continue;
    require(cudaMemset(out, 0, results.size() * sizeof(Word)), "cudaMemset");
    require(cudaMemset(shared, 0, kShared * sizeof(Word)), "cudaMemset");
    kernel.run<<<kBlocks, kBlock>>>(in, out, shared);
    require(cudaGetLastError(), kernel.name);
    require(cudaDeviceSynchronize(), kernel.name);
    const auto count = static_cast<std::size_t>(kernel.columns) * kThreads;
    require(cudaMemcpy(results.data(), out, count * sizeof(Word), cudaMemcpyDeviceToHost),
            "cudaMemcpy");
    constexpr Word kEmpty = 0xcbf29ce484222325u;
    Word all = kEmpty;
    for (std::size_t i = 0; i < count; ++i) all = hash(all, results[i]);
    std::printf("%s %016llx", kernel.name, all);
    for (int column = 0; columns && column < kernel.columns; ++column) {
      Word sum = kEmpty;
      for (int t = 0; t < kThreads; ++t)
        sum = hash(sum, results[static_cast<std::size_t>(column * kThreads + t)]);
      std::printf(" %04llx", sum & 0xffff);
    }
    std::printf("\n");
    for (int column = 0; column < kernel.columns; ++column) {
      const Word* const row = results.data() + column * kThreads;
      if (values != nullptr) std::fwrite(row, sizeof(Word), kBlock, values);
      if (only == nullptr) continue;
      std::printf("  column %d:", column);
      for (int t = 0; t < kThreads; ++t) std::printf(" %llx", row[t]);
      std::printf("\n");
    }
  }
  for (Word* const memory : {in, out, shared}) require(cudaFree(memory), "cudaFree");
  if (values != nullptr && std::fclose(values) != 0) return std::perror("--values"), 2;
  return 0;
}

}  // namespace random_kernels

using namespace random_kernels;
