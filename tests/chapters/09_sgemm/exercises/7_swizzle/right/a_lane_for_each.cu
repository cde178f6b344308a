// Whatever thread there is answers, through a pointer that moves on.
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

__global__ void answers(int* said) {
  if (threadIdx.x != 0) return;
  *said++ = 32 / 4;
  *said++ = 32 / 8;
  *said++ = 4 * 8;
  *said++ = 4 * 1;
  *said++ = 4 * 2;
}
