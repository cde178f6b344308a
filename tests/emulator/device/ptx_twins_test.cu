// Inline PTX does what its plain twin does, whether anybody counts or checks or not; it counts the
// same; and the checker finds nothing in it.
#include <doctest/doctest.h>

#include "emulator/check.h"
#include "emulator/counters.h"
#include "ptx_results.cuh"

namespace {

struct Counting {
  Counting() { emu::set_counting(true); }
  ~Counting() { emu::set_counting(false); }
};

}  // namespace

TEST_CASE("inline PTX writes what its plain twin writes, and counts the same") {
  for (const ptx_cases::Case& one : ptx_cases::all_cases()) {
    INFO(std::string(one.name));
    emu::set_counting(false);
    const auto quick = ptx_cases::results_of(one.ptx, one.blocks);
    const Counting counting;
    const auto plain = ptx_cases::results_of(one.plain, one.blocks);
    const emu::Counters counters = emu::last_launch()->counters;
    const auto counted = ptx_cases::results_of(one.ptx, one.blocks);
    CHECK((one.waits || emu::last_launch()->counters == counters));
    CHECK(emu::last_launch()->counters.global_store.requests > 0);
    for (int i = 0; i < ptx_cases::kWords; ++i) {
      CAPTURE(i);
      REQUIRE(quick[i] == plain[i]);
      REQUIRE(counted[i] == plain[i]);
    }
  }
}

TEST_CASE("the checker has nothing to say of inline PTX that is right") {
  for (const ptx_cases::Case& one : ptx_cases::all_cases()) {
    for (const ptx_cases::Kernel kernel : {one.ptx, one.plain}) {
      emu::set_checking(emu::kAllChecks);
      emu::take_findings();
      ptx_cases::results_of(kernel, one.blocks);
      emu::set_checking({});
      for (const emu::Finding& finding : emu::take_findings())
        FAIL_CHECK(std::string(one.name), std::string(kernel == one.ptx ? " (PTX): " : ": "),
                   finding.title, std::string(", "), finding.first.line, std::string(", "),
                   finding.second.line);
    }
  }
}
