#include "course/child.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "course/temporary_folder.hpp"

namespace {

using Words = std::vector<std::string>;

/// Runs a command whose output goes to a pipe, and returns what it wrote.
std::string output_of(const Words& command, course::ChildOptions options = {}) {
  course::Pipe pipe = course::make_pipe();
  options.out = pipe.write_end.get();
  const pid_t child = course::start_child(command, options);
  pipe.write_end.close();
  std::string text;
  while (pipe.read_end.is_open()) course::read_some(pipe.read_end, text);
  CHECK(course::wait_for_child(child) == 0);
  return text;
}

/// Returns the error with which a command is refused; 0 if it starts.
int refusal_of(const Words& command, const course::ChildOptions& options = {}) {
  try {
    course::wait_for_child(course::start_child(command, options));
  } catch (const std::system_error& error) {
    CHECK(std::string(error.what()).starts_with(command.front()));
    return error.code().value();
  }
  return 0;
}

}  // namespace

TEST_CASE("a child's status is that of a shell") {
  CHECK(course::wait_for_child(course::start_child({"sh", "-c", "exit 3"})) == 3);
  CHECK(course::wait_for_child(course::start_child({"sh", "-c", "kill -TERM $$"})) ==
        128 + SIGTERM);
}

TEST_CASE("a child has the streams, the folder, the variables and the name that it was given") {
  const course::TemporaryFolder folder(course::folder_of_temporary_files(), "child ");
  const course::Descriptor nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  const Words variables = {"WORD=two words"};
  CHECK(output_of({"my shell", "-c", "cat; pwd; echo \"$WORD|$0|$1|${HOME-none}\"", "x", "y  z"},
                  {.in = nothing.get(),
                   .directory = folder.path(),
                   .program = "/bin/sh",
                   .variables = &variables}) ==
        std::filesystem::canonical(folder.path()).string() + "\ntwo words|x|y  z|none\n");
  CHECK(output_of({"sh", "-c", "echo $PATH"}) == std::string(getenv("PATH")) + "\n");
}

TEST_CASE("a child that leads a group is not in this process's") {
  const std::string group = "ps -o pgid= -p $$ | tr -d ' '";
  const std::string mine = std::to_string(getpgrp()) + "\n";
  CHECK(output_of({"sh", "-c", group}) == mine);
  CHECK(output_of({"sh", "-c", group}, {.leads_group = true}) != mine);
}

TEST_CASE("a child has no end of a pipe that is not one of its streams") {
  const course::Pipe other = course::make_pipe();
  const std::string open = output_of({"ls", "/proc/self/fd"});
  CHECK(open.find(std::to_string(other.write_end.get()) + "\n") == open.npos);
}

TEST_CASE("what cannot be started says why") {
  const course::TemporaryFolder folder(course::folder_of_temporary_files(), "child ");
  CHECK(refusal_of({"no-such-program"}) == ENOENT);
  CHECK(refusal_of({folder.path().string()}) == EACCES);
  CHECK(refusal_of({"true"}, {.directory = folder.path() / "missing"}) == ENOENT);
  CHECK(course::replace_process({"no-such-program"}) == ENOENT);
  CHECK_THROWS_AS(course::wait_for_child(getpid()), std::system_error);
}

TEST_CASE("a temporary folder goes with its object, and says where it cannot be made") {
  std::filesystem::path path;
  {
    const course::TemporaryFolder folder(course::folder_of_temporary_files(), "two words ");
    path = folder.path();
    CHECK(path.filename().string().starts_with("two words "));
    std::filesystem::create_directories(path / "a/b");
  }
  CHECK_FALSE(std::filesystem::exists(path));
  CHECK_THROWS_WITH_AS(course::TemporaryFolder("/nowhere/at/all", "x"),
                       "cannot make a folder in /nowhere/at/all: No such file or directory",
                       std::system_error);
}
