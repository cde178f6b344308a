#pragma once

#include "16_even_shares.cuh"

namespace any_shape {

using namespace pipeline;
using even_shares::Schedule, last_block::arrives_last;

/// The pieces of split tiles where there may be many of one: groups of blocks add theirs up first.
///
/// One block would read a hundred pieces one after the other.
struct GroupedPieces {
  static constexpr int kGroup = 12;

  float* sums;              // [2 blocks, tile]
  unsigned* arrived;        // [tiles], zero between launches
  unsigned* group_arrived;  // [2 blocks], zero between launches

  /// Whether this block is the last of the last group; blocks `first` to `last` have pieces.
  template <typename S>
  __device__ bool are_complete(int tile, int first, int last) const {
    const int pieces = last - first + 1;
    if (pieces <= kGroup) return arrives_last(&arrived[tile], pieces);

    const int begin = blockIdx.x - (blockIdx.x - first) % kGroup;
    const int end = min(begin + kGroup - 1, last);
    if (!arrives_last(&group_arrived[2 * begin + (begin == first)], end - begin + 1)) return false;
    float* sum = even_shares::piece_of<S>(sums, begin, begin == first);
    for (int e = threadIdx.x; e < S::kTileFloats; e += S::kChunk * S::kThreads) {
      float total[S::kChunk] = {};
      add_every<S>(total, first, begin, end, 1, e);
#pragma unroll
      for (int r = 0; r < S::kChunk; ++r) __stcg(sum + e + r * S::kThreads, total[r]);
    }
    return arrives_last(&arrived[tile], (pieces + kGroup - 1) / kGroup);
  }
  template <typename S>
  __device__ void add_up(float (&total)[S::kChunk], int first, int last, int e) const {
    add_every<S>(total, first, first, last, last - first < kGroup ? 1 : kGroup, e);
  }

