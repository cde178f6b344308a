// Exercise 03.5: what would help? `./course check 03 --exercise 5` says how far you are.

/// c[i] = a[i + offset] + b[i + offset]. With the other parameters at 0, this is add_from of the
/// lesson, and `./course profile` says of offset 11:
///
///     | global store c[i]               4 sectors          4    100.0 %
///     | global load a[i + offset]       5 sectors          4     80.0 %
///     | global load b[i + offset]       5 sectors          4     80.0 %
///
/// Thread i takes element i - shift. Given: nothing to do here.
__global__ void add_from(int n, int offset, int shift, int backwards, int past_l1, const float* a,
                         const float* b, float* c) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x - shift;
  if (thread < 0 || thread >= n - offset) return;

  const int i = backwards ? n - offset - 1 - thread : thread;
  const float* const left = a + i + offset;
  const float* const right = b + i + offset;
  c[i] = past_l1 ? __ldcg(left) + __ldcg(right) : *left + *right;
}

/// Loads n doubles from the offset on. Given: nothing to do here.
__global__ void copy_doubles(int n, int offset, const double* in, double* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + offset];
}

/// Write the letter of your choice between the quotes.
__global__ void answers(char* answer) {
  // 1. Which of these changes brings the loads of add_from from 5 sectors a request down to 4?
  //    a  blocks of 256 threads instead of 512
  //    b  five unused floats in front of both arrays, so that the offset becomes 16
  //    c  loads that pass L1 by
  //    d  neighbouring threads take the elements backwards (n - offset is a multiple of 32)
  //
  // 2. Now nothing may be moved: the offset stays 11. But the threads may be dealt out otherwise,
  //    with any shift. How many sectors do the two loads and the store of a warp in the middle of
  //    the arrays take together, at best? (Now they take 14.)
  //    a  15      b  14      c  13      d  12
  //
  // 3. How many sectors does a request of copy_doubles take at offset 11?
  //    a  8       b  16      c  10      d  9
#ifdef COURSE_SOLUTION
  answer[0] = 'b';
  answer[1] = 'c';
  answer[2] = 'd';
#else
  answer[0] = '?';  // TODO: your answer
  answer[1] = '?';  // TODO
  answer[2] = '?';  // TODO
#endif
}
