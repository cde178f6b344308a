#pragma once

/// @file
/// Proofreads Markdown: code against the sources, figures against docs/measurements.
///
/// A comment before a fenced block says where the block comes from:
///
///     <!-- source: kernels.cuh#sgemm_naive -->   lines of a function, a structure, or a file
///     <!-- source: kernels.cuh#sgemm_naive kernels.cuh#sgemm_coalesced -->   for a ```diff
///     <!-- source: changes.txt -->   for a ```diff copied from that file
///     <!-- diff: steps/01_a.cuh steps/02_b.cuh#f -->   all changes between the code of two places
///     <!-- output: 01_warps --kernel warp_map_2d -->   the program's output on the emulator
///     <!-- profile: 01_warps_alone#twice -->   its profile (COURSE_PROFILE), or that of one kernel
///     <!-- printed -->   what the commands of the `sh` block above print; test_printed compares it
///     <!-- format -->   not compared with anything
///
/// `update_prose` writes such a diff, which may be at most a screen long. A block of `sh` needs no
/// comment, but may only call existing commands.
///
/// A number with a unit, and any number of five digits or more, is bound to a name: a short comment
/// follows it without a blank.
///
///     82.53<!--efficiency--> %
///
/// The figures.txt in the text's folder defines the name (figures.hpp). The text decides how many
/// digits it shows; published numbers keep theirs. For a number that is not known yet, write "?";
/// `update_prose` fills in and corrects numbers.
///
/// `update_prose` writes tables with measured or published numbers, from a description in
/// figures.txt (table.hpp), between two comments:
///
///     <!--table times-->
///     <!--end-->
///
/// A comment also begins a prediction; see predictions.hpp. Another one asks the site for a chart
/// of such tables; see site/charts.hpp.
///
/// <!--worked--> precedes a table whose numbers are derived, not measured. Text contains no other
/// comments, table rows none at all, and lines that can be broken have at most 100 columns, so that
/// people can read and edit the text.

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tools/prose/measurements.hpp"

namespace prose {

/// The comment above a block: its kind and its text.
inline constexpr const char* kBlockComment =
    R"(<!-- (source|diff|output|profile|printed|format):? ?(.*?) ?-->)";

/// The comment that stands for a chart on the site: its kind and what it shows.
inline constexpr const char* kChartComment = R"(^<!-- (heat|dots): (.*) -->$)";

/// The sources that a proofreader consults.
struct Library {
  std::filesystem::path root;  ///< the project's root
  const Measurements* measurements = nullptr;
  /// Runs a chapter's program and returns its output; empty without an emulator.
  std::function<std::string(const std::vector<std::string>& command)> output_of;
  /// Runs a chapter's program and returns its profile as text; empty without an emulator.
  std::function<std::string(const std::vector<std::string>& command)> profile_of;
};

/// The result of proofreading a file.
struct Proof {
  std::vector<std::string> faults;       ///< "FILE:LINE: what is wrong"
  std::vector<std::string> corrections;  ///< the faults that `corrected` mends
  std::string corrected;                 ///< the text with every figure and output corrected
  std::set<std::string> used;            ///< names of figures.txt that the text uses
  int figures = 0;                       ///< numbers compared
  int blocks = 0;                        ///< code blocks compared
};

/// Proofreads one Markdown file below the library's root.
Proof proofread(const std::filesystem::path& file, const Library& library);

/// Returns the faults of a figures.txt: names that are defined twice or are not in `used`, the
/// names that texts use, and lines that cannot be parsed.
std::vector<std::string> check_figures(const std::filesystem::path& file,
                                       const std::set<std::string>& used, const Library& library);

/// Returns a library for this project; only the emulator's programs are run.
Library project_library(const Measurements& measurements);

}  // namespace prose
