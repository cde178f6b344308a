// Tests that cuRAND's host functions return the same numbers and statuses as libcurand 10.4.
#include <cuda_runtime_api.h>
#include <curand.h>
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "host_draws.hpp"

namespace {

template <class Enum>
Enum made_up(int value) {
  return static_cast<Enum>(value);
}

double value(std::uint64_t bits) {
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/// A generator for host or device memory.
struct Generator {
  explicit Generator(curandRngType_t type, bool is_host = true) {
    REQUIRE((is_host ? curandCreateGeneratorHost : curandCreateGenerator)(&handle, type) ==
            CURAND_STATUS_SUCCESS);
    REQUIRE(curandSetPseudoRandomGeneratorSeed(handle, 1234) == CURAND_STATUS_SUCCESS);
  }
  ~Generator() { CHECK(curandDestroyGenerator(handle) == CURAND_STATUS_SUCCESS); }
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;
  operator curandGenerator_t() const { return handle; }

  std::vector<unsigned> draw(std::size_t n) const {
    std::vector<unsigned> numbers(n);
    CHECK(curandGenerate(handle, numbers.data(), n) == CURAND_STATUS_SUCCESS);
    return numbers;
  }
  curandGenerator_t handle = nullptr;
};

constexpr curandRngType_t kTypes[] = {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_PHILOX4_32_10,
                                      CURAND_RNG_PSEUDO_MRG32K3A};

/// Returns the position of the next number in the sequence of a new generator.
std::size_t place_of_next(const Generator& generator, curandRngType_t type) {
  constexpr std::size_t kSearched = 20000;
  const std::vector<unsigned> all = Generator(type).draw(kSearched);
  const std::vector<unsigned> next = generator.draw(2);
  for (std::size_t i = 0; i + 1 < all.size(); ++i)
    if (all[i] == next[0] && all[i + 1] == next[1]) return i;
  return kSearched;
}

}  // namespace

TEST_CASE("generators for host memory give the numbers of libcurand") {
  constexpr double kNear = 1e-14;
  constexpr int kLines = 72;
  std::ifstream record("recorded_host.txt");
  int lines = 0;
  for (std::string line; std::getline(record, line);) {
    if (line.starts_with('#')) continue;
    ++lines;
    CAPTURE(line);
    std::istringstream words(line);
    std::string generator, function, word;
    std::size_t number = 0;
    words >> generator >> number >> function;
    bool worked = false;
    const std::vector<std::uint64_t> drawn =
        host_draws::draw(host_draws::kCases[number], function, worked);
    REQUIRE(worked);
    // Double sines are a device's, whose last bits differ from the host library's.
    const bool is_exact = !function.ends_with("normal_double");
    for (std::size_t i = 0; words >> word && word != "#";) {
      if (word == "-") {
        i = drawn.size() - 4;
        continue;
      }
      const std::uint64_t expected = std::stoull(word, nullptr, 16);
      CAPTURE(i);
      if (is_exact) {
        CHECK(drawn[i] == expected);
      } else {
        CHECK(std::fabs(value(drawn[i]) - value(expected)) <= kNear);
      }
      ++i;
    }
    words >> word;
    if (is_exact) CHECK(host_draws::hash(drawn) == std::stoull(word, nullptr, 16));
  }
  CHECK(lines == kLines);
}

TEST_CASE("a generator for device memory gives the same, in its stream") {
  constexpr std::size_t kCount = 5000;
  cudaStream_t stream = nullptr;
  unsigned* numbers = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&numbers), kCount * sizeof(unsigned)) == cudaSuccess);
  for (const curandRngType_t type : kTypes) {
    const Generator generator(type, false);
    CHECK(curandSetStream(generator, stream) == CURAND_STATUS_SUCCESS);
    CHECK(curandGenerateSeeds(generator) == CURAND_STATUS_SUCCESS);
    CHECK(curandGenerate(generator, numbers, kCount) == CURAND_STATUS_SUCCESS);
    std::vector<unsigned> copied(kCount);
    REQUIRE(cudaMemcpyAsync(copied.data(), numbers, kCount * sizeof(unsigned),
                            cudaMemcpyDeviceToHost, stream) == cudaSuccess);
    REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(copied == Generator(type).draw(kCount));
  }
  REQUIRE(cudaFree(numbers) == cudaSuccess);
  REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("a new seed keeps the position, a new offset is absolute") {
  for (const curandRngType_t type : kTypes) {
    CAPTURE(type);
    const Generator generator(type);
    generator.draw(10);
    CHECK(curandSetPseudoRandomGeneratorSeed(generator, 1234) == CURAND_STATUS_SUCCESS);
    CHECK(place_of_next(generator, type) == 10);
    CHECK(curandSetGeneratorOffset(generator, 3) == CURAND_STATUS_SUCCESS);
    CHECK(place_of_next(generator, type) == 3);
    const Generator by_doubles(type);
    double doubles[10];
    CHECK(curandGenerateUniformDouble(by_doubles, doubles, 10) == CURAND_STATUS_SUCCESS);
    CHECK(place_of_next(by_doubles, type) == 10);
    const Generator by_normals(type);
    CHECK(curandGenerateNormalDouble(by_normals, doubles, 10, 0, 1) == CURAND_STATUS_SUCCESS);
    CHECK(place_of_next(by_normals, type) == (type == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? 10u : 5u));
  }
}

