/// @file
/// Runs narrow_cases.cuh and computes a digest of each function's results.
#pragma once

#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "narrow_cases.cuh"
#include "record.hpp"

namespace narrow {

using record::digest;
using record::require;

constexpr int kThreads = 1 << 16;  // every 16-bit number

/// The results of one function, in the order of the threads.
struct Results {
  std::string name;
  std::vector<std::uint64_t> bits;
};

/// Pseudo-random numbers that are the same everywhere (SplitMix64).
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t end) { return (*this)() % end; }

 private:
  std::uint64_t state_;
};

/// Returns a 16-bit number; one in eight is at or near a limit of one of the formats.
inline std::uint16_t draw_sixteen(Draw& draw) {
  const std::uint16_t edges[] = {0x0000, 0x0001, 0x0002, 0x007f, 0x0080, 0x03ff, 0x0400,
                                 0x0401, 0x2c00, 0x3800, 0x3bff, 0x3c00, 0x3c01, 0x3f7f,
                                 0x3f80, 0x3f81, 0x4000, 0x4200, 0x4880, 0x7bff, 0x7c00,
                                 0x7c01, 0x7e00, 0x7f7f, 0x7f80, 0x7f81, 0x7fc0, 0x7fff};
  constexpr std::uint64_t kEdges = sizeof edges / sizeof *edges;
  const auto any = static_cast<std::uint16_t>(draw());
  if (draw.below(8) != 0) return any;
  return static_cast<std::uint16_t>(edges[draw.below(kEdges)] | (any & 0x8000));
}

/// Returns bits at or next to the midpoint of two numbers whose last `dropped` bits are zero.
inline std::uint64_t draw_middle(Draw& draw, std::uint64_t bits, int dropped) {
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  return (bits & ~(2 * half - 1)) + half + draw.below(3) - 1;
}

