// cuRAND's host functions: what is in the library `curand`.
#include "curand.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <new>
#include <variant>
#include <vector>

#include "emulator/device.h"
#include "engine/engine.hpp"
#include "runtime/library_call.hpp"
#include "runtime/runtime.hpp"
#include "sequences.hpp"

struct curandGenerator_st {
  curandRngType_t type = CURAND_RNG_PSEUDO_XORWOW;
  bool is_host = false;
  cudaStream_t stream = nullptr;
  curandOrdering_t order = CURAND_ORDERING_PSEUDO_DEFAULT;
  unsigned long long seed = 0;
  unsigned long long position = 0;  // how many numbers were drawn, the offset counted in
  bool has_begun = false;
  std::variant<emu::curand::Sequences<curandStateXORWOW_t>,
               emu::curand::Sequences<curandStatePhilox4_32_10_t>,
               emu::curand::Sequences<curandStateMRG32k3a_t>>
      sequences;
};

namespace emu::curand {
namespace {

using Xorwow = Sequences<curandStateXORWOW_t>;
using Philox = Sequences<curandStatePhilox4_32_10_t>;
using Mrg32k3a = Sequences<curandStateMRG32k3a_t>;

struct Generators {
  std::mutex mutex;
  std::vector<std::unique_ptr<curandGenerator_st>> alive;

