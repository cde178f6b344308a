/// Checks the exercises of chapter 02.

#include <functional>
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
  void (*sgemm_from_a_line)(int m, int n, int k, const float* A, const float* B, float* C,
                            int block);
  void (*sgemm_transposed_a)(int m, int n, int k, const float* A, const float* B, float* C);
};

Submission submission();

using course::SgemmSize;
using course_test::expect;
using course_test::launch;
using course_test::number;

namespace {

using course::kWarpSize;
constexpr double kCoalescedSectors = 5.0;  // per two requests: 1 of A and 4 of B
constexpr double kNaiveSectors = 33.0;     // 32 of A and 1 of B
constexpr double kRowSectors = 4.0;        // of a warp's part of a row of C

using course::divide_up;

using Launch =
    std::function<void(dim3 grid, dim3 tile, SgemmSize, const float* a, const float* b, float* c)>;

/// Launches with blocks that take a tile of C each, checks the result, and returns the counters
/// where the back end counts.
std::optional<course::Counters> check_result(SgemmSize size, dim3 tile, bool a_is_transposed,
                                             const Launch& launch) {
  const auto problem = course::make_sgemm_problem(size, /*seed=*/8);
  const auto a = a_is_transposed ? course_test::transposed(problem.a, size.m, size.k) : problem.a;
  const auto outcome = course_test::multiply(
      a, problem.b, problem.c, [&](const float* device_a, const float* b, float* c) {
        const dim3 grid(divide_up(size.n, tile.x), divide_up(size.m, tile.y));
        launch(grid, tile, size, device_a, b, c);
      });
  const std::string wrong = course_test::what_is_wrong(
      problem, outcome.c,
      " in blocks of " + std::to_string(tile.x) + " x " + std::to_string(tile.y));
  expect(wrong.empty(), wrong);
  return outcome.counted;
}

/// Holds the counters of a square problem against what a warp along a row of C needs, and returns
/// them in words.
std::string check_counters(const course::Counters& counted, SgemmSize size) {
  const double warps = 1.0 * size.m * size.n / kWarpSize;
  const double steps = warps * size.k;
  const double requests = counted.global_load.requests / steps;
  const double sectors = counted.global_load.sectors / steps;
  expect(
      sectors != kNaiveSectors || requests != 2.0,
      "The result is right, but a warp takes 33 sectors per two requests: neighbouring lanes are "
      "k floats apart in A, so each of them needs a sector of its own.");
  expect(requests <= 2.0,
         "The result is right, but a warp makes " + number(requests) +
             " load requests per step of the loop; one of A and one of B are enough.");
  expect(sectors <= kCoalescedSectors,
         "The result is right, but a warp takes " + number(sectors) +
             " sectors per two requests; 5 are enough: 1 of A, which all lanes share, and 4 of B.");
  const double stored = counted.global_store.sectors / warps;
  expect(stored <= kRowSectors,
         "The result and the loads are right, but a warp stores its 32 elements of C into " +
             number(stored) +
             " sectors; 4 are enough: neighbouring lanes are n floats apart in C.");
  return number(sectors) + " sectors in " + number(requests) +
         " load requests of a warp per step of the loop, and " + number(stored) +
         " sectors to store";
}

/// Results in square tiles, then what they cost, which is returned in words where it is counted,
/// then results in tiles of another shape.
std::string check_kernel(dim3 other_tile, bool a_is_transposed, const Launch& launch) {
  const dim3 tile(kWarpSize, kWarpSize);
  for (const SgemmSize& size : {SgemmSize{32, 32, 32}, SgemmSize{33, 70, 17}, SgemmSize{70, 33, 40},
                                SgemmSize{1, 1, 5}, SgemmSize{5, 64, 0}})
    check_result(size, tile, a_is_transposed, launch);
  const SgemmSize square = {128, 128, 64};
  std::string cost;
  if (const auto counted = check_result(square, tile, a_is_transposed, launch))
    cost = check_counters(*counted, square);
  check_result({33, 70, 17}, other_tile, a_is_transposed, launch);
  return cost;
}

}  // namespace

int main(int argc, char** argv) {
  course_test::ExerciseCheck check("02", argc, argv);
  check.exercise(
      "1: a warp along a row of C",
      {"The threads of a warp have consecutive threadIdx.x. Which of row and col changes from lane "
       "to lane now: the one with %, or the one with /?",
       "threadIdx.x % block changes with every lane, threadIdx.x / block with every 32nd. "
       "Consecutive columns of B and C are neighbours in memory.",
       "row = blockIdx.y * block + threadIdx.x / block; the column is for you."},
      [] {
        return check_kernel(
            dim3(16, 16), false,
            [](dim3 grid, dim3 tile, SgemmSize s, const float* a, const float* b, float* c) {
              const int block = static_cast<int>(tile.x);
              launch(submission().sgemm_from_a_line, {grid, block * block}, s.m, s.n, s.k, a, b, c,
                     block);
            });
      });
  check.exercise(
      "2: C = A^T B",
      {"Element (row, p) of A^T is element (p, row) of the A that is stored.",
       "A row-major matrix of [k, m] has element (p, row) at p * m + row.",
       "If only the stores are wide: let threadIdx.x be the column, as in sgemm_coalesced_2d."},
      [] {
        return check_kernel(
            dim3(32, 8), true,
            [](dim3 grid, dim3 tile, SgemmSize s, const float* a, const float* b, float* c) {
              launch(submission().sgemm_transposed_a, {grid, tile}, s.m, s.n, s.k, a, b, c);
            });
      });
  return check.finish();
}
