// A template, pointers that walk, and an anonymous structure.
template <class T, int kStep = 1>
__device__ T product_of(const T* a, int a_step, const T* b, int b_step, int count) {
  T sum{};
  while (count > 0) {
    sum = fmaf(*a, *b, sum);
    a += kStep * a_step;
    b += kStep * b_step;
    count -= kStep;
  }
  return sum;
}

__global__ void sgemm_transposed_a(int m, int n, int k, const float* A, const float* B, float* C) {
  struct {
    int row, col;
  } const mine = {static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y),
                  static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x)};
  if (mine.row < m && mine.col < n)
    C[mine.row * n + mine.col] = product_of<float>(A + mine.row, m, B + mine.col, n, k);
}
