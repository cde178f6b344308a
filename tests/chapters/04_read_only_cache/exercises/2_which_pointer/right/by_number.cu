// Letters worked out from numbers.
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

__global__ void answers(char* answer) {
  enum { a, b, c, d };
  const int choices[] = {c, a, d};
  answer[0] = static_cast<char>('a' + choices[0]);
  answer[1] = static_cast<char>('a' + choices[1]);
  answer[2] = static_cast<char>('a' + choices[2]);
}
