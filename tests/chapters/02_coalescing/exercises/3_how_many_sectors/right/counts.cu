// Counts the sectors instead of thinking, as the hardware does: a bit for each.
__global__ void load_once(int pattern, const float* in, float* out) {
  const int lane = threadIdx.x;
  int element = -1;
  switch (pattern) {
    case 0:
      element = 3 * lane;
      break;
    case 1:
      element = lane % 2 == 0 ? lane : -1;
      break;
    case 2:
      element = lane / 4 * 100;
      break;
    case 3:
      element = lane / 8 * 640 + lane % 8;
      break;
    case 4:
      element = lane / 16 * 640 + lane % 16 * 2;
      break;
  }
  out[lane] = element < 0 ? 0.0f : in[element];
}

__device__ int count_sectors(int pattern) {
  int count = 0;
  for (int sector = 0; sector < 4 * 640 / 8; ++sector) {
    bool is_touched = false;
    for (int lane = 0; lane < 32; ++lane) {
      const int elements[] = {3 * lane, lane % 2 == 0 ? lane : -8, lane / 4 * 100,
                              lane / 8 * 640 + lane % 8, lane / 16 * 640 + lane % 16 * 2};
      is_touched = is_touched || (elements[pattern] >= 0 && elements[pattern] / 8 == sector);
    }
    count += is_touched;
  }
  return count;
}

__global__ void answers(int* sectors) {
  for (int pattern = 0; pattern < 5; ++pattern) sectors[pattern] = count_sectors(pattern);
}