  auto find(curandGenerator_t generator) {
    return std::find_if(alive.begin(), alive.end(),
                        [&](const auto& one) { return one.get() == generator; });
  }
};

Generators& generators() {
  static auto& all = *new Generators;  // never freed: programs use theirs until they end
  return all;
}

bool is_alive(curandGenerator_t generator) {
  const std::lock_guard lock(generators().mutex);
  return generators().find(generator) != generators().alive.end();
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool is_host) {
  if (in_kernel()) unsupported("a call inside a kernel");
  auto made = std::make_unique<curandGenerator_st>();
  switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW:
      made->sequences.emplace<Xorwow>();
      break;
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
      made->sequences.emplace<Philox>();
      break;
    case CURAND_RNG_PSEUDO_MRG32K3A:
      made->sequences.emplace<Mrg32k3a>();
      break;
    case CURAND_RNG_PSEUDO_MTGP32:
    case CURAND_RNG_PSEUDO_MT19937:
      unsupported("CURAND_RNG_PSEUDO_MTGP32, CURAND_RNG_PSEUDO_MT19937");
    case CURAND_RNG_QUASI_DEFAULT:
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    case CURAND_RNG_QUASI_SOBOL64:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
      unsupported("CURAND_RNG_QUASI");
    default:
      return CURAND_STATUS_TYPE_ERROR;
  }
  if (!is_host && sticky_error() != cudaSuccess) return CURAND_STATUS_INITIALIZATION_FAILED;
  made->type = type == CURAND_RNG_PSEUDO_DEFAULT ? CURAND_RNG_PSEUDO_XORWOW : type;
  made->is_host = is_host;
  const std::lock_guard lock(generators().mutex);
  *generator = generators().alive.emplace_back(std::move(made)).get();
  return CURAND_STATUS_SUCCESS;
}

/// Changes what decides which numbers come. The next call begins anew, at the same position.
template <class Change>
curandStatus_t change(curandGenerator_t generator, const Change& change) {
  if (!is_alive(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  change(*generator);
  generator->has_begun = false;
  return CURAND_STATUS_SUCCESS;
}

void begin(curandGenerator_st& generator) {
  if (generator.has_begun) return;
  constexpr std::size_t kMrgSequences = 81920;
  std::visit(
      [&]<class State>(Sequences<State>& sequences) {
        std::size_t count = Visits<State>::kSequences;
        if (generator.type == CURAND_RNG_PSEUDO_MRG32K3A &&
            generator.order != CURAND_ORDERING_PSEUDO_LEGACY)
          count = kMrgSequences;
        sequences.begin(generator.seed, generator.position, count);
      },
      generator.sequences);
  generator.has_begun = true;
}

/// Has `write` make n numbers, where the device or the host wants them.
template <class T, class Write>
curandStatus_t generate(const char* name, curandGenerator_t generator, T* numbers, std::size_t n,
                        const void* call_site, const Write& write) {
  if (in_kernel()) unsupported("a call inside a kernel");
  if (n == 0) return CURAND_STATUS_SUCCESS;
  try {
    begin(*generator);
    if (generator->is_host) {
      write();
    } else {
      switch (begin_library_call(name, generator->stream)) {
        case Readiness::no_such_stream:
          return CURAND_STATUS_LAUNCH_FAILURE;
        case Readiness::device_failed:
          return CURAND_STATUS_PREEXISTING_FAILURE;
        case Readiness::ready:
          break;
      }
      LibraryOperands operands({"cuRAND", "the number of results"}, name, call_site);
      operands.reach("the result", numbers, n * sizeof(T));
      write();
      operands.touch("the result", numbers, n * sizeof(T), Use::write);
    }
    generator->position += n;
    return CURAND_STATUS_SUCCESS;
  } catch (const DeviceFailed&) {
    generator->position += n;
    return CURAND_STATUS_SUCCESS;
  } catch (const std::bad_alloc&) {
    return CURAND_STATUS_ALLOCATION_FAILED;
  }
}

template <class F>
using Number =
    std::decay_t<decltype(std::declval<F>()(static_cast<curandStatePhilox4_32_10_t*>(nullptr)))>;

/// One function of the device's, called as often as a visit to a sequence wants numbers.
template <std::size_t count, class Sequences, class F>
auto repeated(Sequences& sequences, const F& function) {
  (void)sequences;
  return [&function](auto* state) {
    std::array<Number<F>, count> numbers;
    for (auto& number : numbers) number = function(state);
    return numbers;
  };
}

/// One number from each visit.
template <class T, class F>
curandStatus_t generate_single(const char* name, curandGenerator_t generator, T* numbers,
                               std::size_t n, const void* call_site, const F& function) {
  if (!is_alive(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  return generate(name, generator, numbers, n, call_site, [&] {
    std::visit(
        [&](auto& sequences) {
          constexpr std::size_t kShare = std::decay_t<decltype(sequences)>::kShare;
          sequences.generate(numbers, n, repeated<kShare>(sequences, function));
        },
        generator->sequences);
  });
}

/// Two numbers from each visit.
template <class T, class F>
curandStatus_t generate_pairs(const char* name, curandGenerator_t generator, T* numbers,
                              std::size_t n, const void* call_site, const F& function) {
  if (!is_alive(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->type != CURAND_RNG_PSEUDO_PHILOX4_32_10 && n % 2 != 0)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generate(name, generator, numbers, n, call_site, [&] {
    std::visit(
        [&](auto& sequences) {
          constexpr std::size_t kCount =
              std::max<std::size_t>(2, std::decay_t<decltype(sequences)>::kShare);
          sequences.generate(numbers, n, repeated<kCount>(sequences, function));
        },
        generator->sequences);
  });
}

// Philox's double has all of its bits here, unlike a single one in a kernel.
double uniform_double(curandStateXORWOW_t* state) { return curand_uniform_double(state); }
double uniform_double(curandStateMRG32k3a_t* state) { return curand_uniform_double(state); }
double uniform_double(curandStatePhilox4_32_10_t* state) {
  const unsigned x = ::curand(state);
  return detail::uniform_double(x, ::curand(state));
}

/// The Poisson distribution up to where a 32-bit number ends.
std::vector<double> cumulative_poisson(double lambda) {
  std::vector<double> sums;
  double sum = 0;
  const double last = lambda + 12 * std::sqrt(lambda) + 30;
  for (double k = 0; k <= last; ++k) {
    sum += std::exp(k * std::log(lambda) - lambda - std::lgamma(k + 1));
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace
}  // namespace emu::curand

using namespace emu;
using namespace emu::curand;

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  const std::lock_guard lock(generators().mutex);
  const auto found = generators().find(generator);
  if (found == generators().alive.end()) return CURAND_STATUS_NOT_INITIALIZED;
  generators().alive.erase(found);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int* version) {
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
  if (type < MAJOR_VERSION || type > PATCH_LEVEL) return CURAND_STATUS_OUT_OF_RANGE;
  *value = std::array{CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH}[type];
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (!is_alive(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  return change(generator, [&](curandGenerator_st& one) { one.seed = seed; });
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  return change(generator, [&](curandGenerator_st& one) { one.position = offset; });
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (!is_alive(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  switch (order) {
    case CURAND_ORDERING_PSEUDO_BEST:
    case CURAND_ORDERING_PSEUDO_DEFAULT:
    case CURAND_ORDERING_PSEUDO_LEGACY:
      break;
    case CURAND_ORDERING_PSEUDO_SEEDED:
      if (generator->type == CURAND_RNG_PSEUDO_XORWOW) unsupported("CURAND_ORDERING_PSEUDO_SEEDED");
      return CURAND_STATUS_OUT_OF_RANGE;
    case CURAND_ORDERING_PSEUDO_DYNAMIC:
      if (!generator->is_host) unsupported("CURAND_ORDERING_PSEUDO_DYNAMIC");
      return CURAND_STATUS_OUT_OF_RANGE;
    default:
      return CURAND_STATUS_OUT_OF_RANGE;
  }
  if (generator->order == order) return CURAND_STATUS_SUCCESS;
  return change(generator, [&](curandGenerator_st& one) { one.order = order; });
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned) {
  return is_alive(generator) ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  if (!is_alive(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  begin(*generator);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* numbers, size_t n) {
  return generate_single("curandGenerate", generator, numbers, n, __builtin_return_address(0),
                         [](auto* state) { return ::curand(state); });
}

curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long*, size_t) {
  return is_alive(generator) ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* numbers, size_t n) {
  return generate_single("curandGenerateUniform", generator, numbers, n,
                         __builtin_return_address(0),
                         [](auto* state) { return curand_uniform(state); });
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* numbers, size_t n) {
  return generate_single("curandGenerateUniformDouble", generator, numbers, n,
                         __builtin_return_address(0),
                         [](auto* state) { return uniform_double(state); });
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* numbers, size_t n,
                                    float mean, float stddev) {
  return generate_pairs("curandGenerateNormal", generator, numbers, n, __builtin_return_address(0),
                        [=](auto* state) { return mean + stddev * curand_normal(state); });
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* numbers, size_t n,
                                          double mean, double stddev) {
  return generate_pairs("curandGenerateNormalDouble", generator, numbers, n,
                        __builtin_return_address(0),
                        [=](auto* state) { return mean + stddev * curand_normal_double(state); });
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* numbers, size_t n,
                                       float mean, float stddev) {
  return generate_pairs(
      "curandGenerateLogNormal", generator, numbers, n, __builtin_return_address(0),
      [=](auto* state) { return std::exp(mean + stddev * curand_normal(state)); });
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* numbers, size_t n,
                                             double mean, double stddev) {
  return generate_pairs(
      "curandGenerateLogNormalDouble", generator, numbers, n, __builtin_return_address(0),
      [=](auto* state) { return std::exp(mean + stddev * curand_normal_double(state)); });
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* numbers, size_t n,
                                     double lambda) {
  const void* const call_site = __builtin_return_address(0);
  constexpr const char* kName = "curandGeneratePoisson";
  constexpr double kLargest = 400000, kNormalBegin = 2000;
  if (!is_alive(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (!(lambda > 0 && lambda <= kLargest)) return CURAND_STATUS_OUT_OF_RANGE;
  if (lambda >= kNormalBegin)
    return generate_single(kName, generator, numbers, n, call_site, [lambda](auto* state) {
      return static_cast<unsigned>(std::sqrt(lambda) * curand_normal(state) + lambda + 0.5);
    });
  const std::vector<double> sums = cumulative_poisson(lambda);
  return generate_single(kName, generator, numbers, n, call_site, [&sums](auto* state) {
    const double x = (::curand(state) + 0.5) * 0x1p-32;
    return static_cast<unsigned>(std::lower_bound(sums.begin(), sums.end() - 1, x) - sums.begin());
  });
}

}  // extern "C"
