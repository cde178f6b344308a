// A pointer to the row, and a stride over pictures that are larger than the grid.
__global__ void rings(int width, int height, int* shade) {
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < height;
       row += gridDim.y * blockDim.y) {
    int* const line = shade + row * width;
    for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < width;
         col += gridDim.x * blockDim.x) {
      const int x = col - width / 2, y = row - height / 2;
      line[col] = (x * x + y * y) % 256;
    }
  }
}
