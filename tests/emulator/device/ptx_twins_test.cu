// Tests that inline PTX gives the results of its plain twin and of an H200, with and without
// counting and checking, has the same counts, and no findings.
#include <doctest/doctest.h>

#include <fstream>
#include <iomanip>
#include <map>
#include <sstream>
#include <string>

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

TEST_CASE("inline PTX writes what an H200 has written") {
  std::map<std::string, std::string> recorded;
  std::ifstream record("ptx_h200.txt");
  for (std::string name, digest; record >> name;) {
    if (name == "#")
      std::getline(record, name);
    else if (record >> digest)
      recorded[name] = digest;
  }
  CHECK(recorded.size() == ptx_cases::all_cases().size());
  for (const ptx_cases::Case& one : ptx_cases::all_cases()) {
    std::ostringstream digest;
    digest << std::hex << std::setfill('0') << std::setw(16)
           << ptx_cases::digest_of(ptx_cases::results_of(one.ptx, one.blocks));
    CHECK_MESSAGE(digest.str() == recorded[one.name], std::string(one.name));
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
