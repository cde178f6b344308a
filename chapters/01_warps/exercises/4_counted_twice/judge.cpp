#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace {

using course::divide_up;
using course::kWarpSize;
using coursework::Trial;

constexpr int kMost = 60;

/// The steps of each pixel of the Mandelbrot set.
std::vector<int> steps_of_picture(int width, int height) {
  std::vector<int> steps;
  for (int row = 0; row < height; ++row) {
    for (int col = 0; col < width; ++col) {
      const float c_x = std::fmaf(3.0f / width, col, -2.25f);
      const float c_y = std::fmaf(2.5f / height, row, -1.25f);
      float x = 0.0f, y = 0.0f;
      int step = 0;
      while (step < kMost && std::fmaf(y, y, x * x) <= 4.0f) {
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

void judge(Trial& trial) {
  const int width = trial["width"], height = trial["height"];
  const dim3 block(trial["x"], trial["y"]);
  const int across = divide_up(width, block.x), down = divide_up(height, block.y);
  const int warps_of_block = static_cast<int>(block.x * block.y) / kWarpSize;
  trial.set("blocks", across * down);
  trial.set("warps", across * down * warps_of_block);

  const auto steps = steps_of_picture(width, height);
  std::vector<int> slowest(across * down * warps_of_block, 0);
  for (int row = 0; row < height; ++row) {
    for (int col = 0; col < width; ++col) {
      const int thread = col % block.x + block.x * (row % block.y);
      const int block_number = col / block.x + across * (row / block.y);
      int& most = slowest[block_number * warps_of_block + thread / kWarpSize];
      most = std::max(most, steps[std::size_t(row) * width + col]);
    }
  }
  int expected = 0;
  for (const int most : slowest) expected += most;

  const auto in = trial.input(steps);
  const auto out = trial.input(std::vector<int>{0});
  trial.launch("add_up_rounds", {dim3(across, down), block}, width, height, in, out);
  const int sum = trial.read(out)[0];
  std::string times;
  if (expected > 0 && sum > expected && sum % expected == 0)
    times = ", " + std::to_string(sum / expected) + " times as many";
  trial.expect(sum == expected, "All warps together take " + std::to_string(expected) +
                                    " rounds, and you count " + std::to_string(sum) + times + ".");
}

const coursework::Registered registered("01_4", judge);

}  // namespace
