// Deals out tiles until none is left.
__global__ void choose_tile(int m, int n, int k, int* columns, float* us) {
  *us = 3e38f;
  for (int width = 64; width <= 192; width += 64) {
    int tiles = (m + 127) / 128 * ((n + width - 1) / width);
    float round = width == 64 ? 4.29f : width == 128 ? 7.14f : 9.53f;
    for (int left = k; left > 0; left -= 64)
      round += width == 64 ? 0.511f : width == 128 ? 0.914f : 1.36f;
    int rounds = 0;
    for (; tiles > 0; tiles -= 132) ++rounds;
    if (rounds * round < *us) {
      *us = rounds * round;
      *columns = width;
    }
  }
}
