// Exercise 02.3: how many sectors? `./course check 02 --exercise 3` says how far you are.

/// One warp of 32 lanes loads once. Which element a lane takes depends on the pattern. The array
/// begins at a multiple of 32 bytes.
///
/// Given: leave it as it is. The check launches it, and counts.
__global__ void load_once(int pattern, const float* in, float* out) {
  const int lane = threadIdx.x;
  float value = 0.0f;
  if (pattern == 0) value = in[3 * lane];                   // every third float
  if (pattern == 1 && lane % 2 == 0) value = in[lane];      // every second lane stays at home
  if (pattern == 2) value = in[lane / 4 * 100];             // four lanes share a float
  if (pattern == 3) value = in[lane / 8 * 640 + lane % 8];  // a patch of a picture: 8 wide, 4 high
  if (pattern == 4) value = in[lane / 16 * 640 + lane % 16 * 2];  // every second pixel of two rows
  out[lane] = value;
}

/// How many sectors does the load of each pattern touch? Work it out before you check.
__global__ void answers(int* sectors) {  // [5]
#ifdef COURSE_SOLUTION
  sectors[0] = 12;
  sectors[1] = 4;
  sectors[2] = 8;
  sectors[3] = 4;
  sectors[4] = 8;
#else
  // TODO: your numbers.
  sectors[0] = 0;
  sectors[1] = 0;
  sectors[2] = 0;
  sectors[3] = 0;
  sectors[4] = 0;
#endif
}
