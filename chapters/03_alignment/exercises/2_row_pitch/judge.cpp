#include <algorithm>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_03_2 {

using course::divide_up;
using coursework::Trial;

constexpr int kChannels = 3;
constexpr int kSectorBytes = course::kSectorBytes, kLineBytes = course::kLineBytes;
constexpr int kThreads = 128;
constexpr int kWhite = 255;  // what out is full of before, too

int rounded_up(int width, int piece) { return divide_up(width, piece) * piece; }

/// The pitch that the submission chooses, if memory can be allocated for it.
int pitch_of(Trial& trial, int width) {
  const auto reported = trial.output<int>(1);
  trial.launch("report_pitch", {1, 1}, width, reported);
  const int pitch = trial.read(reported)[0];
  const std::string what =
      "A pitch of " + std::to_string(pitch) + " for " + std::to_string(width) + " pixels ";
  trial.expect(pitch >= width, what + "lets the rows overlap.");
  trial.expect(pitch < width + kLineBytes,
               what + "wastes " + std::to_string(static_cast<long long>(pitch) - width) +
                   " pixels at the end of every row; fewer are enough.");
  return pitch;
}

/// What the rows take with this pitch, where the lanes of a warp take neighbouring bytes.
int sectors_of(int rows, int width, int pitch) {
  int sectors = 0;
  for (int row = 0; row < rows; ++row)
    for (int begin = 0; begin < kChannels * width; begin += course::kWarpSize) {
      const int end = std::min(begin + course::kWarpSize, kChannels * width);
      const int row_begin = kChannels * row * pitch;
      sectors += (row_begin + end - 1) / kSectorBytes - (row_begin + begin) / kSectorBytes + 1;
    }
  return sectors;
}

/// The least pitch whose pixels have room for the row's sectors, whatever the next row begins at.
int pitch_by_bytes(int width) {
  return divide_up(rounded_up(kChannels * width, kSectorBytes), kChannels);
}

void judge(Trial& trial) {
  const int rows = trial["rows"], width = trial["width"];
  const int pitch = pitch_of(trial, width);
  trial.count_from_here();
  trial.set("sectors", sectors_of(rows, width, pitch));
  trial.set("fewest_sectors", divide_up(kChannels * width, kSectorBytes));
  // 3 x pitch is a multiple of 32 only if the pitch is one. The bounds say "more" or "less", and
  // not how many.
  const int unused = pitch - width, fewest = rounded_up(width, kSectorBytes) - width;
  trial.set("unused", unused);
  trial.set("least_unused", unused < fewest ? unused + 1 : unused > fewest ? 0 : unused);
  trial.set("most_unused", unused < fewest ? kLineBytes : unused > fewest ? unused - 1 : unused);
  trial.set("unused_by_eights", rounded_up(width, 8) - width);
  trial.set("unused_by_bytes", pitch_by_bytes(width) - width);
  trial.set("unused_by_lines", rounded_up(width, kLineBytes) - width);
  trial.set("unused_by_96", rounded_up(width, kChannels * kSectorBytes) - width);

  const std::size_t bytes = static_cast<std::size_t>(rows) * pitch * kChannels;
  std::vector<unsigned char> picture;
  for (const int value : course::random_ints(bytes, trial.seed(1), 1, kWhite))
    picture.push_back(static_cast<unsigned char>(value));
  const auto in = trial.input(picture);
  const auto out = trial.output<unsigned char>(bytes);
  if (width == 0) return;
  const dim3 grid(divide_up(kChannels * width, kThreads), rows);
  trial.launch("negative", {grid, kThreads}, width, pitch, in, out);

  const auto result = trial.read(out);
  for (std::size_t i = 0; i < bytes; ++i) {
    const bool is_pixel = static_cast<int>(i % (kChannels * pitch)) < kChannels * width;
    trial.expect(result[i] == (is_pixel ? kWhite - picture[i] : kWhite),
                 "out is wrong at byte " + std::to_string(i) + ", with a pitch of " +
                     std::to_string(pitch) + " pixels.");
  }
}

const coursework::Registered registered("03_2", judge);

}  // namespace exercise_03_2
