// A pointer goes down the column, and the first row begins both results.
__global__ void sum_columns(int n, int rows, const float* in, float* sums, float* largest) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const float* element = in + i;
  const float* const end = element + std::ptrdiff_t{rows} * n;
  float sum = *element, most = *element;
  while ((element += n) != end) {
    const float value = *element;
    sum += value;
    if (value > most) most = value;
  }
  sums[i] = sum;
  largest[i] = most;
}

__global__ void answers(int* requests) {
  requests[0] = 4;
  requests[1] = 2;
}
