// Exercise 03.1: start on a line boundary. `./course check 03 --exercise 1` says how far you are.

/// data[k] = factor x data[k] for k in [first, n) and for no other. Touch each sector and each line
/// of that part once, whatever `first` is. (If you handle the ends separately, up to six more of
/// each are fine.) The warps share the work: none makes more than 12 requests.
///
/// For a stream like this one it gains next to nothing, as the lesson says. You need the index for
/// wide loads: see exercise 3.
///
/// The array begins at a line. The grid covers n - first + 32 threads; blocks are a multiple of 32.
__global__ void scale_from(int n, int first, float factor,
                           float* data) {  // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef COURSE_SOLUTION
  const int begin = first / warpSize * warpSize;
  if (i < first - begin) return;
#else
  // TODO: let the warps begin where a line begins, and the lanes in front of `first` do nothing.
  const int begin = first;
#endif

  if (i >= n - begin) return;
  data[begin + i] *= factor;
}
