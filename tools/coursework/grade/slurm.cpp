#include "tools/coursework/grade/slurm.hpp"

#include <algorithm>
#include <cmath>

#include "tools/coursework/grade/estimate.hpp"

namespace coursework {
namespace {

/// Returns a task's time limit: three times the estimate, for slower machines and answers that run
/// into their limit, plus ten minutes.
int minutes_of(const SlurmOptions& options) {
  constexpr double kReserve = 3, kSecondsInMinute = 60;
  constexpr int kAtLeast = 10;
  const double mean =
      seconds_for(options.cost, options.submissions, options.cores) / options.shards;
  return kAtLeast + static_cast<int>(std::ceil(kReserve * mean / kSecondsInMinute));
}

/// Returns a task's memory: for each core, a submission's limit and the grader's own need.
int mib_of(const SlurmOptions& options) {
  constexpr int kOfSubmission = 1536, kOwn = 512;
  return kOwn + options.cores * kOfSubmission;
}

}  // namespace

std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string slurm_script(const RunOptions& run, const SlurmOptions& options,
                         const std::string& program) {
  const std::string shards = std::to_string(options.shards);
  std::string exercises = run.exercises.front().chapter.substr(0, 2);
  if (run.exercises.size() == 1)
    exercises += " --exercise " + std::to_string(run.exercises.front().number);
  return R"sh(#!/usr/bin/env bash
# Grades a class in )sh" +
         shards + R"sh( tasks and merges their results. Submit it with: bash THIS_FILE
# A task that is killed or queued again goes on where it was. Run THIS_FILE again after an
# interruption: what is graded is not graded again.
# shellcheck disable=SC2016  # these are names, not expressions
set -euo pipefail

submissions=)sh" +
         shell_word(std::filesystem::absolute(run.submissions).string()) + R"sh(
out=)sh" +
         shell_word(std::filesystem::absolute(run.out).string()) + R"sh(
course=()sh" +
         program + R"sh()

submit() {
  local array
  mkdir -p -- "$out/parts" "$out/log"
  array=$(sbatch --parsable --job-name=course-grade --array=1-)sh" +
         shards + R"sh( \
    --cpus-per-task=)sh" +
         std::to_string(options.cores) + " --mem=" + std::to_string(mib_of(options)) +
         "M --time=" + std::to_string(minutes_of(options)) + R"sh( --requeue --open-mode=append \
    --output="$out/log/%a.txt" "$0" task)
  array=${array%%;*}
  sbatch --parsable --job-name=course-merge --dependency="afterok:$array" --kill-on-invalid-dep=yes \
    --time=30 --mem=2048M --requeue --open-mode=append --output="$out/log/merge.txt" "$0" merge
}

task() {
  local part="$out/parts/$SLURM_ARRAY_TASK_ID" status=0
  mkdir -p -- "$part"
  "${course[@]}" )sh" +
         exercises + R"sh( --submissions "$submissions" --out "$part" \
    --seed-file "$out/seed" --jobs "${SLURM_CPUS_PER_TASK:-)sh" +
         std::to_string(options.cores) + R"sh(}" --time-limit )sh" +
         std::to_string(run.time_limit_s) + R"sh( --shard "$SLURM_ARRAY_TASK_ID/)sh" + shards +
         R"sh(" || status=$?
  # Where the part is whole, single submissions could not be graded; the merge speaks of them.
  if [[ $status -eq 2 && -e $part/summary.json ]]; then status=0; fi
  return "$status"
}

case ${1-submit} in
  submit) submit ;;
  task) task ;;
  merge) "${course[@]}" merge --out "$out" "$out"/parts/* ;;
  *)
    echo "usage: bash $0 [submit|task|merge]" >&2
    exit 2
    ;;
esac
)sh";
}

}  // namespace coursework
