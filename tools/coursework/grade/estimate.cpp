#include "tools/coursework/grade/estimate.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "tools/coursework/grade/progress.hpp"
#include "tools/coursework/grade/scratch.hpp"
#include "tools/coursework/grade/workshop.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSample = 3;

/// A submission to grade as a sample, and its exercise.
struct Sample {
  const Exercise* exercise;
  fs::path file;
};

/// Writes the first submissions of the class, or solutions, to `folder`.
std::vector<Sample> samples(const RunOptions& options, const fs::path& folder) {
  std::vector<Sample> all;
  if (!options.submissions.empty()) {
    const Class found =
        take_class(options.submissions, options.exercises, folder / "copies", options.shard);
    for (const Student& student : found.students)
      for (std::size_t i = 0; i < student.files.size() && all.size() < kSample; ++i)
        if (student.files[i].outcome == Outcome::points)
          all.push_back({&options.exercises[i],
                         folder / "copies" / student.folder / options.exercises[i].file_name()});
  }
  for (std::size_t i = 0; all.size() < kSample; ++i) {
    const Exercise& exercise = options.exercises[i % options.exercises.size()];
    const fs::path file = folder / exercise.file_name();
    std::ofstream(file) << solution_of(exercise);
    all.push_back({&exercise, file});
  }
  return all;
}

std::size_t submissions_in(const Class& all) {
  std::size_t number = 0;
  for (const Student& student : all.students)
    for (const HandedIn& one : student.files) number += one.outcome == Outcome::points ? 1 : 0;
  return number;
}

}  // namespace

MeasuredCost measure_cost(const RunOptions& options) {
  if (const auto noted = read_costs(options.out / "run.log")) return *noted;
  const Scratch folder("dry run " + std::to_string(getpid()));
  const auto workshop = make_workshop(std::chrono::seconds(options.time_limit_s));
  MeasuredCost cost;
  for (const Sample& one : samples(options, folder.path())) {
    const fs::path scratch = folder.path() / ("sample " + std::to_string(cost.submissions));
    make_passable(scratch);
    const Graded graded =
        grade_file(*one.exercise, one.file, scratch, *workshop, {1, options.time_limit_s});
    ++cost.submissions;
    cost.mean.compile_s += graded.cost.compile_s / kSample;
    cost.mean.judge_s += graded.cost.judge_s / kSample;
    cost.mean.peak_mib = std::max(cost.mean.peak_mib, graded.cost.peak_mib);
  }
  return cost;
}

double seconds_for(const MeasuredCost& cost, std::size_t submissions, int processors) {
  return (cost.mean.compile_s + cost.mean.judge_s) * static_cast<double>(submissions) / processors;
}

int dry_run(const RunOptions& options, std::size_t students) {
  std::size_t submissions = students * options.exercises.size();
  if (students == 0) {
    const tools::TemporaryFolder folder("dry run");
    const Class all =
        take_class(options.submissions, options.exercises, folder.path(), options.shard);
    submissions = submissions_in(all);
    std::size_t here = 0;
    for (const Student& one : all.students) here += one.files.empty() ? 0 : 1;
    std::cout << "would grade " << submissions << " submissions of " << here << " students\n";
    for (const std::string& note : all.notes) std::cout << note << '\n';
  } else {
    std::cout << "would grade " << submissions << " submissions of " << students << " students\n";
  }
  const MeasuredCost cost = measure_cost(options);
  std::array<char, 200> line{};
  std::snprintf(line.data(), line.size(),
                "one takes %.2f s (compiling %.2f, judging %.2f) and %.0f MiB, measured with %zu\n",
                cost.mean.compile_s + cost.mean.judge_s, cost.mean.compile_s, cost.mean.judge_s,
                cost.mean.peak_mib, cost.submissions);
  std::cout << line.data();
  for (const int cores : {options.jobs, 16, 128})
    std::cout << "on " << cores << (cores == 1 ? " core: " : " cores: ")
              << duration_in_words(seconds_for(cost, submissions, cores)) << '\n';
  return 0;
}

}  // namespace coursework
