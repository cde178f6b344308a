// Runs every microkernel once, in order, and prints its name, so that a profiler's counts can be
// compared with ours.
#include <cstdio>
#include <cstdlib>

#include "microkernels.cuh"

namespace {
void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(2);
}
}  // namespace

int main() {
  char* memory = nullptr;
  check(cudaMalloc(&memory, microkernels::kMemoryBytes));
  check(cudaMemset(memory, 0, microkernels::kMemoryBytes));
  microkernels::for_each([&](const char* name, auto launch) {
    launch(microkernels::Memory{memory});
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    std::puts(name);
  });
  check(cudaFree(memory));
}
