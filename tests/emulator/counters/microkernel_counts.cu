#include "microkernel_counts.hpp"

#include <stdexcept>

#include "tools/measure/microkernels.cuh"

namespace {

[[maybe_unused]] const bool counts = (emu::set_counting(true), true);

void check(cudaError_t error, const std::string& what) {
  if (error != cudaSuccess) throw std::runtime_error(what + ": " + cudaGetErrorString(error));
}

}  // namespace

std::vector<std::pair<std::string, emu::Counters>> microkernel_counts() {
  char* memory = nullptr;
  check(cudaMalloc(&memory, microkernels::kMemoryBytes), "cudaMalloc");
  check(cudaMemset(memory, 0, microkernels::kMemoryBytes), "cudaMemset");
  std::vector<std::pair<std::string, emu::Counters>> counts;
  microkernels::for_each([&](const char* name, auto launch) {
    launch(microkernels::Memory{memory});
    check(cudaDeviceSynchronize(), name);
    counts.emplace_back(name, emu::last_launch()->counters);
  });
  check(cudaFree(memory), "cudaFree");
  return counts;
}
