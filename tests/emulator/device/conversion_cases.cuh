/// @file
/// Kernels that convert and shift where C++ leaves the result undefined: numbers outside of a
/// type's range, and shift counts of the word's size or more.
///
/// The same source runs on a GPU, which recorded its results, and on the emulator, which is
/// compared with the record. Every number is used twice: from memory, so that the device computes,
/// and as a constant, so that the compiler may.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace conversions {

using Bits = std::uint64_t;

__host__ __device__ constexpr double real_at(std::size_t i) {
  constexpr double all[] = {0.0,
                            -0.0,
                            0.5,
                            -0.5,
                            0.999,
                            -0.999,
                            1.5,
                            -1.5,
                            2.5,
                            -5.0,
                            127.0,
                            127.9,
                            128.0,
                            -128.0,
                            -128.9,
                            -129.0,
                            255.0,
                            255.9,
                            256.0,
                            300.0,
                            -300.0,
                            32767.0,
                            32767.9,
                            32768.0,
                            -32768.0,
                            -32769.0,
                            65535.0,
                            65535.9,
                            65536.0,
                            70000.0,
                            -70000.0,
                            100000.0,
                            16777217.0,
                            0x1p31 - 128,
                            0x1p31 - 1,
                            0x1p31 - 0.5,
                            0x1p31,
                            0x1p31 + 256,
                            -0x1p31,
                            -0x1p31 - 0.5,
                            -0x1p31 - 1,
                            -0x1p31 - 256,
                            0x1p32 - 256,
                            0x1p32 - 1,
                            0x1p32 - 0.5,
                            0x1p32,
                            0x1p32 + 512,
                            1e10,
                            -1e10,
                            0x1p63 - 0x1p39,
                            0x1p63 - 1024,
                            0x1p63,
                            -0x1p63,
                            -0x1p63 - 2048,
                            -0x1p63 - 0x1p40,
                            0x1p64 - 0x1p40,
                            0x1p64 - 2048,
                            0x1p64,
                            1e20,
                            -1e20,
                            1e30,
                            0x1.fffffep127,
                            0x1.ffffffp127,
                            1e39,
                            -1e39,
                            1e300,
                            0x1p-149,
                            0x1p-150,
                            0x1p-1074,
                            INFINITY,
                            -INFINITY,
                            NAN,
                            -NAN};
  return i < sizeof all / sizeof *all ? all[i] : 0;
}
constexpr std::size_t kReals = 73;

__host__ __device__ constexpr long long integer_at(std::size_t i) {
  constexpr long long all[] = {0,
                               1,
                               -1,
                               127,
                               128,
                               255,
                               256,
                               -129,
                               32768,
                               65536,
                               16777215,
                               16777216,
                               16777217,
                               16777219,
                               33554433,
                               33554435,
                               2147483583,
                               2147483584,
                               2147483647,
                               2147483648,
                               -2147483648,
                               4294967167,
                               4294967168,
                               4294967295,
                               4294967296,
                               -4294967297,
                               1LL << 53,
                               (1LL << 53) + 1,
                               (1LL << 53) + 3,
                               0x7fffffbfffffffff,
                               0x7fffffc000000000,
                               0x7ffffffffffffdff,
                               0x7ffffffffffffe00,
                               0x7fffffffffffffff,
                               -0x7fffffffffffffff - 1};
  return i < sizeof all / sizeof *all ? all[i] : 0;
}
constexpr std::size_t kIntegers = 35;

__host__ __device__ constexpr long long shifted_at(std::size_t i) {
  constexpr long long all[] = {1,          -1,        0x123456789abcdef0, -0x123456789abcdef,
                               0x80000000, 0x7fffffff};
  return i < sizeof all / sizeof *all ? all[i] : 0;
}
constexpr std::size_t kShifted = 6;

__host__ __device__ constexpr long long count_at(std::size_t i) {
  constexpr long long all[] = {
      0,   1,       7,          8,          15,          16,          31,         32,  33,
      40,  47,      63,         64,         65,          95,          128,        255, 256,
      257, 288,     -1,         -2,         -31,         -32,         -33,        -63, -64,
      -65, 1000000, 0x7fffffff, 0x80000000, 0x100000000, 0x100000001, 0x120000003};
  return i < sizeof all / sizeof *all ? all[i] : 0;
}
constexpr std::size_t kCounts = 34;

/// Collects at most `kColumns` results of one number.
constexpr std::size_t kColumns = 20;
class Row {
 public:
  __device__ explicit Row(Bits* to) : to_(to) {}

  template <class T>
  __device__ void add(T value) {
    Bits bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    if (value != value) bits = 0x7fffffff;  // all NaN count as equal
    to_[column_++] = bits;
  }

 private:
  Bits* to_;
  std::size_t column_ = 0;
};

/// The meaning of a table's columns.
constexpr const char* kRealColumns =
    "char uchar short ushort int uint ll ull ll>uchar int>uchar int>short float double";
constexpr const char* kIntegerColumns =
    "int>float uint>float ll>float ull>float int>double uint>double ll>double ull>double char "
    "uchar short ushort int uint";
constexpr const char* kShiftColumns =
    "int<< int>> uint<< uint>> ll<< ll>> ull<< ull>> short<< short>> uchar>> uint<<=ll "
    "int>>=ll uchar<<= short>>= ll<<uchar uint>>(32-n)";

