#include "bulk_steps.hpp"
#include "steps/14_register_order.cuh"
#include "steps/15_slices.cuh"
#include "steps/16_even_shares.cuh"
#include "steps/17_any_shape.cuh"

// In direct_tiles.cu.
extern template void pipeline::launch_direct<any_shape::Direct64x64>(const Sgemm&, cudaStream_t);
extern template void pipeline::launch_direct<any_shape::Direct32x32>(const Sgemm&, cudaStream_t);
extern template void pipeline::launch_direct<any_shape::Direct32x16>(const Sgemm&, cudaStream_t);

std::vector<Step> ordered_steps() {
  const auto step =
      [](const char* name, const char* help, void (*launch)(const Sgemm&, cudaStream_t),
         std::size_t (*workspace_floats)(const Sgemm&), Plan (*plan)(const Sgemm&) = nullptr) {
        return Step{name, help, launch, workspace_floats, lack_for_bulk_steps, plan};
      };
  return {step("register_order", "FFMA in an order that the registers' banks can deliver",
               register_order::launch, pipeline::workspace_floats),
          step("slices", "warps share a tile along k", slices::launch, pipeline::workspace_floats),
          step("even_shares", "the last tiles are split evenly", even_shares::launch,
               even_shares::workspace_floats),
          step("any_shape", "tiles of any proportions, chosen by what they will cost",
               any_shape::launch, any_shape::workspace_floats, [](const Sgemm& s) -> Plan {
                 const any_shape::Choice choice = any_shape::choose(s);
                 return {choice.tile_m, choice.tile_n, choice.plan.blocks, choice.us};
               })};
}
