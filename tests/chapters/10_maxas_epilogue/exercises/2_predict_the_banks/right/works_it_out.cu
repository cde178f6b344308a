// The banks are worked out by the kernel itself.

/// A warp has a tile of 32 x 16 results, each lane 4 x 4 of them: four rows of a row group, four
/// columns of a column group. In which order do the lanes go through the tile? Here are three.
///
/// These functions and the two kernels below stay as they are.
__device__ int row_group_of(int order, int lane) {
  if (order == 0) return lane / 2 % 8;  // as in maxas
  if (order == 1) return lane % 8;      // down a column of the tile, then down the next
  return lane / 4;                      // along a row of the tile, then along the next
}

__device__ int col_group_of(int order, int lane) {
  if (order == 0) return lane / 16 * 2 + lane % 2;
  if (order == 1) return lane / 8;
  return lane % 4;
}

/// Each lane stores its own results.
__global__ void straight(int order,
                         float* C) {  // [32, 16], column-major
  const int row = 4 * row_group_of(order, threadIdx.x);
  const int col = 4 * col_group_of(order, threadIdx.x);
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i)
      C[(col + j) * 32 + row + i] = static_cast<float>((col + j) * 32 + row + i);
}

/// The results pass through shared memory. There, `pad` floats are left free between two columns.
__global__ void staged(int order, int pad,
                       float* C) {  // [32, 16], column-major
  __shared__ float4 stage[4 * (32 + 32) / 4];
  const int lane = threadIdx.x, stride = (32 + pad) / 4;
  const int row_group = row_group_of(order, lane), col_group = col_group_of(order, lane);
  for (int j = 0; j < 4; ++j) {
    const float first = static_cast<float>((4 * col_group + j) * 32 + 4 * row_group);
    stage[col_group * stride + row_group] =
        make_float4(first, first + 1.0f, first + 2.0f, first + 3.0f);
    __syncwarp();
    for (int group = 0; group < 4; ++group)
      C[(4 * group + j) * 32 + lane] = (&stage[group * stride].x)[lane];
    __syncwarp();
  }
}

/// Wavefronts of a warp's 16-byte store, a quarter of its lanes at a time.
__device__ int wavefronts(int order, int pad) {
  int all = 0;
  for (int quarter = 0; quarter < 4; ++quarter) {
    int fullest = 0;
    for (int bank = 0; bank < 32; ++bank) {
      int words = 0;
      for (int lane = 8 * quarter; lane < 8 * quarter + 8; ++lane) {
        const int first = col_group_of(order, lane) * (32 + pad) + 4 * row_group_of(order, lane);
        for (int word = first; word < first + 4; ++word) words += word % 32 == bank ? 1 : 0;
      }
      if (words > fullest) fullest = words;
    }
    all += fullest;
  }
  return all;
}

__global__ void answers(int* said) {
  int sectors = 0;
  for (int sector = 0; sector < 32 * 16 / 8; ++sector) {
    bool is_touched = false;
    for (int lane = 0; lane < 32; ++lane)
      is_touched |= (col_group_of(1, lane) * 4 * 32 + 4 * row_group_of(1, lane)) / 8 == sector;
    sectors += is_touched ? 1 : 0;
  }
  said[0] = sectors;
  said[1] = wavefronts(1, 0);
  said[2] = wavefronts(0, 8);
  said[3] = wavefronts(2, 0);
  said[4] = 0;
  while (wavefronts(2, said[4]) > 4) said[4] += 4;
}
