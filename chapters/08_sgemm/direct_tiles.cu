/// The tiles of step 17 whose panels come through registers, compiled apart: see
/// chapters/CMakeLists.txt.

#include "steps/17_any_shape.cuh"

template void pipeline::launch_direct<any_shape::Direct64x64>(const Sgemm&, cudaStream_t);
template void pipeline::launch_direct<any_shape::Direct32x32>(const Sgemm&, cudaStream_t);
template void pipeline::launch_direct<any_shape::Direct32x16>(const Sgemm&, cudaStream_t);
