// From the last row up, and the first row at the end.
__global__ void sum_columns(int n, int rows, const float* in, float* sums, float* largest) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const float* element = in + (rows - 1) * n + i;
  float sum = *element, most = sum;
  for (int left = rows - 1; left > 0; --left) {
    element -= n;
    const float value = *element;
    sum += value;
    if (value > most) most = value;
  }
  largest[i] = most;
  sums[i] = sum;
}

__global__ void answers(int* requests) {
  requests[0] = 4;
  requests[1] = 2;
}
