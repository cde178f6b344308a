// A vote after a branch, in the hope that the branch brought the lanes back together.
// refused: __ballot
// mended: __ballot(passes) -> __ballot_sync(0xffffffff, passes)

__global__ void vote_after_branch(const int* in, unsigned* out) {
  const int value = in[threadIdx.x];
  bool passes = false;
  if (threadIdx.x % 2 == 0) {
    passes = value % 2 == 0;
  } else {
    passes = value % 2 != 0;
  }
  out[threadIdx.x] = __ballot(passes);
}
