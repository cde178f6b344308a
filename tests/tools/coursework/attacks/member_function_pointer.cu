// kind: engine symbols
// rule: function-pointer
// says: called by its address
struct S {
  float x;
  __device__ float a() { return x; }
  __device__ float b() { return -x; }
};
__global__ void kernel(int n, const float* in, float* out) {
  float (S::*f)() = n > 5 ? &S::a : &S::b;
  S s{in[threadIdx.x]};
  out[threadIdx.x] = (s.*f)();
}
