#include "tools/support/subprocess.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <system_error>

using namespace tools;

TEST_CASE("run_command keeps status, output and errors apart") {
  const CommandResult result = run_command({"sh", "-c", "echo out; echo err >&2; exit 3"});
  CHECK(result.status == 3);
  CHECK(result.out == "out\n");
  CHECK(result.err == "err\n");
}

TEST_CASE("run_command passes arguments, input, folder and environment on unchanged") {
  const TemporaryFolder folder("two words");
  CommandOptions options;
  options.directory = folder.path();
  options.environment = {{"COURSE_TEST_WORD", "a b"}};
  options.unset = {"HOME"};
  options.input = "line\n";
  const CommandResult result = run_command(
      {"sh", "-c", "cat; pwd; echo \"$COURSE_TEST_WORD|${HOME-none}|$1\"", "sh", "x  y"}, options);
  CHECK(lines_of(result.out) ==
        std::vector<std::string>{"line", folder.path().string(), "a b|none|x  y"});
}

TEST_CASE("run_command survives more output than a pipe holds on both streams") {
  const CommandResult result =
      run_command({"sh", "-c", "head -c 300000 /dev/zero >&2; head -c 200000 /dev/zero"});
  CHECK(result.status == 0);
  CHECK(result.err.size() == 300000);
  CHECK(result.out.size() == 200000);
}

TEST_CASE("run_command takes an input of any size, whether it is read or not") {
  CommandOptions options;
  options.input.assign(1 << 20, 'x');
  CHECK(run_command({"true"}, options).status == 0);
  CHECK(run_command({"wc", "-c"}, options).out == "1048576\n");
}

TEST_CASE("a signal counts as a shell counts it") {
  CHECK(run_command({"sh", "-c", "kill -9 $$"}).status == 128 + 9);
}

TEST_CASE("a program that does not end is killed, one that does not exist is an error") {
  CommandOptions options;
  options.time_limit = std::chrono::seconds(1);
  CHECK_THROWS_AS(run_command({"sleep", "60"}, options), std::runtime_error);
  CHECK_THROWS_AS(run_command({"no-such-program"}), std::system_error);
}

TEST_CASE("a temporary folder is gone after its scope") {
  std::filesystem::path path;
  {
    const TemporaryFolder folder;
    path = folder.write("a/b.txt", "text");
    CHECK(read_file(path) == "text");
    CHECK(run_command({folder.write_program("p", "#!/bin/sh\nexit 7\n").string()}).status == 7);
  }
  CHECK_FALSE(std::filesystem::exists(path));
}
