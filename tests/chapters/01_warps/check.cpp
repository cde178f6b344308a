/// Checks the exercises of chapter 01.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "../exercise_check.hpp"
#include "../launch.hpp"
#include "course/counters.hpp"
#include "course/device_buffer.hpp"
#include "course/inputs.hpp"

/// What exercise.cuh defines, as pointers, so that this check serves every answer.
struct Submission {
  void (*describe_threads)(int* warp, int* lane, int* lanes,
                           int* leader);  // [threads of the block], each
  void (*sums_and_maxima)(int n, int rows, const float* table, float* out);  // [rows, n], [n]
};

Submission submission();

using course::DeviceBuffer;
using course_test::expect;
using course_test::launch;

namespace {

using course::kWarpSize;
constexpr int kNeverWritten = -1;  // what fresh device memory of the course holds

std::string shape(dim3 block) {
  return std::to_string(block.x) + " x " + std::to_string(block.y) + " x " +
         std::to_string(block.z);
}

std::string place(int thread, dim3 block) {
  const int x = thread % block.x, y = thread / block.x % block.y, z = thread / block.x / block.y;
  return "thread (" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) +
         ") of a block of " + shape(block);
}

std::string describe(int warp, int lane) {
  return "lane " + std::to_string(lane) + " of warp " + std::to_string(warp);
}

void check_describe_threads(dim3 block) {
  const int threads = static_cast<int>(block.x * block.y * block.z);
  DeviceBuffer<int> warp(threads, "warp"), lane(threads, "lane"), lanes(threads, "lanes");
  DeviceBuffer<int> leader(threads, "leader");
  launch(submission().describe_threads, {1, block}, warp.data(), lane.data(), lanes.data(),
         leader.data());
  course::check_launch();

  const auto actual_warp = warp.to_host(), actual_lane = lane.to_host();
  const auto actual_lanes = lanes.to_host(), actual_leader = leader.to_host();
  for (int thread = 0; thread < threads; ++thread) {
    const std::string who = place(thread, block) + " is number " + std::to_string(thread);
    const std::string wanted = describe(thread / kWarpSize, thread % kWarpSize);
    const std::string found =
        actual_warp[thread] == kNeverWritten || actual_lane[thread] == kNeverWritten
            ? "was never written"
            : "says " + describe(actual_warp[thread], actual_lane[thread]);
    expect(found == "says " + wanted, who + ": element " + std::to_string(thread) + " should say " +
                                          wanted + ", but it " + found + ".");
    const int wanted_leader = thread - thread % kWarpSize;
    expect(actual_leader[thread] == wanted_leader,
           "In a block of " + shape(block) + ", the thread that you number " +
               std::to_string(thread) + " runs in a warp whose lane 0 you number " +
               std::to_string(actual_leader[thread]) + "; by the formula that would be number " +
               std::to_string(wanted_leader) + ". The machine numbers threads in another order.");
    const int wanted_lanes = std::min(threads - thread / kWarpSize * kWarpSize, kWarpSize);
    expect(actual_lanes[thread] == wanted_lanes,
           who + "; its warp has " + std::to_string(wanted_lanes) + " lanes, but lanes[" +
               std::to_string(thread) + "] is " + std::to_string(actual_lanes[thread]) + ".");
  }
}

/// Returns what it costs, in words, where that is counted and all warps are whole.
std::string check_sums_and_maxima(int n, int rows, int threads) {
  const auto table = course::random_floats(static_cast<std::size_t>(rows) * n, /*seed=*/17);
  DeviceBuffer<float> device_table(table, "table"), out(n, "out");
  const auto counted = course::count([&] {
    launch(submission().sums_and_maxima, {(n + threads - 1) / threads, threads}, n, rows,
           device_table.data(), out.data());
    course::check_launch();
  });

  const auto actual = out.to_host();
  for (int i = 0; i < n; ++i) {
    float expected = 0.0f;
    for (int row = 0; row < rows; ++row) {
      const float value = table[static_cast<std::size_t>(row) * n + i];
      expected = i % 2 == 0 ? expected + value : std::max(expected, value);
    }
    expect(actual[i] == expected,
           "out[" + std::to_string(i) + "] should be the " + (i % 2 == 0 ? "sum" : "maximum") +
               " of column " + std::to_string(i) + ", " + std::to_string(expected) +
               ", but it is " + std::to_string(actual[i]) +
               (std::isnan(actual[i]) ? ", which stands where no thread has written" : "") +
               ". Every column of a block needs exactly one thread of that block.");
  }

  if (!counted || n % threads != 0) return "";
  const auto warps = static_cast<std::uint64_t>(n / kWarpSize);
  const std::uint64_t per_warp = counted->global_load.requests / warps;
  const auto wanted = static_cast<std::uint64_t>(rows);
  expect(per_warp >= wanted,
         "The results are right, but the table has " + std::to_string(rows) +
             " rows, and a warp loads only " + std::to_string(per_warp) +
             " times: every thread should read a column of its own, row by row.");
  const std::string cost =
      std::to_string(per_warp) + " load requests per warp for " + std::to_string(rows) + " rows";
  expect(per_warp <= wanted,
         cost + ": a warp still takes both sides of the branch, with half of its lanes each.");
  return cost;
}

}  // namespace

int main(int argc, char** argv) {
  course_test::ExerciseCheck check("01", argc, argv);
  check.exercise(
      "1: number the threads",
      {"x runs fastest: threads (0, 0, 0), (1, 0, 0), (2, 0, 0), ... are numbers 0, 1, 2, ...",
       "A step in y skips a row of blockDim.x threads; a step in z skips a layer of "
       "blockDim.x * blockDim.y.",
       "A warp begins at thread - thread % 32. From there to the end of the block there are "
       "threads "
       "- (thread - thread % 32) threads, and a warp takes at most 32 of them."},
      [] {
        for (const dim3& block : {dim3(32), dim3(40), dim3(8, 6), dim3(1, 33), dim3(8, 6, 3),
                                  dim3(3, 5, 7), dim3(1, 1, 64)})
          check_describe_threads(block);
      });
  check.exercise(
      "2: no warp takes both sides",
      {"Which lanes of a warp take the first side? Those with an even column. How could all "
       "columns "
       "of a warp be even?",
       "A block of 64 threads has columns 0 to 63 to hand out. Let its first warp take 0, 2, 4, "
       "..., 62 and its second 1, 3, 5, ..., 63.",
       "With half = blockDim.x / 2: threadIdx.x % half counts the pairs of columns, threadIdx.x / "
       "half says which of the two."},
      [] {
        const auto cost = check_sums_and_maxima(/*n=*/4096, /*rows=*/32, /*threads=*/256);
        check_sums_and_maxima(/*n=*/1024, /*rows=*/5, /*threads=*/64);
        check_sums_and_maxima(/*n=*/1001, /*rows=*/3, /*threads=*/128);
        return cost;
      });
  return check.finish();
}
