#include "kernels_under_test.hpp"
#include "tensor_steps.hpp"

Kernels kernels_under_test() {
  const auto launch_of = [](const Step& step) { return *step.launch.target<Launch*>(); };
  const auto steps = tensor_steps();
  return {.one_product = launch_of(steps.at(0)),
          .three_products = launch_of(steps.at(1)),
          .wgmma = launch_of(steps.at(2)),
          .large_tile = launch_of(steps.at(3)),
          .promotion = launch_of(steps.at(4)),
          .producer = launch_of(steps.at(5)),
          .registers = launch_of(steps.at(6)),
          .longer_pieces = launch_of(steps.at(7)),
          .persistent = launch_of(steps.at(8)),
          .fitting_tiles = launch_of(steps.at(9)),
          .any_input = launch_of(steps.at(10)),
          .clusters = launch_of(clusters_of_two())};
}
