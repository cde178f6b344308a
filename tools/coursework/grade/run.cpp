#include "tools/coursework/grade/run.hpp"

#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iostream>
#include <memory>
#include <set>
#include <stdexcept>

#include "tools/coursework/grade/digest.hpp"
#include "tools/coursework/grade/files.hpp"
#include "tools/coursework/grade/limits.hpp"
#include "tools/coursework/grade/marks.hpp"
#include "tools/coursework/grade/progress.hpp"
#include "tools/coursework/grade/results.hpp"
#include "tools/coursework/grade/run_log.hpp"
#include "tools/coursework/grade/scratch.hpp"
#include "tools/coursework/grade/summary.hpp"
#include "tools/coursework/grade/workers.hpp"
#include "tools/coursework/grade/workshop.hpp"
#include "tools/coursework/judging/judge.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

void print_line(const std::string& line) { std::cerr << "course: " << line << '\n'; }

std::string counted(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

/// A submission still to be graded.
struct Task {
  const Student* student;
  const HandedIn* handed;
  const Exercise* exercise;
};

/// The reasons why entries of an earlier run are out of date.
class Changes {
 public:
  void add(const Basis& before, const Basis& now) {
    ++anew_;
    if (before.file != now.file) reasons_.insert("submissions");
    if (before.exercise != now.exercise) reasons_.insert("the exercise");
    if (before.course != now.course) reasons_.insert("the course");
    if (before.seed != now.seed) reasons_.insert("the seed");
    if (before.time_limit_s != now.time_limit_s) reasons_.insert("the time limit");
  }
  std::size_t anew() const { return anew_; }
  std::string text() const {
    std::string reasons;
    for (const std::string& one : reasons_) reasons += (reasons.empty() ? "" : ", ") + one;
    return std::to_string(anew_) + " of them anew, as something has changed: " + reasons;
  }

 private:
  std::size_t anew_ = 0;
  std::set<std::string> reasons_;
};

/// The tasks of a plan that the journal does not cover.
struct Remaining {
  std::vector<Task> tasks;
  std::size_t graded_before = 0;
  Changes changes;
};

Remaining remaining(const Plan& plan, const std::vector<Exercise>& exercises,
                    const Entries& entries) {
  Remaining rest;
  for (const Student& student : plan.all.students)
    for (std::size_t i = 0; i < student.files.size(); ++i) {
      const HandedIn& handed = student.files[i];
      if (handed.outcome != Outcome::points) continue;
      const auto entry = entries.find({student.folder, handed.exercise});
      const bool is_there = entry != entries.end();
      const bool holds = is_there && entry->second.basis == plan.basis_of(handed);
      if (holds && entry->second.verdict.outcome != Outcome::grader_fault) {
        ++rest.graded_before;
        continue;
      }
      if (is_there && !holds) rest.changes.add(entry->second.basis, plan.basis_of(handed));
      rest.tasks.push_back({&student, &handed, &exercises[i]});
    }
  return rest;
}

/// Folder of new copies until the plan is accepted; only then do they replace an earlier run's.
constexpr const char* kFreshCopies = "copies.new";

/// Plans what to grade, prints it, and copies the files.
/// @throws std::runtime_error if there is nothing to grade, or other results would be lost
Plan make_plan(const RunOptions& options, std::uint64_t seed) {
  Plan plan;
  plan.chapter = options.exercises.front().chapter;
  for (const Exercise& one : options.exercises) {
    plan.exercises.push_back(one.id);
    plan.exercise_digests.push_back(digest_of(one));
  }
  plan.basis.course = digest_of_course();
  plan.basis.seed = digest_of_seed(seed);
  plan.basis.time_limit_s = options.time_limit_s;
  plan.shard = options.shard;
  const fs::path fresh = options.out / kFreshCopies;
  fs::remove_all(fresh);
  try {
    plan.all = take_class(options.submissions, options.exercises, fresh, options.shard);
    require_same_results(options.out, plan);
  } catch (...) {
    fs::remove_all(fresh);
    throw;
  }
  return plan;
}

void print_tasks(const Remaining& rest, bool seed_drawn, const fs::path& out) {
  if (seed_drawn) print_line("a secret seed was drawn; it is kept in " + (out / "seed").string());
  std::string missing;
  for (const std::string& one : missing_protections())
    missing += (missing.empty() ? "" : "; ") + one;
  if (!missing.empty()) print_line("this machine lacks protections: " + missing);
  std::string line = counted(rest.tasks.size(), "submission") + " to grade";
  if (rest.changes.anew() > 0) line += ", " + rest.changes.text();
  if (rest.graded_before > 0)
    line += "; " + std::to_string(rest.graded_before) + " are graded already";
  print_line(line);
}

std::atomic<int> stopped_by{0};

/// Handles Ctrl-C: ends the run; submissions graded so far stay in the journal.
class StopSignals {
 public:
  StopSignals() {
    struct sigaction action {};
    action.sa_handler = [](int number) { stopped_by = number; };
    sigaction(SIGINT, &action, &interrupt_);
    sigaction(SIGTERM, &action, &terminate_);
  }
  ~StopSignals() {
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGTERM, &terminate_, nullptr);
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  void check() const {
    if (stopped_by != 0)
      throw std::runtime_error("stopped; the same command goes on where this one ended");
  }

 private:
  struct sigaction interrupt_ {
  }, terminate_{};
};

/// Grades the tasks in parallel, and stores each verdict at once.
class Grading {
 public:
  Grading(const RunOptions& options, const Plan& plan, std::uint64_t seed, Journal& journal,
          RunLog& log)
      : options_(options),
        plan_(plan),
        grading_{seed, options.time_limit_s},
        journal_(journal),
        log_(log) {}

  void grade(const std::vector<Task>& tasks) {
    const Scratch scratch(options_.out);
    std::unique_ptr<Workshop> workshop;
    fs::path folder;
    WorkerOptions workers;
    workers.workers = options_.jobs;
    constexpr int kStages = 2, kMostRuns = 3;
    const std::chrono::seconds run(options_.time_limit_s);
    workers.time_limit = kPatience * (kStages * kCompileCpu + kMostRuns * run);
    workers.begin = [&](int number) {
      workshop = make_workshop(std::chrono::seconds(options_.time_limit_s));
      folder = scratch.path() / std::to_string(number);
    };
    const StopSignals signals;
    Progress progress("graded", tasks.size());
    work_in_parallel(
        tasks.size(), workers, [&](std::size_t i) { return work(tasks[i], *workshop, folder); },
        [&](const TaskResult& result) {
          keep(tasks[result.task], result);
          progress.done_one();
        },
        [&] {
          signals.check();
          progress.tick();
        });
  }

 private:
  json work(const Task& task, Workshop& workshop, const fs::path& folder) const {
    fs::remove_all(folder);
    make_passable(folder);
    const fs::path copy =
        options_.out / "copies" / task.student->folder / task.exercise->file_name();
    const Graded graded = grade_file(*task.exercise, copy, folder, workshop, grading_);
    return {{"verdict", json_of(graded.verdict)},
            {"compile_s", graded.cost.compile_s},
            {"judge_s", graded.cost.judge_s},
            {"peak_mib", graded.cost.peak_mib}};
  }

  void keep(const Task& task, const TaskResult& result) {
    JournalEntry entry{task.student->folder, plan_.basis_of(*task.handed), {}};
    const std::string& student = task.student->folder;
    if (!result.fault.empty()) {
      // The error may name this machine's paths and numbers, so it goes into the log only.
      entry.verdict = verdict_without_trials(
          *task.exercise, Outcome::grader_fault,
          "The grader failed twice with this submission. That is not your fault.");
      journal_.add(entry);
      log_.fault(student, task.exercise->id, result.fault);
      return;
    }
    entry.verdict = verdict_of(result.result.at("verdict"));
    journal_.add(entry);
    log_.graded(
        student, task.exercise->id,
        {result.result.at("compile_s"), result.result.at("judge_s"), result.result.at("peak_mib")});
  }

  const RunOptions& options_;
  const Plan& plan_;
  GradeOptions grading_;
  Journal& journal_;
  RunLog& log_;
};

/// Returns only the entries that the plan needs.
Entries wanted_entries(const Plan& plan, const Entries& all) {
  Entries wanted;
  for (const Student& student : plan.all.students)
    for (const HandedIn& handed : student.files)
      if (const auto entry = all.find({student.folder, handed.exercise});
          handed.outcome == Outcome::points && entry != all.end() &&
          entry->second.basis == plan.basis_of(handed))
        wanted.insert(*entry);
  return wanted;
}

/// Removes results of students who are not in this plan.
void remove_strangers(const fs::path& out, const Plan& plan) {
  if (!fs::is_directory(out / "students")) return;
  std::set<std::string> folders;
  for (const Student& one : plan.all.students)
    if (!one.files.empty()) folders.insert(one.folder);
  for (const auto& entry : fs::directory_iterator(out / "students"))
    if (!folders.contains(entry.path().filename().string())) fs::remove_all(entry.path());
}

void check_places(const RunOptions& options) {
  if (!fs::is_directory(options.submissions))
    throw std::runtime_error("there is no folder " + options.submissions.string());
  const std::string in = fs::canonical(options.submissions).string() + "/";
  const std::string out = fs::weakly_canonical(fs::absolute(options.out)).string() + "/";
  if (out.starts_with(in) || in.starts_with(out))
    throw std::runtime_error("--out and --submissions must lie apart: " + in + " and " + out);
}

}  // namespace

