#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_08_1 {

using course::divide_up;
using course::kWarpSize;
using coursework::Trial;

/// Different numbers in no order. -1 is none of them: that is what a place nobody wrote to holds.
std::vector<int> some_negative(Trial& trial) {
  constexpr int kWhole = 100;
  course::Random random(trial.seed(1));
  std::vector<int> values = course::random_permutation(trial["n"], trial.seed(2));
  const auto percent = static_cast<std::uint64_t>(trial["negative_percent"]);
  for (int& value : values)
    if (random.below(kWhole) < percent) value = -2 - value;
  return values;
}

/// The indices of negative elements, those of each block of threads together.
std::vector<std::vector<int>> kept_by_blocks(const std::vector<int>& values, int threads) {
  const int n = static_cast<int>(values.size());
  std::vector<std::vector<int>> kept(divide_up(n, threads));
  for (int i = 0; i < n; ++i)
    if (values[i] < 0) kept[i / threads].push_back(i);
  return kept;
}

/// What requirements are measured by.
void set_figures(Trial& trial, const std::vector<std::vector<int>>& kept) {
  const int n = trial["n"], warps = trial["warps"], blocks = static_cast<int>(kept.size());
  int keeping_blocks = 0, keeping_warps = 0, voting_warps = 0, all_kept = 0;
  for (int block = 0; block < blocks; ++block) {
    if (kept[block].empty()) continue;  // a block may find that out, and leave
    ++keeping_blocks;
    all_kept += static_cast<int>(kept[block].size());
    voting_warps += std::min(warps, divide_up(n, kWarpSize) - block * warps);
    int last = -1;
    for (const int i : kept[block]) {
      keeping_warps += i / kWarpSize != last;
      last = i / kWarpSize;
    }
  }
  trial.set("blocks", blocks);
  trial.set("all_warps", blocks * warps);
  trial.set("keeping_blocks", keeping_blocks);
  trial.set("keeping_warps", keeping_warps);
  trial.set("voting_warps", voting_warps);
  trial.set("kept", all_kept);
  trial.set("is_shared", warps > 1 && keeping_blocks > 0);
}

/// Ends the trial unless `out` has what each block keeps, in its order, for any order of blocks.
void expect_blocks_in_order(const Trial& trial, const std::vector<int>& values,
                            const std::vector<std::vector<int>>& kept,
                            const std::vector<int>& out) {
  std::map<int, int> index_of;
  for (std::size_t i = 0; i < values.size(); ++i) index_of[values[i]] = static_cast<int>(i);
  const int threads = trial["warps"] * kWarpSize;
  for (std::size_t place = 0; place < out.size();) {
    const std::string here = "out[" + std::to_string(place) + "]";
    trial.expect(out[place] != -1, here + " is a hole: nobody wrote to it.");
    const auto found = index_of.find(out[place]);
    trial.expect(found != index_of.end() && out[place] < 0,
                 here + " is " + std::to_string(out[place]) + ", which is no negative element.");
    const int block = found->second / threads;
    for (const int i : kept[block]) {
      const bool is_next = place < out.size() && out[place] == values[i];
      trial.expect(is_next, "Element " + std::to_string(i) + " should stand in out[" +
                                std::to_string(place) + "]: block " + std::to_string(block) +
                                " has its elements elsewhere, or not in their order.");
      ++place;
    }
  }
}

/// Ends the trial if the checker has found anything but that the order of threads matters.
void expect_no_error(const Trial& trial, const std::vector<coursework::Finding>& findings) {
  for (const auto& finding : findings)
    trial.expect(!finding.is_error || finding.tool == "schedules",
                 "The results are right, but the checker reports " + finding.text + ".");
}

void judge(Trial& trial) {
  const int threads = trial["warps"] * kWarpSize;
  const std::vector<int> values = some_negative(trial);
  const auto kept = kept_by_blocks(values, threads);
  set_figures(trial, kept);
  std::size_t wanted = 0;
  for (const auto& of_block : kept) wanted += of_block.size();

  const auto count = trial.input(std::vector<int>{0});
  const auto out = trial.output<int>(wanted);
  const coursework::Shape shape{
      .grid = static_cast<unsigned>(kept.size()), .block = threads, .parted_warps = true};
  const auto in = trial.input(values);
  trial.launch("compact_blocks", shape, trial["n"], in, count, out);

  // Blocks may come in any order, and so may their places. Where there is one, nothing may change.
  const bool is_ordered = kept.size() == 1;
  const auto findings = is_ordered ? std::vector<coursework::Finding>() : trial.take_findings();

  const int counted = trial.read(count)[0];
  trial.expect(counted == static_cast<int>(wanted),
               "count is " + std::to_string(counted) + ", and there are " + std::to_string(wanted) +
                   " negative elements.");
  expect_blocks_in_order(trial, values, kept, trial.read(out));
  expect_no_error(trial, findings);

  // A few places may be the same by chance, and in more than one block they depend on the order.
  constexpr int kEnough = 100;
  trial.set("of_votes",
            !is_ordered || trial["n"] < kEnough
                ? 1
                : trial.comes_by_warp_functions(out, "compact_blocks", shape, trial["n"], in,
                                                trial.input(std::vector<int>{0}), out));
}

const coursework::Registered registered("08_1", judge);

}  // namespace exercise_08_1
