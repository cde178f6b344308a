/// Tests that the engine shares no function with the programs that it is linked into, and that none
/// of its variables can be taken for one of theirs.

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

TEST_CASE("no thread-local variable of the emulator can be taken for a __shared__ one") {
  int variables = 0;
  for (const char* library : {EMULATOR_LIBRARY, EMULATOR_DRIVER_API_LIBRARY}) {
    const auto symbols = tools::run_command({READELF, "--syms", "--wide", library});
    REQUIRE(symbols.status == 0);
    for (const std::string& line : tools::lines_of(symbols.out)) {
      if (line.find(" TLS ") == line.npos || line.find(" UND ") != line.npos) continue;
      CAPTURE(line);
      ++variables;
      const std::string name = line.substr(line.rfind(' ') + 1);
      // Names that are not mangled, and the guards of variables in functions, are no kernel's.
      const bool may_be_of_kernel =
          name.starts_with("_ZL") || name.starts_with("_ZN") || name.starts_with("_ZZ");
      CHECK((!may_be_of_kernel || name.starts_with("_ZN3emu") || name.starts_with("_ZZN3emu")));
    }
  }
  CHECK(variables > 20);
}
