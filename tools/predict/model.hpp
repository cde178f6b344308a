#pragma once

/// @file
/// Models the time of chapter 09's steps on an H200 by simple arithmetic, with numbers known before
/// a step is timed.

#include <string>
#include <vector>

#include "tools/prose/measurements.hpp"

namespace predict {

inline constexpr const char* kChapter = "09_sgemm";

/// The part of C that a block computes.
struct Tile {
  int m = 0, n = 0;
};

/// A step: its tiles, and how its blocks share a multiprocessor.
struct Step {
  std::string name;        ///< name of its kernel and namespace
  std::string shape = {};  ///< part of its mangled name, if the namespace has several kernels
  /// Largest first; the first that keeps most multiprocessors busy is used.
  std::vector<Tile> tiles;
  int depth = 0;    ///< k of a pair of tiles of A and B, or from one wait to the next
  int threads = 0;  ///< threads per block
  int blocks = 0;   ///< blocks per multiprocessor, if there are enough
  /// Work is divided evenly, so no multiprocessor waits for the last round.
  bool shares_evenly = false;
  /// A step with the same loop, whose counts are used if this step's are for other tiles.
  std::string same_loop = {};
};

/// Returns the steps that the model covers, in the ladder's order.
const std::vector<Step>& steps();

/// Cycles that a multiprocessor needs for 64 FFMA of a warp and everything that belongs to them.
/// Four schedulers need 16 cycles for the FFMA alone.
struct Costs {
  double issue = 0.0;  ///< to issue all instructions, including waits of FFMA for register banks
  double wavefronts = 0.0;  ///< to serve shared memory and L1
};

/// A step at one size, m = n = k.
struct Prediction {
  int size = 0;
  Costs costs;
  double waits = 0.0;   ///< cycles without multiplication per pair of tiles
  double rounds = 0.0;  ///< rounds of blocks, one after the other
  double tflop_per_s = 0.0;
};

/// Predicts a step from its machine code (docs/measurements/machine_code.json), counts of
/// instructions and wavefronts, and separately measured latencies (h200.json). The counts are
/// Nsight Compute's if it has profiled the step; otherwise they come from the machine code and the
/// emulator. The step's own times are not used.
Prediction predict_step(const prose::Measurements& measured, const Step& step, int size);

}  // namespace predict
