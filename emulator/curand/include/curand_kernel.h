/// cuRAND's device functions: each thread of a kernel has a state of its own, and draws from it.
///
/// The generators are XORWOW, Philox4_32_10 and MRG32k3a. They give the numbers that CUDA's give.
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "curand_lognormal.h"
#include "curand_mrg32k3a.h"
#include "curand_normal.h"
#include "curand_philox4x32_x.h"
#include "curand_poisson.h"
#include "curand_uniform.h"
#include "emulator/random_xorwow.h"

#endif  // CURAND_KERNEL_H_
