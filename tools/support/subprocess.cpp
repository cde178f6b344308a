#include "tools/support/subprocess.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

extern char** environ;

namespace tools {
namespace {

constexpr int kNotStarted = 127;

[[noreturn]] void throw_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// A file descriptor that is closed at the end of the scope.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw_errno("pipe2");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// Returns an unnamed file with the program's input; writing to it never blocks.
Descriptor make_input(const std::string& text) {
  std::string name = (std::filesystem::temp_directory_path() / "course-input-XXXXXX").string();
  Descriptor file(mkostemp(name.data(), O_CLOEXEC));
  if (!file.is_open()) throw_errno("mkostemp");
  unlink(name.c_str());
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = write(file.get(), text.data() + written, text.size() - written);
    if (count < 0) throw_errno("write");
    written += static_cast<std::size_t>(count);
  }
  if (lseek(file.get(), 0, SEEK_SET) != 0) throw_errno("lseek");
  return file;
}

std::vector<std::string> make_environment(const CommandOptions& options) {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  for (const auto& [name, value] : options.environment) variables[name] = value;
  for (const std::string& name : options.unset) variables.erase(name);

  std::vector<std::string> entries;
  for (const auto& [name, value] : variables) entries.push_back(name + "=" + value);
  return entries;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Searches PATH before the fork: a forked child of a threaded process may only make system calls.
std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = folder + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  errno = ENOENT;
  throw_errno(name.c_str());
}

/// Appends available bytes; closes the descriptor at the end of the stream.
void read_some(Descriptor& from, std::string& to) {
  std::array<char, 1 << 16> buffer;
  const ssize_t count = read(from.get(), buffer.data(), buffer.size());
  if (count > 0) {
    to.append(buffer.data(), static_cast<std::size_t>(count));
  } else if (count == 0) {
    from.close();
  } else if (errno != EINTR) {
    throw_errno("read");
  }
}

}  // namespace

CommandResult run_command(const std::vector<std::string>& command, const CommandOptions& options) {
  if (command.empty()) throw std::invalid_argument("run_command: no command");
  const std::string program = find_program(command.front());
  std::vector<std::string> arguments = command;
  std::vector<std::string> environment = make_environment(options);
  const std::vector<char*> argv = pointers_to(arguments);
  const std::vector<char*> envp = pointers_to(environment);
  const std::string directory = options.directory.string();

  const Descriptor input = make_input(options.input);
  Pipe out = make_pipe();
  Pipe err = make_pipe();

  const pid_t child = fork();
  if (child < 0) throw_errno("fork");
  setpgid(child, child);  // in parent and child, because either may run first
  if (child == 0) {
    setpgid(0, 0);
    if (!directory.empty() && chdir(directory.c_str()) != 0) _exit(kNotStarted);
    dup2(input.get(), STDIN_FILENO);
    dup2(out.write_end.get(), STDOUT_FILENO);
    dup2(err.write_end.get(), STDERR_FILENO);
    execve(program.c_str(), argv.data(), envp.data());
    _exit(kNotStarted);
  }
  out.write_end.close();
  err.write_end.close();

  CommandResult result;
  std::optional<std::stop_callback<std::function<void()>>> ender;
  ender.emplace(options.stop, [child] { kill(-child, SIGKILL); });
  const auto deadline = std::chrono::steady_clock::now() + options.time_limit;
  while (out.read_end.is_open() || err.read_end.is_open()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    std::array<pollfd, 2> watched{pollfd{out.read_end.get(), POLLIN, 0},
                                  pollfd{err.read_end.get(), POLLIN, 0}};
    const int ready = left.count() <= 0
                          ? 0
                          : poll(watched.data(), watched.size(), static_cast<int>(left.count()));
    if (ready == 0) {
      kill(-child, SIGKILL);
      waitpid(child, nullptr, 0);
      throw TooSlow("still running at its time limit: " + command.front());
    }
    if (watched[0].revents != 0) read_some(out.read_end, result.out);
    if (watched[1].revents != 0) read_some(err.read_end, result.err);
  }

  ender.reset();  // before the process id can be reused
  int wait_status = 0;
  while (waitpid(child, &wait_status, 0) < 0) {
    if (errno != EINTR) throw_errno("waitpid");
  }
  if (options.stop.stop_requested()) throw Cancelled();
  constexpr int kSignalBase = 128;
  result.status =
      WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : kSignalBase + WTERMSIG(wait_status);
  return result;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TemporaryFolder::TemporaryFolder(const std::string& name) {
  std::string pattern = (std::filesystem::temp_directory_path() / "course-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw_errno("mkdtemp");
  parent_ = pattern;
  path_ = parent_ / name;
  std::filesystem::create_directory(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(parent_, ignored);
}

std::filesystem::path TemporaryFolder::write(const std::filesystem::path& relative,
                                             const std::string& text) const {
  const std::filesystem::path file = path_ / relative;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw std::runtime_error("cannot write " + file.string());
  return file;
}

std::filesystem::path TemporaryFolder::write_program(const std::filesystem::path& relative,
                                                     const std::string& text) const {
  const std::filesystem::path file = write(relative, text);
  constexpr auto kEveryoneMayRun = std::filesystem::perms(0755);
  std::filesystem::permissions(file, kEveryoneMayRun);
  return file;
}

std::string read_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  std::ostringstream text;
  text << stream.rdbuf();
  return std::move(text).str();
}

}  // namespace tools
