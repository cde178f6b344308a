#pragma once

/// @file
/// Launches a kernel of the chapter on values of the host and returns its results.

#include <doctest/doctest.h>

#include <optional>
#include <vector>

#include "chapters/counters_text.hpp"
#include "chapters/launch.hpp"
#include "course/backend.hpp"
#include "course/device_buffer.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "expected.hpp"
#include "kernels_under_test.hpp"

namespace test07 {

using course::DeviceBuffer;
using course_test::launch;
using expected::kWarpSize, expected::Words;
using IntValues = expected::Ints;

inline constexpr int kThreads = 128;
inline constexpr unsigned kWholeWarp = 0xffffffff;

using course::divide_up;

inline IntValues numbers(int n, int seed = 3) { return course::random_ints(n, seed, -1000, 1000); }

/// The output of a launch, and its counters if they are counted.
struct Outcome {
  IntValues out;
  std::optional<course::Counters> counted;

  std::uint64_t shared_requests() const {
    return counted->shared_load.requests + counted->shared_store.requests;
  }
  std::uint64_t shared_wavefronts() const {
    return counted->shared_load.wavefronts + counted->shared_store.wavefronts;
  }
};

/// Calls `launch(blocks)` with as many blocks as n elements need; does nothing if n is 0.
template <class Launch>
std::optional<course::Counters> count_launch(int n, int threads, Launch launch) {
  return course::count([&] {
    if (n > 0) launch(divide_up(n, threads));
    course::check_launch();
  });
}

inline Outcome run_ints(Ints* kernel, const IntValues& in, std::size_t results,
                        int threads = kThreads, std::size_t shared_bytes = 0) {
  const int n = static_cast<int>(in.size());
  const DeviceBuffer<int> device_in(in);
  DeviceBuffer<int> out(results);
  Outcome outcome;
  outcome.counted = count_launch(n, threads, [&](int blocks) {
    launch(kernel, {blocks, threads, shared_bytes}, n, device_in.data(), out.data());
  });
  outcome.out = out.to_host();
  return outcome;
}

/// Returns the number of warps in a launch for n elements.
inline int warps_launched(int n, int threads = kThreads) {
  return divide_up(n, threads) * divide_up(threads, kWarpSize);
}

}  // namespace test07
