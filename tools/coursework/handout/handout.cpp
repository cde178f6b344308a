#include "tools/coursework/handout/handout.hpp"

#include <algorithm>
#include <stdexcept>

#include "tools/coursework/handout/class_readme.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHandIn =
    "Hand in the files of `answers/`, with the names that they have. Your instructor says where.";

/// Does not contain /answers/, because students commit their answers.
constexpr const char* kIgnored = "/build/\n/build-*/\n/CMakeUserPresets.json\n.cache/\n";

}  // namespace

Handout make_handout(const fs::path& root, const HandoutOptions& options) {
  ExtractOptions wanted;
  wanted.exercises = exercises_named(read_exercises(root), options.words);
  wanted.hints = options.hints;
  Handout handout;
  handout.exercises = wanted.exercises;
  handout.files = extract(root, wanted);
  handout.files["README.md"] = {
      class_readme(tools::read_file(root / "tools/coursework/handout/class_readme.md"), root,
                   handout.exercises, options.hand_in.empty() ? kHandIn : options.hand_in),
      false};
  handout.files[".gitignore"] = {kIgnored, false};
  for (Leak& leak : find_leaks(handout.exercises, handout.files)) {
    if (!may_explain(leak.file))
      throw std::runtime_error("a line of the solution of " + leak.exercise + " stands in " +
                               leak.file.string() + ": " + leak.lines.front());
    if (leak.share >= kGivesAway) handout.leaks.push_back(std::move(leak));
  }
  for (Leak& leak : find_renamed_leaks(handout.exercises, handout.files)) {
    const auto is_known = [&](const Leak& one) {
      return one.exercise == leak.exercise && one.file == leak.file;
    };
    if (std::ranges::none_of(handout.leaks, is_known)) handout.leaks.push_back(std::move(leak));
  }
  return handout;
}

void require_empty(const fs::path& folder) {
  if (!fs::exists(fs::symlink_status(folder))) return;
  if (!fs::is_directory(folder)) throw std::runtime_error(folder.string() + " is no folder");
  if (!fs::is_empty(folder)) throw std::runtime_error(folder.string() + " is not empty");
}

}  // namespace coursework
