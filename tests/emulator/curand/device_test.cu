// Tests that cuRAND's device functions return the same as on an H100: integers and uniform numbers
// to the bit, others within the precision of sines and logarithms.
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "draws.hpp"

namespace {

constexpr int kDrawn = 400, kFurther = 3;

template <class State>
__global__ void draw_on_device(draws::Start start, draws::Function function, int count,
                               unsigned long long* numbers) {
  draws::draw_many<State>(start, function, count, numbers);
}

template <class State>
std::vector<unsigned long long> drawn(draws::Start start, draws::Function function,
                                      int count = kDrawn) {
  std::vector<unsigned long long> numbers(static_cast<std::size_t>(count));
  unsigned long long* on_device = nullptr;
  REQUIRE(cudaMalloc(&on_device, sizeof(unsigned long long) * (numbers.size() + kFurther)) ==
          cudaSuccess);
  draw_on_device<State><<<1, 1>>>(start, function, count, on_device);
  REQUIRE(cudaMemcpy(numbers.data(), on_device, sizeof(unsigned long long) * numbers.size(),
                     cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(cudaFree(on_device) == cudaSuccess);
  return numbers;
}

std::vector<unsigned long long> drawn_by(const std::string& generator, draws::Start start,
                                         draws::Function function) {
  if (generator == "XORWOW") return drawn<curandStateXORWOW_t>(start, function);
  if (generator == "Philox") return drawn<curandStatePhilox4_32_10_t>(start, function);
  REQUIRE(generator == "MRG32k3a");
  return drawn<curandStateMRG32k3a_t>(start, function);
}

draws::Function function_named(const std::string& name) {
  for (int i = 0; i < draws::kFunctions; ++i)
    if (name == draws::kNames[i]) return static_cast<draws::Function>(i);
  FAIL("no function ", name);
  return draws::kBits;
}

double value(unsigned long long bits, bool is_double) {
  if (is_double) {
    double x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
  }
  const auto low = static_cast<unsigned>(bits);
  float x;
  std::memcpy(&x, &low, sizeof x);
  return static_cast<double>(x);
}

}  // namespace

TEST_CASE("states have the size and the members that they have in CUDA") {
  CHECK(sizeof(curandState) == 48);
  CHECK(sizeof(curandStateXORWOW_t) == 48);
  CHECK(sizeof(curandStatePhilox4_32_10_t) == 64);
  CHECK(alignof(curandStatePhilox4_32_10_t) == 16);
  CHECK(sizeof(curandStateMRG32k3a_t) == 48);
}

TEST_CASE("every function draws what it drew on an H100") {
  constexpr double kNearFloat = 4e-6, kNearDouble = 1e-14;
  constexpr int kAtLeast = 80;
  std::ifstream record("recorded_h100.txt");
  int lines = 0;
  for (std::string line; std::getline(record, line);) {
    if (line.starts_with('#')) continue;
    ++lines;
    CAPTURE(line);
    std::istringstream words(line);
    std::string generator, name, word;
    std::size_t start = 0;
    words >> generator >> name >> start;
    const std::vector<unsigned long long> numbers =
        drawn_by(generator, draws::kStarts[start], function_named(name));
    const bool is_exact = name.find("normal") == name.npos;
    const bool is_double = name.find("double") != name.npos;
    std::size_t i = 0;
    while (words >> word) {
      if (word == "-") {
        i = numbers.size() - 4;
        continue;
      }
      const unsigned long long expected = std::stoull(word, nullptr, 16);
      CAPTURE(i);
      if (is_exact) {
        CHECK(numbers[i] == expected);
      } else {
        CHECK(std::fabs(value(numbers[i], is_double) - value(expected, is_double)) <=
              (is_double ? kNearDouble : kNearFloat));
      }
      ++i;
    }
  }
  CHECK(lines > kAtLeast);
}

namespace {

template <class State>
__global__ void skip_in_two_ways(unsigned long long n, unsigned* numbers) {  // [4]
  State once, twice;
  curand_init(5, 7, 0, &once);
  skipahead(n, &once);
  numbers[0] = curand(&once);
  curand_init(5, 7, n, &twice);
  numbers[1] = curand(&twice);
  curand_init(5, 7, 0, &once);
  skipahead(n / 2, &once);
  skipahead(n - n / 2, &once);
  numbers[2] = curand(&once);
  curand_init(5, 7, 0, &once);
  for (unsigned i = 0; i < n % 4096; ++i) curand(&once);
  skipahead(n - n % 4096, &once);
  numbers[3] = curand(&once);
}

template <class State>
void check_skips() {
  unsigned* numbers = nullptr;
  REQUIRE(cudaMallocManaged(&numbers, 4 * sizeof(unsigned)) == cudaSuccess);
  for (const unsigned long long n :
       {0ull, 1ull, 3ull, 4ull, 255ull, 256ull, 65537ull, 1ull << 40, ~0ull}) {
    CAPTURE(n);
    skip_in_two_ways<State><<<1, 1>>>(n, numbers);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 1; i < 4; ++i) CHECK(numbers[i] == numbers[0]);
  }
  REQUIRE(cudaFree(numbers) == cudaSuccess);
}

}  // namespace

TEST_CASE("a skip is as many draws, however it is made") {
  check_skips<curandStateXORWOW_t>();
  check_skips<curandStatePhilox4_32_10_t>();
  check_skips<curandStateMRG32k3a_t>();
}

TEST_CASE("Poisson numbers between 64 and 4000 have their mean and variance") {
  constexpr int kCount = 20000;
  for (const auto& numbers :
       {drawn<curandStateXORWOW_t>(draws::kStarts[1], draws::kPoissonMiddle, kCount),
        drawn<curandStatePhilox4_32_10_t>(draws::kStarts[1], draws::kPoisson4Middle, kCount),
        drawn<curandStateMRG32k3a_t>(draws::kStarts[1], draws::kPoissonMiddle, kCount)}) {
    double sum = 0, squares = 0;
    for (const unsigned long long number : numbers) {
      const double from_mean = static_cast<double>(number) - draws::kMiddle;
      sum += from_mean;
      squares += from_mean * from_mean;
    }
    // Four standard deviations each.
    CHECK(std::fabs(sum / kCount) < 4 * std::sqrt(draws::kMiddle / kCount));
    CHECK(std::fabs(squares / kCount / draws::kMiddle - 1) < 4 * std::sqrt(2.0 / kCount));
  }
}
