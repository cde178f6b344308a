// Goes through the elements as the kernels do, and adds up what each moves.
__global__ void add(int n, const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void scale(int n, float factor, float* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = factor * a[i];
}

__global__ void fill(int n, float value, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = value;
}

__global__ void add_half(int n, const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) c[i] = a[i] + b[i];
}

__global__ void add_to(int n, const float* b, float* a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    a[i] += b[i];
    i += gridDim.x * blockDim.x;
  }
}

__global__ void answers(int n, int* bytes) {
  int sums[5] = {};
  for (int i = 0; i < 2 * n; ++i) {
    if (i < n) {
      sums[0] += 4 + 4 + 4;
      sums[1] += 4 + 4;
      sums[2] += 4;
      sums[4] += 4 + 4 + 4;
    }
    if (i < n / 2) sums[3] += 4 + 4 + 4;
  }
  for (int i = 0; i < 5; ++i) bytes[i] = sums[i];
}
