#pragma once

// Chosen among the candidates of `08_sgemm --tune FILE`, which writes such a file, on an NVIDIA H200:
// nearly the fastest at 4096 x 4096 x 4096, and much faster at 1024 than the one that wins there.

namespace tuned {

template <int kTileM, int kTileN, int kTileK, int kThreadM, int kThreadN>
struct Shape;

using Tuned = Shape<64, 128, 32, 8, 8>;

}  // namespace tuned
