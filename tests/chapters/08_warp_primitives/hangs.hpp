#pragma once

/// @file
/// Pointers to the kernels of hangs.cuh, for tests in plain C++.

struct Hangs {
  void (*mask_of_everybody)(int* out);            // [32]
  void (*mask_by_guess)(int* counter, int* out);  // [1], [32]
};

Hangs hangs();
