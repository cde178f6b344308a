/// The driver API's header, which programs often include without need. The rewriter names the
/// driver's functions where they are used; there are none here.
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#define CUDA_VERSION 13000

#include "cuda_runtime_api.h"

#endif  // __cuda_cuda_h__
