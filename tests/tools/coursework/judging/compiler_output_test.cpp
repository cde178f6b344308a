/// Tests how compilers' messages are cut to a student's file.

#include "tools/coursework/judging/compiler_output.hpp"

#include <doctest/doctest.h>

using coursework::cut_to;

TEST_CASE("folders and summaries go, source and notes stay") {
  CHECK(cut_to("a.cu",
               "/tmp/x y/a.cu: In function 'void f()':\n"
               "/tmp/x y/a.cu:3:5: error: expected ';'\n"
               "    3 |   C = 1   \n"
               "      |        ^  \n"
               "/tmp/x y/a.cu:1:9: note: to match this '('\n"
               "/usr/include/c.h:7:1: note: declared here\n"
               "    7 | int c;\n"
               "compilation terminated.\n") ==
        "a.cu:3:5: error: expected ';'\n"
        "    3 |   C = 1\n"
        "      |        ^\n"
        "a.cu:1:9: note: to match this '('\n");
}

TEST_CASE("an error in a header stands at the line that led there, once") {
  const std::string output =
      "In file included from /usr/include/c++/12/algorithm:61,\n"
      "                 from a.cu:2:\n"
      "/usr/include/c++/12/ops.h: In instantiation of 'bool less()':\n"
      "/usr/include/c++/12/algo.h:1809:14:   required from 'void sort()'\n"
      "/tmp/a.cu:4:42:   required from here\n"
      "/usr/include/c++/12/ops.h:45:23: error: no match for 'operator<'\n"
      "   45 |  { return a < b; }\n"
      "/usr/include/c++/12/it.h:12:5: note: candidate: 'x'\n"
      "/usr/include/c++/12/ops.h: In instantiation of 'bool more()':\n"
      "/tmp/a.cu:4:42:   required from here\n"
      "/usr/include/c++/12/ops.h:98:22: error: no match for 'operator<'\n";
  CHECK(cut_to("a.cu", output) ==
        "a.cu:4:42: error: no match for 'operator<'\n    in ops.h:45:23\n");
}

TEST_CASE("several messages about one place are one") {
  CHECK(cut_to("a.cu",
               "a.cu:2:1: error: no conversion to int\n"
               "a.cu:2:1: error: no conversion to long\n"
               "a.cu:2:1: warning: odd\n"
               "a.cu:3:1: error: other\n") ==
        "a.cu:2:1: error: no conversion to int\na.cu:2:1: warning: odd\na.cu:3:1: error: other\n");
}

TEST_CASE("after ten messages it is said how many more there are") {
  std::string output;
  for (int line = 1; line <= 14; ++line)
    output += "a.cu:" + std::to_string(line) + ":1: error: no\n";
  const std::string cut = cut_to("a.cu", output);
  CHECK(cut.find("a.cu:10:1: error: no\n... and 4 more\n") != std::string::npos);
  CHECK(cut.find("a.cu:11:") == std::string::npos);
}

TEST_CASE("what is about other files alone is told whole if it is an error, else not at all") {
  CHECK(cut_to("a.cu", "/b.h:1:1: error: broken\n") == "/b.h:1:1: error: broken\n");
  CHECK(cut_to("a.cu", "/b.h:1:1: warning: odd\n").empty());
  CHECK(cut_to("a.cu", "cc1plus: out of memory\n") == "cc1plus: out of memory\n");
  CHECK(cut_to("a.cu", "").empty());
}

TEST_CASE("whose a header is that the emulator does not have is told") {
  const std::string output =
      "/tmp/a.cu:1:10: fatal error: cub/cub.cuh: No such file or directory\n"
      "    1 | #include <cub/cub.cuh>\n"
      "compilation terminated.\n"
      "emulator-nvcc: the emulator does not support CUB (<cub/cub.cuh>)\n";
  CHECK(cut_to("a.cu", output) ==
        "a.cu:1:10: fatal error: cub/cub.cuh: No such file or directory\n"
        "    1 | #include <cub/cub.cuh>\n"
        "emulator-nvcc: the emulator does not support CUB (<cub/cub.cuh>)\n");
}

TEST_CASE("the emulator's own refusals have no column") {
  CHECK(cut_to("a.cu", "/tmp/a.cu:1: error: the emulator does not support inline assembly\n") ==
        "a.cu:1: error: the emulator does not support inline assembly\n");
}
