// Numbers the pixel first, and finds its row and column from the number.
__global__ void rings(int width, int height, int* shade) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int pixel = x + width * y;
  const int right = pixel % width - width / 2, down = pixel / width - height / 2;
  shade[pixel] = (right * right + down * down) & 255;
}
