// Exercise 09.7: swizzle. `./course check 09 --exercise 7` says how far you are.

/// A tile of 32 x 32 floats in shared memory, of which a warp reads a column: each lane its own
/// row. Where does an element lie? In row `row`, which has room for `pitch` floats. And there,
/// pieces of 16 bytes may have changed places: piece `piece` lies where piece `piece ^ (row &
/// mask)` would. With mask = 0 nothing has moved. With mask = 7 and pitch
/// 32 it is TMA's 128-byte swizzle (of a tile that begins at a multiple of 1024 bytes).
///
/// These functions and the two kernels below stay as they are.
__device__ int place_of(int row, int col, int pitch, int mask) {
  const int piece = col / 4;
  return row * pitch + (piece ^ (row & mask)) * 4 + col % 4;
}

__device__ void fill(float* tile, int pitch, int mask) {
  for (int row = 0; row < 32; ++row)
    tile[place_of(row, threadIdx.x, pitch, mask)] = static_cast<float>(row * 32 + threadIdx.x);
  __syncwarp();
}

/// Each lane reads one float of its row, 4 bytes.
__global__ void read_floats(int pitch, int mask, int col,
                            float* out) {  // [32]
  __shared__ __align__(128) float tile[32 * 64];
  fill(tile, pitch, mask);
  const int row = threadIdx.x;
  out[row] = tile[place_of(row, col, pitch, mask)];
}

/// Each lane reads one piece of its row, 16 bytes: columns 4 piece to 4 piece + 3.
__global__ void read_pieces(int pitch, int mask, int piece,
                            float4* out) {  // [32]
  __shared__ __align__(128) float tile[32 * 64];
  fill(tile, pitch, mask);
  const int row = threadIdx.x;
  out[row] = *reinterpret_cast<const float4*>(&tile[place_of(row, 4 * piece, pitch, mask)]);
}

/// Your predictions: how many wavefronts does such a read of the warp take? Work them out on paper.
/// The check tells you whether they are right, and not what is right. It counts what the two
/// kernels above really do.
__global__ void answers(int* said) {  // [5]
#ifdef COURSE_SOLUTION
  said[0] = 8;
  said[1] = 4;
  said[2] = 32;
  said[3] = 4;
  said[4] = 8;
#else
  // TODO: your five numbers.
  // A column of floats, without a swizzle (mask = 0), where a row has 8 floats of padding: pitch
  // 40?
  said[0] = 0;
  // A column of floats, with pitch 32 and TMA's swizzle (mask = 7)?
  said[1] = 0;
  // A column of 16-byte pieces, with pitch 32 and no swizzle?
  said[2] = 0;
  // A column of 16-byte pieces, with pitch 32 and TMA's swizzle?
  said[3] = 0;
  // The same with half a swizzle, mask = 3?
  said[4] = 0;
#endif
}
