// kind: engine symbols
// rule: reserved-name
// says: emu
__global__ void kernel(int n, const float* in, float* out) {
  ::emu::record_atomic(in, 4, nullptr);
  out[threadIdx.x] = 1.0f;
}
