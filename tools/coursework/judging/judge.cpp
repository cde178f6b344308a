#include "tools/coursework/judging/judge.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "course/arithmetic.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/draw_cases.hpp"
#include "tools/coursework/judging/figures.hpp"
#include "tools/coursework/judging/questions.hpp"
#include "tools/coursework/judging/sums.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace coursework {
namespace {

/// The data of one trial that requirements are judged by.
struct TrialRecord {
  std::string group;
  std::string sizes;      ///< in words
  std::string complaint;  ///< empty if the results are right
  bool drawn = false;     ///< the grader drew the case
  bool counted = false;
  bool measured = false;
  std::size_t bytes = 0;  ///< size of the trial's arrays
  std::map<std::string, double> values;
  std::vector<Finding> findings;
};

/// Returns in how many other orders each launch runs again. Exercises about order use them: memory
/// must end up the same in every order.
unsigned orders_of(const Exercise& exercise) {
  constexpr unsigned kOrders = 3;
  for (const Requirement& one : exercise.requirements)
    if (std::ranges::find(one.tools, "schedules") != one.tools.end()) return kOrders;
  return 0;
}

/// Returns whether a trial is small enough to run in other orders: small arrays or few accesses.
/// The accesses alone must not decide, or a kernel could avoid the further runs by extra work.
bool is_small(const TrialRecord& record) {
  constexpr std::size_t kSmall = 64 << 10;
  constexpr double kMostAccesses = 200'000;
  const auto accesses = record.values.find("lane_instructions");
  return record.counted && (record.bytes <= kSmall ||
                            (accesses != record.values.end() && accesses->second <= kMostAccesses));
}

/// Runs the trials of an exercise one after the other.
class Trials {
 public:
  Trials(const Exercise& exercise, const StartRunner& start, const JudgeOptions& options)
      : exercise_(exercise), start_(start), options_(options) {}

  /// @throws DeviceLost
  std::vector<TrialRecord> run() {
    std::uint64_t stream = 0;
    for (const auto& [name, group] : exercise_.groups) {
      bool right = true;
      const auto run_all = [&](const std::vector<Case>& cases, bool drawn) {
        for (auto one = cases.begin(); right && one != cases.end(); ++one)
          right = run(name, *one, drawn, course::derive_seed(options_.seed, ++stream));
      };
      run_all(group.cases, false);
      if (options_.draw) run_all(draw_cases(exercise_, name, options_.seed), true);
    }
    return std::move(records_);
  }

  /// Returns the running trial in words.
  const std::string& now() const { return now_; }

 private:
  /// Returns false if the results are wrong; further trials of the group would repeat that.
  bool run(const std::string& group, const Case& sizes, bool drawn, std::uint64_t seed) {
    now_.clear();
    if (!device_) device_.emplace(start_(), options_.time_limit);
    const unsigned again = orders_of(exercise_);
    Trial trial(*device_, group, sizes, seed, {.again = again, .seed = 0});
    now_ = trial.describe();
    TrialRecord record{group, now_, "", drawn, false, false, 0, {}, {}};
    try {
      judge_of(exercise_.id)(trial);
    } catch (const WrongResult& wrong) {
      record.complaint = wrong.what();
      device_.reset();  // a CUDA error stays with the device
    }
    record.counted = trial.counted();
    record.measured = trial.measured();
    record.bytes = trial.bytes();
    record.values = trial.values();
    add_sums(record.values);
    record.findings = trial.findings();
    if (trial.has_broken_device()) device_.emplace(start_(), options_.time_limit);
    if (record.complaint.empty() && again == 0 && trial.may_reorder()) reorder(record, sizes, seed);
    records_.push_back(std::move(record));
    return records_.back().complaint.empty();
  }

