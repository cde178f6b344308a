// kind: changing the check's source
// rule: include
// says: outside of everything else
namespace mine {
#include <cuda_pipeline.h>
}
__global__ void kernel(int n, const float* in, float* out) {}
