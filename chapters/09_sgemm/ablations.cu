#include "ablations.hpp"

#include "without_idea.cuh"

namespace {

template <typename S>
using Itself = S;
template <typename S>
struct Unswizzled : S {
  static constexpr bool kSwizzles = false;
};
template <typename S>
struct MixedLanes : S {
  static constexpr bool kMixesLanes = true;
};
template <typename S>
struct RowsForward : S {
  static constexpr bool kTurnsBack = false;
};
template <typename S>
struct LoadedAtUse : S {
  static constexpr int kAhead = 0;
};
template <typename S>
struct FirstWarpRefills : S {
  static constexpr bool kTakesTurns = false;
};
template <typename S>
struct RowsOfTiles : S {
  static constexpr int kGroupTiles = 1;
};
template <typename S>
struct Staged : S {
  static constexpr bool kStagesSums = true;
};
template <typename S>
struct TwoStages : S {
  static constexpr int kStages = 2;
};

/// Without the large tile: four blocks share a multiprocessor.
struct SmallTile : pipeline::Shape<8, 8, 64, 128, 1, 32, 2> {
  static constexpr int kBlocks = 4;
};

Sgemm for_small_tiles(Sgemm s) {
  s.multiprocessors *= SmallTile::kBlocks;
  return s;
}

/// All tiles are of this shape, and split.
template <typename S>
void launch_split(const Sgemm& s, cudaStream_t stream) {
  if (s.m != 0 && s.n != 0) even_shares::launch_split<S>(s, stream);
}

}  // namespace

std::vector<Variant> ablations() {
  return {
      without<Itself>("nothing"),
      {"even_shares", slices::launch, pipeline::workspace_floats},
      {"slices", launch_split<even_shares::Large>, even_shares::split_floats<even_shares::Large>},
      {"large_tile",
       [](const Sgemm& s, cudaStream_t stream) {
         launch_split<SmallTile>(for_small_tiles(s), stream);
       },
       [](const Sgemm& s) { return even_shares::split_floats<SmallTile>(for_small_tiles(s)); }},
      without<Unswizzled>("swizzle"),
      without<MixedLanes>("lanes_in_order"),
      without<RowsForward>("back_and_forth"),
      ablation_of_options(),
      without<LoadedAtUse>("fragments_ahead"),
      without<FirstWarpRefills>("turns"),
      without<TwoStages>("more_stages"),
      without<RowsOfTiles>("groups_of_tiles"),
      without<Staged>("stores_from_registers"),
  };
}

std::vector<Variant> build_up() {
  std::vector<Variant> variants = build_up_as_usual();
  variants.push_back(step_14<RowsForward>("ptxas_O1"));
  return variants;
}