  /// Runs a trial whose results are right in other orders of its threads. Where a barrier is
  /// missing, or a mask is taken from the lanes that happen to be active, results may be right by
  /// luck.
  void reorder(TrialRecord& record, const Case& sizes, std::uint64_t seed) {
    constexpr int kTrials = 4;  // of a group's visible cases, and of its drawn cases
    constexpr std::uint64_t kOrders = 2;
    if (!is_small(record) || reordered_[{record.group, record.drawn}]++ >= kTrials) return;
    for (std::uint64_t order = 1; order <= kOrders; ++order) {
      Trial trial(*device_, record.group, sizes, seed, {.again = 0, .seed = order});
      try {
        judge_of(exercise_.id)(trial);
      } catch (const WrongResult& wrong) {
        device_.reset();
        std::string text = "schedules: in another order of its threads, the results are wrong";
        if (!record.drawn) text += std::string(": ") + wrong.what();
        if (text.ends_with('.')) text.pop_back();
        record.findings.push_back({"schedules", true, text});
        return;
      }
    }
  }

  const Exercise& exercise_;
  const StartRunner& start_;
  const JudgeOptions& options_;
  std::map<std::pair<std::string, bool>, int> reordered_;  // trials, by group and whether drawn
  std::optional<RemoteDevice> device_;
  std::vector<TrialRecord> records_;
  std::string now_;
};

double value_in(const TrialRecord& record, const std::string& expression) {
  return course::evaluate(
      expression,
      [&](const std::string& name) {
        const auto found = record.values.find(name);
        if (found == record.values.end())
          throw std::runtime_error("\"" + expression + "\": there is nothing called " + name);
        return found->second;
      },
      course::Names::end_at_operators);
}

bool at_least(double value, double bound) { return value >= bound || is_same_figure(value, bound); }

/// The value of a requirement's measure in one trial, with the two bounds.
struct Measurement {
  double value = 0, low = 0, high = 0;

