#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_08_6 {

using course::divide_up;
using course::kWarpSize;
using coursework::Trial;

constexpr int kSectorInts = course::kSectorBytes / sizeof(int);
constexpr int kNoColour = -1;

/// A picture whose pixels often have their left neighbour's colour. Its colours' counters lie in
/// different sectors, so that the sectors of atomic operations are their number.
std::vector<int> picture(Trial& trial) {
  constexpr int kWhole = 100;
  course::Random random(trial.seed(1));
  const auto below = [&](int bound) {
    return static_cast<int>(random.below(static_cast<std::uint64_t>(bound)));
  };
  std::vector<int> palette;
  for (int k = 0; k < trial["colours"]; ++k)
    palette.push_back(k * kSectorInts + below(kSectorInts));

  std::vector<int> pixels;
  for (int i = 0; i < trial["n"]; ++i) {
    if (i > 0 && below(trial["run"]) > 0) {
      pixels.push_back(pixels.back());
    } else {
      const int colour = palette[below(trial["colours"])];
      pixels.push_back(below(kWhole) < trial["transparent_percent"] ? kNoColour : colour);
    }
  }
  return pixels;
}

/// How many colours each `size` pixels in a row have.
std::vector<int> distinct_colours(const std::vector<int>& pixels, int size) {
  std::vector<int> distinct;
  const int n = static_cast<int>(pixels.size());
  for (int begin = 0; begin < n; begin += size) {
    std::set<int> colours(pixels.begin() + begin, pixels.begin() + std::min(begin + size, n));
    colours.erase(kNoColour);
    distinct.push_back(static_cast<int>(colours.size()));
  }
  return distinct;
}

int sum_of(const std::vector<int>& values) {
  int sum = 0;
  for (const int value : values) sum += value;
  return sum;
}

/// What requirements are measured by.
void set_figures(Trial& trial, const std::vector<int>& pixels) {
  const int all_warps = trial["blocks"] * trial["warps"];
  const std::vector<int> of_warps = distinct_colours(pixels, kWarpSize);
  trial.set("all_warps", all_warps);
  trial.set("rounds", divide_up(static_cast<int>(of_warps.size()), all_warps));
  trial.set("painted", static_cast<double>(pixels.size()) -
                           static_cast<double>(std::ranges::count(pixels, kNoColour)));
  trial.set("painted_warps",
            static_cast<double>(std::ranges::count_if(of_warps, [](int k) { return k > 0; })));
  trial.set("colours_of_warps", sum_of(of_warps));
  trial.set("colours_of_blocks", sum_of(distinct_colours(pixels, trial["warps"] * kWarpSize)));
  trial.set("most_colours", *std::ranges::max_element(of_warps));
  trial.set("sectors", divide_up(static_cast<int>(pixels.size()), kSectorInts));
}

void judge(Trial& trial) {
  const std::vector<int> pixels = picture(trial);
  set_figures(trial, pixels);
  const std::size_t colours = static_cast<std::size_t>(trial["colours"]) * kSectorInts;
  std::vector<int> wanted(colours, 0);
  for (const int colour : pixels)
    if (colour != kNoColour) ++wanted[colour];

  const auto counts = trial.input(std::vector<int>(colours, 0));
  const int threads = trial["warps"] * kWarpSize;
  trial.launch("count_by_colour", {.grid = trial["blocks"], .block = threads, .parted_warps = true},
               trial["n"], trial.input(pixels), counts);

  const auto counted = trial.read(counts);
  for (std::size_t colour = 0; colour < colours; ++colour)
    trial.expect(counted[colour] == wanted[colour], std::to_string(counted[colour]) +
                                                        " pixels are counted for colour " +
                                                        std::to_string(colour) + " instead of " +
                                                        std::to_string(wanted[colour]) + ".");
}

const coursework::Registered registered("08_6", judge);

}  // namespace exercise_08_6
