// The kernels that were given are empty.
//! as given, where, in place, efficiency
//= blend_weight is not as it was given: its results are wrong
__global__ void blend(int n, int rows, const float* weight, const float* in, float* out) {}
__global__ void blend_weight(int n, int rows, const float* weight, const float* in, float* out) {}
__global__ void blend_in(int n, int rows, const float* weight, const float* in, float* out) {}
__global__ void blend_out(int n, int rows, const float* weight, const float* in, float* out) {}
__global__ void answers(char* answer) {}
