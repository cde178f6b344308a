// Warps in pairs: one fills a box, the other reads it, each pair at barriers of its own.
__global__ void kernel(int n, const float* in, float* out) {
  __shared__ float box[2][32];
  const int t = threadIdx.x, warp = t / 32, lane = t % 32, pair = warp / 2;
  const int i = blockIdx.x * blockDim.x + t;
  if (warp % 2 == 0) {
    box[pair][lane] = i < n ? in[i] : 0.0f;
    __barrier_sync_count(1 + pair, 64);
  } else {
    __barrier_sync_count(1 + pair, 64);
    if (i < n) out[i] = box[pair][31 - lane];
  }
  __barrier_sync(5);
}