int processors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

void write_reports(const fs::path& out, const Plan& plan, const std::vector<Exercise>& exercises,
                   const Entries& entries) {
  remove_strangers(out, plan);
  const Marks marks = collect(plan, exercises, entries);
  for (const Sheet& sheet : marks.sheets) {
    const fs::path folder = out / "students" / sheet.student->folder;
    fs::create_directories(folder);
    write_whole(folder / "result.json", result_json(marks, sheet).dump(2) + "\n");
    write_whole(folder / "feedback.txt", feedback_text(marks, sheet));
    write_whole(folder / "feedback.html", feedback_page(marks, sheet));
  }
  bring_to_disk(out);  // before the summary, whose presence marks a finished run
  write_durably(out / "grades.csv", grades_csv(marks), 0600);
  write_durably(out / "summary.html", summary_page(marks), 0600);
  write_durably(out / "summary.json", summary_json(marks).dump(2) + "\n", 0600);
}

int print_outcome(const fs::path& out, const Plan& plan, const std::vector<Exercise>& exercises,
                  const Entries& entries) {
  const Marks marks = collect(plan, exercises, entries);
  std::string outcomes;
  for (int i = 0; i <= static_cast<int>(Outcome::not_handed_in); ++i)
    if (const int number = marks.count(static_cast<Outcome>(i)); number > 0)
      outcomes += (outcomes.empty() ? "" : ", ") + std::to_string(number) + " " +
                  (static_cast<Outcome>(i) == Outcome::points ? std::string("graded")
                                                              : name_of(static_cast<Outcome>(i)));
  print_line(counted(marks.sheets.size(), "student") + ": " + outcomes);
  const int faults = marks.count(Outcome::grader_fault);
  if (faults == 0) return 0;
  print_line(counted(static_cast<std::size_t>(faults), "submission") +
             " could not be graded, through no fault of the student's; " +
             (out / "run.log").string() + " says why, and the same command tries again");
  return 2;
}

