// Tests that conversions out of range and shifts by large counts give the results of an H200 in
// device code, and those of plain g++ in host code.
#include <doctest/doctest.h>

#include <fstream>
#include <limits>

#include "conversion_host.hpp"
#include "conversion_results.cuh"
#include "emulator/counters.h"

namespace {

/// Returns the record's lines without the heading.
std::vector<std::string> read_record(const char* file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line.front() != '#') lines.push_back(line);
  return lines;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// Returns a number's results, which are after the colon.
std::vector<std::string> results_in(const std::string& line) {
  return words_of(line.substr(line.find(": ") + 1));
}

bool is_signed_right_shift(const std::string& column) {
  return column == "int>>" || column == "ll>>" || column == "short>>" || column == "int>>=ll" ||
         column == "short>>=";
}

__global__ void implicitly(const float* number, const int* count, unsigned* results) {
  unsigned member = 0;
  member = number[0];
  results[0] = member;
  results[1] = number[0];
  results[2] = 1u << *count;
  const auto convert = [](float value) { return static_cast<unsigned>(value); };
  results[3] = convert(number[0]);
  results[4] = 7;
  results[4] += number[0];
  results[5] = 1u;
  results[5] <<= *count;
}

template <class To>
struct Converter {
  __device__ To operator()(float value) const { return static_cast<To>(value); }
};

__host__ __device__ unsigned on_both(float value) { return static_cast<unsigned>(value); }

template <class To>
__global__ void by_functions(const float* number, To* results) {
  results[0] = Converter<To>()(*number);
  results[1] = on_both(*number);
}

template <class To>
__device__ To of_literal() {
  return static_cast<To>(75.0f * 4);
}

// Values known at compile time.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshift-count-overflow"
#pragma GCC diagnostic ignored "-Wshift-count-negative"
__global__ void of_literals(unsigned* results, unsigned long long* wide) {
  const float named = 300.0f;
  constexpr double fixed = -70000.0;
  const unsigned char of_named = static_cast<unsigned char>(named);
  static_assert(static_cast<int>(2.5f) + (1 << 4) + (-8 >> 1) == 14);
  results[0] = static_cast<unsigned char>(300.0f);
  results[1] = static_cast<unsigned char>(-5.0);
  results[2] = static_cast<unsigned char>(150.0f * 2.0f);
  results[3] = of_named;
  results[4] = static_cast<unsigned short>(static_cast<short>(fixed));
  results[5] = of_literal<unsigned char>();
  results[6] = static_cast<unsigned>(static_cast<int>(static_cast<double>(NAN)));
  results[7] = static_cast<unsigned>(static_cast<int>(NAN));
  results[8] = static_cast<unsigned>(static_cast<int>(1e10f));
  results[9] = 1u << 32;
  results[10] = 4u << -1;
  results[11] = static_cast<unsigned>(-8 >> -1);
  results[12] = results[0]++ << 32;
  wide[0] = static_cast<unsigned long long>(static_cast<long long>(NAN));
  wide[1] = static_cast<unsigned long long>(NAN);
  wide[2] = 1ull << 64;
}
__global__ void of_constants(unsigned* results) {
  const float named = 300.0f, twice = named * 2;
  const unsigned char of_named = static_cast<unsigned char>(named);
  const unsigned char of_twice = static_cast<unsigned char>(twice);
  const int one_more = static_cast<unsigned char>(named) + 1;
  const int minus = -1, wide = 32;
  const unsigned by_minus = 4u << minus, by_wide = 4u >> wide;
  const int signed_by_wide = -8 >> wide, signed_by_minus = -8 >> minus;
  results[0] = of_named;
  results[1] = of_twice;
  results[2] = static_cast<unsigned>(one_more);
  results[3] = by_minus;
  results[4] = by_wide;
  results[5] = static_cast<unsigned>(signed_by_wide);
  results[6] = static_cast<unsigned>(signed_by_minus);
}
[[gnu::noipa]] unsigned char host_literal() { return static_cast<unsigned char>(300.0f); }
#pragma GCC diagnostic pop

[[gnu::noipa]] unsigned host_unsigned(float value) { return static_cast<unsigned>(value); }
[[gnu::noipa]] unsigned host_shift(unsigned value, int count) { return value << count; }

// For NaN, the result through double differs from float's.
__global__ void by_way_of_double(const float* number, unsigned* results) {
  const float x = *number;
  const double one = 1;
  results[0] = static_cast<unsigned>(static_cast<int>(static_cast<double>(x)));
  const int chosen = x < 0 ? one : x;
  results[1] = static_cast<unsigned>(chosen);
  results[2] = static_cast<unsigned>(static_cast<double>(x));
  results[3] = static_cast<unsigned>(x * one);
  results[4] = static_cast<unsigned>(static_cast<int>(x));
}

template <class T>
__global__ void divide(const T* values, const T* divisors, T* quotients, T* remainders) {
  const unsigned i = threadIdx.x;
  quotients[i] = values[i] / divisors[i];
  remainders[i] = values[i] % divisors[i];
}
template <class T>
__global__ void divide_by_minus_one(const T* values, T* quotients, T* remainders) {
  const unsigned i = threadIdx.x;
  quotients[i] = values[i];
  quotients[i] /= -1;
  remainders[i] = values[i];
  remainders[i] %= -1;
}

/// The lowest number divided by -1 does not fit; other quotients are the same everywhere.
template <class T>
void check_division() {
  constexpr T kLowest = std::numeric_limits<T>::min(), kHighest = std::numeric_limits<T>::max();
  const conversions::DeviceValues<T> values({kLowest, kLowest, kHighest, -5, 5, kLowest});
  const conversions::DeviceValues<T> divisors({-1, 2, -1, 3, -3, kLowest});
  const std::vector<T> nothing(6, 99);
  const conversions::DeviceValues<T> quotients(nothing), remainders(nothing);
  const T negative = static_cast<T>(kLowest + 1);
  for (const bool counted : {false, true}) {
    CAPTURE(counted);
    emu::set_counting(counted);
    divide<<<1, 6>>>(values.data(), divisors.data(), quotients.data(), remainders.data());
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(quotients.to_host() == std::vector<T>{kLowest, kLowest / 2, negative, -1, -1, 1});
    CHECK(remainders.to_host() == std::vector<T>{0, 0, 0, -2, 2, 0});
    divide_by_minus_one<<<1, 6>>>(values.data(), quotients.data(), remainders.data());
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(quotients.to_host() == std::vector<T>{kLowest, kLowest, negative, 5, -5, kLowest});
    CHECK(remainders.to_host() == std::vector<T>(6, 0));
  }
  emu::set_counting(true);
}

__global__ void smaller_and_larger(const float* numbers, float* results) {
  const float a = numbers[0], b = numbers[1];
  results[0] = fminf(a, b);
  results[1] = fmaxf(a, b);
  results[2] = min(a, b);
  results[3] = max(a, b);
}

}  // namespace

