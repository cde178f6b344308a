#pragma once

/// @file
/// What the pictures are drawn from: measurements, and which of them docs/plots/plots.json names.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace plot {

/// A run that was timed.
struct MeasuredRun {
  std::string chapter;
  std::string kernel;  ///< as the file has it
  std::string name;    ///< of the kernel, where the file names a sweep over sizes
  nlohmann::json parameters;
  double ms = 0.0;
  double gb_per_s = 0.0;        ///< 0 if unknown
  double gflop_per_s = 0.0;     ///< 0 for a kernel without floating-point operations
  double flops_per_byte = 0.0;  ///< every element moved once; 0 if unknown

  double parameter(const std::string& key) const { return parameters.value(key, 0.0); }

  /// Whether it multiplied square matrices.
  bool is_square() const;
};

/// What nothing can exceed, and what it is called.
struct Ceiling {
  double gflop_per_s = 0.0;
  std::string label;
};

struct Measured {
  std::string machine;  ///< "NVIDIA H200, CUDA 13.0, 2026-11-22 to 2026-11-23"
  std::vector<MeasuredRun>
      runs;                  ///< all that were timed, but for mistakes on purpose and `leave_out`
  nlohmann::json counted;    ///< chapter -> all of its runs, those with counters among them
  double copy_gb_per_s = 0;  ///< of a copy by the driver, read and written; 0 if not measured
  Ceiling ceiling;           ///< of FP32 arithmetic: as measured, else what the clock allows

  /// The timed runs of a chapter's kernel.
  std::vector<MeasuredRun> of(const std::string& chapter, const std::string& kernel) const;
};

/// Reads the measurements in `file`; `plots` is plots.json, which names copy, ceiling and sweeps.
/// @throws std::runtime_error if the file cannot be read, an exception of nlohmann::json's for what
///         is missing in it
Measured read_measured(const std::filesystem::path& file, const nlohmann::json& plots);

}  // namespace plot
