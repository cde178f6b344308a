#include <algorithm>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_08_2 {

using course::divide_up;
using coursework::Trial;

/// What becomes of a picture, block by block.
std::vector<int> stretched(const std::vector<int>& pixels, int threads) {
  constexpr int kWhite = 255;
  std::vector<int> results;
  for (std::size_t begin = 0; begin < pixels.size(); begin += threads) {
    const auto first = pixels.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto end =
        pixels.begin() + static_cast<std::ptrdiff_t>(std::min(begin + threads, pixels.size()));
    const auto [darkest, brightest] = std::minmax_element(first, end);
    const int contrast = std::max(*brightest - *darkest, 1);
    for (auto pixel = first; pixel != end; ++pixel)
      results.push_back(kWhite * (*pixel - *darkest) / contrast);
  }
  return results;
}

void judge(Trial& trial) {
  constexpr int kLeast = 100, kMost = 4095;
  const int n = trial["n"], warps = trial["warps"], threads = warps * course::kWarpSize;
  const int blocks = divide_up(n, threads);
  trial.set("all_warps", blocks * warps);
  trial.set("loading_warps", divide_up(n, course::kWarpSize));
  trial.set("is_shared", n > course::kWarpSize && warps > 1);

  const auto pixels = course::random_ints(n, trial.seed(1), kLeast, kMost);
  const auto wanted = stretched(pixels, threads);
  const auto result = trial.output<int>(n);
  const coursework::Shape shape{.grid = blocks, .block = threads, .parted_warps = true};
  const auto in = trial.input(pixels);
  trial.launch("stretch_contrast", shape, n, in, result);

  const auto found = trial.read(result);
  for (int i = 0; i < n; ++i)
    trial.expect(found[i] == wanted[i],
                 "Pixel " + std::to_string(i) + " is " + std::to_string(found[i]) + " instead of " +
                     std::to_string(wanted[i]) +
                     ": its warp took another darkest or brightest pixel than the block has. Who "
                     "waits for whom?");

  // In few pixels, the lanes that turned shuffles leave out may have neither the darkest nor the
  // brightest one.
  constexpr int kEnough = 4000;
  trial.set("of_shuffles", n < kEnough ? 1
                                       : trial.comes_by_warp_functions(result, "stretch_contrast",
                                                                       shape, n, in, result));
}

const coursework::Registered registered("08_2", judge);

}  // namespace exercise_08_2
