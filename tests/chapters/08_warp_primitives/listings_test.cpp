/// Tests the listings: the right ones are right, and the wrong ones fail as expected.

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <set>
#include <string>

#include "hangs.hpp"
#include "launches.hpp"

using namespace test07;

namespace {

bool is_emulated() { return course::backend().reports_counters; }

/// Returns the lanes whose result includes a value from outside the lanes 0 to n - 1, in a tree of
/// __shfl_down_sync.
std::uint32_t spoiled_lanes(int n) {
  std::uint32_t spoiled = n == kWarpSize ? 0 : kWholeWarp << n;
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2) spoiled |= spoiled >> offset;
  return spoiled;
}

IntValues sums_by_listing_03(const IntValues& in, std::optional<course::Counters>* counted) {
  Outcome outcome;
  course::without_checking([&] {
    outcome = run_ints(kernels_under_test().listing_03, in, divide_up(int(in.size()), kWarpSize));
  });
  *counted = outcome.counted;
  return outcome.out;
}

struct Listing5 {
  Words masks;
  IntValues out;
};

Listing5 run_listing_05(int n, int sides, const IntValues& in) {
  const DeviceBuffer<int> device_in(in);
  DeviceBuffer<unsigned> masks(n);
  DeviceBuffer<int> out(n);
  count_launch(n, kThreads, [&](int blocks) {
    launch(kernels_under_test().listing_05, {blocks, kThreads}, n, sides, device_in.data(),
           masks.data(), out.data());
  });
  return {masks.to_host(), out.to_host()};
}

IntValues run_listing_06(int warps, const IntValues& in) {
  const int threads = warps * kWarpSize;
  const DeviceBuffer<int> device_in(in);
  DeviceBuffer<int> out(in.size());
  const auto counted = course::count([&] {
    launch(kernels_under_test().listing_06,
           {int(in.size()) / threads, threads, sizeof(int) * threads}, device_in.data(),
           out.data());
    course::check_launch();
  });
  if (counted) {
    CHECK(counted->shared_load.requests == in.size() / kWarpSize);
    CHECK(counted->shared_load.wavefronts == in.size() / kWarpSize);
    CHECK(counted->shared_store.wavefronts == in.size() / kWarpSize);
  }
  return out.to_host();
}

/// Prints the error and exits, since the device cannot be used any more.
[[noreturn]] void leave_with_error() {
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
  std::fflush(stdout);
  std::_Exit(1);
}

/// Runs a test case of this program in its own process and returns its output.
std::string output_of_alone(const std::string& test_case) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command =
      "COURSE_CHECK=off '" + self + "' --no-skip --test-case='" + test_case + "' 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  pclose(pipe);
  return text;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("listing 1: lane 0 ends with the sum, every other lane with something else") {
  for (const int n : {0, 1, 31, 32, 33, 128, 1000}) {
    CAPTURE(n);
    const IntValues in = numbers(n);
    const Outcome outcome = run_ints(kernels_under_test().listing_01, in, n);
    CHECK(outcome.out == expected::tree_of_warps(in));
    const IntValues sums = expected::sums_of_warps(in);
    for (int i = 0; i < n; i += kWarpSize) CHECK(outcome.out[i] == sums[i / kWarpSize]);
    if (outcome.counted) CHECK(outcome.shared_requests() == 0);
  }
  const Outcome ones = run_ints(kernels_under_test().listing_01, IntValues(kWarpSize, 1), 32);
  // Lane 31 has no lane above it, and doubles itself five times.
  CHECK(ones.out[31] == 32);
  const IntValues powers = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
  const Outcome sum = run_ints(kernels_under_test().listing_01, powers, powers.size());
  CHECK(std::set<int>(sum.out.begin(), sum.out.end()).size() > 1);
  CHECK(sum.out[0] == 2047);
  CHECK(sum.out[1] != 2047);
}

TEST_CASE("listing 2: shuffles, votes and matches do what they say") {
  for (const int n : {0, 1, 31, 32, 33, 128, 500}) {
    for (const int kinds : {1, 2, 10}) {
      CAPTURE(n);
      CAPTURE(kinds);
      const IntValues values = course::random_ints(n, n + kinds, 1, kinds);
      const Words in(values.begin(), values.end());
      const DeviceBuffer<unsigned> device_in(in);
      DeviceBuffer<unsigned> out(10u * n);
      count_launch(n, kThreads, [&](int blocks) {
        launch(kernels_under_test().listing_02, {blocks, kThreads}, n, device_in.data(),
               out.data());
      });
      CHECK(out.to_host() == expected::exchanges_of(in));
    }
  }
}

TEST_CASE("listing 3: for every n from 1 to 31, lane 0 depends on a lane outside the mask") {
  for (int n = 1; n < kWarpSize; ++n) {
    CAPTURE(n);
    CHECK((spoiled_lanes(n) & 1) == 1);
  }
  CHECK(spoiled_lanes(kWarpSize) == 0);
}