TEST_CASE("host code is left alone") {
  for (const float value : {-5.0f, 3e9f, 1e10f, 1e30f, NAN, -INFINITY})
    CHECK(host_unsigned(value) == plain_unsigned(value));
  for (const int count : {-1, 31, 32, 33, 64}) CHECK(host_shift(5, count) == plain_shift(5, count));
  CHECK(host_literal() == plain_literal());
}

TEST_CASE("conversions and shifts give what an H200 gave" * doctest::skip(!EMULATOR_HAS_PLUGIN)) {
  const std::vector<std::string> record = read_record("conversions_h200.txt");
  const std::vector<std::string> lines = conversions::run();
  REQUIRE(record.size() > 900);
  REQUIRE(record.size() == lines.size());
  std::vector<std::string> columns;
  bool is_known_count = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].front() == '[') {
      REQUIRE(lines[i] == record[i]);
      columns = words_of(lines[i].substr(lines[i].find(']') + 1));
      is_known_count = lines[i].find("constant]") != std::string::npos;
      continue;
    }
    CAPTURE(lines[i]);
    REQUIRE(lines[i].substr(0, lines[i].find(':')) == record[i].substr(0, record[i].find(':')));
    const std::vector<std::string> got = results_in(lines[i]), wanted = results_in(record[i]);
    REQUIRE(got.size() == columns.size());
    REQUIRE(wanted.size() == columns.size());
    for (std::size_t k = 0; k < columns.size(); ++k) {
      // With a known count, nvcc folds such shifts of negative numbers to 0, unlike any
      // instruction.
      if (is_known_count && is_signed_right_shift(columns[k]) && wanted[k] == "0") continue;
      CAPTURE(columns[k]);
      CHECK(got[k] == wanted[k]);
    }
  }
}

