// kind: engine symbols
// rule: reserved-name
// says: __tsan_read4
// `extern "C"` is allowed. The name is what is refused.
extern "C" void __tsan_read4(void*) {}
__global__ void kernel(int n, const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }
