#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "course/divide_up.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace {

using course::divide_up;
using coursework::Trial;

constexpr int kTileWidth = 32, kTileHeight = 8, kThreads = kTileWidth * kTileHeight;
constexpr int kNeverWritten = -1;  // what output() leaves: bytes 0xff

std::vector<int> mandelbrot_steps(int width, int height, int most) {
  std::vector<int> steps;
  for (int row = 0; row < height; ++row) {
    for (int col = 0; col < width; ++col) {
      const float c_x = std::fmaf(3.0f / width, col, -2.25f);
      const float c_y = std::fmaf(2.5f / height, row, -1.25f);
      float x = 0.0f, y = 0.0f;
      int step = 0;
      while (step < most && std::fmaf(y, y, x * x) <= 4.0f) {
        const float next_y = std::fmaf(x + x, y, c_y);
        x = std::fmaf(y, -y, x * x) + c_x;
        y = next_y;
        ++step;
      }
      steps.push_back(step);
    }
  }
  return steps;
}

/// The requests of all warps where each has a piece of across x down pixels: one for each step of
/// its slowest pixel, and one for the beginning.
int rounds(int width, int height, const std::vector<int>& steps, int across, int down) {
  int sum = 0;
  for (int top = 0; top < height; top += down) {
    for (int left = 0; left < width; left += across) {
      int slowest = 0;
      for (int row = top; row < std::min(top + down, height); ++row)
        for (int col = left; col < std::min(left + across, width); ++col)
          slowest = std::max(slowest, steps[std::size_t(row) * width + col]);
      sum += slowest + 1;
    }
  }
  return sum;
}

void judge(Trial& trial) {
  const int width = trial["width"], height = trial["height"], most = trial["most"];
  const auto expected = mandelbrot_steps(width, height, most);
  double stores = 0;
  for (const int step : expected) stores += step + 1;
  trial.set("stores", stores);
  trial.set("rounds", std::max(rounds(width, height, expected, 8, 4),  // as good, one or the other
                               rounds(width, height, expected, 4, 8)));
  trial.set("rounds_of_lines", rounds(width, height, expected, 32, 1));
  trial.set("rounds_of_pairs", rounds(width, height, expected, 16, 2));

  const auto out = trial.output<int>(expected.size());
  const dim3 grid(divide_up(width, kTileWidth), divide_up(height, kTileHeight));
  trial.launch("mandelbrot_tiles", {grid, kThreads}, width, height, most, out);
  const auto steps = trial.read(out);
  for (int row = 0; row < height; ++row) {
    for (int col = 0; col < width; ++col) {
      const std::size_t pixel = std::size_t(row) * width + col;
      const std::string name =
          "The pixel in row " + std::to_string(row) + ", column " + std::to_string(col);
      trial.expect(steps[pixel] != kNeverWritten,
                   name + " was never written. Every pixel of a tile needs exactly one thread.");
      trial.expect(steps[pixel] == expected[pixel],
                   name + " takes " + std::to_string(expected[pixel]) + " steps, not " +
                       std::to_string(steps[pixel]) + ".");
    }
  }
}

const coursework::Registered registered("01_5", judge);

}  // namespace
