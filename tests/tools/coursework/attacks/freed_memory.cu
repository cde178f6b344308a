// kind: uncounted access
// run: global_load_requests 64
// What was freed stays device memory while the kernel runs. So nothing of the grader's can lie
// there, and a load from it is counted as every other: 32 of in[0], 32 of these.
#include <cstdlib>
__global__ void kernel(int n, const float* in, float* out) {
  float* const own = static_cast<float*>(malloc(4096));
  own[0] = in[0];
  free(own);
  out[threadIdx.x] = own[0];
}
