/// @file
/// coursework grade CHAPTER and coursework grade merge PART...

#include "tools/coursework/command.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>
#include <memory>
#include <stdexcept>

#include "tools/coursework/grade/estimate.hpp"
#include "tools/coursework/grade/files.hpp"
#include "tools/coursework/grade/merge.hpp"
#include "tools/coursework/grade/run.hpp"
#include "tools/coursework/grade/slurm.hpp"
#include "tools/support/project.hpp"

namespace coursework::grade_command {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string chapter;             ///< a chapter, or "merge"
  std::vector<std::string> parts;  ///< folders to merge
  std::string submissions, out, seed, seed_file, shard, slurm;
  std::vector<int> exercises;
  int jobs = processors();
  int time_limit_s = 10;
  int shards = 20;
  bool dry_run = false;
  std::size_t students = 0;
};

Shard shard_of(const std::string& text) {
  Shard shard;
  const std::size_t slash = text.find('/');
  const auto number = [&](std::size_t begin, std::size_t end, int& value) {
    const auto [stopped, error] = std::from_chars(text.data() + begin, text.data() + end, value);
    return error == std::errc() && stopped == text.data() + end && begin != end;
  };
  if (slash == std::string::npos || !number(0, slash, shard.number) ||
      !number(slash + 1, text.size(), shard.of) || shard.number < 1 || shard.number > shard.of)
    throw std::runtime_error("--shard wants a part like 3/20, not \"" + text + "\"");
  return shard;
}

std::vector<Exercise> exercises_of(const Options& options) {
  std::string chapter = options.chapter;
  if (chapter.size() == 1) chapter = "0" + chapter;
  std::vector<Exercise> all = read_exercises(tools::source_folder());
  std::erase_if(all, [&](const Exercise& one) {
    const bool in_chapter = one.chapter == chapter || one.chapter.substr(0, 2) == chapter;
    const bool chosen = options.exercises.empty() ||
                        std::ranges::find(options.exercises, one.number) != options.exercises.end();
    return !in_chapter || !chosen;
  });
  if (all.empty() || (!options.exercises.empty() && all.size() != options.exercises.size()))
    throw std::runtime_error("there are no such exercises in chapter " + options.chapter);
  return all;
}

std::optional<std::uint64_t> seed_of(const Options& options) {
  if (!options.seed_file.empty()) return read_seed(options.seed_file);
  if (options.seed.empty()) return std::nullopt;
  std::uint64_t seed = 0;
  const char* const end = options.seed.data() + options.seed.size();
  const auto [stopped, error] = std::from_chars(options.seed.data(), end, seed);
  if (error != std::errc() || stopped != end)
    throw std::runtime_error("--seed wants a number from 0 to 2^64 - 1, not \"" + options.seed +
                             "\"");
  return seed;
}

std::string this_program() {
  return shell_word(fs::read_symlink("/proc/self/exe").string()) + " grade";
}

int write_slurm(const Options& options, const RunOptions& run) {
  umask(S_IRWXG | S_IRWXO);
  SlurmOptions slurm;
  slurm.shards = options.shards;
  slurm.cores = options.jobs;
  NewFolder made(run.out / "parts");
  bool drawn = false;
  keep_seed(run.out, chosen_seed(run.out, run.seed ? &*run.seed : nullptr, drawn));
  for (const auto& entry : fs::directory_iterator(run.submissions))
    slurm.submissions += entry.is_directory() ? run.exercises.size() : 0;
  slurm.cost = measure_cost(run);
  write_durably(options.slurm, slurm_script(run, slurm, this_program()), 0700);
  made.keep();
  std::cerr << "course: submit the class with: bash " << options.slurm << '\n';
  return 0;
}

int act(const Options& options) {
  if (options.chapter == "merge")
    return merge({options.parts.begin(), options.parts.end()}, options.out);
  if (!options.parts.empty())
    throw std::runtime_error("grade takes one chapter at a time, each with a --out of its own: " +
                             options.chapter + ", then " + options.parts.front());
  RunOptions run;
  run.exercises = exercises_of(options);
  run.submissions = options.submissions;
  run.out = options.out;
  run.seed = seed_of(options);
  run.jobs = options.jobs;
  run.time_limit_s = options.time_limit_s;
  if (!options.shard.empty()) run.shard = shard_of(options.shard);
  if (options.dry_run) {
    if (run.submissions.empty() && options.students == 0)
      throw std::runtime_error("--dry-run needs --submissions or --students");
    return dry_run(run, options.students);
  }
  if (run.submissions.empty()) throw std::runtime_error("--submissions is missing");
  if (run.out.empty()) throw std::runtime_error("--out is missing");
  if (!options.slurm.empty()) return write_slurm(options, run);
  return grade_class(run);
}

Action add(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("CHAPTER", options->chapter, "two digits; or merge, to put parts together")
      ->required();
  app.add_option("PART", options->parts, "with merge: the --out of each part");
  app.add_option("--submissions", options->submissions, "a folder with a folder for each student");
  app.add_option("--out", options->out, "where results go, and where a run goes on");
  app.add_option("--exercise", options->exercises, "only this one of the chapter")
      ->allow_extra_args(false);
  app.add_option("--jobs", options->jobs, "submissions at a time (default: all cores)")
      ->check(CLI::Range(1, 1024));
  auto* seed =
      app.add_option("--seed", options->seed,
                     "secret; draws sizes and inputs (default: drawn, and kept in OUT/seed)");
  app.add_option("--seed-file", options->seed_file, "the seed is in a file")->excludes(seed);
  app.add_option("--time-limit", options->time_limit_s,
                 "seconds of CPU time for the kernels of a submission (default: 10)")
      ->check(CLI::Range(1, 3600));
  app.add_option("--shard", options->shard, "grade a part of the class: 3/20");
  app.add_option("--slurm", options->slurm, "write a script for the batch system instead");
  app.add_option("--shards", options->shards, "tasks of that script (default: 20)")
      ->check(CLI::Range(1, 10000));
  app.add_flag("--dry-run", options->dry_run, "say what would be graded, and how long it takes");
  app.add_option("--students", options->students, "with --dry-run: of a class made up");
  return [options] { return act(*options); };
}

const Command command("grade", "judge a class and write its marks; grade merge puts parts together",
                      add);

}  // namespace
}  // namespace coursework::grade_command
