/// @file
/// Runs intrinsic_cases.cuh and prints the results as text, to be stored and compared.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "intrinsic_cases.cuh"
#include "record.hpp"

namespace intrinsics {

using record::digest;
using record::require;

constexpr int kThreads = 256;

/// The results of one function, in the order of the threads.
struct Results {
  std::string name;
  int bytes = 0, is_float = 0, max_ulps = 0;
  std::vector<std::uint64_t> bits;
};

inline std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline double to_double(std::uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline float to_float(std::uint64_t bits) {
  const auto low = static_cast<std::uint32_t>(bits);
  float value = 0;
  std::memcpy(&value, &low, sizeof value);
  return value;
}

/// Returns the limits of every type, then random bits, then random numbers of ordinary size.
inline std::vector<Arguments> make_arguments() {
  using Float = std::numeric_limits<float>;
  using Double = std::numeric_limits<double>;
  const double edges[] = {0.0,
                          -0.0,
                          0.5,
                          -0.5,
                          1.0,
                          -1.0,
                          1.5,
                          -1.5,
                          2.5,
                          -2.5,
                          0.1,
                          -0.9,
                          3.0,
                          0.49999997,
                          0.75,
                          2.0,
                          Float::denorm_min(),
                          -Float::denorm_min(),
                          Float::min(),
                          1e-40,
                          Float::max(),
                          -Float::max(),
                          Double::infinity(),
                          -Double::infinity(),
                          Double::quiet_NaN(),
                          0x1p-24,
                          1 + 0x1p-23,
                          1 - 0x1p-24,
                          0x1p31,
                          0x1p31 - 128,
                          -0x1p31,
                          -0x1p31 - 256,
                          0x1p31 - 0.5,
                          0x1p32,
                          0x1p32 - 256,
                          0x1p32 - 0.5,
                          0x1p63,
                          -0x1p63,
                          0x1p63 - 0x1p39,
                          0x1p64,
                          0x1p64 - 0x1p40,
                          0x1p127,
                          0x1p126,
                          0x1.8p126,
                          1e10,
                          -1e10,
                          16777217.0,
                          0x1p23 + 0.5};
  constexpr std::size_t kEdges = sizeof edges / sizeof *edges;
  const unsigned words[] = {0,           1,           2,           0x7fffffffu,
                            0x80000000u, 0xffffffffu, 0x00ff00ffu, 0x7f80ff01u,
                            0x80807f7fu, 0x01000001u, 0x55555555u, 31,
                            32,          33,          0x7fff8000u, 0xfedcba98u};
  constexpr std::size_t kWords = sizeof words / sizeof *words;

  std::mt19937_64 random(20240607);
  const auto real = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };  // [0, 1)
  std::vector<Arguments> all;
  for (std::size_t i = 0; i < kThreads; ++i) {
    Arguments v{};
    const bool edge = i < 3 * kEdges;
    const auto pick = [&](std::size_t j) { return edges[j % kEdges]; };
    v.a = i < kWords * kWords / 2 ? words[i % kWords] : static_cast<unsigned>(random());
    v.b = i < kWords * kWords / 2 ? words[(i / kWords + i) % kWords]
                                  : static_cast<unsigned>(random());
    v.c = static_cast<unsigned>(random()) >> (random() % 32);
    v.wide_a =
        i % 3 == 0 ? random() >> (random() % 64) : static_cast<unsigned long long>(v.a) << 32 | v.b;
    v.wide_b = random();
    const auto any_float = [&] { return to_float(random() >> 32); };
    const auto near_one = [&] {
      // Drawn first, because the record depends on the order.
      const int exponent = static_cast<int>(random() % 8);
      return std::ldexp(real() - 0.5, exponent);
    };
    v.dx = edge ? pick(i) : i % 2 == 0 ? near_one() : to_double(random());
    v.dy = edge ? pick(i * 7 + i / kEdges) : i % 4 < 3 ? near_one() : to_double(random());
    v.dz = edge ? pick(i * 5 + 3 + i / kEdges) : near_one();
    v.x = edge ? static_cast<float>(v.dx) : i % 2 == 0 ? static_cast<float>(v.dx) : any_float();
    v.y = edge ? static_cast<float>(v.dy) : i % 4 < 3 ? static_cast<float>(v.dy) : any_float();
    v.z = static_cast<float>(v.dz);
    v.wide_moderate =
        i < 32 ? (static_cast<double>(i) - 16) / 4 : (real() - 0.5) * (i % 2 == 0 ? 2 : 40);
    v.moderate = static_cast<float>(v.wide_moderate);
    all.push_back(v);
  }
  return all;
}

/// Runs all cases on the device.
inline std::vector<Results> run() {
  const std::vector<Arguments> arguments = make_arguments();
  Arguments* device_arguments = nullptr;
  Result* device_results = nullptr;
  std::uint64_t* device_bits = nullptr;
  int* device_count = nullptr;
  std::vector<Result> results(kMaxResults);
  std::vector<std::uint64_t> bits(kMaxResults * kThreads);
  int count = 0;
  require(cudaMalloc(&device_arguments, sizeof(Arguments) * kThreads));
  require(cudaMalloc(&device_results, sizeof(Result) * kMaxResults));
  require(cudaMalloc(&device_bits, sizeof(std::uint64_t) * bits.size()));
  require(cudaMalloc(&device_count, sizeof count));
  require(cudaMemcpy(device_arguments, arguments.data(), sizeof(Arguments) * kThreads,
                     cudaMemcpyHostToDevice));
  call_all<<<kThreads / 64, 64>>>(kThreads, device_arguments, device_results, device_bits,
                                  device_count);
  require(cudaGetLastError());
  require(cudaDeviceSynchronize());
  require(cudaMemcpy(&count, device_count, sizeof count, cudaMemcpyDeviceToHost));
  require(cudaMemcpy(results.data(), device_results, sizeof(Result) * kMaxResults,
                     cudaMemcpyDeviceToHost));
  require(cudaMemcpy(bits.data(), device_bits, sizeof(std::uint64_t) * bits.size(),
                     cudaMemcpyDeviceToHost));
  require(cudaFree(device_arguments));
  require(cudaFree(device_results));
  require(cudaFree(device_bits));
  require(cudaFree(device_count));

  std::vector<Results> all;
  for (int i = 0; i < count; ++i) {
    const Result& one = results[static_cast<std::size_t>(i)];
    Results kept;
    kept.name = one.name;
    kept.bytes = one.bytes;
    kept.is_float = one.is_float;
    kept.max_ulps = one.max_ulps;
    const auto first = bits.begin() + static_cast<std::ptrdiff_t>(i) * kThreads;
    kept.bits.assign(first, first + kThreads);
    for (std::uint64_t& value : kept.bits) {  // all NaN count as equal
      if (kept.is_float && kept.bytes == 4 && std::isnan(to_float(value))) value = 0x7fffffff;
      if (kept.is_float && kept.bytes == 8 && std::isnan(to_double(value)))
        value = ~std::uint64_t{0} >> 1;
    }
    all.push_back(std::move(kept));
  }
  return all;
}

/// Returns the quarter of function number `index`'s values that the record stores.
inline std::vector<std::uint64_t> kept_values(const Results& results, std::size_t index) {
  constexpr std::size_t kShare = 4;
  std::vector<std::uint64_t> kept;
  for (std::size_t i = index % kShare; i < results.bits.size(); i += kShare)
    kept.push_back(results.bits[i]);
  return kept;
}

/// Returns the distance of two numbers of one type in representable values.
inline std::uint64_t distance(std::uint64_t a, std::uint64_t b, int bytes) {
  const auto ordered = [bytes](std::uint64_t bits) {
    const std::uint64_t sign = std::uint64_t{1} << (8 * bytes - 1);
    return (bits & sign) != 0 ? sign - (bits & (sign - 1)) : sign + bits;
  };
  const std::uint64_t from = ordered(a), to = ordered(b);
  return from < to ? to - from : from - to;
}

}  // namespace intrinsics
