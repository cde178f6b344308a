// Exercise 10.3: right on a GPU. `./course check 10 --exercise 3` says how far you are.

/// Takes finished results from where the lanes of a product hold them to a column-major C. A warp
/// works through tiles of 32 x 16, one after another. In round j, a lane has four results of one
/// column, and the warp passes four columns through shared memory.
///
/// The author has run this on a GPU a hundred times, and every result was right. Here, many are
/// wrong. "There is a wait after the stores, and one after the loads," says the author, and blames
/// the emulator. Find out who is right, and mend the kernel.
///
/// @pre  128 threads; any grid
__global__ void store_tiles(int tiles,
                            const float* results,  // [tiles, 4 rounds, 32 lanes, 4]
                            float* C) {            // [32, 16 * tiles], column-major
  constexpr int kWarps = 4, kRows = 32, kCols = 16, kPad = 16;
  __shared__ float4 stage[kWarps][4][(kRows + kPad) / 4];  // four columns for each warp
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row_group = lane / 2 % 8, col_group = lane / 16 * 2 + lane % 2;
  const float4* const held = reinterpret_cast<const float4*>(results);

  for (int tile = blockIdx.x * kWarps + warp; tile < tiles; tile += gridDim.x * kWarps) {
    for (int j = 0; j < 4; ++j) {
      stage[warp][col_group][row_group] = held[(tile * 4 + j) * 32 + lane];
      __syncwarp();  // after the stores
      for (int group = 0; group < 4; ++group) {
        const float* const column = &stage[warp][group]->x;
        C[(tile * kCols + 4 * group + j) * kRows + lane] = column[lane];
      }
#ifdef COURSE_SOLUTION
      __syncwarp();  // after the loads
    }
#else
      // TODO: mend these two loops.
    }
    __syncwarp();  // after the loads
#endif
  }
}
