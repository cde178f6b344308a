// The answers as one word, and the kernels as they were given.
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
  const char word[] = "cad";
  for (int question = 0; question < 3; ++question) answer[question] = word[question];
}
