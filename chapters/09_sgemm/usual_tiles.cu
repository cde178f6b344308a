/// The tiles of step 17 without TMA, compiled apart: see chapters/CMakeLists.txt.

#include "steps/17_any_shape.cuh"

namespace any_shape {

template void launch_plan<Direct64x64>(const Plan&, const Sgemm&, cudaStream_t);
template void launch_plan<Direct32x32>(const Plan&, const Sgemm&, cudaStream_t);
template void launch_plan<Direct32x16>(const Plan&, const Sgemm&, cudaStream_t);
template void launch_plan<Row>(const Plan&, const Sgemm&, cudaStream_t);
template void launch_plan<NarrowRow>(const Plan&, const Sgemm&, cudaStream_t);
template void launch_plan<WideRow>(const Plan&, const Sgemm&, cudaStream_t);
template void launch_plan<FourRows>(const Plan&, const Sgemm&, cudaStream_t);
template void launch_plan<WideFourRows>(const Plan&, const Sgemm&, cudaStream_t);
template void launch_plan<EightRows>(const Plan&, const Sgemm&, cudaStream_t);
template void launch_plan<Column>(const Plan&, const Sgemm&, cudaStream_t);
template void launch_plan<TallColumn>(const Plan&, const Sgemm&, cudaStream_t);
template void launch_plan<FourColumns>(const Plan&, const Sgemm&, cudaStream_t);
template void launch_plan<TallFourColumns>(const Plan&, const Sgemm&, cudaStream_t);

}  // namespace any_shape
