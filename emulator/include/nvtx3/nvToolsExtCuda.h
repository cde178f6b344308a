/// NVTX: names for the objects of the driver API, which nobody shows.
#ifndef NVTOOLSEXT_CUDA_V3
#define NVTOOLSEXT_CUDA_V3

#include <cuda.h>

#include "nvtx3/nvToolsExt.h"

static inline void nvtxNameCuDeviceA(CUdevice a, const char* b) {
  (void)a;
  (void)b;
}
static inline void nvtxNameCuDeviceW(CUdevice a, const wchar_t* b) {
  (void)a;
  (void)b;
}
static inline void nvtxNameCuContextA(CUcontext a, const char* b) {
  (void)a;
  (void)b;
}
static inline void nvtxNameCuContextW(CUcontext a, const wchar_t* b) {
  (void)a;
  (void)b;
}
static inline void nvtxNameCuStreamA(CUstream a, const char* b) {
  (void)a;
  (void)b;
}
static inline void nvtxNameCuStreamW(CUstream a, const wchar_t* b) {
  (void)a;
  (void)b;
}
static inline void nvtxNameCuEventA(CUevent a, const char* b) {
  (void)a;
  (void)b;
}
static inline void nvtxNameCuEventW(CUevent a, const wchar_t* b) {
  (void)a;
  (void)b;
}

#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA

#endif  // NVTOOLSEXT_CUDA_V3
