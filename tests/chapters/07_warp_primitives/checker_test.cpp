/// What the hazard checker says of the listings: kind and line of the wrong ones, nothing of the
/// others.

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "course/backend.hpp"

namespace {

namespace fs = std::filesystem;

/// The place of a line of kernels.cuh, as the checker writes it: "kernels.cuh:123".
std::string place_of(const std::string& code, const std::string& kernel) {
  const fs::path root = fs::path(__FILE__).parent_path().parent_path().parent_path().parent_path();
  std::ifstream stream(root / "chapters/07_warp_primitives/kernels.cuh");
  REQUIRE(stream.good());
  bool is_inside = false;
  int number = 1;
  for (std::string line; std::getline(stream, line); ++number) {
    if (line.find("__global__") == 0)
      is_inside = line.find(" " + kernel + "(") != std::string::npos;
    if (is_inside && line.find(code) != std::string::npos)
      return "kernels.cuh:" + std::to_string(number);
  }
  FAIL("no such line in " << kernel << ": " << code);
  return "";
}

struct Verdict {
  int status = 0;
  std::string text;
  bool says(const std::string& words) const { return text.find(words) != std::string::npos; }
  bool is_silent() const { return says("checked: 0 errors, 0 warnings"); }
};

/// Runs the chapter's program with all checks on.
Verdict check(const std::string& arguments) {
  const std::string command =
      std::string("COURSE_CHECK=all '") + COURSE_CHAPTER_PROGRAM + "' " + arguments + " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  Verdict verdict;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
    verdict.text += static_cast<char>(c);
  verdict.status = pclose(pipe);
  return verdict;
}

bool is_emulated() { return course::backend().reports_counters; }

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
  CHECK(tile.says("racecheck error: race (write after read) in shared memory between warps"));
  CHECK(tile.says(place_of("tile_of_one_warp[row * kCols + col] = in[i]", "listing_06")));
  CHECK(tile.says(place_of("out[i] = tile_of_one_warp[", "listing_06")));

  const Verdict tree = check("--kernel listing_07");
  CAPTURE(tree.text);
  CHECK(tree.says("racecheck warning: race (write after read) in shared memory between lanes"));
  CHECK(tree.says("initcheck error: read of shared memory that nothing wrote"));
  CHECK(tree.says(place_of("tree_of_one_warp[lane] += ", "listing_07")));
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
      "--kernel rounds_shuffle --kernel rounds_shared --kernel rounds_reduce_add");
  CAPTURE(verdict.text);
  CHECK(verdict.status == 0);
  CHECK(verdict.is_silent());
}
