// Operators of vector types and of a class of one's own, alignment, inheritance.
#include <vector_types.h>
struct __align__(16) Quad {
  float v[4];
};
__device__ float4 operator+(const float4& a, const float4& b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
inline __host__ __device__ float dot(float4 a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
struct Kahan {
  float sum = 0.0f, rest = 0.0f;
  __device__ Kahan& operator+=(float x) {
    const float y = x - rest, t = sum + y;
    rest = (t - sum) - y;
    sum = t;
    return *this;
  }
  __device__ explicit operator float() const { return sum; }
};
struct Base {
  int x = 0;
  __device__ int doubled() const { return 2 * x; }
};
struct Derived : Base {
  __device__ Derived() { x = 3; }
  using Base::doubled;
};
__global__ void kernel(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 a = make_float4(in[i], 1, 2, 3) + float4{1, 1, 1, 1};
  Quad quad = {{a.x, a.y, a.z, a.w}};
  Kahan total;
  for (int k = 0; k < 4; ++k) total += quad.v[(i + k) % 4];
  out[i] = static_cast<float>(total) + dot(a, a) + static_cast<float>(Derived().doubled());
}
