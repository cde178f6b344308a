/// Adds up the lanes of a warp by shuffles, in all ways of docs/explorer/shuffle.js, and writes
/// each lane's contents, a JSON object per line, which explorer_test.js compares.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "emulator/check.h"

namespace {

constexpr int kWarp = 32, kShuffles = 5;
enum Form { kXor, kDown, kUp };
constexpr const char* kForms[] = {"xor", "down", "up"};

/// Writes how often each lane's sum contains the value of lane `of` after `shuffles` shuffles. The
/// first `lanes` lanes take part, and the mask contains only them.
__global__ void add_up(int form, int shuffles, int lanes,
                       int* counts) {  // [kWarp, kWarp]
  const int lane = static_cast<int>(threadIdx.x);
  if (lane >= lanes) return;
  const unsigned mask = lanes == kWarp ? 0xffffffff : (1u << lanes) - 1;
  for (int of = 0; of < kWarp; ++of) {
    int sum = lane == of;
    for (int step = 1; step <= shuffles; ++step) {
      if (form == kXor) {
        sum += __shfl_xor_sync(mask, sum, kWarp >> step);
      } else if (form == kDown) {
        sum += __shfl_down_sync(mask, sum, kWarp >> step);
      } else {
        const int offset = 1 << (step - 1);
        const int below = __shfl_up_sync(mask, sum, offset);
        if (lane >= offset) sum += below;
      }
    }
    counts[of * kWarp + lane] = sum;
  }
}

void require(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "shuffle_sums: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

/// Returns the checker's count of reads from lanes that do not take part.
unsigned long undefined_reads() {
  unsigned long reads = 0;
  for (const emu::Finding& finding : emu::take_findings())
    if (finding.kind == "undefined_source") reads += finding.count;
  return reads;
}

}  // namespace

int main() {
  emu::set_checking({.sync = true});
  emu::set_check_report(false);
  std::vector<int> counts(kWarp * kWarp);
  int* device = nullptr;
  require(cudaMalloc(&device, counts.size() * sizeof(int)));
  for (const Form form : {kXor, kDown, kUp})
    for (int shuffles = 0; shuffles <= kShuffles; ++shuffles)
      for (int lanes = 1; lanes <= kWarp; ++lanes) {
        require(cudaMemset(device, 0, counts.size() * sizeof(int)));
        add_up<<<1, kWarp>>>(form, shuffles, lanes, device);
        require(cudaGetLastError());
        require(
            cudaMemcpy(counts.data(), device, counts.size() * sizeof(int), cudaMemcpyDeviceToHost));
        std::printf(
            "{\"settings\": {\"form\": \"%s\", \"steps\": %d, \"lanes\": %d}, "
            "\"undefinedReads\": %lu, \"held\": [",
            kForms[form], shuffles, lanes, undefined_reads());
        for (int lane = 0; lane < lanes; ++lane)
          for (int of = 0; of < kWarp; ++of)
            std::printf("%s%d", of > 0 ? ", " : lane > 0 ? "], [" : "[", counts[of * kWarp + lane]);
        std::printf("]]}\n");
      }
}
