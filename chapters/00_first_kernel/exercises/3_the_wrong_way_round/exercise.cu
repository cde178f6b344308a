// Exercise 00.3: the wrong way round. `./course check 00 --exercise 3` says how far you are.

/// Draws rings around the middle of a picture, one pixel per thread: shade is how far a pixel lies
/// from the middle, squared, modulo 256.
///
/// A square picture looks right. A wide one does not. Find out why.
///
/// @pre  the grid covers width x height in x and y
__global__ void rings(int width, int height,
                      int* shade) {  // [height, width]
#ifdef COURSE_SOLUTION
#else
  // TODO: one of these lines is wrong.
#endif
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= height) return;

  const int right = col - width / 2, down = row - height / 2;
#ifdef COURSE_SOLUTION
  shade[row * width + col] = (right * right + down * down) % 256;
#else
  shade[col * height + row] = (right * right + down * down) % 256;
#endif
}
