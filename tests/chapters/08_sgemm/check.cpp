/// Checks the exercise of chapter 08.

#include <string>

#include "../exercise_check.hpp"
#include "../launch.hpp"
#include "../matrices.hpp"
#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/sgemm_check.hpp"

/// What exercise.cuh defines, as pointers, so that this check serves every answer.
struct Submission {
  void (*sgemm_thread_tile)(int m, int n, int k, const float* A, const float* B, float* C);
};

Submission submission();

using course::SgemmSize;
using course_test::expect;
using course_test::launch;
using course_test::number;

namespace {

constexpr int kTile = 64;
constexpr int kThreads = 512;
constexpr int kThreadM = 8;  // elements of C per thread
constexpr double kLoadsPerProducts = kThreadM + 1;
constexpr double kSectorsOfElements = 8.0;  // 32 bytes

using course::divide_up;
using course::kWarpSize;

/// Launches, checks the result, and returns the counters where the back end counts.
std::optional<course::Counters> check_result(SgemmSize size) {
  const auto problem = course::make_sgemm_problem(size, /*seed=*/8);
  const auto [m, n, k] = size;
  const dim3 grid(divide_up(n, kTile), divide_up(m, kTile));
  const auto outcome = course_test::multiply(
      problem.a, problem.b, problem.c, [&, m = m, n = n, k = k](auto a, auto b, auto c) {
        launch(submission().sgemm_thread_tile, {grid, kThreads}, m, n, k, a, b, c);
      });
  const std::string wrong = course_test::what_is_wrong(problem, outcome.c);
  expect(wrong.empty(), wrong);
  return outcome.counted;
}

/// Holds the counters of whole tiles against what a 1-D thread tile needs, and returns them in
/// words.
std::string check_counters(const course::Counters& counted, SgemmSize size) {
  // Each element of A is needed by every column of tiles, each element of B by every row of them.
  const double elements =
      1.0 * size.m * size.k * (size.n / kTile) + 1.0 * size.k * size.n * (size.m / kTile);
  const double sectors = counted.global_load.sectors / (elements / kSectorsOfElements);
  expect(sectors <= 1.0,
         "The result is right, but " + number(sectors) +
             " times as many sectors of A and B are loaded from global memory as are needed: a "
             "block needs each element of its tiles once, and the given lines load it into a_tile "
             "or b_tile.");

  const double products = 1.0 * size.m * size.n * size.k / kWarpSize;
  const double loads = counted.shared_load.requests / (products / kThreadM);
  expect(loads <= kLoadsPerProducts,
         "The result is right, but a thread makes " + number(loads) +
             " shared loads for its 8 products of one p; 9 are enough: 8 of A, and 1 of B, which "
             "they all share.");

  const course::SharedCounters& reading = counted.shared_load;
  expect(reading.wavefronts <= reading.wavefronts_ideal,
         "The result and the loads are right, but a shared load takes " +
             number(1.0 * reading.wavefronts / reading.requests) +
             " wavefronts, and 1 is enough: neighbouring lanes should take neighbouring columns of "
             "B, and the same row of A.");
  return number(loads) + " shared loads of a thread for 8 products, in " +
         number(1.0 * reading.wavefronts / reading.requests) + " wavefront each";
}

}  // namespace

int main(int argc, char** argv) {
  course_test::ExerciseCheck check("08", argc, argv);
  check.exercise(
      "1: eight elements of C per thread",
      {"512 threads have 64 x 64 elements of C to finish. If the eight of a thread lie in one "
       "column, then an element of b_tile serves all eight. (TODO 1 may stay empty if a "
       "thread's rows are row, row + 8, row + 16 and so on.)",
       "Inside the loop over p, load b_tile[p][col] into a register first. Then go over the eight "
       "rows: one element of a_tile and one product each, added to sum[i].",
       "With row = threadIdx.x / kTileN * kThreadM, the rows are row + i: "
       "sum[i] += a_tile[row + i][p] * b. After the loops, store sum[i] where sum[0] is stored "
       "now, i rows further down, if that row is one of C's."},
      [] {
        for (const SgemmSize& size :
             {SgemmSize{64, 64, 8}, SgemmSize{63, 65, 7}, SgemmSize{1, 1, 3},
              SgemmSize{130, 40, 17}, SgemmSize{5, 70, 0}})
          check_result(size);
        const SgemmSize whole_tiles = {128, 192, 24};
        const auto counted = check_result(whole_tiles);
        return counted ? check_counters(*counted, whole_tiles) : std::string();
      });
  return check.finish();
}
