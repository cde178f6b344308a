// Four floats at a time, and what is left one by one.
__global__ void kernel(int n, const float* in, float* out) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int quads = n / 4;
  if (thread < quads) {
    float4 v = reinterpret_cast<const float4*>(in)[thread];
    v.x *= 2.0f;
    v.y += 1.0f;
    v.z -= 1.0f;
    v.w = fmaf(v.w, 0.5f, v.x);
    reinterpret_cast<float4*>(out)[thread] = v;
  }
  if (thread < n % 4) out[quads * 4 + thread] = in[quads * 4 + thread];
}
