#include "tuned_candidates.hpp"

#include "course/backend.hpp"
#include "steps/08_tuned.cuh"

namespace {

template <int... kSizes>
Candidate candidate() {
  using S = tuned::Shape<kSizes...>;
  constexpr int kAtOnce = S::kThreads * kVector;
  static_assert(S::kTileM * S::kTileK % kAtOnce == 0 && S::kTileK * S::kTileN % kAtOnce == 0,
                "every thread loads as much as the others");
  return {kSizes..., tuned::launch_shape<S>};
}

}  // namespace

std::vector<Candidate> tuned_candidates() {
  return {
      candidate<64, 128, 32, 8, 8>(),   candidate<64, 128, 16, 8, 8>(),
      candidate<128, 128, 16, 8, 8>(),  candidate<128, 128, 32, 8, 8>(),
      candidate<128, 64, 16, 8, 4>(),   candidate<64, 64, 16, 4, 4>(),
      candidate<64, 64, 32, 8, 4>(),    candidate<64, 64, 16, 8, 8>(),
      candidate<128, 128, 16, 8, 16>(), candidate<128, 256, 16, 8, 16>(),
  };
}

std::string shape_of(const Candidate& candidate) {
  const auto& [tile_m, tile_n, tile_k, thread_m, thread_n, launch] = candidate;
  std::string sizes;
  for (const int size : {tile_m, tile_n, tile_k, thread_m, thread_n})
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
  return "Shape<" + sizes + ">";
}

std::string header_of(const std::string& shape, const std::vector<int>& sizes) {
  std::string edges;
  for (const int size : sizes) edges += (edges.empty() ? "" : ", ") + std::to_string(size);
  return "#pragma once\n\n// Written by `09_sgemm --tune`: the fastest of its candidates on an " +
         course::current_device().name + ",\n// in geometric mean over squares of " + edges +
         ".\n\nnamespace tuned {\n\n"
         "template <int kTileM, int kTileN, int kTileK, int kThreadM, int kThreadN>\n"
         "struct Shape;\n\nusing Tuned = " +
         shape + ";\n\n}  // namespace tuned\n";
}
