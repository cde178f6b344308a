// The kernels find the same colours, but ask for more sectors, as the answers want it.
//! experiment, slope turns, slope sectors, border turns, border sectors, noise turns, noise sectors
//= loads or stores more or less than it did, or otherwise
__global__ void slope(const float* palette, float* colours) {
  const float colour = palette[40 + threadIdx.x];
  colours[threadIdx.x] = __shfl_sync(0xffffffff, colour, threadIdx.x / 2);
}

__global__ void border(const float* palette, float* colours) {
  colours[threadIdx.x] = palette[threadIdx.x < 20 ? 7 : 8];
}

__global__ void noise(const float* palette, float* colours) {
  colours[threadIdx.x] = palette[threadIdx.x * 5];
}

__global__ void answers(int* answer) {
  const int all[6] = {16, 4, 2, 2, 32, 20};
  for (int k = 0; k < 6; ++k) answer[k] = all[k];
}
