#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/questions.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_05_2 {

using course::divide_up;
using course::kWarpSize;
using coursework::Trial;

constexpr int kTable = 1024, kQuestions = 5, kMostRounds = 16;

/// What the questions are about, as exercise.cu asks them.
struct Launch {
  int threads, n, rounds;
};
constexpr Launch kLaunches[kQuestions] = {
    {256, 256, 10}, {256, 256, 10}, {256, 100, 10}, {256, 256, 0}, {1024, 1024, 0}};

/// Launches a kernel that is given, and counts how far it is from what its text says.
class Given {
 public:
  explicit Given(Trial& trial)
      : trial_(trial),
        table_values_(course::random_ints(kTable, trial.seed(1), 0, 1000)),
        table_(trial.input(table_values_)) {}

  /// Its load requests; 0 where nothing counts.
  int requests(const std::string& kernel, Launch launch) {
    const bool copies = kernel == "look_up_copied";
    const auto first = course::random_ints(launch.n, trial_.seed(2), 0, kTable - 1);
    const auto out = trial_.output<int>(launch.n);
    const auto device_first = trial_.input(first);
    trial_.count_from_here();
    trial_.launch(kernel, {1, launch.threads}, launch.n, launch.rounds, table_, device_first, out);
    const auto sums = trial_.read(out);
    for (int i = 0; i < launch.n; ++i) {
      int expected = 0;
      for (int round = 0; round < launch.rounds; ++round)
        expected += table_values_[(first[i] + round) % kTable];
      trial_.expect(sums[i] == expected, kernel + " is not as it was given: its sums are wrong.");
    }
    if (!trial_.counted()) return 0;
    const int counted = static_cast<int>(trial_.values().at("global_load_requests"));
    const int of_table =
        copies ? kTable / kWarpSize : divide_up(launch.n, kWarpSize) * launch.rounds;
    off_ += std::abs(counted - divide_up(launch.n, kWarpSize) - of_table);
    return counted;
  }

  int off() const { return off_; }

 private:
  Trial& trial_;
  std::vector<int> table_values_;
  coursework::DeviceArray<int> table_;
  int off_ = 0;
};

void judge(Trial& trial) {
  const int question = trial["question"];
  const int said = coursework::answers_to<int>(trial, kQuestions)[question];

  Given given(trial);
  Launch launch = kLaunches[question];
  int counted;
  if (question < 3) {
    counted = given.requests(question == 0 ? "look_up" : "look_up_copied", launch);
  } else {
    while (given.requests("look_up_copied", launch) > given.requests("look_up", launch) &&
           launch.rounds < kMostRounds)
      ++launch.rounds;
    counted = launch.rounds;
  }
  trial.set("said", said);
  trial.set("wrong", said == counted ? 0 : 1);
  trial.set("off", given.off());
}

const coursework::Registered registered("05_2", judge);

}  // namespace exercise_05_2
