// kind: engine symbols
// rule: reserved-name
// says: lgammaf
extern "C" __device__ float lgammaf(float x) noexcept { return x; }
__global__ void kernel(int n, const float* in, float* out) { out[threadIdx.x] = lgammaf(in[0]); }
