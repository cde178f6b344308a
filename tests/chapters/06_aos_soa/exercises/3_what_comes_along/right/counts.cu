// Counts sectors instead of thinking: a new one begins wherever two lanes are in different ones.
__device__ int byte_of(int layout, int lane) {
  const int bytes[] = {16 * lane + 8, 12 * lane + 8, 4 * (1001 + lane),
                       64 * (lane / 8) + 32 + 4 * (lane % 8), 3 * lane + 1};
  return bytes[layout];
}

__global__ void load_field(int layout, const float* memory, float* out) {
  const int byte = byte_of(layout, threadIdx.x);
  out[threadIdx.x] =
      layout == 4 ? reinterpret_cast<const unsigned char*>(memory)[byte] : memory[byte / 4];
}

__global__ void answers(int* sectors) {
  for (int layout = 0; layout < 5; ++layout) {
    sectors[layout] = 1;
    for (int lane = 1; lane < 32; ++lane)
      sectors[layout] += byte_of(layout, lane) / 32 != byte_of(layout, lane - 1) / 32;
  }
}
