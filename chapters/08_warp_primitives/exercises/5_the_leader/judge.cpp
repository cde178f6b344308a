#include <algorithm>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_08_5 {

using course::divide_up;
using course::kWarpSize;
using coursework::Trial;

constexpr int kMost = 60;

/// The steps of each pixel of chapter 00's picture; in its middle, all are kMost.
std::vector<int> picture(int width, int height, bool is_middle) {
  std::vector<int> steps;
  for (int row = 0; row < height; ++row) {
    for (int col = 0; col < width; ++col) {
      const float c_x = 3.0f / width * col - 2.25f, c_y = 2.5f / height * row - 1.25f;
      float x = 0.0f, y = 0.0f;
      int step = 0;
      for (; step < kMost && !is_middle && x * x + y * y <= 4.0f; ++step) {
        const float next_x = x * x - y * y + c_x;
        y = 2 * x * y + c_y;
        x = next_x;
      }
      steps.push_back(is_middle ? kMost : step);
    }
  }
  return steps;
}

/// What requirements are measured by.
void set_figures(Trial& trial, int all_warps, const std::vector<int>& steps,
                 const std::vector<int>& black) {
  constexpr int kSectorInts = course::kSectorBytes / sizeof(int);
  int black_warps = 0, last = -1;
  for (const int pixel : black) {
    if (pixel / kWarpSize != last) ++black_warps;
    last = pixel / kWarpSize;
  }
  trial.set("all_warps", all_warps);
  trial.set("black_warps", black_warps);
  trial.set("any_black", !black.empty());
  trial.set("black_pixels", static_cast<double>(black.size()));
  trial.set("sectors", divide_up(static_cast<int>(steps.size()), kSectorInts));
}

void judge(Trial& trial) {
  const int n = trial["width"] * trial["height"], threads = trial["warps"] * kWarpSize;
  const int blocks = divide_up(n, threads);
  const auto steps = picture(trial["width"], trial["height"], trial.group() == "middle");
  std::vector<int> black;
  for (int i = 0; i < n; ++i)
    if (steps[i] == kMost) black.push_back(i);
  set_figures(trial, blocks * trial["warps"], steps, black);

  const auto count = trial.input(std::vector<int>{0});
  const auto list = trial.output<int>(black.size());
  trial.launch("list_black", {.grid = blocks, .block = threads, .parted_warps = true}, n, kMost,
               trial.input(steps), count, list);

  const int counted = trial.read(count)[0], wanted = static_cast<int>(black.size());
  trial.expect(counted == wanted, "count is " + std::to_string(counted) + ", and there are " +
                                      std::to_string(wanted) + " black pixels.");
  std::vector<int> listed = trial.read(list);
  trial.expect(std::ranges::find(listed, -1) == listed.end(),
               "The list has a hole: a place that nobody wrote to.");
  std::ranges::sort(listed);
  for (int k = 0; k < wanted; ++k) {
    const std::string pixel = std::to_string(std::min(listed[k], black[k]));
    trial.expect(listed[k] >= black[k],
                 "The list has pixel " + pixel + " twice, or it is not black.");
    trial.expect(listed[k] == black[k], "Pixel " + pixel + " is black, and not in the list.");
  }
}

const coursework::Registered registered("08_5", judge);

}  // namespace exercise_08_5
