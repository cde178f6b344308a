/// Checks the exercise of chapter 09.

#include <string>
#include <vector>

#include "../exercise_check.hpp"
#include "../launch.hpp"
#include "../matrices.hpp"
#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/sgemm_check.hpp"

/// What exercise.cuh defines, as pointers, so that this check serves every answer.
struct Submission {
  void (*sgemm_with_epilogue)(int m, int n, int k, const float* A, const float* B, float* C);
};

Submission submission();

using course::SgemmSize;
using course_test::expect;
using course_test::launch;
using course_test::number;
using course_test::transposed;

namespace {

constexpr int kTile = 64;
constexpr int kThreads = 64;
using course::kWarpSize;
constexpr double kSectorsPerStore = 4.0;  // 32 neighbouring floats
constexpr double kStagingStores = 16.0;   // 16-byte ones of a warp, two for each of eight columns

using course::divide_up;

/// Launches, checks the result, and returns the counters where the back end counts.
std::optional<course::Counters> check_result(SgemmSize size) {
  const auto problem = course::make_sgemm_problem(size, /*seed=*/8);
  const auto [m, n, k] = size;
  const dim3 grid(divide_up(m, kTile), divide_up(n, kTile));
  const auto outcome = course_test::multiply(
      transposed(problem.a, m, k), transposed(problem.b, k, n), problem.c,
      [&, m = m, n = n, k = k](auto a, auto b, auto c) {
        launch(submission().sgemm_with_epilogue, {grid, kThreads}, m, n, k, a, b, c);
      });
  const std::string wrong = course_test::what_is_wrong(problem, transposed(outcome.c, n, m));
  expect(wrong.empty(),
         wrong +
             " Is every address the one in the table? And may a lane read before the others have "
             "stored, or store again before the others have read?");
  return outcome.counted;
}

/// Holds the counters of whole tiles against what the epilogue of maxas needs, and returns them in
/// words.
std::string check_counters(const course::Counters& counted, SgemmSize size) {
  const course::GlobalCounters& stores = counted.global_store;
  const double sectors = 1.0 * stores.sectors / stores.requests;
  expect(sectors <= kSectorsPerStore,
         "The result is right, but a request stores into " + number(sectors) +
             " sectors; 4 are enough: 32 neighbouring floats of a column.");

  const course::SharedCounters& staging = counted.shared_store;
  const double warps = 1.0 * size.m * size.n / kTile / kTile * kThreads / kWarpSize;
  const double requests = staging.requests / warps;
  expect(staging.requests > 0,
         "Every store to C takes 4 sectors, but nothing passes through shared memory. Each result "
         "is to be worked out once, by the thread that the given lines give it to.");
  expect(requests <= kStagingStores,
         "Every store to C takes 4 sectors, but a warp makes " + number(requests) +
             " requests to store into shared memory; 16 are enough, of 16 bytes per lane: two for "
             "each of eight columns.");
  expect(staging.wavefronts <= staging.wavefronts_ideal,
         "Every store to C takes 4 sectors, but a store into shared memory takes " +
             number(1.0 * staging.wavefronts / staging.requests) + " wavefronts; " +
             number(1.0 * staging.wavefronts_ideal / staging.requests) +
             " are enough. Lanes 0 to 7 go together: which banks do the two columns of a quarter "
             "of the warp lie in?");
  const course::SharedCounters& reading = counted.shared_load;
  expect(reading.wavefronts <= reading.wavefronts_ideal,
         "A load from shared memory has bank conflicts: 32 lanes should read 32 neighbours.");
  return number(sectors) + " sectors a store to C, and " + number(requests) +
         " stores of a warp into shared memory, in " +
         number(1.0 * staging.wavefronts / staging.requests) + " wavefronts each";
}

}  // namespace

int main(int argc, char** argv) {
  course_test::ExerciseCheck check("09", argc, argv);
  check.exercise(
      "1: the epilogue of maxas",
      {"The table in README.md says where a thread stores its eight results in shared memory, "
       "where it "
       "loads eight others, and which elements of C these are.",
       "Store cs[0..3] and cs[4..7] as one float4 each, at column col_group, rows row_group * 4 "
       "and 32 further on. Then, for i = 0..7, read column warp * 4 + i / 2, row lane + i % 2 * "
       "32. __syncwarp() before the reads and after them.",
       "cs[i] is then row tile_row + lane + i % 2 * 32 and column tile_col + warp * 16 + i / 2 * 4 "
       "+ col_in_group. Two columns that a quarter of a warp stores to should lie 16 banks apart, "
       "and each begin at a multiple of 16 bytes: which is the least stride from 64 on?"},
      [] {
        for (const SgemmSize& size :
             {SgemmSize{64, 64, 5}, SgemmSize{63, 65, 7}, SgemmSize{1, 1, 3}, SgemmSize{130, 40, 1},
              SgemmSize{5, 70, 0}})
          check_result(size);
        const SgemmSize whole_tiles = {128, 128, 4};
        const auto counted = check_result(whole_tiles);
        return counted ? check_counters(*counted, whole_tiles) : std::string();
      });
  return check.finish();
}
