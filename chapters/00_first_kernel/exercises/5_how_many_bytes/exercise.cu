// Exercise 00.5: how many bytes? `./course check 00 --exercise 5` says how far you are.

/// Five small kernels. Given: leave them as they are. The check launches them, and counts.

/// Adds two arrays, with a thread for each element.
__global__ void add(int n, const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

/// Scales an array in place, with a thread for each element.
__global__ void scale(int n, float factor, float* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = factor * a[i];
}

/// Fills an array, with a thread for each element.
__global__ void fill(int n, float value, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = value;
}

/// Adds the first halves of two arrays. There are n threads all the same.
__global__ void add_half(int n, const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) c[i] = a[i] + b[i];
}

/// Adds array b to array a, with a grid of any size. It is launched twice, and counted each time:
/// with 2 n threads, and with 64.
__global__ void add_to(int n, const float* b, float* a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    a[i] += b[i];
    i += gridDim.x * blockDim.x;
  }
}

/// How many bytes does one launch of each kernel move, loads and stores together? Each array has n
/// elements of 4 bytes, and n is a multiple of 1024. The check tries several n.
__global__ void answers(int n, int* bytes) {  // [5]
#ifdef COURSE_SOLUTION
  bytes[0] = 12 * n;
  bytes[1] = 8 * n;
  bytes[2] = 4 * n;
  bytes[3] = 6 * n;
  bytes[4] = 12 * n;
#else
  // TODO: so many times n.
  bytes[0] = 0 * n;  // add
  bytes[1] = 0 * n;  // scale
  bytes[2] = 0 * n;  // fill
  bytes[3] = 0 * n;  // add_half
  bytes[4] = 0 * n;  // add_to, whichever grid it has
#endif
}
