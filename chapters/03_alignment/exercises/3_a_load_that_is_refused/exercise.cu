// Exercise 03.3: a load that is refused. `./course check 03 --exercise 3` says how far you are.

/// data[k] = factor x data[k] for k in [first, n) and for no other, four floats at a time.
///
/// It works until somebody has first = 1: then the kernel ends with "misaligned address". Find out
/// why, and mend it. Keep the wide accesses: a warp scales 128 floats with one load and one store,
/// and only the ends of [first, n) may take some more.
///
/// The array begins at a line. The grid has a thread for every four floats of the whole array, and
/// 32 more; blocks are a multiple of 32.
__global__ void scale_wide(int n, int first, float factor,
                           float* data) {  // [n]
#ifdef COURSE_SOLUTION
  const int k = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (k + 4 <= first || k >= n) return;

  if (k < first || k + 4 > n) {  // one by one: not all four are in [first, n)
    for (int i = max(k, first); i < min(k + 4, n); ++i) data[i] *= factor;
    return;
  }
#else
  // TODO: for which k can data[k] to data[k + 3] be loaded at once?
  const int k = first + 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= n) return;

  if (k + 4 > n) {  // one by one: the array ends here
    for (int i = k; i < n; ++i) data[i] *= factor;
    return;
  }
#endif
  float4* const four = reinterpret_cast<float4*>(data + k);
  const float4 old = *four;
  *four = make_float4(factor * old.x, factor * old.y, factor * old.z, factor * old.w);
}
