// Exercise 01.1: number the threads. `./course check 01 --exercise 1` says how far you are.

/// Every thread of a block writes its warp, its lane and how many lanes its warp has.
///
/// Blocks have one, two or three dimensions. Only the last warp of a block may have fewer than 32
/// lanes. The last line asks the machine: it gives `leader` the number that lane 0 of this thread's
/// own warp holds.
__global__ void describe_threads(int* warp,      // [threads of the block]
                                 int* lane,      // [threads of the block]
                                 int* lanes,     // [threads of the block]
                                 int* leader) {  // [threads of the block]
  const int threads = blockDim.x * blockDim.y * blockDim.z;
#ifdef COURSE_SOLUTION
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int first_of_warp = thread - thread % warpSize;
  const int lanes_of_warp = min(threads - first_of_warp, warpSize);
#else
  // TODO: the number of this thread in its block, and the lanes of its warp.
  const int thread = 0;
  const int lanes_of_warp = threads;
#endif

  warp[thread] = thread / warpSize;
  lane[thread] = thread % warpSize;
  lanes[thread] = lanes_of_warp;
  leader[thread] = __shfl_sync(0xffffffff, thread, 0);
}
