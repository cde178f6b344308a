// Counts the journeys of an element, and multiplies by the size of a float.
__global__ void add(int n, const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void scale(int n, float factor, float* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= factor;
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

__device__ int bytes_of(int elements, int loads, int stores) {
  return elements * (loads + stores) * static_cast<int>(sizeof(float));
}

__global__ void answers(int n, int* bytes) {
  bytes[4] = bytes_of(n, 2, 1);
  bytes[3] = bytes_of(n / 2, 2, 1);
  bytes[2] = bytes_of(n, 0, 1);
  bytes[1] = bytes_of(n, 1, 1);
  bytes[0] = bytes_of(n, 2, 1);
}
