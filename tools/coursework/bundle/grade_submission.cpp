#include "tools/coursework/bundle/grade_submission.hpp"

#include <optional>
#include <stdexcept>

#include "tools/coursework/answers/answers.hpp"
#include "tools/coursework/check/check_text.hpp"
#include "tools/coursework/judging/judge.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;

/// Where the answer lies: beside the others, or in the folder of a handout. A link may lead
/// anywhere on this machine, so it is no answer.
std::optional<fs::path> find_answer(const Exercise& exercise, const fs::path& folder) {
  for (const fs::path& place : {folder, folder / "answers"}) {
    const fs::path file = place / exercise.file_name();
    const bool is_own = fs::is_directory(fs::symlink_status(place)) || place == folder;
    if (is_own && fs::is_regular_file(fs::symlink_status(file))) return file;
  }
  return {};
}

Verdict grade(const Exercise& exercise, const fs::path& folder, std::uint64_t seed) {
  const auto refuse = [&](const std::string& why) {
    return verdict_without_trials(exercise, Outcome::refused, why);
  };
  const auto answer = find_answer(exercise, folder);
  if (!answer) return refuse("there is no file " + exercise.file_name());
  std::string text;
  try {
    text = read_answer(*answer);
  } catch (const std::runtime_error& unreadable) {
    return refuse(unreadable.what());
  }
  JudgeOptions options;
  options.seed = seed;
  options.draw = true;
  return check_text(exercise, text, exercise.file_name(), options);
}

}  // namespace

nlohmann::ordered_json grade_submission(const std::vector<Exercise>& exercises,
                                        const fs::path& folder, std::uint64_t seed) {
  if (!fs::is_directory(folder))
    throw std::runtime_error("there is no folder " + folder.string() + " with a submission");
  auto graded = nlohmann::ordered_json::array();
  for (const Exercise& exercise : exercises) {
    const Verdict verdict = grade(exercise, folder, seed);
    if (verdict.outcome == Outcome::grader_fault)
      throw std::runtime_error(exercise.id + ": " + verdict.message);
    nlohmann::ordered_json json = json_of(verdict);
    json["title"] = exercise.title;
    json["notes"] = nlohmann::ordered_json::array();
    graded.push_back(std::move(json));
  }
  return graded;
}

}  // namespace coursework
