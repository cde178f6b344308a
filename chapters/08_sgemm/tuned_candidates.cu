#include "tuned_candidates.hpp"

#include "steps/08_tuned.cuh"

namespace {

template <int... kSizes>
Candidate candidate() {
  return {kSizes..., tuned::launch_shape<tuned::Shape<kSizes...>>};
}

}  // namespace

std::vector<Candidate> tuned_candidates() {
  return {
      candidate<128, 128, 8, 8, 8>(),   candidate<128, 128, 16, 8, 8>(),
      candidate<64, 128, 16, 8, 8>(),   candidate<128, 64, 16, 8, 4>(),
      candidate<64, 64, 16, 4, 4>(),    candidate<64, 64, 32, 4, 4>(),
      candidate<64, 64, 16, 8, 4>(),    candidate<64, 64, 8, 8, 8>(),
      candidate<128, 128, 16, 8, 16>(), candidate<128, 256, 16, 8, 16>(),
  };
}
