/// @file
/// What NVIDIA's header of this name computes, the functions cudaOccupancy... of the runtime API
/// answer here. Thrust 1.17 includes it, and uses nothing of it.
#ifndef CUDA_OCCUPANCY_H
#define CUDA_OCCUPANCY_H
#endif