template <class Real>
__device__ __forceinline__ void convert_real(Real value, Row row) {
  row.add(static_cast<signed char>(value));
  row.add(static_cast<unsigned char>(value));
  row.add(static_cast<short>(value));
  row.add(static_cast<unsigned short>(value));
  row.add(static_cast<int>(value));
  row.add(static_cast<unsigned>(value));
  row.add(static_cast<long long>(value));
  row.add(static_cast<unsigned long long>(value));
  row.add(static_cast<unsigned char>(static_cast<long long>(value)));
  row.add(static_cast<unsigned char>(static_cast<int>(value)));
  row.add(static_cast<short>(static_cast<int>(value)));
  row.add(static_cast<float>(value));
  row.add(static_cast<double>(value));
}

__device__ __forceinline__ void convert_integer(long long value, Row row) {
  const auto unsigned_long = static_cast<unsigned long long>(value);
  const auto word = static_cast<int>(value);
  const auto unsigned_word = static_cast<unsigned>(value);
  row.add(static_cast<float>(word));
  row.add(static_cast<float>(unsigned_word));
  row.add(static_cast<float>(value));
  row.add(static_cast<float>(unsigned_long));
  row.add(static_cast<double>(word));
  row.add(static_cast<double>(unsigned_word));
  row.add(static_cast<double>(value));
  row.add(static_cast<double>(unsigned_long));
  row.add(static_cast<signed char>(value));
  row.add(static_cast<unsigned char>(value));
  row.add(static_cast<short>(value));
  row.add(static_cast<unsigned short>(value));
  row.add(word);
  row.add(unsigned_word);
}

__device__ __forceinline__ void shift(long long value, long long wide_count, Row row) {
  const auto unsigned_long = static_cast<unsigned long long>(value);
  const auto word = static_cast<int>(value);
  const auto unsigned_word = static_cast<unsigned>(value);
  const auto half_word = static_cast<short>(value);
  const auto byte = static_cast<unsigned char>(value);
  const auto count = static_cast<int>(wide_count);
  row.add(word << count);
  row.add(word >> count);
  row.add(unsigned_word << count);
  row.add(unsigned_word >> count);
  row.add(value << count);
  row.add(value >> count);
  row.add(unsigned_long << count);
  row.add(unsigned_long >> count);
  row.add(half_word << count);
  row.add(half_word >> count);
  row.add(byte >> count);
  unsigned assigned = unsigned_word;
  assigned <<= wide_count;
  row.add(assigned);
  int assigned_right = word;
  assigned_right >>= wide_count;
  row.add(assigned_right);
  unsigned char assigned_byte = byte;
  assigned_byte <<= count;
  row.add(assigned_byte);
  short assigned_half = half_word;
  assigned_half >>= count;
  row.add(assigned_half);
  row.add(value << static_cast<unsigned char>(count));
  row.add(unsigned_word >> (32 - count));
}

// From memory.

template <class Real>
__global__ void convert_reals(const Real* values, Bits* results) {
  const std::size_t i = threadIdx.x;
  if (i < kReals) convert_real(values[i], Row(results + i * kColumns));
}

__global__ void convert_integers(const long long* values, Bits* results) {
  const std::size_t i = threadIdx.x;
  if (i < kIntegers) convert_integer(values[i], Row(results + i * kColumns));
}

/// Launched with one block for each number and one thread for each count.
__global__ void shift_numbers(const long long* values, const long long* counts, Bits* results) {
  const std::size_t i = threadIdx.x;
  if (i >= kCounts) return;
  shift(values[blockIdx.x], counts[i], Row(results + (blockIdx.x * kCounts + i) * kColumns));
}

// As constants.

template <std::size_t i>
__device__ __forceinline__ void convert_constant(float, Bits* results) {
  const auto value = static_cast<float>(real_at(i));  // infinity is not a constant expression
  convert_real(value, Row(results + i * kColumns));
}
template <std::size_t i>
__device__ __forceinline__ void convert_constant(double, Bits* results) {
  constexpr double value = real_at(i);
  convert_real(value, Row(results + i * kColumns));
}
template <class Real, std::size_t... i>
__global__ void convert_constant_reals(Bits* results, std::index_sequence<i...>) {
  (convert_constant<i>(Real{}, results), ...);
}

template <std::size_t i>
__device__ __forceinline__ void convert_constant_integer(Bits* results) {
  constexpr long long value = integer_at(i);
  convert_integer(value, Row(results + i * kColumns));
}
template <std::size_t... i>
__global__ void convert_constant_integers(Bits* results, std::index_sequence<i...>) {
  (convert_constant_integer<i>(results), ...);
}

template <std::size_t number, std::size_t i>
__device__ __forceinline__ void shift_by_constant(Bits* results) {
  constexpr long long value = shifted_at(number);
  constexpr long long count = count_at(i);
  shift(value, count, Row(results + (number * kCounts + i) * kColumns));
}
/// The numbers come from memory, the counts are constants.
template <std::size_t i>
__device__ __forceinline__ void shift_by(const long long* values, Bits* results) {
  constexpr long long count = count_at(i);
  for (std::size_t number = 0; number < kShifted; ++number)
    shift(values[number], count, Row(results + (number * kCounts + i) * kColumns));
}
template <std::size_t... i>
__global__ void shift_by_constants(const long long* values, Bits* results,
                                   std::index_sequence<i...>) {
  (shift_by<i>(values, results), ...);
}
template <std::size_t number, std::size_t... i>
__global__ void shift_constant(Bits* results, std::index_sequence<i...>) {
  (shift_by_constant<number, i>(results), ...);
}

}  // namespace conversions
