// Counts the lanes that answer, instead of working them out.
__global__ void describe_threads(int* warp, int* lane, int* lanes, int* leader) {
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned present = __ballot_sync(0xffffffff, 1);
  const int first = __shfl_sync(0xffffffff, thread, 0);
  leader[thread] = first;
  warp[thread] = first / 32;
  lane[thread] = thread - first;
  lanes[thread] = __popc(present);
}
