#include "tools/coursework/grade/merge.hpp"

#include <sys/stat.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "tools/coursework/grade/files.hpp"
#include "tools/coursework/grade/plan.hpp"
#include "tools/coursework/grade/run.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;

struct Part {
  fs::path folder;
  Plan plan;
  Entries entries;
};

[[noreturn]] void refuse(const Part& part, const std::string& why) {
  throw std::runtime_error(part.folder.string() + " " + why);
}

Part read_part(const fs::path& folder) {
  if (!fs::exists(folder / "plan.json"))
    throw std::runtime_error(folder.string() + " holds no results");
  Part part{folder, read_plan(folder / "plan.json"), read_journal(folder / "journal")};
  // A run writes the summary last.
  if (!fs::exists(folder / "summary.json")) refuse(part, "is not finished; grade it again");
  return part;
}

void check_fits(const Part& part, const Part& first) {
  const Plan& a = part.plan;
  const Plan& b = first.plan;
  const std::string other = first.folder.string();
  if (a.exercises != b.exercises || a.chapter != b.chapter)
    refuse(part, "is about other exercises than " + other);
  if (a.shard.of != b.shard.of)
    refuse(part, "is one of " + std::to_string(a.shard.of) + " parts, and " + other +
                     " is one of " + std::to_string(b.shard.of));
  if (a.basis.seed != b.basis.seed) refuse(part, "was graded with another seed than " + other);
  if (a.exercise_digests != b.exercise_digests || a.basis.course != b.basis.course)
    refuse(part, "was graded with another version of the course than " + other);
  if (a.basis.time_limit_s != b.basis.time_limit_s)
    refuse(part, "was graded with another time limit than " + other);
  const auto folder = [](const Student& one) { return one.folder; };
  if (!std::ranges::equal(a.all.students, b.all.students, {}, folder, folder))
    refuse(part, "has other students in its class than " + other);
}

/// Checks that two results of the same shard agree.
void check_agrees(const Part& part, const Part& other) {
  const bool same =
      json_of(part.plan) == json_of(other.plan) &&
      std::ranges::equal(part.entries, other.entries, [](const auto& a, const auto& b) {
        return a.first == b.first && a.second.basis == b.second.basis &&
               json_of(a.second.verdict) == json_of(b.second.verdict);
      });
  if (!same) refuse(part, "and " + other.folder.string() + " are the same part, and differ");
}

std::vector<Exercise> exercises_of(const Plan& plan) {
  std::vector<Exercise> exercises;
  for (Exercise& one : read_exercises(tools::source_folder())) {
    const auto found = std::ranges::find(plan.exercises, one.id);
    if (found == plan.exercises.end()) continue;
    if (digest_of(one) !=
        plan.exercise_digests[static_cast<std::size_t>(found - plan.exercises.begin())])
      throw std::runtime_error("the exercise " + one.id +
                               " has changed since it was graded; merge with the course as it was");
    exercises.push_back(std::move(one));
  }
  if (exercises.size() != plan.exercises.size())
    throw std::runtime_error("this course does not have all the exercises that were graded");
  return exercises;
}

}  // namespace

int merge(const std::vector<fs::path>& folders, const fs::path& out) {
  umask(S_IRWXG | S_IRWXO);
  std::map<int, Part> parts;
  for (const fs::path& folder : folders) {
    Part part = read_part(folder);
    if (!parts.empty()) check_fits(part, parts.begin()->second);
    const int number = part.plan.shard.number;
    if (const auto twice = parts.find(number); twice != parts.end()) {
      check_agrees(part, twice->second);
    } else {
      parts.emplace(number, std::move(part));
    }
  }
  if (parts.empty()) throw std::runtime_error("there is nothing to merge");
  Plan plan = parts.begin()->second.plan;
  for (int number = 1; number <= plan.shard.of; ++number)
    if (!parts.contains(number))
      throw std::runtime_error("the part " + std::to_string(number) + "/" +
                               std::to_string(plan.shard.of) + " is missing");
  plan.shard = {};
  Entries entries;
  for (const auto& [number, part] : parts) {
    entries.insert(part.entries.begin(), part.entries.end());
    for (std::size_t i = 0; i < plan.all.students.size(); ++i)
      if (const Student& student = part.plan.all.students[i]; !student.files.empty())
        plan.all.students[i] = student;
  }
  const std::vector<Exercise> exercises = exercises_of(plan);
  NewFolder made(out);
  for (const auto& [number, part] : parts)
    if (fs::equivalent(out, part.folder)) refuse(part, "is one of the parts; merge into another");
  const Lock lock(out / "lock");
  require_same_results(out, plan);
  made.keep();
  write_durably(out / "plan.json", json_of(plan).dump(2) + "\n", 0600);
  const fs::path seed = parts.begin()->second.folder / "seed";
  write_durably(out / "seed", tools::read_file(seed), 0600);
  Journal(out / "journal").tidy(entries);
  fs::remove_all(out / "copies");
  for (const auto& [number, part] : parts)
    if (fs::exists(part.folder / "copies"))
      fs::copy(part.folder / "copies", out / "copies", fs::copy_options::recursive);
  write_reports(out, plan, exercises, entries);
  const int status = print_outcome(out, plan, exercises, entries);
  print_summary_path(out);
  return status;
}

}  // namespace coursework
