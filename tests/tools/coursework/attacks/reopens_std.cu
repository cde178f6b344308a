// kind: changing the check's source
// rule: namespace
// says: std
namespace std {
__device__ float half(float x) { return x / 2; }
}
__global__ void kernel(int n, const float* in, float* out) {}
