/// @file
/// What chapter 09 multiplies with for others: step 17, and step 16 where the device itself asks.

#include "ffma_product.hpp"

#include "bulk_steps.hpp"
#include "on_demand.cuh"

namespace ffma_product {
namespace {

const Step& step_17() {
  static const Step step = ordered_steps().back();
  return step;
}

}  // namespace

double predicted_us(const Sgemm& s) { return step_17().plan(s).predicted_us; }
std::size_t workspace_floats(const Sgemm& s) { return step_17().workspace_floats(s); }
void launch(const Sgemm& s, cudaStream_t stream) { step_17().launch(s, stream); }

std::size_t on_demand_floats(const Sgemm& s) { return on_demand::workspace_floats(s); }
int* demand(const Sgemm& s) { return on_demand::word_of(s); }
void launch_on_demand(const Sgemm& s, int wanted, cudaStream_t stream) {
  on_demand::launch_if(s, wanted, stream);
}

}  // namespace ffma_product
