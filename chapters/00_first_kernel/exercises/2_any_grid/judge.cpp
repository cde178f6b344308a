#include <algorithm>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_00_2 {

using coursework::Trial;

constexpr int kMost = 60;  // its fourth power has fewer digits than a float

/// What a load or store of all elements moves at most, where the grid takes its threads' number of
/// elements a round: as many bytes as there are where warps begin at a sector, as they do in the
/// group "cost"; elsewhere each request may touch one sector more.
double most_bytes(const Trial& trial, int n, int blocks, int threads) {
  coursework::PaperRequests requests;
  for (int block = 0; block < n; block += threads)
    for (int warp = block; warp < std::min(block + threads, n); warp += course::kWarpSize) {
      for (int i = warp; i < std::min({warp + course::kWarpSize, block + threads, n}); ++i)
        requests.lane(i);
      requests.end_request();
    }
  const auto more = trial.group() == "cost" ? 0 : requests.requests() + blocks;
  return static_cast<double>(course::kSectorBytes * (requests.sectors() + more));
}

void judge(Trial& trial) {
  const int n = trial["n"], blocks = trial["blocks"], threads = trial["threads"];
  trial.set("most_bytes", most_bytes(trial, n, blocks, threads));
  trial.set("rounds", course::divide_up(n, blocks * threads));
  const auto whole = course::random_ints(n, trial.seed(1), 2, kMost);
  const std::vector<float> before(whole.begin(), whole.end());
  const auto data = trial.input(before);
  trial.launch("square", {blocks, threads}, n, data);

  const auto after = trial.read(data);
  for (int i = 0; i < n; ++i) {
    const float once = before[i] * before[i];
    const std::string element = "data[" + std::to_string(i) + "]";
    trial.expect(after[i] != before[i], element + " was not squared; the grid has " +
                                            std::to_string(blocks * threads) + " threads for " +
                                            std::to_string(n) + " elements.");
    trial.expect(after[i] != once * once, element + " was squared twice.");
    trial.expect(after[i] == once, element + " is wrong.");
  }
}

const coursework::Registered registered("00_2", judge);

}  // namespace exercise_00_2
