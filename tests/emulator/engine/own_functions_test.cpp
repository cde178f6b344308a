/// Tests that the engine shares no function with the programs that it is linked into.

#include <doctest/doctest.h>

#include <string>

#include "tools/support/subprocess.hpp"

TEST_CASE("copies of the library's functions are the engine's own, or they would be instrumented") {
  const auto symbols =
      tools::run_command({NM, "--defined-only", "--format=posix", EMULATOR_LIBRARY});
  REQUIRE(symbols.status == 0);
  int functions = 0;
  for (const std::string& line : tools::lines_of(symbols.out)) {
    CAPTURE(line);
    functions += line.find(" T ") != line.npos;
    const bool is_shared = line.find(" W ") != line.npos;
    CHECK((!is_shared || line.starts_with("_ZN3emu") || line.starts_with("_ZNK3emu")));
  }
  CHECK(functions > 100);
}
