// kind: uncounted access
// run: error cuda
// The shared memory of a block that the launch does not have.
#include <cooperative_groups.h>
__global__ void kernel(int n, const float* in, float* out) {
  __shared__ float own[128];
  own[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = *cooperative_groups::this_cluster().map_shared_rank(&own[threadIdx.x], 5);
}
