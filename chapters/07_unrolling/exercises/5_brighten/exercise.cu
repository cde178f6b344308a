// Exercise 07.5: brighten the picture. `./course check 07 --exercise 5` says how far you are.

/// Makes a picture brighter: adds `more` to each byte, but no byte becomes more than 255.
///
/// The picture is that of chapter 00, with a red, a green and a blue byte for each pixel, so its
/// bytes are a multiple of three. They begin at a multiple of 256 bytes. The grid has at least a
/// thread for every four of them.
///
/// This is right, but each thread has one byte on its way at a time: the next load has to wait for
/// the store, because `out` might overlap `in`. Load and store a `uchar4` at a time: four times as
/// many bytes on their way, and a quarter of the requests. Mind the end of the picture.
__global__ void brighten(int bytes, int more,
                         const unsigned char* in,             // [bytes]
                         unsigned char* out) {                // [bytes]
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);  // of this thread's four bytes
#ifdef COURSE_SOLUTION
  if (i + 4 <= bytes) {
    uchar4 four = *reinterpret_cast<const uchar4*>(in + i);
    four.x = min(four.x + more, 255);
    four.y = min(four.y + more, 255);
    four.z = min(four.z + more, 255);
    four.w = min(four.w + more, 255);
    *reinterpret_cast<uchar4*>(out + i) = four;
    return;
  }
#else
  // TODO: where there are four bytes, load them together, and store them together.
#endif
  for (int k = i; k < i + 4 && k < bytes; ++k) out[k] = min(in[k] + more, 255);
}
