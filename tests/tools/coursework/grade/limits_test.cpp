/// Tests the messages to students about exceeded limits.
#include <doctest/doctest.h>

#include "tools/coursework/grade/limits.hpp"

using namespace coursework;

TEST_CASE("a limit of CPU time and one by the clock are different sentences") {
  CHECK(compiler_limit_message(End::cpu_limit) ==
        "The compiler had not ended after 60 s of CPU time");
  CHECK(compiler_limit_message(End::wall_limit) ==
        "The compiler had not ended after 3600 s by the clock, less than 60 s of them CPU time");
  const std::chrono::seconds limit(7);
  CHECK(kernel_limit_message(Stopped::cpu_limit, limit) ==
        "The kernels had not ended after 7 s of CPU time");
  CHECK(kernel_limit_message(Stopped::time_limit, limit) ==
        "The kernels had not ended after 420 s by the clock, less than 7 s of them CPU time");
}

TEST_CASE("memory of the compiler and memory of the program are different sentences") {
  CHECK(compiler_limit_message(End::memory_limit) == "The compiler took more than 2 GiB of memory");
  CHECK(kernel_limit_message(Stopped::memory_limit, std::chrono::seconds(1)) ==
        "The program took more than 1 GiB of memory");
}

TEST_CASE("other ends are none of a limit's") {
  CHECK(compiler_limit_message(End::exited).empty());
  CHECK(kernel_limit_message(Stopped::ended, std::chrono::seconds(1)).empty());
}
