// Exercise 06.4: the grey picture. `./course check 06 --exercise 4` says how far you are.

constexpr int kChannels = 3;  // red, green, blue: a byte each

/// Turns a picture of n pixels grey. A pixel is three bytes, red, green and blue, and becomes one.
///
/// Neighbouring threads carry neighbouring bytes into shared memory, so that each request fills its
/// sector; then each thread takes its own pixel from there. Some pictures come out right. In
/// others, some of the last pixels are wrong. Find out why.
///
/// The grid covers n; blocks are one-dimensional, a multiple of 32, and have kChannels x blockDim.x
/// bytes of dynamic shared memory.
__global__ void grey(int n,
                     const unsigned char* rgb,  // [n, kChannels]
                     unsigned char* shade) {    // [n]
#ifdef COURSE_SOLUTION
#else
  // TODO: find out which pixels are wrong, and why.
#endif
  extern __shared__ unsigned char tile[];  // [blockDim.x, kChannels]
  const int first = blockIdx.x * blockDim.x;
  const int i = first + threadIdx.x;
#ifdef COURSE_SOLUTION
#else
  if (i >= n) return;
#endif

  for (int channel = 0; channel < kChannels; ++channel) {
    const int k = channel * blockDim.x + threadIdx.x;
    if (kChannels * first + k < kChannels * n) tile[k] = rgb[kChannels * first + k];
  }
  __syncthreads();
#ifdef COURSE_SOLUTION
  if (i >= n) return;
#endif

  const unsigned char* pixel = tile + kChannels * threadIdx.x;
  shade[i] = (77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2]) / 256;  // green looks brightest
}
