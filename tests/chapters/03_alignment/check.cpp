/// Checks the exercises of chapter 03.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "../exercise_check.hpp"
#include "../launch.hpp"
#include "course/counters.hpp"
#include "course/device_buffer.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"

/// What exercise.cuh defines, as pointers, so that this check serves every answer.
struct Submission {
  void (*scale_from)(int n, int first, float factor, float* data);
  int (*row_pitch)(int cols);
  void (*scale_rows)(int cols, int pitch, float factor, const float* in, float* out);
};

Submission submission();

using course::DeviceBuffer;
using course_test::expect;
using course_test::launch;

namespace {

using course::kWarpSize;
constexpr int kSectorFloats = course::kSectorBytes / sizeof(float);
constexpr int kLineFloats = course::kLineBytes / sizeof(float);
constexpr int kThreads = 128;
constexpr float kFactor = 3.0f;

using course::divide_up;

std::string text(long long value) { return std::to_string(value); }

/// How many pieces of `piece` floats [first, n) touches.
long long pieces(int first, int n, int piece) {
  return first < n ? divide_up(n, piece) - first / piece : 0;
}

/// Returns what it costs, in words, where that is counted.
std::string check_scale(int n, int first) {
  const std::string at = " (n = " + text(n) + ", first = " + text(first) + ")";
  const auto before = course::random_floats(n, /*seed=*/3);
  DeviceBuffer<float> data(before, "data");
  const auto counted = course::count([&] {
    const int blocks = divide_up(std::max(n - first, 0) + kWarpSize, kThreads);
    launch(submission().scale_from, {blocks, kThreads}, n, first, kFactor, data.data());
    course::check_launch();
  });
  const auto after = data.to_host();
  for (int k = 0; k < n; ++k) {
    const std::string element = "data[" + text(k) + "]";
    if (k < first)
      expect(after[k] == before[k],
             element + " was changed, but it lies in front of `first`" + at + ".");
    expect(k < first || after[k] != before[k], element + " was not scaled" + at + ".");
    expect(k < first || after[k] == kFactor * before[k],
           element + " was scaled, but not by the factor, or not just once" + at + ".");
  }
  if (!counted) return "";

  const auto& loads = counted->global_load;
  const long long sectors = pieces(first, n, kSectorFloats), lines = pieces(first, n, kLineFloats);
  expect(loads.requests <= static_cast<std::uint64_t>(lines),
         "The result is right, but " + text(loads.requests) + " load requests are made where " +
             text(lines) + " are enough" + at + ".");
  expect(loads.sectors <= static_cast<std::uint64_t>(sectors),
         "The result is right, but the loads take " + text(loads.sectors) + " sectors where " +
             text(sectors) + " are enough" + at +
             ": where a warp does not begin at a sector, its neighbour takes one of its sectors "
             "as well.");
  expect(loads.lines <= static_cast<std::uint64_t>(lines),
         "The result is right, and the sectors are as few as can be, but the loads touch " +
             text(loads.lines) + " lines where " + text(lines) + " are enough" + at +
             ": a warp begins at a sector, but in the middle of a line.");
  const auto& stores = counted->global_store;
  expect(stores.sectors <= loads.sectors && stores.lines <= loads.lines,
         "The loads are right, but the stores take more sectors or lines than they" + at + ".");
  return text(loads.sectors) + " sectors in " + text(loads.lines) + " lines" + at;
}

/// Returns what it costs, in words, where that is counted.
std::string check_pitch(int rows, int cols) {
  const std::string at = " for " + text(cols) + " columns";
  const int pitch = submission().row_pitch(cols);
  expect(pitch >= cols, "A pitch of " + text(pitch) + at + " lets the rows overlap.");
  expect(pitch < cols + kLineFloats, "A pitch of " + text(pitch) + at + " wastes " +
                                         text(pitch - cols) +
                                         " floats at the end of every row; fewer are enough.");

  const std::size_t floats = static_cast<std::size_t>(rows) * pitch;
  const auto in = course::random_floats(floats, /*seed=*/4);
  const DeviceBuffer<float> device_in(in, "in");
  DeviceBuffer<float> out(floats, "out");
  const auto counted = course::count([&] {
    const dim3 grid(divide_up(cols, kThreads), rows);
    if (cols > 0)
      launch(submission().scale_rows, {grid, kThreads}, cols, pitch, kFactor, device_in.data(),
             out.data());
    course::check_launch();
  });
  const auto result = out.to_host();
  for (std::size_t i = 0; i < floats; ++i) {
    const bool is_column = static_cast<int>(i % pitch) < cols;
    expect(is_column ? result[i] == kFactor * in[i] : std::isnan(result[i]),
           "out is wrong at " + text(static_cast<long long>(i)) + at + ".");
  }
  const auto least = static_cast<std::uint64_t>(rows) * divide_up(cols, kSectorFloats);
  expect(!counted || counted->global_load.sectors <= least,
         "With a pitch of " + text(pitch) + at + ", the result is right, but " + text(rows) +
             " rows take " + text(counted ? counted->global_load.sectors : 0) + " sectors where " +
             text(least) + " are enough: not every row begins at a sector.");
  expect(pitch % kSectorFloats == 0,
         "A pitch of " + text(pitch) + at + ": not every row begins at a sector.");
  expect(pitch < cols + kSectorFloats,
         "With a pitch of " + text(pitch) + at + ", every row begins at a sector, but " +
             text(pitch - cols) + " floats are wasted in each; " +
             text(divide_up(cols, kSectorFloats) * kSectorFloats - cols) + " are enough.");
  if (!counted) return "";
  return text(counted->global_load.sectors) + " sectors for " + text(rows) + " rows of " +
         text(cols) + " columns";
}

}  // namespace

int main(int argc, char** argv) {
  course_test::ExerciseCheck check("03", argc, argv);
  check.exercise(
      "1: a part of an array, from lines on",
      {"Thread i takes element first + i now, so every warp begins as far behind a line as `first` "
       "does. Where would the first warp have to begin instead?",
       "A line has 32 floats: 43 / 32 * 32 is 32, the beginning of the line that holds element 43.",
       "Set `begin` to the beginning of the line that holds `first`. Then begin + i may lie in "
       "front of `first`: return there."},
      [] {
        for (const int first : {0, 11, 32, 8, 31, 33, 127, 128, 1000})
          for (const int n : {1000, 1, 0, 31, 32, 33, 43, 44, 999, 1024}) check_scale(n, first);
        return check_scale(1000, 11);
      });
  check.exercise(
      "2: a row pitch",
      {"Row r begins at float r x pitch. For which pitches is that a multiple of 8, whatever r is?",
       "Round cols up to a multiple of 8.",
       "(cols + 7) / 8 is the number of sectors that a row needs."},
      [] {
        for (const int cols : {100, 96, 1, 0, 7, 8, 9, 31, 33, 129, 1000})
          for (const int rows : {5, 1}) check_pitch(rows, cols);
        return check_pitch(5, 100);
      });
  return check.finish();
}
