#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/questions.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_04_4 {

using course::kWarpSize;
using coursework::Trial;

const std::string kNotAsGiven = "The three kernels are not as given any more";

/// A kernel of the experiment, and the entry that a lane of it wants.
struct Look {
  std::string kernel;
  std::function<int(int lane)> entry;
};

/// What a warp's load costs in the two memories.
struct Cost {
  double turns = 0, sectors = 0;
};

/// Runs one kernel, and checks it. Nobody counts where counting is off: no sectors then.
Cost run(Trial& trial, const Look& look, const std::vector<float>& palette) {
  const auto colours = trial.output<float>(kWarpSize);
  const auto device_palette = trial.input(palette);
  trial.count_from_here();
  trial.launch(look.kernel, {1, kWarpSize}, device_palette, colours);

  const auto result = trial.read(colours);
  std::set<int> entries;
  coursework::PaperRequests loads, stores;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    entries.insert(look.entry(lane));
    loads.lane(look.entry(lane));
    stores.lane(lane);
    trial.expect(result[lane] == palette[look.entry(lane)],
                 kNotAsGiven + ": lane " + std::to_string(lane) + " of " + look.kernel +
                     " has another colour.");
  }
  loads.end_request();
  stores.end_request();
  trial.expect(coursework::off_from(trial, loads, stores) == 0,
               kNotAsGiven + ": " + look.kernel +
                   " loads or stores more or less than it did, or otherwise.");
  if (!trial.counted()) return {};
  return {static_cast<double>(entries.size()), trial.values().at("global_load_sectors")};
}

void judge(Trial& trial) {
  const std::vector<Look> looks = {{"slope", [](int lane) { return 40 + lane / 2; }},
                                   {"border", [](int lane) { return lane < 20 ? 7 : 8; }},
                                   {"noise", [](int lane) { return lane * 5; }}};
  const auto answers = coursework::answers_to<int>(trial, 2 * looks.size());
  const auto palette = course::random_floats(trial["entries"], trial.seed(1));

  std::vector<double> right;
  for (const Look& look : looks) {
    const Cost cost = run(trial, look, palette);
    right.push_back(cost.turns);
    right.push_back(cost.sectors);
  }
  if (!trial.counted()) return;
  for (std::size_t question = 0; question < right.size(); ++question)
    coursework::set_answer(trial, question + 1, answers[question], right[question]);
}

const coursework::Registered registered("04_4", judge);

}  // namespace exercise_04_4
