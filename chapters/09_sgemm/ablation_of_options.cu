#include <cmath>
#include <utility>

#include "ablations.hpp"
#include "steps/last_block.cuh"
#include "steps/pipeline.cuh"

/// Steps 14 to 16 once more, as kernels of this source alone: those of ordered_steps.cu, which have
/// the same text, are compiled with -Xptxas -O1. What the steps include stands above, outside.
namespace as_usual {

namespace pipeline {
using namespace ::pipeline;
}

#include "without_idea.cuh"

}  // namespace as_usual

namespace {

template <typename S>
using Itself = S;

/// Rows walked forward; warps refill stages by turns, and fragments are loaded ahead.
template <typename S>
struct Turns : S {
  static constexpr bool kTurnsBack = false;
};
/// The same, and the first warp asks for all copies.
template <typename S>
struct FragmentsAhead : Turns<S> {
  static constexpr bool kTakesTurns = false;
};
/// The same, and fragments are loaded where they are used.
template <typename S>
struct StraightCode : FragmentsAhead<S> {
  static constexpr int kAhead = 0;
};

}  // namespace

Variant ablation_of_options() { return as_usual::without<Itself>("ptxas_O1"); }

std::vector<Variant> build_up_as_usual() {
  using as_usual::step_14;
  return {step_14<StraightCode>("straight_code"), step_14<FragmentsAhead>("fragments_ahead"),
          step_14<Turns>("turns"), step_14<Itself>("back_and_forth")};
}
