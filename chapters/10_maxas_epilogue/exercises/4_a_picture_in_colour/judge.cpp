#include <array>
#include <string>
#include <vector>

#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_10_4 {

using course::divide_up;
using coursework::Trial;

constexpr int kThreads = 128, kPiece = 32, kChannels = 3;
constexpr std::array<const char*, kChannels> kNames = {"red", "green", "blue"};

int expected_colour(int steps, int channel) {
  const std::array<int, kChannels> colour = {9 * steps, 7 * steps + 40, 255 - 5 * steps};
  return static_cast<unsigned char>(colour[channel]);
}

void judge(Trial& trial) {
  const int width = trial["width"], height = trial["height"];
  constexpr int kMostSteps = 200;
  const auto steps = course::random_ints(std::size_t(width) * height, trial.seed(1), 0, kMostSteps);
  const auto device_steps = trial.input(steps);
  const auto device_rgb = trial.output<unsigned char>(steps.size() * kChannels);
  const dim3 grid(divide_up(width, kPiece), divide_up(height, kPiece));
  trial.launch("colour_picture", {grid, kThreads}, width, height, device_steps, device_rgb);

  const auto rgb = trial.read(device_rgb);
  for (int row = 0; row < height; ++row) {
    for (int col = 0; col < width; ++col) {
      const std::size_t pixel = std::size_t(row) * width + col;
      for (int c = 0; c < kChannels; ++c) {
        const int found = rgb[pixel * kChannels + c], expected = expected_colour(steps[pixel], c);
        trial.expect(found == expected, "The pixel in row " + std::to_string(row) + ", column " +
                                            std::to_string(col) + " has " + std::to_string(found) +
                                            " " + kNames[c] + " instead of " +
                                            std::to_string(expected) + ".");
      }
    }
  }
}

const coursework::Registered registered("10_4", judge);

}  // namespace exercise_10_4
