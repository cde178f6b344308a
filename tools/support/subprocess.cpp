#include "tools/support/subprocess.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "course/child.hpp"

extern char** environ;

namespace tools {
namespace {

using course::Descriptor;

constexpr int kNotStarted = 127;

[[noreturn]] void throw_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
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

/// Returns the path of a program. One that exists and cannot be started has a status of its own.
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

}  // namespace

CommandResult run_command(const std::vector<std::string>& command, const CommandOptions& options) {
  if (command.empty()) throw std::invalid_argument("run_command: no command");
  const std::string program = find_program(command.front());
  const std::vector<std::string> environment = make_environment(options);
  const Descriptor input = make_input(options.input);
  course::Pipe out = course::make_pipe();
  course::Pipe err = course::make_pipe();

  CommandResult result;
  pid_t child = -1;
  try {
    child = course::start_child(command, {.in = input.get(),
                                          .out = out.write_end.get(),
                                          .err = err.write_end.get(),
                                          .directory = options.directory,
                                          .program = program,
                                          .variables = &environment,
                                          .leads_group = true});
  } catch (const std::system_error&) {
    result.status = kNotStarted;
    return result;
  }
  out.write_end.close();
  err.write_end.close();

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
      course::wait_for_child(child);
      throw TooSlow("still running at its time limit: " + command.front());
    }
    if (watched[0].revents != 0) course::read_some(out.read_end, result.out);
    if (watched[1].revents != 0) course::read_some(err.read_end, result.err);
  }

  ender.reset();  // before the process id can be reused
  result.status = course::wait_for_child(child);
  if (options.stop.stop_requested()) throw Cancelled();
  return result;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TemporaryFolder::TemporaryFolder(const std::string& name)
    : parent_(std::filesystem::temp_directory_path(), "course-"), path_(parent_.path() / name) {
  std::filesystem::create_directory(path_);
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
