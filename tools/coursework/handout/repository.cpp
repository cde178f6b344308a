#include "tools/coursework/handout/repository.hpp"

#include <stdexcept>
#include <system_error>

#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kDate = "2025-01-01T00:00:00+0000";
constexpr const char* kAuthor = "Warp by Warp";
constexpr const char* kAddress = "course@localhost";

/// Runs git in `folder` with the user's settings disabled: signatures, hooks, line ends.
tools::CommandResult run_git(const fs::path& folder, const Words& arguments) {
  Words command = {"git", "-c", "safe.directory=*", "-c", "core.autocrlf=false", "-c", "gc.auto=0"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  tools::CommandOptions options;
  options.directory = folder;
  options.environment = {{"GIT_CONFIG_GLOBAL", "/dev/null"}, {"GIT_CONFIG_NOSYSTEM", "1"},
                         {"GIT_AUTHOR_NAME", kAuthor},       {"GIT_AUTHOR_EMAIL", kAddress},
                         {"GIT_AUTHOR_DATE", kDate},         {"GIT_COMMITTER_NAME", kAuthor},
                         {"GIT_COMMITTER_EMAIL", kAddress},  {"GIT_COMMITTER_DATE", kDate}};
  options.unset = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"};
  return tools::run_command(command, options);
}

void git(const fs::path& folder, const Words& arguments) {
  const auto result = run_git(folder, arguments);
  if (result.status != 0)
    throw std::runtime_error("git " + arguments.front() + " failed: " + result.err);
}

}  // namespace

std::optional<Words> known_to_git(const fs::path& root) {
  try {
    const auto top = run_git(root, {"rev-parse", "--show-toplevel"});
    if (top.status != 0 || !fs::equivalent(tools::lines_of(top.out).at(0), root)) return {};
    const auto listed = run_git(root, {"ls-files", "-z"});
    if (listed.status != 0) return {};
    Words files;
    for (std::size_t begin = 0; begin < listed.out.size();) {
      const std::size_t end = listed.out.find('\0', begin);
      const std::string path = listed.out.substr(begin, end - begin);
      if (fs::is_regular_file(root / path)) files.push_back(path);  // leaves out deleted files
      begin = end + 1;
    }
    return files;
  } catch (const std::system_error&) {
    return {};  // git is not installed
  }
}

void commit_everything(const fs::path& folder, const std::string& message) {
  git(folder, {"init", "--quiet", "--initial-branch=main", "--template="});
  git(folder, {"add", "--all", "--force"});
  git(folder, {"commit", "--quiet", "--no-verify", "--no-gpg-sign", "--message", message});
}

void archive_commit(const fs::path& folder, const fs::path& zip) {
  git(folder, {"archive", "--format=zip", "--output=" + fs::absolute(zip).string(), "HEAD"});
}

}  // namespace coursework