TEST_CASE("nobody has to write the conversion out, and lambdas and templates are device code too" *
          doctest::skip(!EMULATOR_HAS_PLUGIN)) {
  const conversions::DeviceValues<float> number({-5.0f});
  const conversions::DeviceValues<int> count({32});
  const conversions::DeviceValues<unsigned> results(std::vector<unsigned>(6, 99));
  implicitly<<<1, 1>>>(number.data(), count.data(), results.data());
  CHECK(results.to_host() == std::vector<unsigned>{0, 0, 0, 0, 2, 0});
  by_functions<unsigned><<<1, 1>>>(number.data(), results.data());
  CHECK(results.to_host() == std::vector<unsigned>{0, 0, 0, 0, 2, 0});
}

TEST_CASE("what is known while the source is read is computed as a device does" *
          doctest::skip(!EMULATOR_HAS_PLUGIN)) {
  const conversions::DeviceValues<unsigned> results(std::vector<unsigned>(13, 99));
  const conversions::DeviceValues<unsigned long long> wide(std::vector<unsigned long long>(3, 99));
  of_literals<<<1, 1>>>(results.data(), wide.data());
  CHECK(results.to_host() == std::vector<unsigned>{45, 0, 44, 44, 0xee90, 44, 0x80000000, 0,
                                                   0x7fffffff, 0, 0, 0xffffffff, 0});
  CHECK(wide.to_host() ==
        std::vector<unsigned long long>{0x8000000000000000, 0x8000000000000000, 0});
}

TEST_CASE("constants that are made of constants are computed as a device does" *
          doctest::skip(!EMULATOR_HAS_PLUGIN)) {
  const conversions::DeviceValues<unsigned> results(std::vector<unsigned>(7, 99));
  of_constants<<<1, 1>>>(results.data());
  CHECK(results.to_host() == std::vector<unsigned>{44, 88, 45, 0, 0, 0xffffffff, 0xffffffff});
}

TEST_CASE("a float that becomes a double on its way to an integer is a double" *
          doctest::skip(!EMULATOR_HAS_PLUGIN)) {
  const conversions::DeviceValues<float> number({std::numeric_limits<float>::quiet_NaN()});
  const conversions::DeviceValues<unsigned> results(std::vector<unsigned>(5, 99));
  by_way_of_double<<<1, 1>>>(number.data(), results.data());
  CHECK(results.to_host() ==
        std::vector<unsigned>{0x80000000, 0x80000000, 0x80000000, 0x80000000, 0});
}

TEST_CASE("a quotient that does not fit is cut off, and traps nowhere" *
          doctest::skip(!EMULATOR_HAS_PLUGIN)) {
  check_division<int>();
  check_division<long>();
  check_division<long long>();
  check_division<short>();
  check_division<signed char>();
}

TEST_CASE("of two NaNs, the smaller and the larger is a NaN of the device's own" *
          doctest::skip(!EMULATOR_HAS_PLUGIN)) {
  const conversions::DeviceValues<unsigned> numbers({0xffc12345, 0x7fc54321});
  const conversions::DeviceValues<unsigned> results(std::vector<unsigned>(4, 99));
  smaller_and_larger<<<1, 1>>>(reinterpret_cast<const float*>(numbers.data()),
                               reinterpret_cast<float*>(results.data()));
  CHECK(results.to_host() == std::vector<unsigned>(4, 0x7fffffff));
}
