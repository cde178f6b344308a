#include <algorithm>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_05_3 {

using course::divide_up;
using course::kWarpSize;
using coursework::PaperRequests;
using coursework::Trial;

constexpr int kPiece = 128;

/// Adds the requests of warps that load `count` neighbouring elements.
void add_loads(PaperRequests& loads, int count, int times) {
  for (int begin = 0; begin < count; begin += kWarpSize) {
    for (int i = begin; i < std::min(begin + kWarpSize, count); ++i) loads.lane(i);
    loads.end_request(times);
  }
}

void judge(Trial& trial) {
  const int n = trial["n"], m = trial["m"];
  const int blocks = divide_up(n, kPiece);
  const auto x = course::random_floats(n, trial.seed(1));
  const auto list = course::random_floats(m, trial.seed(2));

  PaperRequests of_x, of_list;
  add_loads(of_x, n, 1);
  add_loads(of_list, m, blocks);
  trial.set("x_sectors", of_x.sectors());
  trial.set("list_sectors", of_list.sectors());
  trial.set("pieces", divide_up(m, kPiece));
  trial.set("all_warps", blocks * kPiece / kWarpSize);

  const auto device_x = trial.input(x), device_list = trial.input(list);
  const auto device_counts = trial.output<int>(n);
  trial.launch("count_smaller", {blocks, kPiece}, n, m, device_x, device_list, device_counts);

  auto sorted = list;
  std::ranges::sort(sorted);
  const auto counts = trial.read(device_counts);
  for (int i = 0; i < n; ++i) {
    const int expected = static_cast<int>(std::ranges::lower_bound(sorted, x[i]) - sorted.begin());
    trial.expect(counts[i] == expected, std::to_string(expected) + " numbers are smaller than x[" +
                                            std::to_string(i) + "], but it counts " +
                                            std::to_string(counts[i]) + ".");
  }
}

const coursework::Registered registered("05_3", judge);

}  // namespace exercise_05_3
