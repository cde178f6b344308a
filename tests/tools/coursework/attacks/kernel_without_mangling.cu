// kind: no kernel
// rule: kernel-missing
// says: extern "C"
extern "C" __global__ void kernel(int n, const float* in, float* out) {}
