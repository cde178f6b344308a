#pragma once

/// @file
/// Proofreads Markdown: code against the sources, figures against docs/measurements.
///
/// A fenced block is preceded by a comment that says where it comes from:
///
///     <!-- source: kernels.cuh#sgemm_naive -->   lines of a function, a structure, or a file
///     <!-- source: kernels.cuh#sgemm_naive kernels.cuh#sgemm_coalesced -->   for a ```diff
///     <!-- source: changes.txt -->   for a ```diff that stands there as it is
///     <!-- diff: steps/01_a.cuh steps/02_b.cuh#f -->   all that changes in the code of such places
///     <!-- output: 01_warps --kernel warp_map_2d -->   what that program prints on the emulator
///     <!-- profile: 01_warps_alone#twice -->   what COURSE_PROFILE prints of it, or of one kernel
///     <!-- format -->   nothing to compare
///
/// `update_prose` writes such a diff, which is at most a screen long. A block of `sh` needs no
/// comment, but calls only what there is.
///
/// A number with a unit, and any number of five digits or more, is bound to a name: a short comment
/// follows it, without a blank.
///
///     82.53<!--efficiency--> %
///
/// The figures.txt beside the text says what the name stands for (figures.hpp). The text decides
/// how many digits it shows, but for published numbers, which it shows as they were published.
/// Where a number is not known yet, "?" stands for it; `update_prose` fills in and corrects.
///
/// A table with measured or published numbers is written by `update_prose`, from a description in
/// figures.txt (table.hpp), between two comments:
///
///     <!--table times-->
///     <!--end-->
///
/// What readers are to predict begins with a comment, too: predictions.hpp shows it.
///
/// A table whose numbers are reasoned, not measured, is preceded by <!--worked-->. No other comment
/// stands inside text, none in a row of a table, and no line has more than 100 columns that can be
/// broken: text stays something that a person can read and edit.

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tools/prose/measurements.hpp"

namespace prose {

/// The comment above a block: its kind and what it says.
inline constexpr const char* kBlockComment =
    R"(<!-- (source|diff|output|profile|format):? ?(.*?) ?-->)";

/// What a proofreader looks things up in.
struct Library {
  std::filesystem::path root;  ///< of the project
  const Measurements* measurements = nullptr;
  /// Runs a chapter's program and returns what it prints; empty where there is no emulator.
  std::function<std::string(const std::vector<std::string>& command)> output_of;
  /// Runs it and returns its profile as text; empty where there is no emulator.
  std::function<std::string(const std::vector<std::string>& command)> profile_of;
};

/// What came of it.
struct Proof {
  std::vector<std::string> faults;       ///< "FILE:LINE: what is wrong"
  std::vector<std::string> corrections;  ///< those faults that `corrected` is without
  std::string corrected;                 ///< the text with every figure and output as it should be
  std::set<std::string> used;            ///< names of figures.txt that the text needs
  int figures = 0;                       ///< numbers compared
  int blocks = 0;                        ///< code blocks compared
};

/// Proofreads one Markdown file below the library's root.
Proof proofread(const std::filesystem::path& file, const Library& library);

/// What is wrong with a figures.txt itself: names that are defined twice, or that are not among
/// those `used` by the texts beside it, and lines that cannot be read.
std::vector<std::string> check_figures(const std::filesystem::path& file,
                                       const std::set<std::string>& used, const Library& library);

/// Looks things up in this project; programs are run if they are the emulator's.
Library project_library(const Measurements& measurements);

}  // namespace prose
