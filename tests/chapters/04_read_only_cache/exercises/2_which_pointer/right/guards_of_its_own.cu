// The kernels with a guard in front of the loop, as the lesson has it.
__global__ void blend(int n, int rows, const float* weight, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int row = 0; row < rows; ++row) out[row * n + i] = in[row * n + i] * weight[0] + weight[1];
}

__global__ void blend_weight(int n, int rows, const float* __restrict__ weight, const float* in,
                             float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int row = 0; row < rows; ++row) out[row * n + i] = in[row * n + i] * weight[0] + weight[1];
}

__global__ void blend_in(int n, int rows, const float* weight, const float* __restrict__ in,
                         float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int row = 0; row < rows; ++row) out[row * n + i] = in[row * n + i] * weight[0] + weight[1];
}

__global__ void blend_out(int n, int rows, const float* weight, const float* in,
                          float* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int row = 0; row < rows; ++row) out[row * n + i] = in[row * n + i] * weight[0] + weight[1];
}

__global__ void answers(char* answer) {
  *answer++ = 'c';
  *answer++ = 'a';
  *answer++ = 'd';
}
