#pragma once

/// @file
/// Runs a chapter's program under the hazard checker, which only the emulator has.

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "course/backend.hpp"

namespace course_test {

inline bool is_emulated() { return course::backend().reports_counters; }

/// Returns the position of a line in a chapter's kernels.cuh as the checker writes it:
/// "kernels.cuh:123".
inline std::string place_of(const std::string& chapter, const std::string& code,
                            const std::string& kernel) {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(__FILE__).parent_path().parent_path().parent_path();
  std::ifstream stream(root / "chapters" / chapter / "kernels.cuh");
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

/// Returns the position of a unique line in a file such as "10_maxas_epilogue/steps/x.cuh".
inline std::string place_in(const std::string& file, const std::string& code) {
  namespace fs = std::filesystem;
  const fs::path path =
      fs::path(__FILE__).parent_path().parent_path().parent_path() / "chapters" / file;
  std::ifstream stream(path);
  REQUIRE(stream.good());
  std::string place;
  int number = 1;
  for (std::string line; std::getline(stream, line); ++number) {
    if (line.find(code) == std::string::npos) continue;
    REQUIRE_MESSAGE(place.empty(), "twice: " << code);
    place = path.filename().string() + ':' + std::to_string(number);
  }
  REQUIRE_MESSAGE(!place.empty(), "no such line: " << code);
  return place;
}

/// The exit status of a checked program, and all its output.
struct Verdict {
  int status = 0;
  std::string text;
  bool says(const std::string& words) const { return text.find(words) != std::string::npos; }
  bool is_silent() const { return says("checked: 0 errors, 0 warnings"); }
};

/// Runs the program of the chapter under test with all checks on.
inline Verdict check(const std::string& arguments) {
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

}  // namespace course_test