 private:
  /// Adds the pieces of the blocks begin, begin + step, ..., in this order.
  template <typename S>
  __device__ void add_every(float (&total)[S::kChunk], int first, int begin, int end, int step,
                            int e) const {
#pragma unroll 4  // so many pieces are on their way at a time
    for (int block = begin; block <= end; block += step) {
      const float* piece = even_shares::piece_of<S>(sums, block, block == first);
#pragma unroll
      for (int r = 0; r < S::kChunk; ++r) total[r] += __ldcg(piece + e + r * S::kThreads);
    }
  }
};

/// The same for any shape: tiles of any proportions, and pieces that meet in groups.
/// @expect  global_load_requests = 0
/// @expect  bulk_copies = (kPanel / 32 + 1) * m * n * k / (kTileM * kTileN * kPanel)
/// @expect  bulk_bytes = 4 * (m * k * n / kTileN + k * n * m / kTileM)
/// @expect  global_store_requests = m * n / 32
/// @expect  shared_store_wavefronts = kSlices * m * n / 32
/// @pre     S::kThreads threads, S::kSharedBytes of dynamic shared memory, the schedule's blocks;
///          A is described with boxes of kTileM x kSpan and the 128-byte swizzle, B with boxes of
///          kPanel x kTileN
template <typename S>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    sgemm(int m, int n, float alpha,              //
          const __grid_constant__ CUtensorMap A,  // [m, k]
          const __grid_constant__ CUtensorMap B,  // [k, n]
          float beta,                             //
          float* C, int ldc,                      // [m, n]
          const Schedule schedule, const GroupedPieces pieces) {
  even_shares::compute_share<S>(
      m, n, alpha,
      [&](const Corner& tile, int panel, float* stage, std::uint64_t* full) {
        request_panel<S>(A, B, tile.row, tile.col, panel * S::kPanel, stage, full);
      },
      beta, C, ldc, schedule, pieces);
}

/// What a tile costs on an H200, in microseconds: fitted to the times of all of them at 127 shapes.
struct Cost {
  double launch;
  double tile;  // beside its panels
  double panel;
  double piece;      // to leave one
  double per_piece;  // of a tile, to whoever adds them up
};

/// Tiles that may be split, of which a multiprocessor computes one at a time. Their warps share
/// them along k, so that eight warps have work in a small one.
struct Tile128x256 : Shape<8, 16, 128, 256, 1, 32, 3> {
  static constexpr Cost kCost = {2.48, 5.36, 5.10, 11.6, 5.00};
};
struct Tile128x128 : Shape<8, 16, 128, 128, 2, 64, 3> {
  static constexpr Cost kCost = {0.14, 7.83, 5.10, 7.93, 2.23};
};
struct Tile128x64 : Shape<8, 16, 128, 64, 4, 64, 4> {
  static constexpr Cost kCost = {0.82, 5.45, 2.68, 5.15, 1.09};
};
struct Tile64x64 : Shape<8, 16, 64, 64, 8, 128, 3> {
  static constexpr Cost kCost = {0.95, 4.28, 2.76, 4.34, 0.42};
};
struct Tile64x32 : Shape<8, 8, 64, 32, 8, 128, 4> {
  static constexpr Cost kCost = {1.19, 2.94, 1.66, 3.32, 0.26};
};
struct Tile32x64 : Shape<4, 16, 32, 64, 8, 128, 4> {
  static constexpr Cost kCost = {1.17, 2.83, 1.67, 3.25, 0.25};
};
struct Tile16x64 : Shape<2, 16, 16, 64, 8, 128, 5> {
  static constexpr Cost kCost = {1.23, 2.11, 1.11, 2.88, 0.06};
};
struct Tile128x16 : Shape<8, 4, 128, 16, 4, 64, 5> {
  static constexpr Cost kCost = {1.44, 2.34, 1.02, 3.18, 0.13};
};
struct Tile32x16 : Shape<4, 4, 32, 16, 8, 128, 4> {
  static constexpr Cost kCost = {1.76, 0.79, 0.68, 3.72, 0.20};
};

/// Tiles for a short k, which stay whole: while one is loaded or stored, others are multiplied. A
/// `panel` then has a latency beside its share of the multiprocessor.
template <typename Shape, int kBlocks_>
struct SeveralAtOnce : Shape {
  static constexpr int kBlocks = kBlocks_;
  static constexpr int kMostK = 512;  // what their cost was fitted for
};
struct Several64x64 : SeveralAtOnce<Shape<8, 16, 64, 64, 1, 32, 2>, 5> {
  static constexpr Cost kCost = {4.00, 0.48, 0.62, 0.0, 0.0};
  static constexpr double kPanelLatency = 2.22;
};
struct Several32x128 : SeveralAtOnce<Shape<4, 8, 32, 128, 1, 32, 2>, 5> {
  static constexpr Cost kCost = {2.85, 0.41, 0.77, 0.0, 0.0};
  static constexpr double kPanelLatency = 0.57;
};
struct Several128x16 : SeveralAtOnce<Shape<8, 4, 128, 16, 1, 32, 2>, 6> {
  static constexpr Cost kCost = {3.17, 0.28, 0.44, 0.0, 0.0};
  static constexpr double kPanelLatency = 0.88;
};

/// How the work is cut, and by how many blocks.
struct Plan {
  Schedule schedule;
  int blocks;

