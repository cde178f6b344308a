#pragma once

/// @file
/// Proofreads Markdown: code against the sources, figures against docs/measurements.
///
/// A fenced block is preceded by a comment that says where it comes from:
///
///     <!-- source: kernels.cuh#sgemm_naive -->   lines of a function, a structure, or a file
///     <!-- source: kernels.cuh#sgemm_naive kernels.cuh#sgemm_coalesced -->   for a ```diff
///     <!-- diff: steps/01_a.cuh steps/02_b.cuh#f -->   all that changes in the code of such places
///     <!-- output: 01_warps --kernel warp_map_2d -->   what that program prints on the emulator
///     <!-- format -->   nothing to compare
///
/// `update_prose` writes such a diff, which is at most a screen long. A block of `sh` needs no
/// comment, but calls only what there is. A number with a unit, and any number of five digits or
/// more, is followed by a comment:
///
///     82.53<!-- figure: emulator/sgemm_coalesced(m=512)/global_load_efficiency_pct --> %
///     110<!-- published: where --> GB/s
///
/// A table of measured numbers is preceded by its default run and a figure per column after the
/// first ("-" for a column of words); the first cell names the run in words:
///
///     <!-- figures: emulator(elements=262144); global_load_sectors; global_load_efficiency_pct -->
///     | kernel | sectors | efficiency |
///     |---|---:|---:|
///     | `copy_strided`, stride 2 | 65,536 | 50 % |
///
/// A table whose numbers are reasoned, not measured, is preceded by <!-- worked: how -->.
/// Where a number is not known yet, "?" stands for it; `update_prose` fills in and corrects.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tools/prose/figures.hpp"

namespace prose {

/// What a proofreader looks things up in.
struct Library {
  std::filesystem::path root;  ///< of the project
  const Measurements* measurements = nullptr;
  /// Runs a chapter's program and returns what it prints; empty where there is no emulator.
  std::function<std::string(const std::vector<std::string>& command)> output_of;
};

/// What came of it.
struct Proof {
  std::vector<std::string> faults;  ///< "FILE:LINE: what is wrong"
  std::string corrected;            ///< the text with every figure and output as it should be
  int figures = 0;                  ///< numbers compared
  int blocks = 0;                   ///< code blocks compared
};

/// Proofreads one Markdown file below the library's root.
Proof proofread(const std::filesystem::path& file, const Library& library);

/// Looks things up in this project; programs are run if they are the emulator's.
Library project_library(const Measurements& measurements);

}  // namespace prose
