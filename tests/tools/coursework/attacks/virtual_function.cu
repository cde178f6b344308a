// kind: engine symbols
// rule: virtual
// says: virtual functions
struct Base {
  __device__ virtual float f() { return 1.0f; }
};
__global__ void kernel(int n, const float* in, float* out) {
  Base b;
  out[threadIdx.x] = b.f();
}
