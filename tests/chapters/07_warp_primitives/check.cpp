/// Checks the exercises of chapter 07.

#include <optional>
#include <string>
#include <vector>

#include "../exercise_check.hpp"
#include "../launch.hpp"
#include "course/counters.hpp"
#include "course/device_buffer.hpp"
#include "course/inputs.hpp"

/// What exercise.cuh defines, as pointers, so that this check serves every answer.
struct Submission {
  void (*block_sums)(int n, const int* in, int* sums);
};

Submission submission();

using course::DeviceBuffer;
using course_test::expect;
using course_test::launch;

namespace {

using course::kWarpSize;
constexpr int kMostWarps = 32;

/// What came of one launch.
struct Outcome {
  std::vector<int> actual, expected;
  std::optional<course::Counters> counted;
};

Outcome run_block_sums(int n, int warps) {
  const int threads = warps * kWarpSize;
  const int blocks = (n + threads - 1) / threads;
  const auto values = course::random_ints(n, /*seed=*/7, -1000, 1000);
  const DeviceBuffer<int> in(values, "in");
  DeviceBuffer<int> sums(blocks, "sums");
  Outcome outcome;
  outcome.counted = course::count([&] {
    launch(submission().block_sums, {blocks, threads}, n, in.data(), sums.data());
    course::check_launch();
  });
  outcome.actual = sums.to_host();
  outcome.expected.assign(blocks, 0);
  for (int i = 0; i < n; ++i) outcome.expected[i / threads] += values[i];
  return outcome;
}

void check_sums(int n, int warps, const std::string& advice) {
  const Outcome outcome = run_block_sums(n, warps);
  for (std::size_t block = 0; block < outcome.expected.size(); ++block)
    expect(outcome.actual[block] == outcome.expected[block],
           "With " + std::to_string(n) + " elements and " + std::to_string(warps) +
               " warps in a block, the sum of block " + std::to_string(block) + " is " +
               std::to_string(outcome.actual[block]) + " instead of " +
               std::to_string(outcome.expected[block]) + ": " + advice);
}

/// What the hazard checker has to say, where there is one.
void check_hazards(int n, int warps) {
  const auto hazards = course::hazards_in([&] { run_block_sums(n, warps); });
  if (!hazards || hazards->empty()) return;
  expect(false, "With " + std::to_string(warps) + " warps in a block, the checker reports " +
                    hazards->front() + ".");
}

/// Shared memory for a block of 32 warps: 32 stores of one lane, one load of a whole warp. Returns
/// what they cost in words.
std::string check_banks() {
  const auto counted = run_block_sums(kMostWarps * kWarpSize, kMostWarps).counted;
  if (!counted) return "";
  const auto loads = counted->shared_load, stores = counted->shared_store;
  expect(loads.wavefronts == loads.wavefronts_ideal,
         "To read the sums of 32 warps takes " + std::to_string(loads.wavefronts) +
             " wavefronts; " + std::to_string(loads.wavefronts_ideal) +
             " would do. Places that are a multiple of 32 words apart lie in the same bank, and a "
             "bank serves one of them at a time.");
  expect(loads.requests <= 1 && stores.requests <= kMostWarps,
         std::to_string(stores.requests) + " stores and " + std::to_string(loads.requests) +
             " loads of shared memory; one store for each warp and one load are enough.");
  return std::to_string(loads.wavefronts) + " wavefront to read the sums of " +
         std::to_string(kMostWarps) + " warps";
}

}  // namespace

int main(int argc, char** argv) {
  course_test::ExerciseCheck check("07", argc, argv);
  check.exercise("1: the banks of the warps' sums",
                 {"Shared memory has 32 banks. Word w lies in bank w % 32.",
                  "With stride = 32, partial[0], partial[32], partial[64] ... are all in bank 0.",
                  "There are at most 32 sums: they fit side by side. stride is for you."},
                 check_banks);
  check.exercise("2: a race between warps",
                 {"Nothing says which warp runs first. What does warp 0 read from a warp that has "
                  "not been there yet?",
                  "__syncwarp() is for the lanes of one warp. What waits for all of a block?"},
                 [] {
                   for (const int n : {1024, 1025, 20 * 1024, 20 * 1024 - 7})
                     check_sums(n, kMostWarps,
                                "warp 0 may read before the other warps have written. Who waits "
                                "for whom?");
                   check_hazards(2 * 1024, kMostWarps);
                 });
  check.exercise(
      "3: lanes that do not come",
      {"With 4 warps in a block, which threads go into the last branch? Whom does kWholeWarp "
       "name?",
       "Either the mask names those that come, and no lane reads another one, or all 32 come. The "
       "second is shorter: a lane without a sum brings 0.",
       "takes_part is to be true for the threads 0 to 31, however many warps there are."},
      [] {
        for (const int warps : {4, 1, 2, 3, 7, 8, 16, 31, 32})
          for (const int n : {33, 1, 31, 32, 1000, 4099})
            check_sums(n, warps,
                       "the mask of the last tree names lanes that do not come, or a lane reads "
                       "from one that the mask does not name.");
        for (const int warps : {1, 4, 31}) check_hazards(1000, warps);
      });
  return check.finish();
}
