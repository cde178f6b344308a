/// NVTX: names for the objects of the runtime API, which nobody shows.
#ifndef NVTOOLSEXT_CUDART_V3
#define NVTOOLSEXT_CUDART_V3

#include <cuda_runtime_api.h>

#include "nvtx3/nvToolsExt.h"

static inline void nvtxNameCudaDeviceA(int a, const char* b) {
  (void)a;
  (void)b;
}
static inline void nvtxNameCudaDeviceW(int a, const wchar_t* b) {
  (void)a;
  (void)b;
}
static inline void nvtxNameCudaStreamA(cudaStream_t a, const char* b) {
  (void)a;
  (void)b;
}
static inline void nvtxNameCudaStreamW(cudaStream_t a, const wchar_t* b) {
  (void)a;
  (void)b;
}
static inline void nvtxNameCudaEventA(cudaEvent_t a, const char* b) {
  (void)a;
  (void)b;
}
static inline void nvtxNameCudaEventW(cudaEvent_t a, const wchar_t* b) {
  (void)a;
  (void)b;
}

#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA

#endif  // NVTOOLSEXT_CUDART_V3
