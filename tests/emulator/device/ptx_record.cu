// Runs kernels with inline PTX and their plain twins on a GPU, and prints digests of their output.
// Exit status 1: two twins differ.
//   nvcc -std=c++20 -O2 -arch=sm_90 -o record ptx_*_cases.cu ptx_record.cu && ./record
// ptx_h200.txt is its output on an H200.
#include <cstdio>

#include "ptx_results.cuh"

int main() {
  bool all_equal = true;
  for (const ptx_cases::Case& one : ptx_cases::all_cases()) {
    const auto ptx = ptx_cases::results_of(one.ptx, one.blocks);
    const auto plain = ptx_cases::results_of(one.plain, one.blocks);
    std::printf("%s %016llx\n", one.name,
                static_cast<unsigned long long>(ptx_cases::digest_of(ptx)));
    for (int i = 0; i < ptx_cases::kWords; ++i) {
      if (ptx[i] == plain[i]) continue;
      std::fprintf(stderr, "%s: word %d is %08x, and %08x in plain CUDA\n", one.name, i, ptx[i],
                   plain[i]);
      all_equal = false;
      break;
    }
  }
  return all_equal ? 0 : 1;
}
