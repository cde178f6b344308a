// A colour comes from global memory, and goes through shared memory for show.
//! loads, shared, race
//= counts only together with that
__global__ void paint(int pixels, const int* steps, const unsigned* palette, unsigned* picture) {
  __shared__ unsigned places[1024];
  volatile unsigned* const place = &places[threadIdx.x];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) {
    *place = palette[steps[i]];
    picture[i] = *place;
  }
}
