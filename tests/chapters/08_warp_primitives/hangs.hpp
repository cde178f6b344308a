#pragma once

/// @file
/// The kernels of hangs.cuh as pointers, for tests that are plain C++.

struct Hangs {
  void (*mask_of_everybody)(int* out);            // [32]
  void (*mask_by_guess)(int* counter, int* out);  // [1], [32]
};

Hangs hangs();
