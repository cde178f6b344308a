/// What a device needs for steps 11 to 17; apart from these, so that others may have some of them.

#include <cuda_runtime.h>

#include "bulk_steps.hpp"
#include "course/error.hpp"

std::string lack_for_bulk_steps() {
  constexpr int kSharedBytes = 192 * 1024;  // of a block of step 13: who has them has TMA
  int device = 0, shared_bytes = 0;
  course::check(cudaGetDevice(&device));
  course::check(
      cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  if (shared_bytes >= kSharedBytes) return "";
  return "needs compute capability 9.0 or newer, and 192 KiB of shared memory a block";
}
