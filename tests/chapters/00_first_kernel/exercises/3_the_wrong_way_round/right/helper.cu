// The shade comes from a function of its own, in floats: exact, since the numbers are small.
__device__ int shade_at(float right, float down) {
  return static_cast<int>(right * right + down * down) % 256;
}

__global__ void rings(int width, int height, int* shade) {
  const dim3 pixel(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y);
  const bool is_inside = pixel.x < unsigned(width) && pixel.y < unsigned(height);
  if (!is_inside) return;
  const int middle_x = width / 2, middle_y = height / 2;
  shade[pixel.y * width + pixel.x] =
      shade_at(float(pixel.x) - float(middle_x), float(pixel.y) - float(middle_y));
}
