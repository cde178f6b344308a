// Compares the results of tensor core instructions on a GPU with the emulator's records: wgmma with
// every swizzle and major, several n, A in shared memory and in registers; ldmatrix, stmatrix and
// cvt to tf32.
//   nvcc -std=c++20 -O2 -gencode=arch=compute_90a,code=sm_90a -o ptx_record ptx_record.cu
//   ./ptx_record            prints OK, or the differences; exit status 1
//   ./ptx_record --print    prints ptx_digests.inc
//   ./ptx_record --base     prints the base offsets of a descriptor for which the swizzle begins
//   there
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "ptx_digests.hpp"

namespace {

constexpr int kMostShown = 20;

int compare() {
  std::size_t i = 0;
  int differing = 0;
  const std::size_t count = sizeof tensor_ptx::kDigests / sizeof tensor_ptx::kDigests[0];
  tensor_ptx::for_results([&](const tensor_ptx::Result& result) {
    const std::uint32_t digest = tensor_ptx::digest_of(result);
    const bool is_known = i < count && result.first == tensor_ptx::kDigests[i].name;
    if ((!is_known || digest != tensor_ptx::kDigests[i].digest) && ++differing <= kMostShown)
      std::printf("%s: %08x, recorded %08x; begins %08x %08x %08x %08x\n", result.first.c_str(),
                  digest, is_known ? tensor_ptx::kDigests[i].digest : 0, result.second[0],
                  result.second[1], result.second[2], result.second[3]);
    ++i;
  });
  if (differing != 0 || i != count) {
    std::printf("%d of %zu results differ\n", differing, i);
    return 1;
  }
  std::printf("OK, %zu results\n", i);
  return 0;
}

/// Tests whether a matrix that begins in the middle of a swizzle's pattern, with a matching
/// descriptor, gives the same results as at a multiple of 1024.
void try_base_offsets() {
  for (const int swizzle : {32, 64, 128}) {
    const wgmma::Layout l = {swizzle};
    wgmma::Case one = wgmma::in_shared<wgmma::F16N64>("base offset", 16, l, l);
    const wgmma::Matrices m = wgmma::matrices(one.shape, one.k, one.seed());
    const auto expected = one.run(one, m);
    std::printf("%d-byte swizzle, base offsets that mean that the pattern begins there:", swizzle);
    for (int base = 1; base < swizzle / 16; ++base) {
      one.base_offset = base;
      if (one.run(one, m) == expected) std::printf(" %d", base);
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "--print") {
    tensor_ptx::for_results([](const tensor_ptx::Result& result) {
      std::printf("{\"%s\", 0x%08x},\n", result.first.c_str(), tensor_ptx::digest_of(result));
    });
    return 0;
  }
  if (mode == "--base") {
    try_base_offsets();
    return 0;
  }
  return compare();
}
