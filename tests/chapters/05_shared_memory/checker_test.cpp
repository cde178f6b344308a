/// Tests that the hazard checker reports both lines of the missing barrier, and nothing for the
/// chapter's other kernels.

#include <doctest/doctest.h>

#include <string>

#include "chapters/checked_program.hpp"

using course_test::check;
using course_test::is_emulated;
using course_test::Verdict;

namespace {

std::string place_of(const std::string& code) {
  return course_test::place_of("05_shared_memory", code, "mirror_no_barrier");
}

}  // namespace

TEST_CASE("racecheck: without its barrier, a warp reads a tile that another is still filling") {
  if (!is_emulated()) return;
  const Verdict verdict = check("--kernel mirror_no_barrier --width 64 --height 32");
  CAPTURE(verdict.text);
  CHECK(verdict.status != 0);
  CHECK(verdict.says("racecheck error: race"));
  CHECK(verdict.says("in shared memory between warps"));
  CHECK(verdict.says(place_of("tile[y][x] = in[")));
  CHECK(verdict.says(place_of("= tile[x][y]")));
}

TEST_CASE("the right kernels pass: no false alarm, in whatever order threads go") {
  if (!is_emulated()) return;
  const Verdict verdict = check(
      "--schedules 3 --width 72 --height 44 --sums 1000 --kib 5 --kernel copy_picture "
      "--kernel mirror_by_rows --kernel mirror_by_columns --kernel mirror_in_registers "
      "--kernel mirror_by_pieces --kernel mirror_pieces_four --kernel mirror_bytes_pieces "
      "--kernel mirror_bytes_tile "
      "--kernel mirror_tile --kernel mirror_padded --kernel mirror_pitch --kernel mirror_four "
      "--kernel read_4_bytes "
      "--kernel read_8_bytes --kernel read_16_bytes --kernel look_up_shared "
      "--wide 76 --high 22 --kernel soften_alone --kernel soften_together");
  CAPTURE(verdict.text);
  CHECK(verdict.status == 0);
  CHECK(verdict.is_silent());
}
