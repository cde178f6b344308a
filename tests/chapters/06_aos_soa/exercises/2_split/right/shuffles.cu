// No shared memory: a lane loads every 32nd float of its warp's structures, and asks the lanes that
// have its fields for them.
__global__ void split_particles(int n, int pitch, const float* particles, float* arrays) {
  constexpr int kFields = 7, kLanes = 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % kLanes;
  const int first = i - lane, floats = kFields * min(kLanes, n - first);
  if (first >= n) return;
  float mine[kFields] = {};
  for (int k = 0; k < kFields; ++k)
    if (k * kLanes + lane < floats) mine[k] = particles[kFields * first + k * kLanes + lane];
  for (int field = 0; field < kFields; ++field) {
    const int wanted = kFields * lane + field;
    float value = 0.0f;
    for (int k = 0; k < kFields; ++k) {
      const float offered = __shfl_sync(0xffffffff, mine[k], wanted % kLanes);
      if (wanted / kLanes == k) value = offered;
    }
    if (i < n) arrays[field * pitch + i] = value;
  }
}
