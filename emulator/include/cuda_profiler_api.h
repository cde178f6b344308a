/// cudaProfilerStart and cudaProfilerStop: there is no profiler to tell, both do nothing.
#ifndef __CUDA_PROFILER_API_H__
#define __CUDA_PROFILER_API_H__

#include "driver_types.h"

extern "C" {
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
}

#endif  // __CUDA_PROFILER_API_H__
