#include "bulk_steps.hpp"
#include "steps/14_register_order.cuh"
#include "steps/15_slices.cuh"
#include "steps/16_even_shares.cuh"
#include "steps/17_any_shape.cuh"

namespace any_shape {

// In usual_tiles.cu.
extern template void launch_plan<Direct64x64>(const Plan&, const Sgemm&, cudaStream_t);
extern template void launch_plan<Direct32x32>(const Plan&, const Sgemm&, cudaStream_t);
extern template void launch_plan<Direct32x16>(const Plan&, const Sgemm&, cudaStream_t);
extern template void launch_plan<Row>(const Plan&, const Sgemm&, cudaStream_t);
extern template void launch_plan<WideRow>(const Plan&, const Sgemm&, cudaStream_t);
extern template void launch_plan<FourRows>(const Plan&, const Sgemm&, cudaStream_t);
extern template void launch_plan<WideFourRows>(const Plan&, const Sgemm&, cudaStream_t);
extern template void launch_plan<EightRows>(const Plan&, const Sgemm&, cudaStream_t);
extern template void launch_plan<Column>(const Plan&, const Sgemm&, cudaStream_t);
extern template void launch_plan<TallColumn>(const Plan&, const Sgemm&, cudaStream_t);
extern template void launch_plan<FourColumns>(const Plan&, const Sgemm&, cudaStream_t);
extern template void launch_plan<TallFourColumns>(const Plan&, const Sgemm&, cudaStream_t);

}  // namespace any_shape

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
