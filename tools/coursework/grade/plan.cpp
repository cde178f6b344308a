#include "tools/coursework/grade/plan.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>

#include "tools/coursework/grade/digest.hpp"
#include "tools/coursework/grade/files.hpp"
#include "tools/support/json.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr int kPlanSchema = 1;

/// Returns a digest of files: of their names below `root` and their bytes.
std::string digest_of_files(const fs::path& root, std::vector<fs::path> files) {
  std::ranges::sort(files);
  std::vector<std::string> texts;
  for (const fs::path& file : files) {
    texts.push_back(fs::relative(file, root).generic_string());
    texts.push_back(tools::read_file(file));
  }
  return sha256_of_all(texts);
}

void add_files(const fs::path& folder, std::vector<fs::path>& files) {
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() != ".md") files.push_back(entry.path());
}

}  // namespace

Basis Plan::basis_of(const HandedIn& handed) const {
  Basis one = basis;
  one.file = handed.sha256;
  const auto found = std::ranges::find(exercises, handed.exercise);
  if (found == exercises.end()) throw std::out_of_range("there is no exercise " + handed.exercise);
  one.exercise = exercise_digests.at(static_cast<std::size_t>(found - exercises.begin()));
  return one;
}

json json_of(const Plan& plan) {
  json exercises = json::array();
  for (std::size_t i = 0; i < plan.exercises.size(); ++i)
    exercises.push_back({{"id", plan.exercises[i]}, {"digest", plan.exercise_digests[i]}});
  json document = {{"schema", kPlanSchema},
                   {"chapter", plan.chapter},
                   {"exercises", exercises},
                   {"course", plan.basis.course},
                   {"seed_digest", plan.basis.seed},
                   {"time_limit_s", plan.basis.time_limit_s},
                   {"shard", {{"number", plan.shard.number}, {"of", plan.shard.of}}}};
  document.update(json_of(plan.all));
  return document;
}

Plan read_plan(const fs::path& file) {
  try {
    const json document = tools::parse_ordered_json(tools::read_file(file));
    if (document.at("schema") != kPlanSchema) throw std::runtime_error("another version wrote it");
    Plan plan;
    plan.chapter = document.at("chapter");
    for (const json& one : document.at("exercises")) {
      plan.exercises.push_back(one.at("id"));
      plan.exercise_digests.push_back(one.at("digest"));
    }
    plan.basis.course = document.at("course");
    plan.basis.seed = document.at("seed_digest");
    plan.basis.time_limit_s = document.at("time_limit_s");
    plan.shard = {document.at("shard").at("number"), document.at("shard").at("of")};
    plan.all = class_of(document);
    return plan;
  } catch (const std::exception& error) {
    throw std::runtime_error(file.string() + ": " + error.what());
  }
}

void require_same_results(const fs::path& out, const Plan& plan) {
  const auto refuse = [&](const std::string& what) {
    throw std::runtime_error(out.string() + " holds " + what +
                             ", which would be lost; choose another --out");
  };
  if (!fs::exists(out / "plan.json")) {
    // A started run has a seed. Any other file of these names is not ours to replace.
    for (const char* name : {"students", "copies", "grades.csv"})
      if (fs::exists(out / name) && !fs::exists(out / "seed"))
        refuse(std::string("something called ") + name);
    return;
  }
  const Plan before = read_plan(out / "plan.json");
  if (before.chapter != plan.chapter) refuse("results of " + before.chapter);
  for (const std::string& one : before.exercises)
    if (std::ranges::find(plan.exercises, one) == plan.exercises.end())
      refuse("results of the exercise " + one);
  if (before.shard.number != plan.shard.number || before.shard.of != plan.shard.of)
    refuse(before.shard.of == 1 ? "results of the whole class"
                                : "results of the part " + std::to_string(before.shard.number) +
                                      "/" + std::to_string(before.shard.of));
  const bool knows_anybody = std::ranges::any_of(before.all.students, [&](const Student& one) {
    return std::ranges::find(plan.all.students, one.folder, &Student::folder) !=
           plan.all.students.end();
  });
  if (!before.all.students.empty() && !knows_anybody) refuse("results of other students");
}

std::string digest_of(const Exercise& exercise) {
  const fs::path all = exercise.folder.parent_path();
  std::vector<fs::path> files;
  add_files(exercise.folder, files);
  for (const auto& entry : fs::directory_iterator(all))  // files that a chapter's judges share
    if (entry.is_regular_file()) files.push_back(entry.path());
  return digest_of_files(all, files);
}

std::string digest_of_course() {
  const fs::path root = tools::source_folder();
  std::vector<fs::path> files;
  for (const char* folder :
       {"common", "emulator", "tools/coursework/confine", "tools/coursework/exercises",
        "tools/coursework/grade", "tools/coursework/judging", "tools/coursework/runner",
        "tools/coursework/sandbox"})
    if (fs::is_directory(root / folder)) add_files(root / folder, files);
  return digest_of_files(root, files);
}

std::string digest_of_seed(std::uint64_t seed) {
  return sha256("digest of the seed " + std::to_string(seed));
}

std::uint64_t read_seed(const fs::path& file) {
  const std::string text = tools::read_file(file);
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || std::string(end, text.data() + text.size()) != "\n")
    throw std::runtime_error(file.string() + " holds no seed");
  return seed;
}

std::uint64_t chosen_seed(const fs::path& out, const std::uint64_t* given, bool& drawn) {
  const fs::path file = out / "seed";
  drawn = given == nullptr && !fs::exists(file);
  if (given != nullptr) return *given;
  if (!drawn) return read_seed(file);
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

void keep_seed(const fs::path& out, std::uint64_t seed) {
  write_durably(out / "seed", std::to_string(seed) + "\n", 0600);
}

}  // namespace coursework
