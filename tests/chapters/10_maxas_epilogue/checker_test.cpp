/// Tests that the hazard checker finds the two barriers missing in the published epilogue, and
/// nothing else.

#include <doctest/doctest.h>

#include <string>

#include "chapters/checked_program.hpp"

using course_test::check;
using course_test::is_emulated;
using course_test::Verdict;

namespace {

const std::string kSmall = " --m 65 --n 65 --k 9";

std::string line_of(const std::string& code) {
  return course_test::place_in("10_maxas_epilogue/steps/03_staged.cuh", code);
}

}  // namespace

TEST_CASE("racecheck: without __syncwarp(), lanes load before others store, and the reverse") {
  if (!is_emulated()) return;
  const Verdict verdict = check("--kernel maxas_64_unsynchronised" + kSmall);
  CAPTURE(verdict.text);
  CHECK(verdict.status != 0);
  const std::string store = line_of("write_cs[0] = "), load = line_of("cs[i] = read_cs[");
  for (const char* order : {"read after write", "write after read"})
    CHECK(verdict.says("racecheck warning: race (" + std::string(order) +
                       ") in shared memory between lanes of one warp"));
  CHECK(verdict.says(store));
  CHECK(verdict.says(load));
}

TEST_CASE("on tensor cores, every epilogue passes") {
  if (!is_emulated()) return;
  const Verdict verdict = check(
      "--kernel pairs --kernel matrices --kernel bulk --kernel two_kernels --kernel fused "
      "--m 129 --n 136 --k 40");
  CAPTURE(verdict.text);
  CHECK(verdict.status == 0);
  CHECK(verdict.is_silent());
}

TEST_CASE("with it, every epilogue passes") {
  if (!is_emulated()) return;
  const Verdict verdict = check(
      "--kernel maxas_64 --kernel maxas_256 --kernel maxas_64_direct --kernel maxas_256_direct "
      "--kernel maxas_256_wide --pad 0,16" +
      kSmall);
  CAPTURE(verdict.text);
  CHECK(verdict.status == 0);
  CHECK(verdict.is_silent());
}