TEST_CASE("Poisson numbers below 2000 have their mean and variance") {
  constexpr std::size_t kCount = 20000;
  for (const double lambda : {0.001, 0.5, 30.0, 1999.0}) {
    for (const curandRngType_t type : kTypes) {
      CAPTURE(lambda);
      std::vector<unsigned> numbers(kCount);
      CHECK(curandGeneratePoisson(Generator(type), numbers.data(), kCount, lambda) ==
            CURAND_STATUS_SUCCESS);
      double sum = 0, squares = 0;
      for (const unsigned number : numbers) {
        const double from_mean = number - lambda;
        sum += from_mean;
        squares += from_mean * from_mean;
      }
      // Four standard deviations.
      CHECK(std::fabs(sum / kCount) < 4 * std::sqrt(lambda / kCount));
      CHECK(std::fabs(squares / kCount / lambda - 1) < 4 * std::sqrt((2 + 1 / lambda) / kCount));
    }
  }
}

TEST_CASE("what libcurand answers where something is wrong") {
  constexpr auto kNone = CURAND_STATUS_NOT_INITIALIZED;
  constexpr auto kRange = CURAND_STATUS_OUT_OF_RANGE;
  unsigned bits[4];
  unsigned long long longs[4];
  float floats[5];
  double doubles[5];
  CHECK(curandDestroyGenerator(nullptr) == kNone);
  CHECK(curandGenerate(nullptr, bits, 4) == kNone);
  CHECK(curandSetStream(nullptr, nullptr) == kNone);
  CHECK(curandSetPseudoRandomGeneratorSeed(nullptr, 1) == kNone);
  CHECK(curandSetGeneratorOffset(nullptr, 1) == kNone);
  CHECK(curandSetGeneratorOrdering(nullptr, CURAND_ORDERING_PSEUDO_BEST) == kNone);
  CHECK(curandGenerateSeeds(nullptr) == kNone);
  CHECK(curandGenerateLongLong(nullptr, longs, 4) == kNone);
  CHECK(curandGenerateNormal(nullptr, floats, 4, 0, 1) == kNone);
  CHECK(curandGeneratePoisson(nullptr, bits, 4, 1) == kNone);
  for (const int type : {-1, 1, 99, 102, 205}) {
    curandGenerator_t generator = nullptr;
    CHECK(curandCreateGeneratorHost(&generator, made_up<curandRngType_t>(type)) ==
          CURAND_STATUS_TYPE_ERROR);
  }
  for (const curandRngType_t type : kTypes) {
    CAPTURE(type);
    const Generator generator(type);
    CHECK(curandSetQuasiRandomGeneratorDimensions(generator, 2) == CURAND_STATUS_TYPE_ERROR);
    CHECK(curandGenerateLongLong(generator, longs, 4) == CURAND_STATUS_TYPE_ERROR);
    for (const int order : {99, 104, 105, 200, 201})
      CHECK(curandSetGeneratorOrdering(generator, made_up<curandOrdering_t>(order)) == kRange);
    if (type != CURAND_RNG_PSEUDO_XORWOW)
      CHECK(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_SEEDED) == kRange);
    const auto of_odd = type == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? CURAND_STATUS_SUCCESS
                                                                : CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    CHECK(curandGenerateNormal(generator, floats, 5, 0, 1) == of_odd);
    CHECK(curandGenerateNormalDouble(generator, doubles, 5, 0, 1) == of_odd);
    CHECK(curandGenerateLogNormal(generator, floats, 5, 0, 1) == of_odd);
    CHECK(curandGenerateUniformDouble(generator, doubles, 5) == CURAND_STATUS_SUCCESS);
    CHECK(curandGenerateNormal(generator, floats, 4, 0, -1) == CURAND_STATUS_SUCCESS);
    CHECK(curandGenerate(generator, nullptr, 0) == CURAND_STATUS_SUCCESS);
    for (const double lambda : {0.0, -1.0, 400001.0, 1e300})
      CHECK(curandGeneratePoisson(generator, bits, 4, lambda) == kRange);
    CHECK(curandGeneratePoisson(generator, bits, 4, 400000) == CURAND_STATUS_SUCCESS);
  }
  int number = 0;
  CHECK(curandGetVersion(&number) == CURAND_STATUS_SUCCESS);
  CHECK(number == CURAND_VERSION);
  CHECK(curandGetProperty(MAJOR_VERSION, &number) == CURAND_STATUS_SUCCESS);
  CHECK(number == CURAND_VER_MAJOR);
  CHECK(curandGetProperty(made_up<libraryPropertyType>(3), &number) == kRange);
}
