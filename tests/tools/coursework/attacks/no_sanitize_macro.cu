// kind: uncounted access
// rule: attribute
// says: no_sanitize_thread
#define JOIN(a, b) a##b
#define QUIET [[gnu::JOIN(no_sanitize_, thread)]]
QUIET __device__ float peek(const float* p) { return *p; }
__global__ void kernel(int n, const float* in, float* out) { out[threadIdx.x] = peek(in + threadIdx.x); }
