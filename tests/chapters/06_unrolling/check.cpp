/// Checks the exercises of chapter 06.

#include <functional>
#include <string>
#include <vector>

#include "../exercise_check.hpp"
#include "../launch.hpp"
#include "../request_model.hpp"
#include "course/compare.hpp"
#include "course/device_buffer.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"

/// What exercise.cuh defines, as pointers, so that this check serves every answer.
struct Submission {
  void (*sum_unroll4)(int n, int offset, const float* A, const float* B, float* C);
  void (*sum_grid_stride2)(int n, int offset, const float* A, const float* B, float* C);
};

Submission submission();

using course::DeviceBuffer;
using course_test::expect;

namespace {

constexpr int kThreads = 64;

using course::divide_up;

using Launch = std::function<void(int n, int offset, const float* a, const float* b, float* c)>;

/// Launches, checks the result, and returns the counters where the back end counts.
std::optional<course::Counters> check_result(int n, int offset, const Launch& launch) {
  const auto a = course::random_floats(n, /*seed=*/11), b = course::random_floats(n, /*seed=*/12);
  std::vector<float> expected;
  for (int k = offset; k < n; ++k) expected.push_back(a[k] + b[k]);
  const DeviceBuffer<float> device_a(a, "A"), device_b(b, "B");
  DeviceBuffer<float> c(expected.size(), "C");
  const auto counted = course::count([&] {
    if (!expected.empty()) launch(n, offset, device_a.data(), device_b.data(), c.data());
    course::check_launch();
  });
  const auto comparison = course::compare(c.to_host(), expected);
  const bool unwritten = comparison.failure.find("nan") != std::string::npos;
  expect(comparison.ok(), "C is wrong for n = " + std::to_string(n) +
                              ", offset = " + std::to_string(offset) + ": C" + comparison.failure +
                              (unwritten ? ". NaN stands where no thread has written." : ""));
  return counted;
}

/// Holds the counters against those of one element per thread, and returns them in words.
std::string check_counters(int n, int offset, const Launch& launch) {
  const auto counted = check_result(n, offset, launch);
  if (!counted) return "";
  course_test::RequestModel plain;
  course_test::for_each_warp(n - offset, kThreads, [&](int first, int lanes) {
    std::vector<std::int64_t> elements;
    for (int i = first; i < first + lanes; ++i) elements.push_back(i + offset);
    plain.request(elements, sizeof(float));
    plain.request(elements, sizeof(float));
  });
  const auto& load = counted->global_load;
  expect(load.requests == plain.counters().requests,
         "The results are right, but for n = " + std::to_string(n) +
             ", offset = " + std::to_string(offset) + " there are " +
             std::to_string(load.requests) + " load requests; one element per thread makes " +
             std::to_string(plain.counters().requests) +
             ". Lanes of one warp have parted, or something is loaded twice.");
  expect(load.sectors == plain.counters().sectors,
         "The results are right, but the loads touch " + std::to_string(load.sectors) +
             " sectors; one element per thread touches " +
             std::to_string(plain.counters().sectors) + ".");
  return std::to_string(load.requests) + " load requests and " + std::to_string(load.sectors) +
         " sectors for n = " + std::to_string(n) + ", as with one element per thread";
}

/// Lets C overlap A by all but one row of `threads` elements, so that each store changes what a
/// later load of the same thread would find. The first row of a round may come after a store.
void check_order(int rows, int rows_per_round, const Launch& launch) {
  const int n = rows * kThreads;
  const auto a = course::random_floats(n + kThreads, /*seed=*/11);
  const auto b = course::random_floats(n, /*seed=*/12);
  DeviceBuffer<float> device_a(a, "A");
  const DeviceBuffer<float> device_b(b, "B");
  launch(n, 0, device_a.data(), device_b.data(), device_a.data() + kThreads);
  course::check_launch();
  const auto result = device_a.to_host();
  for (int i = 0; i < n; ++i)
    expect(i / kThreads % rows_per_round == 0 || result[i + kThreads] == a[i] + b[i],
           "The results and the counts are right, but with one block of " +
               std::to_string(kThreads) + " threads and n = " + std::to_string(n) +
               " something is stored before all is loaded. A load below a store has to wait for "
               "it, and the store for the loads above: C might overlap A.");
}

}  // namespace

int main(int argc, char** argv) {
  course_test::ExerciseCheck check("06", argc, argv);
  check.exercise(
      "1: four elements per thread",
      {"is_whole must be the same for all threads of a block, or the lanes of a warp part: compare "
       "the end of the block's elements with n.",
       "The block's last element is A[first + 4 * threads - 1 + offset]. In the other block, each "
       "element needs a guard of its own.",
       "is_whole = first + kUnroll * threads + offset <= n; a[u] = A[i + u * threads + offset]; "
       "and "
       "where it is not whole: if (i + u * threads + offset < n), for every u."},
      [] {
        const Launch launch = [](int n, int offset, const float* a, const float* b, float* c) {
          course_test::launch(submission().sum_unroll4,
                              {divide_up(n - offset, 4 * kThreads), kThreads}, n, offset, a, b, c);
        };
        for (const int offset : {0, 11, 128})
          for (const int n : {0, 1, 31, 33, 139, 255, 256, 257, 267, 500, 512, 1000, 1024})
            check_result(n, offset, launch);
        for (const int offset : {0, 11, 128})
          for (const int n : {1024, 1035, 1000}) check_counters(n, offset, launch);
        check_order(4, /*rows_per_round=*/4, launch);
        return check_counters(1024, 0, launch);
      });
  check.exercise(
      "2: two elements per round",
      {"The loop that is there sums one element per round. Put a loop before it that sums two, and "
       "leaves the last one, if there is one, to the loop that is there.",
       "Element i + stride exists if i + stride + offset < n. The loop goes on by 2 * stride.",
       "In the loop: four loads into four variables, then C[i] and C[i + stride]."},
      [] {
        std::string cost;
        for (const int blocks : {1, 2, 3, 7}) {
          const Launch launch = [=](int n, int offset, const float* a, const float* b, float* c) {
            course_test::launch(submission().sum_grid_stride2, {blocks, kThreads}, n, offset, a, b,
                                c);
          };
          for (const int offset : {0, 11, 128})
            for (const int n : {1, 31, 33, 64, 128, 139, 140, 500, 1000})
              check_result(n, offset, launch);
          cost = check_counters(8 * blocks * kThreads, 0, launch);
          check_counters(8 * blocks * kThreads + 11, 11, launch);
        }
        check_order(
            6, /*rows_per_round=*/2,
            [](int n, int offset, const float* a, const float* b, float* c) {
              course_test::launch(submission().sum_grid_stride2, {1, kThreads}, n, offset, a, b, c);
            });
        return cost;
      });
  return check.finish();
}
