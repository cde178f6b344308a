// kind: engine
// run: cudaErrorIllegalAddress
// Inline PTX goes where a pointer must not go.
__global__ void kernel(int n, const float* in, float* out) {
  float x = 0;
  const unsigned long long address = reinterpret_cast<unsigned long long>(&x) & ~0xffffull;
  asm volatile("ld.global.f32 %0, [%1];" : "=f"(x) : "l"(address));
  out[threadIdx.x] = x;
}
