#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "course/compare.hpp"
#include "course/counters.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/questions.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_04_2 {

using course::kWarpSize;
using coursework::Trial;

constexpr int kQuestions = 3, kThreads = 128, kColumns = 1024, kRows = 10, kWeights = 2;
constexpr int kWarps = kColumns / kWarpSize;
constexpr double kTolerance = 16 * course::kFloatRounding;

/// The choices by number; 0 is none of them.
enum Choice { none, a, b, c, d };

Choice choice_of(char letter) {
  return letter >= 'a' && letter <= 'd' ? static_cast<Choice>(letter - 'a' + 1) : none;
}

/// How the kernels are launched.
struct Launch {
  int threads = kThreads;
  bool in_place = false;
  int weights_at = 0;  ///< how many floats behind the beginning of a line the weights lie
};

/// Launches the kernels that are given, and counts how far they are from what their texts say.
class Given {
 public:
  explicit Given(Trial& trial) : trial_(trial) {}

  /// Whether the kernel loads the weights once per warp.
  bool loads_once(const std::string& kernel, const Launch& launch = {}) {
    run(kernel, launch);
    return requests_ == kWarps * (kRows + kWeights);
  }

  /// Sectors that a request for a weight touches, if those for the matrix touch four.
  double sectors_of_weight(const std::string& kernel, const Launch& launch) {
    run(kernel, launch);
    const double of_matrix = kWarps * kRows;
    return (sectors_ - 4 * of_matrix) / (requests_ - of_matrix);
  }

  double off() const { return off_; }

 private:
  void run(const std::string& kernel, const Launch& launch) {
    const auto in = course::random_floats(kColumns * kRows, trial_.seed(1));
    const auto weights = course::random_floats(launch.weights_at + kWeights, trial_.seed(2));
    const auto device_in = trial_.input(in);
    const auto out = launch.in_place ? device_in : trial_.output<float>(in.size());
    trial_.count_from_here();
    trial_.launch(kernel, {kColumns / launch.threads, launch.threads}, kColumns, kRows,
                  trial_.input(weights).from(launch.weights_at), device_in, out);

    const float* const weight = &weights[launch.weights_at];
    const auto blended = trial_.read(out);
    for (std::size_t i = 0; i < in.size(); ++i)
      trial_.expect(std::abs(blended[i] - (double(weight[0]) * in[i] + weight[1])) <= kTolerance,
                    kernel + " is not as it was given: its results are wrong.");
    if (!trial_.counted()) return;
    requests_ = trial_.values().at("global_load_requests");
    sectors_ = trial_.values().at("global_load_sectors");
    const bool is_once = kernel == "blend_weight" || kernel == "blend_out";
    coursework::PaperRequests loads, stores;
    for (int row = 0; row < kRows; ++row)
      for (int first = 0; first < kColumns; first += kWarpSize) {
        for (int i = first; i < first + kWarpSize; ++i) loads.lane(row * kColumns + i);
        loads.end_request();
        for (int i = first; i < first + kWarpSize; ++i) stores.lane(row * kColumns + i);
        stores.end_request();
      }
    for (int k = 0; k < kWeights; ++k) {
      loads.lane(launch.weights_at + k);
      loads.end_request(kWarps * (is_once ? 1 : kRows));
    }
    off_ += coursework::off_from(trial_, loads, stores);
  }

  Trial& trial_;
  double requests_ = 0, sectors_ = 0, off_ = 0;
};

/// The right choice, by what is counted.
Choice counted(Given& given, int question) {
  if (question == 0) {
    const bool by_weight = given.loads_once("blend_weight"), by_in = given.loads_once("blend_in"),
               by_out = given.loads_once("blend_out");
    if (by_weight && by_out) return by_in ? d : c;
    return by_out ? b : by_weight ? a : none;
  }
  // In place, the promises of blend_in and blend_out would be broken: they cannot be launched.
  if (question == 1) return given.loads_once("blend_weight", {.in_place = true}) ? a : d;

  const double as_shown = given.sectors_of_weight("blend", {.weights_at = 3});
  if (given.sectors_of_weight("blend", {}) < as_shown) return a;
  if (given.sectors_of_weight("blend", {.threads = 1024, .weights_at = 3}) < as_shown) return b;
  if (given.sectors_of_weight("blend_weight", {.weights_at = 3}) < as_shown) return c;
  return d;
}

void judge(Trial& trial) {
  const int question = trial["question"];
  const Choice said = choice_of(coursework::answers_to<char>(trial, kQuestions)[question]);

  Given given(trial);
  const Choice right = counted(given, question);
  trial.set("said", said);
  trial.set("wrong", said == right ? 0 : 1);
  trial.set("off", given.off());
}

const coursework::Registered registered("04_2", judge);

}  // namespace exercise_04_2
