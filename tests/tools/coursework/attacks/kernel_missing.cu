// kind: no kernel
// rule: kernel-missing
// says: the exercise needs
__global__ void kernel(int n, const double* in, float* out) {}
