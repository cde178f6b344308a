/// @file
/// Digests of the results of wgmma_cases.cuh and ptx_cases.cuh: FNV-1a of the words that each case
/// writes on an H200 (driver 580.159.04, CUDA 13.0), where ptx_record.cu compares them.
#pragma once

#include <cstddef>
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

/// A case's name and the words that it writes.
using Result = std::pair<std::string, std::vector<std::uint32_t>>;

/// Returns the output of each instruction in move_matrices.
inline std::vector<Result> moved_matrices() {
  constexpr std::size_t kTests = 10, kWords = 4 * kMatrixWords;
  std::vector<std::uint32_t> in(kWords), out(kTests * kWords);
  tensor::Random random(8);
  for (std::uint32_t& word : in) word = static_cast<std::uint32_t>(random.next() >> 32);
  std::uint32_t *const from = wgmma::on_device(in), *const to = wgmma::on_device(out);
  move_matrices<<<1, kLanes>>>(from, to);
  record::require(cudaGetLastError());
  record::require(cudaMemcpy(out.data(), to, out.size() * sizeof out[0], cudaMemcpyDefault));
  record::require(cudaFree(from));
  record::require(cudaFree(to));
  const char* const names[kTests] = {
      "ldmatrix x1", "ldmatrix x2", "ldmatrix x4", "ldmatrix x2 trans", "ldmatrix x4 trans",
      "stmatrix x1", "stmatrix x2", "stmatrix x4", "stmatrix x4 trans", "stmatrix x2 trans"};
  std::vector<Result> results;
  for (std::size_t test = 0; test < kTests; ++test) {
    const auto first = out.begin() + static_cast<std::ptrdiff_t>(test * kWords);
    results.push_back({names[test], {first, first + kWords}});
  }
  return results;
}

/// Returns the results of each cvt for finite numbers, and for infinities and NaN.
inline std::vector<Result> rounded_numbers() {
  const std::vector<std::uint32_t> in = floats();
  std::vector<std::uint32_t> out(in.size() * kRoundings);
  std::uint32_t *const from = wgmma::on_device(in), *const to = wgmma::on_device(out);
  round_to_tf32<<<static_cast<unsigned>(in.size()) / kLanes, kLanes>>>(
      reinterpret_cast<const float*>(from), to);
  record::require(cudaGetLastError());
  record::require(cudaMemcpy(out.data(), to, out.size() * sizeof out[0], cudaMemcpyDefault));
  record::require(cudaFree(from));
  record::require(cudaFree(to));
  const char* const names[kRoundings] = {"rna", "rn", "rz", "rn.relu", "rz.relu"};
  constexpr std::uint32_t kInfinity = 0x7f800000;
  std::vector<Result> results;
  for (int r = 0; r < kRoundings; ++r)
    for (const bool finite : {true, false}) {
      const std::string of = finite ? " of finite numbers" : " of infinities and NaN";
      results.push_back({"cvt." + std::string(names[r]) + ".tf32" + of, {}});
      for (std::size_t i = 0; i < in.size(); ++i)
        if (((in[i] & kInfinity) != kInfinity) == finite)
          results.back().second.push_back(out[i * kRoundings + static_cast<std::size_t>(r)]);
    }
  return results;
}

/// Calls visit(result) for every case, in the order of the record.
template <class Visit>
void for_results(Visit&& visit) {
  for (const auto& some : {moved_matrices(), rounded_numbers()})
    for (const Result& one : some) visit(one);
  for (const wgmma::Case& one : wgmma::all_cases())
    visit(Result{one.name, one.run(one, wgmma::matrices(one.shape, one.k, one.seed()))});
}

inline std::uint32_t digest_of(const Result& result) {
  return tensor::digest(result.second.data(), result.second.size());
}

}  // namespace tensor_ptx
