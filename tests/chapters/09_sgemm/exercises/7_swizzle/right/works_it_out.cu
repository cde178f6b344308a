// Counts on its own how many words the fullest bank has, a quarter of the warp at a time for
// pieces.
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

__device__ int fullest_bank(int lanes, int floats, int pitch, int mask) {
  int wavefronts = 0;
  for (int first = 0; first < 32; first += lanes) {
    int most = 0;
    for (int bank = 0; bank < 32; ++bank) {
      int words = 0;
      for (int row = first; row < first + lanes; ++row)
        for (int i = 0; i < floats; ++i) words += (place_of(row, 0, pitch, mask) + i) % 32 == bank;
      most = max(most, words);
    }
    wavefronts += most;
  }
  return wavefronts;
}

__global__ void answers(int* said) {
  said[0] = fullest_bank(32, 1, 40, 0);
  said[1] = fullest_bank(32, 1, 32, 7);
  said[2] = fullest_bank(8, 4, 32, 0);
  said[3] = fullest_bank(8, 4, 32, 7);
  said[4] = fullest_bank(8, 4, 32, 3);
}
