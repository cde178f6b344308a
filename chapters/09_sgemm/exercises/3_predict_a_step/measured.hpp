#pragma once

/// @file
/// Steps that exercise 09.3 predicts, and what an H200 reached. A test compares the numbers with
/// docs/measurements.

#include <array>

namespace exercise_09_3 {

/// What a student's functions are given of a step; exercise.cu says what the fields mean.
struct Known {
  float instructions = 0, wavefronts = 0;
  int tile_m = 0, tile_n = 0, tile_k = 0, threads = 0, blocks = 0, waits = 0;
};

struct Measured {
  const char* kernel;
  int step;
  int size;  ///< m = n = k
  Known known;
  double tflop_per_s;
};

inline constexpr std::array<Measured, 5> kMeasured = {{
    {"thread_tile_1d", 4, 2048, {162.3F, 48.3F, 32, 32, 32, 128, 6, 1}, 19.5},
    {"thread_tile_2d", 5, 2048, {125.1F, 23.7F, 64, 128, 32, 128, 4, 5}, 27.0},
    {"vectorised", 6, 1024, {92.8F, 26.9F, 64, 128, 32, 128, 4, 2}, 25.7},
    {"warp_tiles", 9, 8192, {91.2F, 15.2F, 64, 128, 32, 128, 4, 2}, 44.9},
    {"double_buffer", 10, 1024, {94.3F, 14.7F, 64, 128, 16, 128, 4, 0}, 32.8},
}};

// Cycles, as exercise.cu has them.
inline constexpr double kL2 = 382, kShared = 29, kBarrier = 31, kDram = 666, kLaunch = 1115;
inline constexpr double kGigahertz = 1.98;
inline constexpr int kMultiprocessors = 132;

}  // namespace exercise_09_3
