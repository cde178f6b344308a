/// @file
/// Digests of what the cases of wgmma_cases.cuh and ptx_cases.cuh give: FNV-1a of the words that
/// each one writes. The emulator wrote them (ptx_record.cu --print); on a GPU, ptx_record.cu
/// compares.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ptx_cases.cuh"
#include "wgmma_cases.cuh"

namespace tensor_ptx {

struct Digest {
  const char* name;
  std::uint32_t digest;
};
inline constexpr Digest kDigests[] = {
#include "ptx_digests.inc"
};

/// Of one case: its name, and the words that it writes.
using Result = std::pair<std::string, std::vector<std::uint32_t>>;

inline Result moved_matrices() {
  std::vector<std::uint32_t> in(4 * kMatrixWords), out(10 * in.size());
  tensor::Random random(8);
  for (std::uint32_t& word : in) word = static_cast<std::uint32_t>(random.next() >> 32);
  std::uint32_t *const from = wgmma::on_device(in), *const to = wgmma::on_device(out);
  move_matrices<<<1, kLanes>>>(from, to);
  record::require(cudaGetLastError());
  record::require(cudaMemcpy(out.data(), to, out.size() * sizeof out[0], cudaMemcpyDefault));
  record::require(cudaFree(from));
  record::require(cudaFree(to));
  return {"ldmatrix and stmatrix", out};
}

inline Result rounded_numbers() {
  const std::vector<std::uint32_t> in = floats();
  std::vector<std::uint32_t> out(in.size() * kRoundings);
  std::uint32_t *const from = wgmma::on_device(in), *const to = wgmma::on_device(out);
  round_to_tf32<<<static_cast<unsigned>(in.size()) / kLanes, kLanes>>>(
      reinterpret_cast<const float*>(from), to);
  record::require(cudaGetLastError());
  record::require(cudaMemcpy(out.data(), to, out.size() * sizeof out[0], cudaMemcpyDefault));
  record::require(cudaFree(from));
  record::require(cudaFree(to));
  return {"cvt to tf32", out};
}

/// Calls visit(result) for every case, in the order of the record.
template <class Visit>
void for_results(Visit&& visit) {
  visit(moved_matrices());
  visit(rounded_numbers());
  for (const wgmma::Case& one : wgmma::all_cases())
    visit(Result{one.name, one.run(one, wgmma::matrices(one.shape, one.k, one.seed()))});
}

inline std::uint32_t digest_of(const Result& result) {
  return tensor::digest(result.second.data(), result.second.size());
}

}  // namespace tensor_ptx