TEST_CASE("listing 3: sums of whole warps are right, and on the emulator all others are wrong") {
  for (int n = 0; n <= 3 * kWarpSize; ++n) {
    CAPTURE(n);
    const IntValues in = numbers(n, n);
    std::optional<course::Counters> counted;
    IntValues sums = sums_by_listing_03(in, &counted), right = expected::sums_of_warps(in);
    if (n % kWarpSize != 0) {
      if (is_emulated()) CHECK(sums.back() != right.back());
      sums.pop_back();
      right.pop_back();
    }
    CHECK(sums == right);
    if (counted) CHECK(counted->shared_load.requests == 0);
  }
}

TEST_CASE("listing 4: lanes on both sides of a branch meet in one shuffle") {
  for (const int n : {0, 1, 31, 32, 33, 128, 1000}) {
    CAPTURE(n);
    const IntValues in = numbers(n);
    CHECK(run_ints(kernels_under_test().listing_04, in, n).out ==
          expected::plus_or_minus_the_first(in));
  }
}

TEST_CASE("listing 5: each lane gets the sum of its mask, which is the warp while none diverges") {
  for (const int n : {0, 1, 31, 32, 33, 1000}) {
    for (const int sides : {1, 2, 3}) {
      CAPTURE(n);
      CAPTURE(sides);
      const IntValues in = numbers(n);
      const Listing5 result = run_listing_05(n, sides, in);
      IntValues sums(n, 0);
      for (int i = 0; i < n; ++i) {
        CHECK((result.masks[i] >> i % kWarpSize & 1) == 1);
        for (int lane = 0; lane < kWarpSize; ++lane)
          if (result.masks[i] >> lane & 1)
            sums[i] += expected::element(in, i / kWarpSize * kWarpSize + lane);
      }
      CHECK(result.out == sums);
      if (sides == 1) CHECK(result.out == expected::sums_for_all(in));
    }
  }
}

TEST_CASE("listing 5: lanes apart make partial sums, of the lanes on the same side") {
  const IntValues in = numbers(1000);
  const Listing5 result = run_listing_05(1000, 2, in);
  const IntValues right = expected::sums_for_all(in);
  for (int i = 0; i < 1000; ++i) {
    const unsigned side = i % 2 == 0 ? 0x55555555u : 0xaaaaaaaau;
    CHECK((result.masks[i] & ~side) == 0);
    if (is_emulated()) CHECK(result.masks[i] == side);
    CHECK(result.out[i] != right[i]);
  }
}

TEST_CASE("listing 6: right for one warp; the second warp of a block gets nothing right") {
  IntValues in(8 * kWarpSize);
  std::iota(in.begin(), in.end(), 1);  // all different
  const IntValues right = expected::transposed(in);
  CHECK(run_listing_06(1, in) == right);
  IntValues out;
  course::without_checking([&] { out = run_listing_06(2, in); });
  for (std::size_t i = 0; i < in.size(); ++i) {
    CAPTURE(i);
    const bool is_second_warp = i / kWarpSize % 2 == 1;
    if (is_second_warp) {
      CHECK(out[i] != right[i]);
    } else {
      CHECK(out[i] == right[i]);
    }
  }
}

TEST_CASE("listing 6: which lane ends with which element; the published picture has three wrong") {
  IntValues in(kWarpSize);
  for (int i = 0; i < kWarpSize; ++i) in[i] = i;
  const IntValues out = run_listing_06(1, in);
  // [row][col] of the matrix: the lane that holds the element
  int lanes[expected::kRows][expected::kCols];
  for (int lane = 0; lane < kWarpSize; ++lane)
    lanes[out[lane] / expected::kCols][out[lane] % expected::kCols] = lane;
  for (int row = 0; row < expected::kRows; ++row)
    for (int col = 0; col < expected::kCols; ++col) CHECK(lanes[row][col] == 4 * col + row);
  // The picture shows 10, 11 and 12 there.
  CHECK(lanes[1][2] == 9);
  CHECK(lanes[2][2] == 10);
  CHECK(lanes[3][2] == 11);
}

TEST_CASE("listing 7: lanes that run one after the other show the race") {
  constexpr std::size_t kTreeBytes = 48 * sizeof(int);
  for (const int n : {32, 320, 1000}) {
    CAPTURE(n);
    const IntValues in = numbers(n), right = expected::sums_of_warps(in);
    Outcome outcome;
    course::without_checking([&] {
      outcome = run_ints(kernels_under_test().listing_07, in, right.size(), kWarpSize, kTreeBytes);
    });
    if (!outcome.counted) continue;
    CHECK(outcome.out != right);
    const std::uint64_t warps = right.size();
    // 1 store, then 5 x (2 loads and 1 store), then lane 0's load.
    CHECK(outcome.counted->shared_store.requests == 6 * warps);
    CHECK(outcome.counted->shared_load.requests == 11 * warps);
  }
}