/// Returns limits, random bits, numbers in the range of narrow formats, and midpoints between two
/// of them.
template <class Real, class Word, std::size_t count>
Real draw_number(Draw& draw, const Real (&edges)[count]) {
  constexpr int kBits = 8 * sizeof(Word);
  constexpr int kMantissa = std::numeric_limits<Real>::digits - 1;
  constexpr int kBias = std::numeric_limits<Real>::max_exponent - 1;
  if (draw.below(16) == 0)
    return draw.below(2) != 0 ? edges[draw.below(count)] : -edges[draw.below(count)];
  auto bits = static_cast<Word>(draw() >> (64 - kBits));
  if (draw.below(4) != 0) {
    const auto exponent = static_cast<Word>(kBias - 30 + draw.below(50));
    const Word sign = bits >> (kBits - 1) << (kBits - 1);
    bits = sign | exponent << kMantissa | bits >> (kBits - kMantissa);
  }
  if (draw.below(2) != 0) {
    const int kept[] = {2, 3, 7, 10};
    bits = static_cast<Word>(draw_middle(draw, bits, kMantissa - kept[draw.below(4)]));
  }
  Real value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline double draw_wide(Draw& draw) {
  const double edges[] = {
      0,          INFINITY,   NAN,       1,       65504,   65519.99,   65520,
      0x1p-24,    0x1p-25,    0x1.8p-25, 448,     464,     464.001,    57344,
      61440,      0x1p-9,     0x1p-10,   0x1p-16, 0x1p-17, 0x1p-149,   0x1p-133,
      0x1p-134,   0x1.8p-134, 0x1p-1074, 0x1p127, 0x1p128, 0x1.fep127, 0x1.fefffffp127,
      0x1.ffp127, 0x1p1023};
  return draw_number<double, std::uint64_t>(draw, edges);
}

/// Returns a random number; random bits give enough NaN, so the limits do not include them.
inline float draw_real(Draw& draw) {
  const float edges[] = {0,           INFINITY,       1,        65504,       65519.99f,
                         65520,       0x1p-24f,       0x1p-25f, 0x1.8p-25f,  448,
                         464,         464.001f,       57344,    61440,       0x1p-9f,
                         0x1p-10f,    0x1p-16f,       0x1p-17f, 0x1p-149f,   0x1p-133f,
                         0x1p-134f,   0x1.8p-134f,    0x1p127f, 0x1.fep127f, 0x1.fefffep127f,
                         0x1.ffp127f, 0x1.fffffep127f};
  return draw_number<float, std::uint32_t>(draw, edges);
}

/// Returns integers of every length, and midpoints between two narrow numbers.
inline long long draw_integer(Draw& draw) {
  std::uint64_t bits = draw() >> draw.below(64);
  int length = 0;
  while (length < 64 && bits >> length != 0) ++length;
  const int precisions[] = {3, 4, 8, 11};
  const int dropped = length - precisions[draw.below(4)];
  if (dropped > 0 && draw.below(2) != 0) bits = draw_middle(draw, bits, dropped);
  return static_cast<long long>(draw.below(2) != 0 ? ~bits + 1 : bits);
}

inline std::vector<Operands> make_operands() {
  Draw draw(20261122);
  std::vector<Operands> all(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    Operands& in = all[static_cast<std::size_t>(i)];
    in.x = static_cast<std::uint16_t>(i);
    in.a = draw_sixteen(draw);
    in.b = draw_sixteen(draw);
    in.c = draw_sixteen(draw);
    // Sums and products with nearly equal operands cover all cases of rounding.
    if (draw.below(2) != 0) in.b = static_cast<std::uint16_t>(in.a + draw.below(0x2000) - 0x1000);
    if (draw.below(4) == 0) in.c = static_cast<std::uint16_t>(in.b ^ 0x8000);
    // A product with about 1 plus a third number of any size: a sum with one rounding.
    if (draw.below(8) == 0) in.b = static_cast<std::uint16_t>(0x3c00 + draw.below(3));
    if (draw.below(8) == 0) in.b = static_cast<std::uint16_t>(0x3f80 + draw.below(3));
    in.real = draw_real(draw);
    in.wide = draw_wide(draw);
    in.integer = draw_integer(draw);
  }
  return all;
}

/// Device memory, freed at the end of the scope.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t size) : size_(size) { require(cudaMalloc(&data_, size * sizeof(T))); }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  T* data() const { return data_; }
  std::vector<T> to_host(std::size_t size) const {
    std::vector<T> copy(size);
    require(cudaMemcpy(copy.data(), data_, size * sizeof(T), cudaMemcpyDeviceToHost));
    return copy;
  }
  void fill(const std::vector<T>& from) {
    require(cudaMemcpy(data_, from.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

/// Runs one group and appends the results of its functions.
template <Group group>
void run_group(const std::vector<Operands>& operands, std::vector<Results>& all) {
  constexpr int kBlock = 128;
  Buffer<Operands> device_operands(operands.size());
  Buffer<std::uint64_t> bits(std::size_t{kMaxFunctions} * kThreads);
  Buffer<Name> names(kMaxFunctions);
  Buffer<int> count(1);
  device_operands.fill(operands);
  call_all<group><<<kThreads / kBlock, kBlock>>>(kThreads, device_operands.data(), bits.data(),
                                                 names.data(), count.data());
  require(cudaGetLastError());
  require(cudaDeviceSynchronize());

  const auto functions = static_cast<std::size_t>(count.to_host(1)[0]);
  const std::vector<Name> labels = names.to_host(functions);
  const std::vector<std::uint64_t> values = bits.to_host(functions * kThreads);
  for (std::size_t i = 0; i < functions; ++i) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(i * kThreads);
    const std::string prefix = kGroupNames[static_cast<std::size_t>(group)];
    all.push_back({prefix + ": " + labels[i].text, {first, first + kThreads}});
  }
}

template <Group... groups>
std::vector<Results> run_groups() {
  const std::vector<Operands> operands = make_operands();
  std::vector<Results> all;
  (run_group<groups>(operands, all), ...);
  return all;
}

/// Returns the results of all functions, in the order of the record.
inline std::vector<Results> run() {
  return run_groups<
      Group::unary_half, Group::unary_bfloat16, Group::binary_half, Group::binary_bfloat16,
      Group::pairs_half, Group::pairs_bfloat16, Group::convert_half, Group::convert_bfloat16,
      Group::e4m3, Group::e5m2, Group::storage, Group::e2m3, Group::e3m2, Group::e2m1, Group::e8m0,
      Group::storage_e2m3, Group::storage_e3m2, Group::storage_e2m1, Group::storage_e8m0>();
}

/// Returns the record's line for one function.
inline std::string record_line(const Results& one) {
  char digits[2 * sizeof(std::uint64_t) + 1];
  std::snprintf(digits, sizeof digits, "%016" PRIx64, digest(one.bits));
  return std::string(digits) + ' ' + one.name;
}

}  // namespace narrow
