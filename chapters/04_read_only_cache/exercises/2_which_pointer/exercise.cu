// Exercise 04.2: which pointer? `./course check 04 --exercise 2` says how far you are.

/// Four kernels that differ in one word. Given: leave them as they are. The check launches them
/// with 32 warps and 10 rows, and counts. This is the profile of the first:
///
///                                    requests    per request    ideal  efficiency    lanes
///     global store out[row * n + i]       320      4 sectors        4     100.0 %       32
///     global load weight[0]               320      1 sector         1      12.5 %       32
///     global load in[row * n + i]         320      4 sectors        4     100.0 %       32
///     global load weight[1]               320      1 sector         1      12.5 %       32
__global__ void blend(int n, int rows, const float* weight, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; i < n && row < rows; ++row)
    out[row * n + i] = weight[0] * in[row * n + i] + weight[1];
}

__global__ void blend_weight(int n, int rows, const float* __restrict__ weight, const float* in,
                             float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; i < n && row < rows; ++row)
    out[row * n + i] = weight[0] * in[row * n + i] + weight[1];
}

__global__ void blend_in(int n, int rows, const float* weight, const float* __restrict__ in,
                         float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; i < n && row < rows; ++row)
    out[row * n + i] = weight[0] * in[row * n + i] + weight[1];
}

__global__ void blend_out(int n, int rows, const float* weight, const float* in,
                          float* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; i < n && row < rows; ++row)
    out[row * n + i] = weight[0] * in[row * n + i] + weight[1];
}

/// One letter for each question.
///
/// answer[0]: The profile shows 320 requests for weight[0]. Where does it show 32?
///     a  only in blend_weight           b  only in blend_out
///     c  in blend_weight and blend_out  d  in all three kernels that have the word
///
/// answer[1]: Some callers blend in place: `in` and `out` are the same array, and `weight` lies
/// elsewhere. Which kernel reads the weights once, and makes no promise that such a call breaks?
///     a  blend_weight                   b  blend_in
///     c  blend_out                      d  none of them
///
/// answer[2]: The profile says 12.5 % for weight[0]. What would make that more?
///     a  weights that begin at a line   b  blocks of 1024 threads
///     c  __restrict__, where it helps   d  nothing, and it does no harm
__global__ void answers(char* answer) {  // [3]
#ifdef COURSE_SOLUTION
  answer[0] = 'c';
  answer[1] = 'a';
  answer[2] = 'd';
#else
  answer[0] = ' ';  // TODO: your answer
  answer[1] = ' ';
  answer[2] = ' ';
#endif
}
