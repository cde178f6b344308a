#include "tools/coursework/bundle/bundle.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

/// Time limit for one exercise: the compiler, the kernels, and as much again for a slow machine.
constexpr int kSecondsPerExercise = 90;
constexpr int kSecondsPerMinute = 60;
constexpr int kLeastMinutes = 9;  // Gradescope ends a submission after ten minutes

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// Reads a template file of the platform and fills in the settings.
ExtractedFile fill_in(const fs::path& file, const BundleSettings& settings) {
  std::string exercises;
  for (const std::string& one : settings.exercises)
    exercises += (exercises.empty() ? "" : " ") + one;
  std::string text = tools::read_file(file);
  text = replace_all(text, "@seconds@", std::to_string(settings.minutes * kSecondsPerMinute));
  text = replace_all(text, "@exercises@", exercises);
  return {text, (fs::status(file).permissions() & fs::perms::owner_exec) != fs::perms::none};
}

/// Returns the grader's files below course/, its settings in bundle.json, and answers to test it
/// with.
ExtractedFiles grader(const fs::path& root, const BundleSettings& settings) {
  ExtractedFiles files;
  ExtractOptions options;
  options.exercises = exercises_named(read_exercises(root), settings.exercises);
  options.reader = Reader::grader;
  for (auto& [path, file] : extract(root, options)) files["course" / path] = std::move(file);
  files["bundle.json"] = {json_of(settings).dump(2) + "\n", false};
  for (const Exercise& one : options.exercises)
    files[fs::path("starters") / one.file_name()] = {starter_of(one), false};
  return files;
}

fs::path platform_folder(const fs::path& root, const char* platform) {
  return root / "tools/coursework/bundle" / platform;
}

}  // namespace

int minutes_for(const std::vector<Exercise>& exercises) {
  const int seconds = kSecondsPerExercise * static_cast<int>(exercises.size());
  return std::max(kLeastMinutes, (seconds + kSecondsPerMinute - 1) / kSecondsPerMinute);
}

void check_settings(const BundleSettings& settings, const std::vector<Exercise>& exercises) {
  static const std::set<std::string> kWords = {"visible", "hidden", "after_due_date",
                                               "after_published"};
  for (const auto& [name, when] : settings.visibility) {
    if (!kWords.contains(when))
      throw std::runtime_error(
          "--visibility takes visible, hidden, after_due_date or "
          "after_published, not '" +
          when + "'");
    bool is_known = false;
    for (const Exercise& exercise : exercises)
      for (const Requirement& one : exercise.requirements)
        is_known = is_known || name == one.name || name == exercise.id + "/" + one.name;
    if (!is_known) throw std::runtime_error("no exercise has a requirement '" + name + "'");
  }
  if (settings.minutes < minutes_for(exercises))
    throw std::runtime_error("a submission may take " + std::to_string(minutes_for(exercises)) +
                             " minutes: --minutes must not be less");
}

json json_of(const BundleSettings& settings) {
  return {{"exercises", settings.exercises},
          {"seed", settings.seed},
          {"minutes", settings.minutes},
          {"visibility", settings.visibility}};
}

BundleSettings read_settings(const fs::path& file) {
  try {
    const json document = tools::parse_ordered_json(tools::read_file(file));
    BundleSettings settings;
    settings.exercises = document.at("exercises").get<std::vector<std::string>>();
    settings.seed = document.at("seed").get<std::uint64_t>();
    settings.minutes = document.at("minutes").get<int>();
    settings.visibility = document.at("visibility").get<std::map<std::string, std::string>>();
    return settings;
  } catch (const json::exception& error) {
    throw std::runtime_error(file.string() + ": " + error.what());
  }
}

ExtractedFiles gradescope_bundle(const fs::path& root, const BundleSettings& settings) {
  ExtractedFiles files = grader(root, settings);
  for (const char* name : {"setup.sh", "run_autograder"})
    files[name] = fill_in(platform_folder(root, "gradescope") / name, settings);
  return files;
}

ExtractedFiles classroom50_bundle(const fs::path& root, const BundleSettings& settings) {
  ExtractedFiles files = grader(root, settings);
  files["autograder.py"] =
      fill_in(platform_folder(root, "classroom50") / "autograder.py", settings);
  return files;
}

ExtractedFiles github_bundle(const fs::path& root, const BundleSettings& settings) {
  return {{".github/workflows/check.yml",
           fill_in(platform_folder(root, "github") / "check.yml", settings)}};
}

}  // namespace coursework
