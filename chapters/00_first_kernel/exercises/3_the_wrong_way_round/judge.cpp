#include <string>
#include <vector>

#include "course/divide_up.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_00_3 {

using course::divide_up;
using coursework::Trial;

constexpr int kBlockWidth = 32, kBlockHeight = 4;
constexpr int kNeverWritten = -1;  // what output() leaves: bytes 0xff

int expected_shade(int width, int height, int row, int col) {
  const int right = col - width / 2, down = row - height / 2;
  return (right * right + down * down) % 256;
}

/// Whether the picture is right, but for the order in which its pixels lie.
bool lies_by_columns(int width, int height, const std::vector<int>& shade) {
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col)
      if (shade[std::size_t(col) * height + row] != expected_shade(width, height, row, col))
        return false;
  return true;
}

void judge(Trial& trial) {
  const int width = trial["width"], height = trial["height"];
  const auto device_shade = trial.output<int>(std::size_t(width) * height);
  const dim3 block(kBlockWidth, kBlockHeight);
  const dim3 grid(divide_up(width, kBlockWidth), divide_up(height, kBlockHeight));
  trial.launch("rings", {grid, block}, width, height, device_shade);

  const auto shade = trial.read(device_shade);
  bool is_right = true;
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col)
      is_right &= shade[std::size_t(row) * width + col] == expected_shade(width, height, row, col);
  trial.expect(is_right || !lies_by_columns(width, height, shade),
               "The picture lies in memory column by column. Element 1 should be the pixel at the "
               "right of the first, not the one below it.");

  for (int row = 0; row < height; ++row) {
    for (int col = 0; col < width; ++col) {
      const int expected = expected_shade(width, height, row, col);
      const int found = shade[std::size_t(row) * width + col];
      const std::string pixel =
          "The pixel in row " + std::to_string(row) + ", column " + std::to_string(col);
      trial.expect(found != kNeverWritten, pixel + " was never written.");
      trial.expect(found == expected, pixel + " has shade " + std::to_string(found) +
                                          " instead of " + std::to_string(expected) + ".");
    }
  }
}

const coursework::Registered registered("00_3", judge);

}  // namespace exercise_00_3
