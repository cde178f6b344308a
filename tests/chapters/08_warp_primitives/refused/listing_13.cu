// A shuffle between two barriers, in both sides of a branch: the odd lanes ask for lane 0, which is
// on the other side.
// refused: __shfl
// mended: __shfl(value -> __shfl_sync(0xffffffff, value

__global__ void shuffle_between_barriers(const int* in, int* out) {
  int value = in[threadIdx.x];
  if (threadIdx.x % 2 == 0) {
    __syncwarp();
    value = __shfl(value, 0);
    __syncwarp();
  } else {
    __syncwarp();
    value = __shfl(value, 0);
    __syncwarp();
  }
  out[threadIdx.x] = value;
}