TEST_CASE("listing 8: the published repair adds up the upper half of each warp only") {
  for (const int n : {0, 1, 15, 16, 17, 31, 32, 33, 1000}) {
    CAPTURE(n);
    const IntValues in = numbers(n);
    const Outcome outcome =
        run_ints(kernels_under_test().listing_08, in, divide_up(n, kWarpSize), kWarpSize);
    CHECK(outcome.out == expected::upper_halves(in));
  }
  IntValues counting(kWarpSize);
  for (int i = 0; i < kWarpSize; ++i) counting[i] = i;
  const Outcome outcome = run_ints(kernels_under_test().listing_08, counting, 1, kWarpSize);
  CHECK(outcome.out[0] == 376);  // 16 + ... + 31, of 496
  CHECK(expected::sums_of_warps(counting)[0] == 496);
}

TEST_CASE("listing 9: every ticket once, and one atomic for lanes that share a counter") {
  for (const int n : {0, 1, 31, 32, 33, 500}) {
    for (const int kinds : {1, 3, 50}) {
      CAPTURE(n);
      CAPTURE(kinds);
      const IntValues keys = course::random_ints(n, n, 0, kinds - 1);
      const DeviceBuffer<int> device_keys(keys);
      DeviceBuffer<int> counters(IntValues(kinds, 0)), tickets(n);
      const auto counted = count_launch(n, kThreads, [&](int blocks) {
        launch(kernels_under_test().listing_09, {blocks, kThreads}, n, device_keys.data(),
               counters.data(), tickets.data());
      });
      std::set<std::pair<int, int>> drawn;
      const IntValues numbers_drawn = tickets.to_host();
      IntValues wanted(kinds, 0);
      for (int i = 0; i < n; ++i) {
        drawn.insert({keys[i], numbers_drawn[i]});
        ++wanted[keys[i]];
      }
      CHECK(counters.to_host() == wanted);
      CHECK(drawn.size() == std::size_t(n));
      for (const auto& [key, ticket] : drawn) CHECK((ticket >= 0 && ticket < wanted[key]));
      if (counted && kinds == 1)
        CHECK(counted->global_atomic.sectors == std::uint64_t(divide_up(n, kWarpSize)));
    }
  }
}

TEST_CASE("listing 12: after a branch, the vote of the whole warp") {
  for (const int n : {0, 1, 31, 32, 33, 500}) {
    CAPTURE(n);
    const IntValues in = numbers(n);
    const DeviceBuffer<int> device_in(in);
    DeviceBuffer<unsigned> out(n);
    count_launch(n, kThreads, [&](int blocks) {
      launch(kernels_under_test().listing_12, {blocks, kThreads}, n, device_in.data(), out.data());
    });
    CHECK(out.to_host() == expected::passing_lanes(in));
  }
}

TEST_CASE("listing 14: each mask names the lane itself; more is not promised") {
  for (const int n : {0, 1, 31, 32, 33, 500}) {
    CAPTURE(n);
    DeviceBuffer<unsigned> before(n), after(n);
    count_launch(n, kThreads, [&](int blocks) {
      launch(kernels_under_test().listing_14, {blocks, kThreads}, n, before.data(), after.data());
    });
    const Words first = before.to_host(), second = after.to_host();
    for (int i = 0; i < n; ++i) {
      CHECK((first[i] >> i % kWarpSize & 1) == 1);
      CHECK((second[i] >> i % kWarpSize & 1) == 1);
      // By default, the emulator's lanes stay together.
      if (is_emulated()) CHECK((first[i] == kWholeWarp && second[i] == kWholeWarp));
    }
  }
}

TEST_CASE("a hang: mask_of_everybody" * doctest::skip()) {
  DeviceBuffer<int> out(kWarpSize);
  launch(hangs().mask_of_everybody, {1, kWarpSize}, out.data());
  leave_with_error();
}

TEST_CASE("a hang: mask_by_guess" * doctest::skip()) {
  DeviceBuffer<int> counter(IntValues(1, 0)), out(kWarpSize);
  launch(hangs().mask_by_guess, {1, kWarpSize}, counter.data(), out.data());
  leave_with_error();
}

TEST_CASE("rules 1 and 4: a mask of lanes that never come hangs, and the emulator says where") {
  if (!is_emulated()) return;  // a GPU would wait forever
  const std::string everybody = output_of_alone("a hang: mask_of_everybody");
  CAPTURE(everybody);
  CHECK(contains(everybody, "cudaErrorLaunchTimeout"));
  CHECK(contains(everybody, "16 threads wait at __shfl_xor_sync"));
  CHECK(contains(everybody, "16 threads wait at __syncthreads"));
  CHECK(contains(everybody, "hangs.cuh:11"));
  CHECK(contains(everybody, "with mask 0xffffffff"));

  const std::string guess = output_of_alone("a hang: mask_by_guess");
  CAPTURE(guess);
  CHECK(contains(guess, "cudaErrorLaunchTimeout"));
  CHECK(contains(guess, "16 threads wait at __shfl_sync"));
}