  bool holds() const {
    return std::isfinite(value) && at_least(value, low) && at_least(high, value);
  }
  /// Returns the bound that a student needs to hear. Most lower bounds only state a minimum that no
  /// kernel can beat.
  double bound() const { return is_below() ? low : high; }
  std::string bound_in_words() const {
    const std::string words = is_same_figure(low, high) ? ""
                              : is_below()              ? "at least "
                                                        : "at most ";
    return words + figure(bound(), value);
  }
  std::string direction() const { return is_below() ? "more" : "less"; }
  bool is_below() const { return !at_least(value, low); }
};

/// Returns the findings that make a result wrong: those of tools that no requirement asks for.
std::string finding_against_result(const Exercise& exercise, const TrialRecord& record) {
  std::set<std::string> required_tools;
  for (const Requirement& one : exercise.requirements)
    required_tools.insert(one.tools.begin(), one.tools.end());
  for (const Finding& one : record.findings)
    if (one.is_error && !required_tools.contains(one.tool)) return one.text;
  return {};
}

/// Returns whether a requirement judges the results of a group's trials. The first such requirement
/// also judges groups that no requirement names, because costs count only if results are right.
bool answers_for(const Exercise& exercise, const Requirement& wanted, const std::string& group) {
  const Requirement* first = nullptr;
  for (const Requirement& one : exercise.requirements) {
    if (one.kind != Requirement::Kind::result) continue;
    if (one.group.empty() || one.group == group)
      return wanted.group.empty() || wanted.group == group;
    if (first == nullptr) first = &one;
  }
  return &wanted == first;
}

/// Returns whether a trial's results are wrong, and writes that into the verdict.
bool is_wrong(const Exercise& exercise, const TrialRecord& record, RequirementVerdict& verdict) {
  const std::string finding = finding_against_result(exercise, record);
  if (record.complaint.empty() && finding.empty()) return false;
  verdict.found = (record.complaint.empty() ? "a fault with " : "wrong with ") + record.sizes;
  // The expected values of drawn inputs are not revealed.
  verdict.advice = record.complaint.empty()
                       ? "The results are right, but the checker reports " + finding + "."
                   : record.drawn ? "The grader drew these sizes. Check with sizes like them."
                                  : record.complaint;
  return true;
}

void judge_result(const Exercise& exercise, const Requirement& wanted,
                  const std::vector<TrialRecord>& records, RequirementVerdict& verdict) {
  int trials = 0;
  for (const TrialRecord& record : records) {
    if (!answers_for(exercise, wanted, record.group)) continue;
    ++trials;
    if (is_wrong(exercise, record, verdict)) return;
  }
  verdict.holds = true;
  verdict.found = "right in " + figure_with_unit(std::to_string(trials), "trials");
}

/// Judges the results where no requirement does; the first requirement stands in, since a wrong
/// trial ended before anything was measured. Returns that requirement's name if a trial is wrong.
std::string judge_results_without_requirement(const Exercise& exercise,
                                              const std::vector<TrialRecord>& records,
                                              std::vector<RequirementVerdict>& verdicts) {
  for (const Requirement& one : exercise.requirements)
    if (one.kind == Requirement::Kind::result) return {};
  for (const TrialRecord& record : records)
    if (is_wrong(exercise, record, verdicts.front())) return verdicts.front().name;
  return {};
}

/// Returns the name of a failed requirement that takes the points of all costs; empty if there is
/// none. A kernel that is wrong in one trial could be cheap in the others for that reason. A
/// missing barrier is cheap too, and the results may be right by chance.
std::string what_comes_first(const Exercise& exercise,
                             const std::vector<RequirementVerdict>& verdicts) {
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    if (exercise.requirements[i].kind != Requirement::Kind::measure && !verdicts[i].holds &&
        verdicts[i].assessed)
      return verdicts[i].name;
  return {};
}

/// Returns the trials that a requirement is measured in.
std::vector<const TrialRecord*> measured_in(const Requirement& wanted,
                                            const std::vector<TrialRecord>& records) {
  std::vector<const TrialRecord*> measured;
  for (const TrialRecord& record : records)
    if (wanted.group.empty() || record.group == wanted.group) measured.push_back(&record);
  return measured;
}

void judge_measure(const Requirement& wanted, const std::vector<TrialRecord>& records,
                   RequirementVerdict& verdict) {
  auto trials = measured_in(wanted, records);
  std::erase_if(trials, [](const TrialRecord* one) { return !one->measured; });
  if (trials.empty()) {
    verdict.assessed = false;
    verdict.found = "not counted on this machine";
    return;
  }
  std::vector<Measurement> measurements;
  std::vector<MeasuredTrial> measured;
  std::vector<std::string> advice;
  for (const TrialRecord* trial : trials) {
    const TrialRecord& record = *trial;
    const Measurement one = {value_in(record, wanted.measure), value_in(record, wanted.at_least),
                             value_in(record, wanted.at_most)};
    std::string clue;
    for (const Clue& each : wanted.clues) {
      // Evaluate every clue: a misspelt name is the exercise's mistake and must be found.
      const double measures = value_in(record, each.measures);
      if (!one.holds() && is_same_figure(measures, one.value)) clue = each.say;
    }
    measurements.push_back(one);
    measured.push_back({one.value, one.bound(), one.holds(), !clue.empty(), record.drawn});
    advice.push_back(std::move(clue));
  }
  const std::size_t shown = clearest_trial(measured);
  const Measurement& one = measurements[shown];
  verdict.holds = one.holds();
  verdict.found = figure_with_unit(figure(one.value, one.bound()), wanted.unit) + ", with " +
                  trials[shown]->sizes;
  // The bound of an answer is the number beside it, and might pass for the right one.
  const bool is_answer = wanted.at_least.starts_with(kLeastOfAnswer);
  verdict.wanted = is_answer ? one.direction() : one.bound_in_words();
  verdict.advice = advice[shown];
}

void judge_clean(const Requirement& wanted, const std::vector<TrialRecord>& records,
                 RequirementVerdict& verdict) {
  bool wrong = false, unchecked = false;
  for (const TrialRecord& record : records) {
    wrong |= !record.complaint.empty();
    unchecked |= !record.counted;
    for (const Finding& one : record.findings) {
      if (std::ranges::find(wanted.tools, one.tool) == wanted.tools.end()) continue;
      verdict.found = one.text + ", with " + record.sizes;
      return;
    }
  }
  verdict.holds = verdict.assessed = !wrong && !unchecked;
  verdict.found = wrong       ? "not assessed: the results are wrong"
                  : unchecked ? "not checked on this machine"
                              : "nothing found";
}

/// Takes away points whose requirement needs another one that failed: figures and barriers can be
/// faked beside missing work. The measured value itself is fine, so the verdict does not call it
/// failed.
void judge_needs(const Exercise& exercise, bool is_counted,
                 std::vector<RequirementVerdict>& verdicts) {
  const std::vector<RequirementVerdict> alone = verdicts;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    RequirementVerdict& one = verdicts[i];
    for (const std::string& name : exercise.requirements[i].needs) {
      const auto needed = std::ranges::find(alone, name, &RequirementVerdict::name);
      const bool is_unknown = !is_counted && !needed->assessed;
      if (!one.holds || needed->holds || is_unknown) continue;
      one.holds = one.assessed = false;
      one.advice = "This waits for \"" + name + "\": it counts only together with that.";
    }
  }
}

