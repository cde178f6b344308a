// kind: engine
// rule: thread-local
// says: thread_local
thread_local float stash;
__global__ void kernel(int n, const float* in, float* out) { stash = in[0]; }
