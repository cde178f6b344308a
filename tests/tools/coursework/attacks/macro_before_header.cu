// kind: changing the check's source
// rule: include
// says: before the first #define
#define inline inline __attribute__((no_sanitize("thread")))
#include <cuda_pipeline.h>
__global__ void kernel(int n, const float* in, float* out) {}
