#include "without_idea.cuh"

namespace {

/// A shape of its own, so that its kernels are compiled here.
template <typename S>
struct AsUsual : S {};

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

Variant ablation_of_options() { return without<AsUsual>("ptxas_O1"); }

std::vector<Variant> build_up_as_usual() {
  return {step_14<StraightCode>("straight_code"), step_14<FragmentsAhead>("fragments_ahead"),
          step_14<Turns>("turns"), step_14<AsUsual>("back_and_forth")};
}
