#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_03_2 {

using course::divide_up;
using coursework::Trial;

constexpr int kSectorFloats = course::kSectorBytes / sizeof(float);
constexpr int kLineFloats = course::kLineBytes / sizeof(float);
constexpr int kThreads = 128;
constexpr float kFactor = 3.0f;

int rounded_up(int cols, int piece) { return divide_up(cols, piece) * piece; }

/// The pitch that the submission chooses, if memory can be allocated for it.
int pitch_of(Trial& trial, int cols) {
  const auto reported = trial.output<int>(1);
  trial.launch("report_pitch", {1, 1}, cols, reported);
  const int pitch = trial.read(reported)[0];
  const std::string what =
      "A pitch of " + std::to_string(pitch) + " for " + std::to_string(cols) + " columns ";
  trial.expect(pitch >= cols, what + "lets the rows overlap.");
  trial.expect(pitch < cols + kLineFloats,
               what + "wastes " + std::to_string(static_cast<long long>(pitch) - cols) +
                   " floats at the end of every row; fewer are enough.");
  return pitch;
}

/// What the rows take with this pitch, where the lanes of a warp take neighbouring columns.
std::int64_t sectors_of(int rows, int cols, int pitch) {
  coursework::PaperRequests loads;
  for (int row = 0; row < rows; ++row)
    for (int begin = 0; begin < cols; begin += course::kWarpSize) {
      for (int col = begin; col < std::min(begin + course::kWarpSize, cols); ++col)
        loads.lane(std::int64_t{row} * pitch + col);
      loads.end_request();
    }
  return loads.sectors();
}

void judge(Trial& trial) {
  const int rows = trial["rows"], cols = trial["cols"];
  const int pitch = pitch_of(trial, cols);
  trial.count_from_here();
  trial.set("sectors", sectors_of(rows, cols, pitch));
  trial.set("fewest_sectors", divide_up(cols, kSectorFloats));
  trial.set("unused", pitch - cols);
  trial.set("fewest_unused", rounded_up(cols, kSectorFloats) - cols);
  trial.set("unused_by_lines", rounded_up(cols, kLineFloats) - cols);

  const std::size_t floats = static_cast<std::size_t>(rows) * pitch;
  const auto values = course::random_floats(floats, trial.seed(1));
  const auto in = trial.input(values);
  const auto out = trial.output<float>(floats);
  if (cols == 0) return;
  const dim3 grid(divide_up(cols, kThreads), rows);
  trial.launch("scale_rows", {grid, kThreads}, cols, pitch, kFactor, in, out);

  const auto result = trial.read(out);
  for (std::size_t i = 0; i < floats; ++i) {
    const bool is_column = static_cast<int>(i % pitch) < cols;
    trial.expect(is_column ? result[i] == kFactor * values[i] : std::isnan(result[i]),
                 "out is wrong at " + std::to_string(i) + ", with a pitch of " +
                     std::to_string(pitch) + ".");
  }
}

const coursework::Registered registered("03_2", judge);

}  // namespace exercise_03_2
