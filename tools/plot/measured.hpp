#pragma once

/// @file
/// Reads the measurements for the pictures, as selected by docs/plots/plots.json.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace plot {

/// A run that was timed.
struct MeasuredRun {
  std::string chapter;
  std::string kernel;  ///< name in the file
  std::string name;    ///< name of the kernel, even if the file names a sweep over sizes
  nlohmann::json parameters;
  double ms = 0.0;
  double gb_per_s = 0.0;        ///< 0 if unknown
  double gflop_per_s = 0.0;     ///< 0 for a kernel without floating-point operations
  double flops_per_byte = 0.0;  ///< if every element is moved once; 0 if unknown

  double parameter(const std::string& key) const { return parameters.value(key, 0.0); }

  /// Returns whether the run multiplied square matrices.
  bool is_square() const;
};

/// An upper bound of performance, and its name.
struct Ceiling {
  double gflop_per_s = 0.0;
  std::string label;
};

struct Measured {
  std::string machine;            ///< "NVIDIA H200, CUDA 13.0, 2026-11-22 to 2026-11-23"
  std::vector<MeasuredRun> runs;  ///< all timed runs, except deliberate mistakes and `leave_out`
  nlohmann::json counted;         ///< chapter -> all of its runs, including those with counters
  double copy_gb_per_s = 0;  ///< reading and writing, of a copy by the driver; 0 if not measured
  Ceiling ceiling;           ///< for FP32 arithmetic: measured, otherwise computed from the clock

  /// Returns the timed runs of a chapter's kernel.
  std::vector<MeasuredRun> of(const std::string& chapter, const std::string& kernel) const;
};

/// Reads the measurements in `file`; `plots` is plots.json, which names copy, ceiling and sweeps.
/// @throws std::runtime_error if the file cannot be read, an exception of nlohmann::json if
///         something is missing in it
Measured read_measured(const std::filesystem::path& file, const nlohmann::json& plots);

}  // namespace plot