void print_summary_path(const fs::path& out) {
  print_line("the class at a glance: " + (out / "summary.html").string());
}

int grade_class(const RunOptions& options) {
  umask(S_IRWXG | S_IRWXO);
  check_places(options);
  NewFolder made(options.out);
  const fs::path out = fs::canonical(options.out);
  RunOptions here = options;
  here.out = out;
  const Lock lock(out / "lock");
  bool seed_drawn = false;
  const std::uint64_t seed = chosen_seed(out, options.seed ? &*options.seed : nullptr, seed_drawn);
  const Plan plan = make_plan(here, seed);
  keep_seed(out, seed);
  fs::remove_all(out / "copies");
  if (fs::exists(out / kFreshCopies)) fs::rename(out / kFreshCopies, out / "copies");
  // They exist only after a run has finished.
  for (const char* name : {"grades.csv", "summary.html", "summary.json"}) fs::remove(out / name);
  write_durably(out / "plan.json", json_of(plan).dump(2) + "\n", 0600);
  made.keep();
  Journal journal(out / "journal");
  RunLog log(out / "run.log");
  const Remaining rest = remaining(plan, options.exercises, journal.entries());
  for (const std::string& note : plan.all.notes) print_line(note);
  print_tasks(rest, seed_drawn, out);
  log.begin(options.jobs, rest.tasks.size());
  Grading(here, plan, seed, journal, log).grade(rest.tasks);
  log.end(rest.tasks.size());
  journal.tidy(wanted_entries(plan, journal.entries()));
  write_reports(out, plan, options.exercises, journal.entries());
  const int status = print_outcome(out, plan, options.exercises, journal.entries());
  if (options.is_kept) print_summary_path(out);
  return status;
}

}  // namespace coursework
