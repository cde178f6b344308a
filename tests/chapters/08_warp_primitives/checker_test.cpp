/// Tests that the hazard checker reports kind and line of the wrong listings, and nothing for the
/// others.

#include <doctest/doctest.h>

#include <string>

#include "chapters/checked_program.hpp"

using course_test::check;
using course_test::is_emulated;
using course_test::Verdict;

namespace {

std::string place_of(const std::string& code, const std::string& kernel) {
  return course_test::place_of("08_warp_primitives", code, kernel);
}

}  // namespace

TEST_CASE("synccheck: listing 3 reads from lanes outside its mask") {
  if (!is_emulated()) return;
  const Verdict verdict = check("--kernel listing_03");
  CAPTURE(verdict.text);
  CHECK(verdict.status != 0);
  CHECK(verdict.says("synccheck warning: __shfl_down_sync with mask 0x001fffff reads from lane"));
  CHECK(verdict.says(place_of("__shfl_down_sync(mask", "listing_03")));
  CHECK(check("--kernel listing_03 --listing-n 1024").is_silent());
}

TEST_CASE("memcheck: listing 6 writes behind its tile, listing 7 reads behind its tree") {
  if (!is_emulated()) return;
  const Verdict tile = check("--kernel listing_06 --tile-bytes 128");
  CAPTURE(tile.text);
  CHECK(tile.says("memcheck error: write of 4 bytes out of bounds of shared memory"));
  CHECK(tile.says(place_of("tile_of_one_warp[row * kCols + col] = in[i]", "listing_06")));

  const Verdict tree = check("--kernel listing_07 --tile-bytes 128");
  CAPTURE(tree.text);
  CHECK(tree.says("memcheck error: read of 4 bytes out of bounds of shared memory"));
  CHECK(tree.says(place_of("tree_of_one_warp[lane] += ", "listing_07")));
}

TEST_CASE("racecheck: listing 6 between its two warps, listing 7 between the lanes of one") {
  if (!is_emulated()) return;
  const Verdict tile = check("--kernel listing_06");
  CAPTURE(tile.text);
  CHECK(tile.says("racecheck error: race (read after write) in shared memory between warps"));
  CHECK(tile.says(place_of("tile_of_one_warp[row * kCols + col] = in[i]", "listing_06")));
  CHECK(tile.says(place_of("out[i] = tile_of_one_warp[", "listing_06")));

  const Verdict tree = check("--kernel listing_07");
  CAPTURE(tree.text);
  CHECK(tree.says("racecheck warning: race (write after read) in shared memory between lanes"));
  CHECK(tree.says("initcheck error: read of shared memory that nothing wrote"));
  CHECK(tree.says(place_of("tree_of_one_warp[lane] += ", "listing_07")));
}

TEST_CASE("schedules: after __syncwarp(), lanes need not be together; a sum knows no order") {
  if (!is_emulated()) return;
  const Verdict masks = check("--kernel listing_14 --schedules 5");
  CAPTURE(masks.text);
  CHECK(masks.status != 0);
  CHECK(masks.says("schedules error:"));
  CHECK(masks.says("bytes of the result depend on the order in which threads run"));

  const Verdict sum = check("--kernel sum_xor --n 1000 --schedules 5");
  CAPTURE(sum.text);
  CHECK(sum.status == 0);
  CHECK(sum.is_silent());
}

TEST_CASE("no checker can know what was meant: listings 5, 8, 9 and 14 pass") {
  if (!is_emulated()) return;
  for (const char* listing : {"05", "08", "09", "14"}) {
    const Verdict verdict = check(std::string("--kernel listing_") + listing);
    CAPTURE(verdict.text);
    CHECK(verdict.status == 0);
    CHECK(verdict.is_silent());
  }
}

TEST_CASE("the right kernels pass: no false alarm") {
  if (!is_emulated()) return;
  const Verdict verdict = check(
      "--n 1000 --kernel listing_01 --kernel listing_02 --kernel listing_04 --kernel listing_12 "
      "--kernel sum_xor --kernel sum_reduce_add --kernel sum_groups --kernel sum_tree_shared "
      "--kernel chosen_sum_neutral --kernel chosen_sum_within_mask --kernel chosen_sum_groups "
      "--kernel scan_shuffle --kernel scan_groups --kernel partition_ballot "
      "--kernel partition_groups --kernel equals_match --kernel equals_groups "
      "--kernel transpose_shared --kernel transpose_shuffle --kernel transpose_groups "
      "--kernel tickets_plain --kernel tickets_match --kernel tickets_groups "
      "--kernel compact_plain --kernel compact_ballot --kernel histogram_plain "
      "--kernel histogram_match --kernel histogram_private --kernel histogram_private_match "
      "--kernel histogram_weighted --kernel histogram_weighted_match "
      "--width 33 --height 17 --kernel rounds_shuffle --kernel "
      "rounds_shared --kernel rounds_reduce_add");
  CAPTURE(verdict.text);
  CHECK(verdict.status == 0);
  CHECK(verdict.is_silent());
}
