// The numbers in a list.
__global__ void answers(int* answer) {
  const int said[2][5] = {{640, 36, 57, 5, 80}, {2048, 64, 32, 3, 256}};
  for (int tile = 0; tile < 2; ++tile)
    for (int i = 0; i < 5; ++i) answer[5 * tile + i] = said[tile][i];
}
