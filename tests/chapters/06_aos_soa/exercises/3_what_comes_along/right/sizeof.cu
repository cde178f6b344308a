// The compiler is asked how large everything is.
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

__global__ void load_field(int layout, const float* memory, float* out) {
  const int lane = threadIdx.x;
  float field = 0.0f;
  switch (layout) {
    case 0:
      field = reinterpret_cast<const Sample*>(memory)[lane].value;
      break;
    case 1:
      field = reinterpret_cast<const Point*>(memory)[lane].z;
      break;
    case 2:
      field = memory[1001 + lane];
      break;
    case 3:
      field = reinterpret_cast<const Tile*>(memory)[lane / 8].y[lane % 8];
      break;
    case 4:
      field = reinterpret_cast<const Pixel*>(memory)[lane].green;
      break;
  }
  out[lane] = field;
}

__global__ void answers(int* sectors) {
  constexpr int kSector = 32;
  sectors[0] = 32 * sizeof(Sample) / kSector;
  sectors[1] = 32 * sizeof(Point) / kSector;
  sectors[2] = (4 * (1001 + 31)) / kSector - 4 * 1001 / kSector + 1;
  sectors[3] = 32 / 8 * sizeof(Tile) / 2 / kSector;
  sectors[4] = 32 * sizeof(Pixel) / kSector;
}
