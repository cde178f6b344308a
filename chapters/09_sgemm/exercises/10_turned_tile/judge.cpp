#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_09_10 {

using coursework::Trial;

constexpr int kThreads = 128, kTileM = 64, kTileK = 32;

void judge(Trial& trial) {
  const int m = trial["m"], k = trial["k"], count = m * k;
  trial.set("tiles", static_cast<double>(count) / (kTileM * kTileK));
  trial.set("least_wavefronts", static_cast<double>(count) / course::kWarpSize);

  // Every element has a number of its own, which a float holds exactly.
  constexpr int kMostOffset = 1 << 23;
  const int offset = course::random_ints(1, trial.seed(1), 1, kMostOffset).front();
  std::vector<float> a;
  for (int i = 0; i < count; ++i) a.push_back(static_cast<float>(offset + i));
  const auto turned = trial.output<float>(a.size());
  trial.launch("turn", {dim3(k / kTileK, m / kTileM), kThreads}, m, k, trial.input(a), turned);

  const auto element = [](int row, int col) {
    return "element (" + std::to_string(row) + ", " + std::to_string(col) + ")";
  };
  const auto found = trial.read(turned);
  for (int p = 0; p < k; ++p)
    for (int row = 0; row < m; ++row) {
      const float one = found[static_cast<std::size_t>(p) * m + row];
      if (one == a[static_cast<std::size_t>(row) * k + p]) continue;
      const bool is_another = one >= a.front() && one <= a.back();
      const int which = is_another ? static_cast<int>(one) - offset : 0;
      std::string instead = std::to_string(one) + ", which A has nowhere.";
      if (is_another) instead = element(which / k, which % k) + ".";
      if (std::isnan(one)) instead = "NaN. Has the tile been read before it was there?";
      trial.expect(false, "In row " + std::to_string(p) + ", column " + std::to_string(row) +
                              " of the result, " + element(row, p) + " of A should be. There is " +
                              instead);
    }
}

const coursework::Registered registered("09_10", judge);

}  // namespace exercise_09_10
