/// Runs the kernel of one file of the corpus, confined or not, and says everything that came of it:
/// the same text from both means the same results and counters.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "course/counter_table.hpp"
#include "emulator/check.h"
#include "emulator/counters.h"
#include "tools/coursework/confine/guard/guard.hpp"

__global__ void kernel(int n, const float* in, float* out);

namespace {

/// Numbers that sums are exact of.
float input(int i) { return static_cast<float>((i * 7 + 3) % 64 - 20); }

void print_floats(const std::vector<float>& values) {
  std::uint64_t hash = 14695981039346656037u;
  for (const float value : values) {
    std::uint32_t bits = 0;
    static_assert(sizeof bits == sizeof value);
    __builtin_memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 1099511628211u;
  }
  std::printf("out %zu floats, hash %016llx, begins", values.size(),
              static_cast<unsigned long long>(hash));
  for (std::size_t i = 0; i < 8 && i < values.size(); ++i)
    std::printf(" %g", static_cast<double>(values[i]));
  std::printf("\n");
}

}  // namespace

// n, blocks, threads, bytes of dynamic shared memory, and whether to check for hazards.
int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const int n = std::atoi(argv[1]);
  const int blocks = std::atoi(argv[2]), threads = std::atoi(argv[3]);
  const auto bytes = static_cast<std::size_t>(n) * sizeof(float);
  if (std::atoi(argv[5]) != 0) emu::set_checking(emu::kAllChecks);
  emu::set_strict_bounds(true);
  emu::set_worker_count(1);

  std::vector<float> host(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) host[static_cast<std::size_t>(i)] = input(i);
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, bytes);
  emu::set_counting(true);
  kernel<<<blocks, threads, static_cast<std::size_t>(std::atoi(argv[4]))>>>(n, in, out);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  std::printf("error %s\n", cudaGetErrorName(error));
  for (const auto& violation : coursework::guard::take_violations())
    std::printf("violation %s at %s\n", violation.what.c_str(), violation.place.c_str());
  for (const emu::Finding& finding : emu::take_findings())
    std::printf("finding %s %s %s at %s %s\n", finding.tool.c_str(), finding.kind.c_str(),
                finding.title.c_str(), finding.first.line.c_str(), finding.second.line.c_str());
  if (error != cudaSuccess) return 1;
  cudaMemcpy(host.data(), out, bytes, cudaMemcpyDeviceToHost);
  print_floats(host);
  for (const course::CounterDescription& one : course::counter_table())
    if (one.unit == course::CounterUnit::count)
      std::printf("%s %llu\n", std::string(one.name).c_str(),
                  static_cast<unsigned long long>(one.count(emu::total_counters())));
  return 0;
}
