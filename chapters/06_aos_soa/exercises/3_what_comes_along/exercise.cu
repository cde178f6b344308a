// Exercise 06.3: what comes along? `./course check 06 --exercise 3` says how far you are.

struct Sample {
  double time;
  float value;
};

struct Point {
  float x, y, z;
};

struct Tile {
  float x[8], y[8];
};

struct Pixel {
  unsigned char red, green, blue;
};

/// One warp loads one field of 32 neighbours: lane 0 of the first, lane 1 of the second, and so on.
/// `memory` begins at a line, and holds what the layout says.
///
/// Given: leave it as it is. The check launches it, and counts.
__global__ void load_field(int layout, const float* memory, float* out) {
  const int lane = threadIdx.x;
  float field = 0.0f;
  if (layout == 0) field = reinterpret_cast<const Sample*>(memory)[lane].value;
  if (layout == 1) field = reinterpret_cast<const Point*>(memory)[lane].z;
  if (layout == 2) field = memory[1001 + lane];  // x of 1001 points, and y right behind them
  if (layout == 3) field = reinterpret_cast<const Tile*>(memory)[lane / 8].y[lane % 8];
  if (layout == 4) field = reinterpret_cast<const Pixel*>(memory)[lane].green;
  out[lane] = field;
}

/// How many sectors does the load touch in each layout? Work it out before you check.
__global__ void answers(int* sectors) {  // [5]
#ifdef COURSE_SOLUTION
  sectors[0] = 16;
  sectors[1] = 12;
  sectors[2] = 5;
  sectors[3] = 4;
  sectors[4] = 3;
#else
  sectors[0] = 0;  // TODO: how many?
  sectors[1] = 0;
  sectors[2] = 0;
  sectors[3] = 0;
  sectors[4] = 0;
#endif
}
