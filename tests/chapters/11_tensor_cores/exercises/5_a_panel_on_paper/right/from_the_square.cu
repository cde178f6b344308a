// Starting from the tile of 128 x 128: 512 cycles and 32 KiB.
__global__ void answers(int* answer) {
  answer[0] = 512 * 5 / 4;
  answer[1] = 32 / 2 + 32 / 2 * 5 / 4;
  answer[2] = answer[1] * 1024 / answer[0];
  answer[3] = 192 / answer[1];
  answer[4] = 64 * 5 / 4;
  answer[5] = 512 * 4;
  answer[6] = 32 * 2;
  answer[7] = 64 / 2;
  answer[8] = 192 / 64;
  answer[9] = 64 * 4;
}
