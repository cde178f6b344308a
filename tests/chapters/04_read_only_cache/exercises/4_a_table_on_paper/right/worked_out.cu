// Worked out: different entries, and sectors of eight.
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

__device__ void count(int (&entry)[32], int* turns, int* sectors) {
  *turns = *sectors = 0;
  for (int i = 0; i < 32; ++i) {
    bool is_new = true, is_new_sector = true;
    for (int j = 0; j < i; ++j) {
      is_new &= entry[j] != entry[i];
      is_new_sector &= entry[j] / 8 != entry[i] / 8;
    }
    *turns += is_new;
    *sectors += is_new_sector;
  }
}

__global__ void answers(int* answer) {
  int entry[3][32];
  for (int lane = 0; lane < 32; ++lane) {
    entry[0][lane] = 40 + lane / 2;
    entry[1][lane] = lane < 20 ? 7 : 8;
    entry[2][lane] = lane * 5;
  }
  for (int k = 0; k < 3; ++k) count(entry[k], answer + 2 * k, answer + 2 * k + 1);
}
