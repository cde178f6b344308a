// Through pointers to its elements, and with an index that has no sign.
__global__ void scale_and_add(int n, float factor, const float* x, float* y) {
  const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= static_cast<unsigned>(n)) return;
  const float* const from = x + i;
  float* const to = y + i;
  *to += *from * factor;
}