Outcome outcome_of(Stopped why) {
  if (why == Stopped::cpu_limit || why == Stopped::time_limit) return Outcome::time_limit;
  if (why == Stopped::memory_limit) return Outcome::memory_limit;
  return Outcome::crashed;
}

RequirementVerdict blank(const Requirement& wanted) {
  RequirementVerdict one;
  one.name = wanted.name;
  one.text = wanted.text;
  one.of = wanted.points;
  return one;
}

}  // namespace

Verdict verdict_without_trials(const Exercise& exercise, Outcome outcome,
                               const std::string& message) {
  Verdict verdict;
  verdict.exercise = exercise.id;
  verdict.outcome = outcome;
  verdict.message = message;
  for (const Requirement& wanted : exercise.requirements) {
    RequirementVerdict one = blank(wanted);
    one.assessed = false;
    one.found = "not assessed: " + name_of(outcome);
    verdict.requirements.push_back(std::move(one));
  }
  return verdict;
}

Verdict judge(const Exercise& exercise, const StartRunner& start, const JudgeOptions& options) {
  if (exercise.judge == JudgeIs::left_out) {
    Verdict verdict = verdict_without_trials(exercise, Outcome::points, "");
    for (RequirementVerdict& one : verdict.requirements) one.found = "only the grader judges this";
    return verdict;
  }
  std::vector<TrialRecord> records;
  Trials trials(exercise, start, options);
  try {
    records = trials.run();
  } catch (const DeviceLost& lost) {
    const std::string stop_text = options.stop_message ? options.stop_message(lost) : lost.what();
    return verdict_without_trials(
        exercise, outcome_of(lost.why()),
        stop_text + (trials.now().empty() ? "" : ", in the trial with " + trials.now()));
  }
  Verdict verdict;
  verdict.exercise = exercise.id;
  for (const Requirement& wanted : exercise.requirements) {
    RequirementVerdict one = blank(wanted);
    if (wanted.kind == Requirement::Kind::result)
      judge_result(exercise, wanted, records, one);
    else if (wanted.kind == Requirement::Kind::clean)
      judge_clean(wanted, records, one);
    verdict.requirements.push_back(std::move(one));
  }
  std::string first = judge_results_without_requirement(exercise, records, verdict.requirements);
  if (first.empty()) first = what_comes_first(exercise, verdict.requirements);
  for (std::size_t i = 0; i < verdict.requirements.size(); ++i) {
    if (exercise.requirements[i].kind != Requirement::Kind::measure) continue;
    RequirementVerdict& one = verdict.requirements[i];
    if (one.name == first) continue;
    if (first.empty()) {
      judge_measure(exercise.requirements[i], records, one);
    } else {
      one.assessed = false;
      one.found = "not assessed as long as \"" + first + "\" fails";
    }
  }
  judge_needs(exercise, std::ranges::any_of(records, &TrialRecord::counted), verdict.requirements);
  for (RequirementVerdict& one : verdict.requirements) one.points = one.holds ? one.of : 0;
  return verdict;
}

}  // namespace coursework
