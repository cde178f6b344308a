// The whole list is fetched at once: there is room for short ones.
//! pieces, race, fetches, all warps, barriers
//= m = 12500
__global__ void count_smaller(int n, int m, const float* x, const float* list, int* counts) {
  constexpr int kRoom = 1200;
  __shared__ float all[kRoom];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mine = i < n ? x[i] : 0.0f;
  for (int k = threadIdx.x; k < min(m, kRoom); k += blockDim.x) all[k] = list[k];
  __syncthreads();
  int smaller = 0;
  for (int k = 0; k < min(m, kRoom); ++k) smaller += all[k] < mine;
  if (i < n) counts[i] = smaller;
}
