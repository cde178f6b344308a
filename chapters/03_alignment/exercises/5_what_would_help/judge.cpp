#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/questions.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_03_5 {

using course::divide_up;
using course::kWarpSize;
using coursework::Trial;

constexpr int kOffset = 11, kThreads = 512, kQuestions = 3;
const std::string kNotAsGiven = "The kernels are not as given any more";

/// How add_from is launched.
struct Variant {
  int offset = kOffset, shift = 0, backwards = 0, past_l1 = 0, threads = kThreads;
};

/// What a warp's requests take, on average; nothing where nobody counts.
struct Sectors {
  double loads = 0, stores = 0;
};

/// The experiments, each of which is checked.
class Experiment {
 public:
  explicit Experiment(Trial& trial) : trial_(trial), sums_(trial["warps"] * kWarpSize) {}

  /// Two loads and a store.
  Sectors add_from(const Variant& v) {
    const int n = sums_ + v.offset;
    const auto a = course::random_floats(n, trial_.seed(1));
    const auto b = course::random_floats(n, trial_.seed(2));
    const auto device_a = trial_.input(a), device_b = trial_.input(b);
    const auto device_c = trial_.output<float>(sums_);
    trial_.count_from_here();
    trial_.launch("add_from", {divide_up(sums_ + kWarpSize, v.threads), v.threads}, n, v.offset,
                  v.shift, v.backwards, v.past_l1, device_a, device_b, device_c);
    const auto c = trial_.read(device_c);
    coursework::PaperRequests loads, stores;
    for (int first = 0; first < sums_ + kWarpSize; first += kWarpSize) {
      const auto request = [&](coursework::PaperRequests& of, int times, int offset) {
        for (int thread = first - v.shift; thread < first - v.shift + kWarpSize; ++thread)
          if (thread >= 0 && thread < sums_)
            of.lane(offset + (v.backwards != 0 ? sums_ - 1 - thread : thread));
        of.end_request(times);
      };
      request(loads, 2, v.offset);
      request(stores, 1, 0);
    }
    for (int i = 0; i < sums_; ++i)
      trial_.expect(c[i] == a[i + v.offset] + b[i + v.offset],
                    kNotAsGiven + ": c[" + std::to_string(i) + "] is wrong.");
    return counted(loads, stores);
  }

  Sectors copy_doubles() {
    std::vector<double> in(sums_ + kOffset);
    const auto values = course::random_floats(in.size(), trial_.seed(3));
    std::copy(values.begin(), values.end(), in.begin());
    const auto device_in = trial_.input(in);
    const auto device_out = trial_.output<double>(sums_);
    trial_.count_from_here();
    trial_.launch("copy_doubles", {divide_up(sums_, kThreads), kThreads}, sums_, kOffset, device_in,
                  device_out);
    const auto out = trial_.read(device_out);
    coursework::PaperRequests loads, stores;
    for (int first = 0; first < sums_; first += kWarpSize) {
      for (int i = first; i < first + kWarpSize; ++i)
        for (const int half : {0, 1}) {
          loads.lane(2 * (i + kOffset) + half);
          stores.lane(2 * i + half);
        }
      loads.end_request();
      stores.end_request();
    }
    for (int i = 0; i < sums_; ++i)
      trial_.expect(out[i] == in[i + kOffset],
                    kNotAsGiven + ": out[" + std::to_string(i) + "] is wrong.");
    return counted(loads, stores);
  }

 private:
  /// What was counted, if it is what the kernels cost on paper.
  Sectors counted(const coursework::PaperRequests& loads, const coursework::PaperRequests& stores) {
    trial_.expect(coursework::off_from(trial_, loads, stores) == 0,
                  kNotAsGiven + ": they load or store more or less than they did, or otherwise.");
    if (!trial_.counted()) return {};
    const auto& values = trial_.values();
    const double full = sums_ / double(kWarpSize);
    return {std::floor(values.at("global_load_sectors") / full),
            std::floor(values.at("global_store_sectors") / full)};
  }

  Trial& trial_;
  int sums_;
};

/// The letter in the place of the one variant that holds; 0 if it is none, or not one alone.
int only(const std::vector<bool>& holds) {
  if (std::ranges::count(holds, true) != 1) return 0;
  return static_cast<int>(std::ranges::find(holds, true) - holds.begin()) + 1;
}

/// The right choices, by what is counted.
std::vector<int> counted_choices(Experiment& experiment) {
  const double now = experiment.add_from({}).loads;
  const auto helps = [&](const Variant& v) { return experiment.add_from(v).loads < now; };
  const int mended = only({helps({.threads = 256}), helps({.offset = 16}), helps({.past_l1 = 1}),
                           helps({.backwards = 1})});

  double best = 1e9;
  for (int shift = 0; shift < 8; ++shift) {
    const Sectors sectors = experiment.add_from({.shift = shift});
    best = std::min(best, sectors.loads + sectors.stores);
  }
  const double doubles = experiment.copy_doubles().loads;
  return {mended, only({best == 15, best == 14, best == 13, best == 12}),
          only({doubles == 8, doubles == 16, doubles == 10, doubles == 9})};
}

void judge(Trial& trial) {
  const auto letters = coursework::answers_to<char>(trial, kQuestions);

  Experiment experiment(trial);
  const std::vector<int> right = counted_choices(experiment);
  for (int question = 0; question < kQuestions; ++question) {
    const char letter = letters[question];
    const int said = 'a' <= letter && letter <= 'd' ? letter - 'a' + 1 : 0;
    const std::string which = "_" + std::to_string(question + 1);
    trial.set("said" + which, said);
    trial.set("wrong" + which, said == 0 || said != right[question]);
  }
}

const coursework::Registered registered("03_5", judge);

}  // namespace exercise_03_5
