#pragma once

/// @file
/// A model of the time that the steps of chapter 09 take on an H200: a few additions and
/// multiplications, with numbers that are known before a step is timed.

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
  std::string name;            ///< of its kernel and namespace
  std::string shape = {};      ///< in its mangled name, of several kernels of the namespace
  std::vector<Tile> tiles;     ///< the largest first; it takes the first that gives work to most
  int depth = 0;               ///< k of a pair of tiles of A and B, or from one wait to the next
  int threads = 0;             ///< of a block
  int blocks = 0;              ///< that share a multiprocessor, where there are enough
  bool shares_evenly = false;  ///< no multiprocessor waits for the last round
  std::string same_loop = {};  ///< whose counts are this one's, if its own are of other tiles
};

/// The steps that the model knows, in the ladder's order.
const std::vector<Step>& steps();

/// How many cycles a multiprocessor is busy with 64 FFMA of a warp and all that belongs to them.
/// Four schedulers need 16 for the FFMA alone.
struct Costs {
  double issue = 0.0;       ///< to issue all instructions, FFMA that wait for a register bank too
  double wavefronts = 0.0;  ///< to serve shared memory and L1
};

/// A step at one size, m = n = k.
struct Prediction {
  int size = 0;
  Costs costs;
  double waits = 0.0;   ///< cycles of a pair of tiles in which nothing is multiplied
  double rounds = 0.0;  ///< of blocks, one after the other
  double tflop_per_s = 0.0;
};

/// Predicts a step from its machine code (docs/measurements/machine_code.json), from counts of
/// instructions and wavefronts, and from latencies that are measured apart (h200.json). The counts
/// are Nsight Compute's where it has profiled the step, else they are read from the machine code
/// and counted by the emulator. No time of the step goes into it.
Prediction predict_step(const prose::Measurements& measured, const Step& step, int size);

}  // namespace predict
