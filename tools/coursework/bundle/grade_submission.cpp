#include "tools/coursework/bundle/grade_submission.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "tools/coursework/grade/run.hpp"
#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr int kMostEntries = 2000;
constexpr std::uintmax_t kMostBytes = 8 << 20;  // each file

/// Copies a submission to where `coursework grade` expects a class of one. Links are copied as
/// links and never followed. Special files, huge files, and files beyond the first thousands are
/// skipped: no answer looks like that.
void copy_submission(const fs::path& from, const fs::path& to) {
  fs::create_directories(to);
  int entries = 0;
  std::error_code failed;  // a file that cannot be copied counts as not handed in
  for (auto entry =
           fs::recursive_directory_iterator(from, fs::directory_options::skip_permission_denied);
       entry != fs::recursive_directory_iterator() && ++entries <= kMostEntries; ++entry) {
    const fs::path name = to / entry->path().lexically_relative(from);
    const fs::file_status status = entry->symlink_status();
    if (entry->path().filename() == ".git") entry.disable_recursion_pending();
    if (fs::is_symlink(status)) {
      fs::copy_symlink(entry->path(), name, failed);
    } else if (fs::is_directory(status)) {
      fs::create_directories(name, failed);
    } else if (fs::is_regular_file(status) && entry->file_size() <= kMostBytes) {
      fs::copy_file(entry->path(), name, failed);
    }
  }
}

/// Returns the result that `coursework grade` wrote for the only student.
json only_result(const fs::path& out) {
  for (const auto& student : fs::directory_iterator(out / "students"))
    return tools::parse_ordered_json(tools::read_file(student.path() / "result.json"));
  throw std::runtime_error("the grader wrote no result");
}

}  // namespace

json grade_submission(const std::vector<Exercise>& exercises, const fs::path& folder,
                      std::uint64_t seed) {
  if (!fs::is_directory(folder))
    throw std::runtime_error("there is no folder " + folder.string() + " with a submission");
  const tools::TemporaryFolder work("course grade");
  copy_submission(folder, work.path() / "class/submission");

  std::map<std::string, std::vector<Exercise>> chapters;
  for (const Exercise& one : exercises) chapters[one.chapter].push_back(one);
  json graded = json::array();
  for (const auto& [chapter, some] : chapters) {
    RunOptions run;
    run.exercises = some;
    run.submissions = work.path() / "class";
    run.out = work.path() / chapter;
    run.seed = seed;
    run.jobs = processors();
    run.is_kept = false;
    if (grade_class(run) != 0)
      throw std::runtime_error("the grader failed with chapter " + chapter + ": " +
                               tools::read_file(run.out / "run.log"));
    const json result = only_result(run.out);
    for (const json& one : result.at("exercises")) graded.push_back(one);
  }
  return graded;
}

}  // namespace coursework
