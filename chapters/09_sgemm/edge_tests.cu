#include "edge_tests.hpp"

#include "steps/09_warp_tiles.cuh"
#include "steps/10_double_buffer.cuh"

namespace {

/// A step's shape with another way to test.
template <typename S, Edges kEdges_>
struct With : S {
  static constexpr Edges kEdges = kEdges_;
};

}  // namespace

std::vector<EdgeTest> edge_tests() {
  using Warp = warp_tiles::Tuned;
  using Double = double_buffer::Tuned;
  constexpr Edges kEach = Edges::kTestAccess, kNothing = Edges::kTestNothing;
  return {
      {"warp_tiles", "per tile", warp_tiles::launch},
      {"warp_tiles", "per access", warp_tiles::launch_shape<With<Warp, kEach>>},
      {"warp_tiles", "never", warp_tiles::launch_shape<With<Warp, kNothing>>, Warp::kTileM,
       Warp::kTileN, Warp::kTileK},
      {"double_buffer", "per tile", double_buffer::launch},
      {"double_buffer", "per access", double_buffer::launch_shape<With<Double, kEach>>},
      {"double_buffer", "never", double_buffer::launch_shape<With<Double, kNothing>>,
       Double::kTileM, Double::kTileN, Double::kTileK},
  };
}
