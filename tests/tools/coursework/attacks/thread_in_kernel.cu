// kind: uncounted access
// rule: include
// says: thread
#include <thread>
__global__ void kernel(int n, const float* in, float* out) {}
