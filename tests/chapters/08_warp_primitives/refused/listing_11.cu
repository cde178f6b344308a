// The same with a barrier before the vote: the lanes have met, but nothing keeps them together.
// refused: __ballot
// mended: __ballot(passes) -> __ballot_sync(0xffffffff, passes)

__global__ void vote_after_barrier(const int* in, unsigned* out) {
  const int value = in[threadIdx.x];
  bool passes = false;
  if (threadIdx.x % 2 == 0) {
    passes = value % 2 == 0;
  } else {
    passes = value % 2 != 0;
  }
  __syncwarp();
  out[threadIdx.x] = __ballot(passes);
}
