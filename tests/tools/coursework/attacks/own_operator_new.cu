// kind: expected results
// rule: language
// says: is not allowed
#include <cstddef>
__device__ void* operator new(std::size_t, int);
__global__ void kernel(int n, const float* in, float* out) { out[0] = *new float(1.0f); }
