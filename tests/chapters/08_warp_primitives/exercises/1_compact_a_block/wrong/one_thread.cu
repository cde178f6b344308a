// One thread of each block does everything.
//! order, atomics, vote, meetings, scan, banks, shares
//= requests to global memory of the busiest warp
__global__ void compact_blocks(int n, const int* in, int* count, int* out) {
  if (threadIdx.x != 0) return;
  const int begin = blockIdx.x * blockDim.x, end = min(n, begin + static_cast<int>(blockDim.x));
  int kept = 0;
  for (int i = begin; i < end; ++i) kept += in[i] < 0;
  if (kept == 0) return;
  int place = atomicAdd(count, kept);
  for (int i = begin; i < end; ++i)
    if (in[i] < 0) out[place++] = in[i];
}
