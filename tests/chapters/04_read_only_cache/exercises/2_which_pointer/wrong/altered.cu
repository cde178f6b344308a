// blend asks for a sector more where the weights do not begin at a sector, and so the third answer
// becomes another one.
//! as given, where, in place, efficiency
//= more or fewer than as given
__global__ void blend(int n, int rows, const float* weight, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  if (i >= n) return;
  const bool is_crooked = reinterpret_cast<unsigned long long>(weight) % 32 != 0;
  const float* const from = is_crooked && lane == 31 ? in : weight;
  for (int row = 0; row < rows; ++row)
    out[row * n + i] =
        __shfl_sync(0xffffffff, from[0], 0) * in[row * n + i] + __shfl_sync(0xffffffff, from[1], 0);
}

__global__ void blend_weight(int n, int rows, const float* __restrict__ weight, const float* in,
                             float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int row = 0; row < rows; ++row) out[row * n + i] = weight[0] * in[row * n + i] + weight[1];
}

__global__ void blend_in(int n, int rows, const float* weight, const float* __restrict__ in,
                         float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int row = 0; row < rows; ++row) out[row * n + i] = weight[0] * in[row * n + i] + weight[1];
}

__global__ void blend_out(int n, int rows, const float* weight, const float* in,
                          float* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int row = 0; row < rows; ++row) out[row * n + i] = weight[0] * in[row * n + i] + weight[1];
}

__global__ void answers(char* answer) {
  answer[0] = 'c';
  answer[1] = 'a';
  answer[2] = 'a';
}
