#include <string>

#include "course/divide_up.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace {

using course::divide_up;
using coursework::Trial;

constexpr int kBlockWidth = 32, kBlockHeight = 4;
constexpr int kNeverWritten = -1;  // what output() leaves: bytes 0xff

void judge(Trial& trial) {
  const int width = trial["width"], height = trial["height"];
  const auto device_shade = trial.output<int>(std::size_t(width) * height);
  const dim3 block(kBlockWidth, kBlockHeight);
  const dim3 grid(divide_up(width, kBlockWidth), divide_up(height, kBlockHeight));
  trial.launch("rings", {grid, block}, width, height, device_shade);

  const auto shade = trial.read(device_shade);
  for (int row = 0; row < height; ++row) {
    for (int col = 0; col < width; ++col) {
      const int right = col - width / 2, down = row - height / 2;
      const int expected = (right * right + down * down) % 256;
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

}  // namespace
