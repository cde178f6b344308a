#pragma once

#include <typeinfo>

#include "thin.cuh"

namespace any_shape {

using namespace pipeline;
using even_shares::Schedule, even_shares::kMostBlocks, even_shares::kMostSplitTiles,
    last_block::arrives_last;

/// The pieces of split tiles where there may be many of one: groups of blocks add theirs up first.
///
/// One block would read a hundred pieces one after the other.
struct GroupedPieces {
  static constexpr int kGroup = 12;

  // Zero between launches:
  unsigned* arrived;        // [kMostSplitTiles]
  unsigned* group_arrived;  // [2 kMostBlocks]
  float* sums;              // [2 blocks, tile]

  /// Whether this block is the last of the last group; blocks `first` to `last` have pieces.
  template <typename S>
  __device__ bool are_complete(int split_tile, int first, int last) const {
    const int pieces = last - first + 1;
    if (pieces <= kGroup) return arrives_last(&arrived[split_tile], pieces);

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
    return arrives_last(&arrived[split_tile], (pieces + kGroup - 1) / kGroup);
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
  cudaGridDependencySynchronize();  // the kernel before this one in the stream is over
  even_shares::compute_share<S>(
      m, n, alpha,
      [&](const Corner& tile, int panel, float* stage, std::uint64_t* full) {
        request_panel<S>(A, B, tile.row, tile.col, panel * S::kPanel, stage, full);
      },
      beta, C, ldc, schedule, pieces);
}

/// What a tile costs, in microseconds: fitted to times of all of them (tools/predict/costs.hpp).
struct Cost {
  double launch;
  double tile;         // for a multiprocessor, beside its panels
  double panel;        // for a multiprocessor
  double wait;         // for a panel, beside the multiprocessor's work: what other blocks may hide
  double piece;        // to leave one
  double per_piece;    // of a tile, to whoever adds them up
  double again = 0.0;  // for a megabyte of the longer matrix that is read once more
};

/// Tiles of which a multiprocessor computes one at a time. Their warps share them along k, so that
/// eight warps have work in a small one.
struct Tile128x256 : Shape<8, 16, 128, 256, 1, 32, 3> {
  static constexpr Cost kCost = {6.74, 4.49, 5.1, 0.0, 13.7, 3.15};
};
struct Tile128x128 : Shape<8, 16, 128, 128, 2, 64, 3> {
  static constexpr Cost kCost = {1.71, 7.92, 5.07, 0.0, 7.14, 1.63, 0.0169};
};
struct Tile128x64 : Shape<8, 16, 128, 64, 4, 64, 4> {
  static constexpr Cost kCost = {1.15, 6.04, 2.64, 0.0, 5.19, 0.717, 0.0138};
};
struct Tile64x64 : Shape<8, 16, 64, 64, 8, 128, 3> {
  static constexpr Cost kCost = {0.91, 5.19, 2.72, 0.0, 3.52, 0.464};
};
struct Tile64x32 : Shape<8, 8, 64, 32, 8, 128, 4> {
  static constexpr Cost kCost = {0.911, 3.54, 1.62, 0.0, 2.78, 0.286, 0.00043};
};
struct Tile16x64 : Shape<2, 16, 16, 64, 8, 128, 5> {
  static constexpr Cost kCost = {0.423, 2.95, 1.09, 0.0, 2.22, 0.184};
};
struct Tile32x16 : Shape<4, 4, 32, 16, 8, 128, 4> {
  static constexpr Cost kCost = {1.9, 1.1, 0.672, 0.0, 2.34, 0.153, 0.04};
};

/// Tiles of which a multiprocessor computes kBlocks_ at a time: while one is loaded or stored,
/// others are multiplied.
template <typename Shape, int kBlocks_>
struct Several : Shape {
  static constexpr int kBlocks = kBlocks_;
};
struct Three32x64 : Several<Shape<4, 16, 32, 64, 4, 64, 3>, 3> {
  static constexpr Cost kCost = {2.88, 1.3, 0.608, 0.428, 2.68, 0.423};
};
struct Three64x16 : Several<Shape<8, 4, 64, 16, 4, 64, 3>, 3> {
  static constexpr Cost kCost = {2.14, 0.868, 0.312, 0.445, 2.1, 0.318, 0.0136};
};
struct Four32x32 : Several<Shape<4, 4, 32, 32, 2, 64, 3>, 4> {
  static constexpr Cost kCost = {2.33, 0.648, 0.347, 0.502, 1.72, 0.354};
};
struct Five32x128 : Several<Shape<4, 8, 32, 128, 1, 32, 2>, 5> {
  static constexpr Cost kCost = {3.95, 0.339, 0.651, 0.804, 3.71, 1.31};
};
struct Six128x16 : Several<Shape<8, 4, 128, 16, 1, 32, 2>, 6> {
  static constexpr Cost kCost = {3.9, 0.258, 0.284, 1.1, 3.79, 1.29, 0.0127};
};
struct Eight64x32 : Several<Shape<4, 8, 64, 32, 1, 32, 2>, 8> {
  static constexpr Cost kCost = {3.99, 0.183, 0.299, 0.969, 4.08, 1.19, 0.00978};
};
struct Eight32x64 : Several<Shape<4, 8, 32, 64, 1, 32, 2>, 8> {
  static constexpr Cost kCost = {3.8, 0.188, 0.291, 1.07, 4.11, 1.22, 0.04};
};

/// Tiles whose panels come through registers.
template <typename Shape>
struct Direct : Shape {
  static constexpr bool kIsDirect = true;
};
struct Direct64x64 : Direct<Several<Shape<4, 4, 64, 64, 1, 32, 2>, 3>> {
  static constexpr Cost kCost = {1.59, 1.07, 1.16, 0.41, 2.27, 0.351};
};
struct Direct32x32 : Direct<Several<Shape<4, 4, 32, 32, 4, 64, 2>, 3>> {
  static constexpr Cost kCost = {1.54, 0.616, 0.71, 0.25, 1.81, 0.176};
};
struct Direct32x16 : Direct<Several<Shape<4, 4, 32, 16, 8, 128, 2>, 2>> {
  static constexpr Cost kCost = {1.36, 0.817, 0.702, 0.308, 1.5, 0.146, 0.0145};
};
template <typename S>
constexpr bool is_direct = requires {
  S::kIsDirect;
};

/// Tiles of products with few rows or few columns. Warps share them along k, but for the wide and
/// the tall ones.
struct Row : Several<FewRows<1, 1, 32>, 1> {
  static constexpr Cost kCost = {0.699, 1.82, 0.73, 0.0, 1.81, 0.165};
};
struct NarrowRow : Several<FewRows<1, 1, 32, 8>, 1> {
  static constexpr Cost kCost = {0.392, 2.05, 0.241, 0.0, 2.02, 0.182};
};
struct WideRow : Several<FewRows<1, 2, 8>, 4> {
  static constexpr Cost kCost = {1.88, 0.199, 1.1, 0.343, 1.15, 0.148};
};
struct FourRows : Several<FewRows<4, 1, 32>, 1> {
  static constexpr Cost kCost = {0.164, 2.08, 1.01, 0.0, 1.98, 0.158};
};
struct WideFourRows : Several<FewRows<4, 2, 8>, 2> {
  static constexpr Cost kCost = {1.04, 0.481, 1.83, 0.0, 1.17, 0.207};
};
struct EightRows : Several<FewRows<8, 2, 8>, 2> {
  static constexpr Cost kCost = {0.938, 0.758, 1.93, 0.351, 1.3, 0.21};
};
struct Column : Several<FewColumns<1, 8>, 4> {
  static constexpr Cost kCost = {1.76, 0.532, 0.119, 0.171, 1.4, 0.168};
};
struct TallColumn : Several<FewColumns<1, 1>, 4> {
  static constexpr Cost kCost = {1.6, 0.16, 1.74, 0.235, 1.43, 0.216};
};
struct FourColumns : Several<FewColumns<4, 8>, 2> {
  static constexpr Cost kCost = {1.28, 1.09, 0.237, 0.0886, 1.16, 0.136};
};
struct TallFourColumns : Several<FewColumns<4, 1>, 2> {
  static constexpr Cost kCost = {1.15, 0.89, 1.96, 0.82, 1.91, 0.0962};
};
template <typename S>
constexpr bool is_thin = requires {
  &S::multiply;
};
constexpr int kThinRows = 8, kThinColumns = 4;  // a product with no more is thin

/// Whether a tile can read matrices whose rows begin anywhere.
template <typename S>
constexpr bool reads_anything = is_direct<S> || is_thin<S>;

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

/// Megabytes that tiles read of the longer one of A and B, beside the first time.
inline double megabytes_again(const Schedule& schedule, const Sgemm& s) {
  const double floats = s.m > s.n ? 1.0 * s.m * s.used_k() * (schedule.tiles_n - 1)
                                  : 1.0 * s.n * s.used_k() * (schedule.tiles_m - 1);
  return sizeof(float) * floats / 1e6;
}

/// What the copies for TMA cost, in microseconds.
template <typename S>
double copies_us(const Sgemm& s) {
  const std::size_t copied = reads_anything<S> ? 0 : tma::copies_floats(s);
  return copied == 0 ? 0.0 : kCopyUs + 2 * sizeof(float) * copied / kBytesPerUs;
}

/// How often a plan pays each of its tile's costs.
template <typename S>
Cost times_of(const Plan& plan, const Sgemm& s) {
  const double panels =
      plan.schedule.panels - 1 + 1.0 * kVector * plan.schedule.last_quads / S::kPanel;
  const double again = megabytes_again(plan.schedule, s);
  const int tiles = plan.tiles();
  if (!plan.splits()) {
    const int busiest = course::divide_up(tiles, s.multiprocessors);
    const int rounds = course::divide_up(tiles, S::kBlocks * s.multiprocessors);
    return {1.0, 1.0 * busiest, busiest * panels, rounds * panels, 0.0, 0.0, again};
  }
  const int split_tiles = tiles - plan.schedule.whole_tiles;
  const int together = course::divide_up(plan.blocks, s.multiprocessors);
  const int whole = plan.schedule.whole_tiles / plan.blocks;
  const double own_panels = whole * panels + split_tiles * panels / plan.blocks;
  const double own_tiles = whole + std::max(1.0, 1.0 * split_tiles / plan.blocks);
  const double pieces = std::max(1.0, 1.0 * plan.blocks / split_tiles);  // of a tile
  const bool cuts_at_tiles = plan.blocks % split_tiles == 0;
  constexpr int kGroup = GroupedPieces::kGroup;
  return {
      1.0,        together * own_tiles,      together * own_panels,
      own_panels, cuts_at_tiles ? 1.0 : 2.0, pieces <= kGroup ? pieces : kGroup + pieces / kGroup,
      again};
}

/// What a plan will cost, in microseconds.
template <typename S>
double predicted_us(const Plan& plan, const Sgemm& s) {
  constexpr Cost each = S::kCost;
  const Cost times = times_of<S>(plan, s);
  const double work = times.tile * each.tile + times.panel * each.panel + times.wait * each.wait +
                      times.piece * each.piece + times.per_piece * each.per_piece;
  return each.launch + std::max(work, memory_us(s)) + times.again * each.again + copies_us<S>(s);
}

/// Calls use(plan) for every way to cut the tiles of a shape: not at all; into even shares; each
/// into equally many equal pieces.
template <typename S, typename Use>
void for_each_plan(const Sgemm& s, Use use) {
  Plan plan = {even_shares::cut_into_tiles<S>(s), 0};
  const int tiles = plan.tiles();
  const auto cut = [&](int blocks, int whole_tiles) {
    plan.blocks = blocks;
    plan.schedule.whole_tiles = whole_tiles;
    use(plan);
  };
  cut(tiles, tiles);
  const int panels = plan.schedule.panels;
  if (panels < 2) return;
  const long long slots = std::min(1LL * S::kBlocks * s.multiprocessors, 1LL * kMostBlocks);
  const int blocks = static_cast<int>(std::min(slots, 1LL * tiles * panels));
  if (tiles % blocks != 0 && !is_thin<S>) cut(blocks, std::max(0, tiles / blocks - 1) * blocks);
  const int pieces = std::min(blocks / tiles, panels);
  if (pieces >= 2 && (is_thin<S> || pieces * tiles != blocks)) cut(pieces * tiles, 0);
}

constexpr int kCounters = kMostSplitTiles + 2 * kMostBlocks;  // first in every workspace

/// Floats of workspace. The counters are zero before the first launch.
template <typename S>
std::size_t plan_floats(const Plan& plan, const Sgemm& s) {
  const std::size_t copies = reads_anything<S> ? 0 : tma::copies_floats(s);
  return kCounters + copies + (plan.splits() ? std::size_t(2) * plan.blocks * S::kTileFloats : 0);
}

/// The counters of a workspace, and where pieces go.
inline GroupedPieces pieces_at(float* workspace, float* sums) {
  unsigned* const arrived = reinterpret_cast<unsigned*>(workspace);
  return {arrived, arrived + kMostSplitTiles, sums};
}

template <typename S>
void launch_plan(const Plan& plan, const Sgemm& s, cudaStream_t stream) {
  float* behind = s.workspace + kCounters;
  if constexpr (is_direct<S>) {
    launch_direct<S>(s, plan.schedule, plan.blocks, pieces_at(s.workspace, behind), stream);
  } else if constexpr (is_thin<S>) {
    launch_thin<S>(s, plan.schedule, plan.blocks, pieces_at(s.workspace, behind), stream);
  } else {
    const auto [A, B] = describe_operands<S>(s, behind, stream);
    course::check(cudaFuncSetAttribute(sgemm<S>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       S::kSharedBytes));
    early_start::launch(sgemm<S>, plan.blocks, S::kThreads, S::kSharedBytes, stream, s.m, s.n,
                        s.alpha, A, B, s.beta, s.C, s.ldc, plan.schedule,
                        pieces_at(s.workspace, behind));
  }
}

/// A plan for tiles of some shape.
struct Choice {
  double us;  // what it will cost
  int tile_m, tile_n;
  const std::type_info* tile;
  Plan plan;
  Cost times;        // that it pays each cost of the tile
  double copies_us;  // what it pays besides
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
  use(Tile16x64{});
  use(Tile32x16{});
  use(Three32x64{});
  use(Three64x16{});
  use(Four32x32{});
  use(Five32x128{});
  use(Six128x16{});
  use(Eight64x32{});
  use(Eight32x64{});
  use(Direct64x64{});
  use(Direct32x32{});
  use(Direct32x16{});
  use(Row{});
  use(NarrowRow{});
  use(WideRow{});
  use(FourRows{});
  use(WideFourRows{});
  use(EightRows{});
  use(Column{});
  use(TallColumn{});
  use(FourColumns{});
  use(TallFourColumns{});
}

/// Calls use(choice) for all plans of all tiles. Thin products have tiles of their own.
template <typename Use>
void for_each_choice(const Sgemm& s, Use use) {
  const bool thin = s.m <= kThinRows || s.n <= kThinColumns;
  for_each_shape([&]<typename S>(S) {
    if (thin != is_thin<S>) return;
    for_each_plan<S>(s, [&](const Plan& plan) {
      use(Choice{predicted_us<S>(plan, s), S::kTileM, S::kTileN, &typeid(S), plan,
                 times_of<S>(plan, s), copies_us<S>(s), plan_floats<S>, launch_plan<S>});
    });
  });
}

/// What costs least.
inline Choice choose(const Sgemm& s) {
  Choice best{};
  for_each_choice(s, [&](const Choice& choice) {
    if (best.launch == nullptr || choice.us < best.us) best = choice;
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
