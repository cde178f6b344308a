#include "course/child.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>

extern char** environ;

namespace course {
namespace {

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

/// Returns the texts as the system's calls take them. They must outlive the result.
std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// What posix_spawn does between the fork and the start of the program.
class SpawnPlan {
 public:
  SpawnPlan(const ChildOptions& options, bool leads_group) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    if (!options.directory.empty())
      posix_spawn_file_actions_addchdir_np(&actions_, options.directory.c_str());
    redirect(options.in, STDIN_FILENO);
    redirect(options.out, STDOUT_FILENO);
    redirect(options.err, STDERR_FILENO);
    if (leads_group) posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnPlan() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  void redirect(int from, int to) {
    if (from >= 0) posix_spawn_file_actions_adddup2(&actions_, from, to);
  }

  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

void Descriptor::close() {
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail(errno, "pipe2");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void read_some(Descriptor& from, std::string& text) {
  std::array<char, 1 << 16> buffer;
  const ssize_t count = read(from.get(), buffer.data(), buffer.size());
  if (count > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  } else if (count == 0) {
    from.close();
  } else if (errno != EINTR) {
    fail(errno, "read");
  }
}

pid_t start_child(const std::vector<std::string>& command, const ChildOptions& options) {
  const std::vector<char*> arguments = pointers_to(command);
  std::vector<char*> variables;
  if (options.variables) variables = pointers_to(*options.variables);
  pid_t child = -1;
  const std::string program = options.program.empty() ? command.front() : options.program.string();
  const auto spawn = [&](bool leads_group) {
    const SpawnPlan plan(options, leads_group);
    return posix_spawnp(&child, program.c_str(), plan.actions(), plan.attributes(),
                        arguments.data(), options.variables ? variables.data() : environ);
  };
  int failed = spawn(options.leads_group);
  // A sandbox refuses new groups, and ends all of its processes itself.
  if (failed == EPERM && options.leads_group) failed = spawn(false);
  if (failed != 0) fail(failed, command.front());
  return child;
}

int wait_for_child(pid_t child) {
  constexpr int kSignalBase = 128;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail(errno, "waitpid");
  return WIFSIGNALED(status) ? kSignalBase + WTERMSIG(status) : WEXITSTATUS(status);
}

int replace_process(const std::vector<std::string>& command) {
  execvp(command.front().c_str(), pointers_to(command).data());
  return errno;
}

}  // namespace course
