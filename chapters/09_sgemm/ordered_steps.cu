#include <cxxabi.h>

#include <cstdlib>
#include <memory>

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
extern template void launch_plan<NarrowRow>(const Plan&, const Sgemm&, cudaStream_t);
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

std::vector<Way> ways(const Sgemm& s, double most) {
  std::vector<Way> found;
  const double best_us = any_shape::choose(s).us;
  any_shape::for_each_choice(s, [&](const any_shape::Choice& choice) {
    if (choice.us > most * best_us) return;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(choice.tile->name(), nullptr, nullptr, &status), std::free);
    const std::string tile = name ? name.get() : choice.tile->name();
    Step step;
    step.name = "any_shape";
    step.launch = [choice](const Sgemm& problem, cudaStream_t stream) {
      choice.launch(choice.plan, problem, stream);
    };
    step.workspace_floats = [choice](const Sgemm& problem) {
      return choice.floats(choice.plan, problem);
    };
    step.lack = lack_for_bulk_steps;
    step.plan = [choice](const Sgemm&) -> Plan {
      return {choice.tile_m, choice.tile_n, choice.plan.blocks, choice.us};
    };
    const any_shape::Cost& times = choice.times;
    found.push_back({tile.substr(tile.rfind(':') + 1),
                     step,
                     {{"tiles", times.tile},
                      {"panels", times.panel},
                      {"waits", times.wait},
                      {"pieces", times.piece},
                      {"added_pieces", times.per_piece},
                      {"megabytes_again", times.again},
                      {"memory_us", any_shape::memory_us(s)},
                      {"copies_us", choice.copies_us}}});
  });
  return found;
}
