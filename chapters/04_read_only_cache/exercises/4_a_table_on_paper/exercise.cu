// Exercise 04.4: a table on paper. `./course check 04 --exercise 4` says how far you are.

/// A palette has 256 colours, a float each, and begins at a line. In three kernels, a warp looks up
/// the colours of 32 pixels, one for each lane. All three are given: nothing to do in them.
__global__ void slope(const float* palette, float* colours) {
  const int lane = threadIdx.x;
  colours[lane] = palette[40 + lane / 2];
}

__global__ void border(const float* palette, float* colours) {
  const int lane = threadIdx.x;
  colours[lane] = palette[lane < 20 ? 7 : 8];
}

__global__ void noise(const float* palette, float* colours) {
  const int lane = threadIdx.x;
  colours[lane] = palette[lane * 5];
}

/// Constant memory asks how many different entries a warp wants: each takes a turn. Global memory
/// asks how many sectors. Work both out on paper, and write them down here.
__global__ void answers(int* answer) {
#ifdef COURSE_SOLUTION
  answer[0] = 16;
  answer[1] = 2;
  answer[2] = 2;
  answer[3] = 2;
  answer[4] = 32;
  answer[5] = 20;
#else
  // TODO: your answers
  answer[0] = 0;  // slope: how many turns, if the palette were in constant memory?
  answer[1] = 0;  // slope: how many sectors of the palette, as it is?
  answer[2] = 0;  // border: turns
  answer[3] = 0;  // border: sectors
  answer[4] = 0;  // noise: turns
  answer[5] = 0;  // noise: sectors
#endif
}
