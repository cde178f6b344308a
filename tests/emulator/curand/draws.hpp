/// @file
/// The functions of cuRAND's device API by number, so that one kernel can call any of them.
/// NVIDIA's headers compile this file too, which produced the recorded numbers.
#pragma once

#include <cstring>
#include <type_traits>

namespace draws {

enum Function : int {
  kBits,
  kUniform,
  kUniformDouble,
  kNormal,
  kNormal2,
  kNormalDouble,
  kNormal2Double,
  kLogNormal,
  kLogNormal2,
  kLogNormalDouble,
  kLogNormal2Double,
  kPoissonSmall,
  kPoissonMiddle,
  kPoissonLarge,
  // Only Philox has these.
  kBits4,
  kUniform4,
  kUniform2Double,
  kUniform4Double,
  kNormal4,
  kNormal4Double,
  kLogNormal4,
  kLogNormal4Double,
  kPoisson4Small,
  kPoisson4Middle,
  kPoisson4Large,
};

constexpr const char* kNames[] = {"bits",
                                  "uniform",
                                  "uniform_double",
                                  "normal",
                                  "normal2",
                                  "normal_double",
                                  "normal2_double",
                                  "log_normal",
                                  "log_normal2",
                                  "log_normal_double",
                                  "log_normal2_double",
                                  "poisson_3.5",
                                  "poisson_500",
                                  "poisson_10000",
                                  "bits4",
                                  "uniform4",
                                  "uniform2_double",
                                  "uniform4_double",
                                  "normal4",
                                  "normal4_double",
                                  "log_normal4",
                                  "log_normal4_double",
                                  "poisson4_3.5",
                                  "poisson4_500",
                                  "poisson4_10000"};
constexpr int kFunctions = kPoisson4Large + 1;
constexpr int kFunctionsOfAll = kBits4;

constexpr double kSmall = 3.5, kMiddle = 500, kLarge = 10000;

/// Stores numbers of any type as bits.
class Sink {
 public:
  __device__ explicit Sink(unsigned long long* at) : at_(at) {}
  __device__ void put(unsigned x) { *at_++ = x; }
  __device__ void put(float x) {
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    *at_++ = bits;
  }
  __device__ void put(double x) {
    unsigned long long bits;
    memcpy(&bits, &x, sizeof bits);
    *at_++ = bits;
  }
  template <class Pair>
  __device__ void put2(Pair x) {
    put(x.x);
    put(x.y);
  }
  template <class Four>
  __device__ void put4(Four x) {
    put2(x);
    put(x.z);
    put(x.w);
  }
  __device__ unsigned long long* at() const { return at_; }

 private:
  unsigned long long* at_;
};

template <class State>
__device__ void draw(State* state, Function function, Sink& sink) {
  switch (function) {
    case kBits:
      return sink.put(curand(state));
    case kUniform:
      return sink.put(curand_uniform(state));
    case kUniformDouble:
      return sink.put(curand_uniform_double(state));
    case kNormal:
      return sink.put(curand_normal(state));
    case kNormal2:
      return sink.put2(curand_normal2(state));
    case kNormalDouble:
      return sink.put(curand_normal_double(state));
    case kNormal2Double:
      return sink.put2(curand_normal2_double(state));
    case kLogNormal:
      return sink.put(curand_log_normal(state, 0.5f, 0.25f));
    case kLogNormal2:
      return sink.put2(curand_log_normal2(state, 0.5f, 0.25f));
    case kLogNormalDouble:
      return sink.put(curand_log_normal_double(state, 0.5, 0.25));
    case kLogNormal2Double:
      return sink.put2(curand_log_normal2_double(state, 0.5, 0.25));
    case kPoissonSmall:
      return sink.put(curand_poisson(state, kSmall));
    case kPoissonMiddle:
      return sink.put(curand_poisson(state, kMiddle));
    case kPoissonLarge:
      return sink.put(curand_poisson(state, kLarge));
    default:
      break;
  }
  if constexpr (std::is_same_v<State, curandStatePhilox4_32_10_t>) {
    switch (function) {
      case kBits4:
        return sink.put4(curand4(state));
      case kUniform4:
        return sink.put4(curand_uniform4(state));
      case kUniform2Double:
        return sink.put2(curand_uniform2_double(state));
      case kUniform4Double:
        return sink.put4(curand_uniform4_double(state));
      case kNormal4:
        return sink.put4(curand_normal4(state));
      case kNormal4Double:
        return sink.put4(curand_normal4_double(state));
      case kLogNormal4:
        return sink.put4(curand_log_normal4(state, 0.5f, 0.25f));
      case kLogNormal4Double:
        return sink.put4(curand_log_normal4_double(state, 0.5, 0.25));
      case kPoisson4Small:
        return sink.put4(curand_poisson4(state, kSmall));
      case kPoisson4Middle:
        return sink.put4(curand_poisson4(state, kMiddle));
      case kPoisson4Large:
        return sink.put4(curand_poisson4(state, kLarge));
      default:
        break;
    }
  }
}

/// The start of a state, and what is skipped afterwards.
struct Start {
  unsigned long long seed, subsequence, offset, skip, skip_sequences;
};

constexpr Start kStarts[] = {
    {0, 0, 0, 0, 0},
    {1234, 0, 0, 0, 0},
    {0x123456789abcdef, 1, 0, 0, 0},
    {42, 1023, 3, 0, 0},
    {0xfffffffffffffffe, 0x0004567812345678, 0x123456789abcdef1, 0, 0},
    {7, 3, 5, 1000000007, 0},
    {7, 3, 5, 0xfffffffffffffffe, 0x8000000000000001},
};

template <class State>
__device__ void begin(State* state, const Start& start) {
  curand_init(start.seed, start.subsequence, start.offset, state);
  if (start.skip != 0) skipahead(start.skip, state);
  if (start.skip_sequences != 0) skipahead_sequence(start.skip_sequences, state);
}

/// Draws at least `count` numbers, and at most 3 more.
template <class State>
__device__ void draw_many(const Start& start, Function function, int count,
                          unsigned long long* numbers) {
  State state;
  begin(&state, start);
  Sink sink(numbers);
  while (sink.at() < numbers + count) draw(&state, function, sink);
}

}  // namespace draws