  int tiles() const { return schedule.tiles_m * schedule.tiles_n; }
  bool splits() const { return schedule.whole_tiles < tiles(); }
};

constexpr double kBytesPerUs = 4.0e6;  // that global memory reads or writes, on an H200
constexpr double kCopyUs = 1.0;        // to launch the kernel that copies matrices for TMA

/// What the matrices cost whatever the tile, in microseconds.
inline double memory_us(const Sgemm& s) {
  const double m = s.m, n = s.n, k = s.used_k();
  return sizeof(float) * (m * k + k * n + m * n) / kBytesPerUs;
}

/// What a plan will cost, in microseconds.
template <typename S>
double predicted_us(const Plan& plan, const Sgemm& s) {
  const auto& [launch, tile, panel, piece, per_piece] = S::kCost;
  const int panels = plan.schedule.panels;
  double us = 0.0;
  if constexpr (S::kBlocks > 1) {
    const double per_multiprocessor = std::max(1.0, 1.0 * plan.tiles() / s.multiprocessors);
    us = panels * S::kPanelLatency + per_multiprocessor * (tile + panels * panel);
  } else if (!plan.splits()) {
    us = course::divide_up(plan.tiles(), s.multiprocessors) * (tile + panels * panel);
  } else {
    const int split_tiles = plan.tiles() - plan.schedule.whole_tiles;
    const int whole_rounds = plan.schedule.whole_tiles / plan.blocks;
    const double share = 1.0 * split_tiles * panels / plan.blocks;
    const double pieces = std::max(1.0, 1.0 * plan.blocks / split_tiles);  // of a tile
    const bool cuts_at_tiles = plan.blocks % split_tiles == 0;
    const double tiles = std::max(1.0, 1.0 * split_tiles / plan.blocks);  // of a block's share
    us = whole_rounds * (tile + panels * panel) + tiles * tile + share * panel +
         (cuts_at_tiles ? 1 : 2) * piece +
         per_piece * (pieces <= GroupedPieces::kGroup
                          ? pieces
                          : GroupedPieces::kGroup + pieces / GroupedPieces::kGroup);
  }
  us = launch + std::max(us, memory_us(s));
  const std::size_t copied = tma::copies_floats(s);
  if (copied > 0) us += kCopyUs + 2 * sizeof(float) * copied / kBytesPerUs;
  return us;
}

/// Calls use(plan) for every way to cut the tiles of a shape: not at all; into even shares; each
/// into equally many equal pieces.
template <typename S, typename Use>
void for_each_plan(const Sgemm& s, Use use) {
  Plan plan = {{course::divide_up(s.m, S::kTileM), course::divide_up(s.n, S::kTileN),
                course::divide_up(s.used_k(), S::kPanel), 0},
               0};
  const int tiles = plan.tiles();
  const auto cut = [&](int blocks, int whole_tiles) {
    plan.blocks = blocks;
    plan.schedule.whole_tiles = whole_tiles;
    use(plan);
  };
  if constexpr (S::kBlocks > 1) {
    if (s.used_k() <= S::kMostK) cut(tiles, tiles);
    return;
  }
  cut(tiles, tiles);
  const int panels = plan.schedule.panels;
  if (panels < 2) return;
  const int blocks = static_cast<int>(std::min<long long>(s.multiprocessors, 1LL * tiles * panels));
  if (tiles % blocks != 0) cut(blocks, std::max(0, tiles / blocks - 1) * blocks);
  const int pieces = std::min(blocks / tiles, panels);
  if (pieces >= 2) cut(pieces * tiles, 0);
}

/// Floats of workspace, zero before the first launch.
template <typename S>
std::size_t plan_floats(const Plan& plan, const Sgemm& s) {
  const std::size_t copies = tma::copies_floats(s);
  if (!plan.splits()) return copies;
  return copies + std::size_t(2) * plan.blocks * (S::kTileFloats + 1) + plan.tiles();
}

template <typename S>
void launch_plan(const Plan& plan, const Sgemm& s, cudaStream_t stream) {
  float* workspace = s.workspace;
  const auto [A, B] = describe_operands<S>(s, workspace, stream);
  unsigned* const arrived =
      reinterpret_cast<unsigned*>(workspace + std::size_t(2) * plan.blocks * S::kTileFloats);
  const GroupedPieces pieces = {workspace, arrived, arrived + plan.tiles()};
  course::check(
      cudaFuncSetAttribute(sgemm<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kSharedBytes));
  sgemm<S><<<plan.blocks, S::kThreads, S::kSharedBytes, stream>>>(
      s.m, s.n, s.alpha, A, B, s.beta, s.C, s.ldc, plan.schedule, pieces);
}

/// A plan for tiles of some shape.
struct Choice {
  double us;  // what it will cost
  int tile_m, tile_n;
  Plan plan;
  std::size_t (*floats)(const Plan& plan, const Sgemm& s);
  void (*launch)(const Plan& plan, const Sgemm& s, cudaStream_t stream);
};

/// Calls use(shape) for the whole family.
template <typename Use>
void for_each_shape(Use use) {
  use(Tile128x256{});
  use(Tile128x128{});
  use(Tile128x64{});
  use(Tile64x64{});
  use(Tile64x32{});
  use(Tile32x64{});
  use(Tile16x64{});
  use(Tile128x16{});
  use(Tile32x16{});
  use(Several64x64{});
  use(Several32x128{});
  use(Several128x16{});
}

/// What costs least.
inline Choice choose(const Sgemm& s) {
  Choice best{};
  for_each_shape([&]<typename S>(S) {
    for_each_plan<S>(s, [&](const Plan& plan) {
      const double us = predicted_us<S>(plan, s);
      if (best.launch == nullptr || us < best.us)
        best = {us, S::kTileM, S::kTileN, plan, plan_floats<S>, launch_plan<S>};
    });
  });
  return best;
}

/// Floats of workspace, zero before the first launch.
inline std::size_t workspace_floats(const Sgemm& s) {
  if (s.m == 0 || s.n == 0) return 0;
  const Choice choice = choose(s);
  return choice.floats(choice.plan, s);
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  if (s.m == 0 || s.n == 0) return;
  const Choice choice = choose(s);
  choice.launch(choice.plan, s, stream);
}

}  // namespace any_shape
