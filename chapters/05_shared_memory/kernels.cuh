#pragma once

constexpr int kTile = 32;  // rows and columns of a tile
constexpr int kFour = 4;   // pixels of a tile for each thread of the kernels called ..._four
constexpr int kEight = 8;  // the same for the kernels of bytes
constexpr int kWide = 4, kHigh = 8;     // a piece of a tile, for the lanes of a warp
constexpr int kAcross = kTile / kWide;  // pieces of a tile side by side
constexpr unsigned kTableEntries = 256;
constexpr int kPointsWide = 64, kPointsHigh = 4;  // a block of soften_together
constexpr int kPieces = 33 * 32;  // that the kernels read_..._bytes have in shared memory

/// Copies a picture with the blocks of the kernels below: as many bytes, and nothing to rearrange.
///
/// @expect  sectors of a full warp: 4 loaded, 4 stored
/// @pre     blocks are 32 x 32, and the grid covers `in`; width x height fits an int
__global__ void copy_picture(int width, int height,
                             const int* in,  // [height, width]
                             int* out) {     // [height, width]
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  if (col < width && row < height) out[row * width + col] = in[row * width + col];
}

/// Mirrors a picture at its diagonal: rows become columns. A warp loads from a row of `in`, and
/// stores down a column of `out`.
///
/// @expect  sectors of a full warp: 4 loaded, 32 stored
/// @pre     blocks are 32 x 32, and the grid covers `in`; width x height fits an int
__global__ void mirror_by_rows(int width, int height,
                               const int* in,  // [height, width]
                               int* out) {     // [width, height]
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  if (col < width && row < height) out[col * height + row] = in[row * width + col];
}

/// The same the other way round: a warp loads down a column of `in`, and stores to a row of `out`.
///
/// @expect  sectors of a full warp: 32 loaded, 4 stored
/// @pre     blocks are 32 x 32, and the grid covers `out`; width x height fits an int
__global__ void mirror_by_columns(int width, int height,
                                  const int* in,  // [height, width]
                                  int* out) {     // [width, height]
  const int row = blockIdx.x * kTile + threadIdx.x;
  const int col = blockIdx.y * kTile + threadIdx.y;
  if (col < width && row < height) out[col * height + row] = in[row * width + col];
}

/// Neither rows nor columns: a warp takes a piece of 4 x 8 pixels, on both sides.
///
/// @expect  sectors of a full warp: 8 loaded, 4 stored, where 8 divides width and height
/// @pre     blocks are 32 x 32, and the grid covers `in`; width x height fits an int
__global__ void mirror_by_pieces(int width, int height,
                                 const int* in,  // [height, width]
                                 int* out) {     // [width, height]
  const int col = blockIdx.x * kTile + threadIdx.y % kAcross * kWide + threadIdx.x % kWide;
  const int row = blockIdx.y * kTile + threadIdx.y / kAcross * kHigh + threadIdx.x / kWide;
  if (col < width && row < height) out[col * height + row] = in[row * width + col];
}

/// The same with a quarter of the threads: each loads the pixels of four pieces, one below the
/// other, before it stores them.
///
/// @expect  the counters of mirror_by_pieces
/// @pre     blocks are 32 x 8, and the grid covers `in` in tiles of 32 x 32; width x height fits an
///          int
__global__ void mirror_pieces_four(int width, int height,
                                   const int* in,  // [height, width]
                                   int* out) {     // [width, height]
  const int col = blockIdx.x * kTile + threadIdx.y * kWide + threadIdx.x % kWide;
  const int row = blockIdx.y * kTile + threadIdx.x / kWide;
  int pixels[kFour];
  for (int k = 0; k < kFour; ++k)
    if (col < width && row + k * kHigh < height) pixels[k] = in[(row + k * kHigh) * width + col];
  for (int k = 0; k < kFour; ++k)
    if (col < width && row + k * kHigh < height) out[col * height + row + k * kHigh] = pixels[k];
}

/// Without shared memory, as well as it goes: a thread loads four pixels from each of four rows,
/// and stores four columns of four.
///
/// @expect  sectors for 32 pixels: 4 loaded, 4 stored
/// @pre     width and height are multiples of 4; blocks are 8 x 32, and the grid covers `in` in
///          pieces of 32 x 128 pixels; width x height fits an int
__global__ void mirror_in_registers(int width, int height,
                                    const int4* in,       // [height, width / 4]
                                    int4* out) {          // [width, height / 4]
  const int col = blockIdx.x * blockDim.x + threadIdx.x;  // of pieces of 4 x 4 pixels
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (4 * col >= width || 4 * row >= height) return;

  int4 rows[4];
  for (int k = 0; k < 4; ++k) rows[k] = in[(4 * row + k) * (width / 4) + col];
  int4* to = out + 4 * col * (height / 4) + row;
  to[0 * (height / 4)] = make_int4(rows[0].x, rows[1].x, rows[2].x, rows[3].x);
  to[1 * (height / 4)] = make_int4(rows[0].y, rows[1].y, rows[2].y, rows[3].y);
  to[2 * (height / 4)] = make_int4(rows[0].z, rows[1].z, rows[2].z, rows[3].z);
  to[3 * (height / 4)] = make_int4(rows[0].w, rows[1].w, rows[2].w, rows[3].w);
}

/// Mirrors a picture through a tile in shared memory: a warp loads from a row of `in` and stores to
/// a row of `out`. Only in the tile does it go down a column.
///
/// @expect  sectors of a full warp: 4 loaded, 4 stored; wavefronts: 1 to put 32 pixels into the
///          tile, 32 to take them out
/// @pre     blocks are 32 x 32, and the grid covers `in`; width x height fits an int
__global__ void mirror_tile(int width, int height,
                            const int* in,  // [height, width]
                            int* out) {     // [width, height]
  __shared__ int tile[kTile][kTile];
  const int left = blockIdx.x * kTile, top = blockIdx.y * kTile;  // of the tile, in `in`
  const int x = threadIdx.x, y = threadIdx.y;
  if (left + x < width && top + y < height) tile[y][x] = in[(top + y) * width + left + x];
  __syncthreads();  // the whole tile is there
  if (top + x < height && left + y < width) out[(left + y) * height + top + x] = tile[x][y];
}

/// The same with a column more in the tile, which nobody uses: neighbours in a column lie in
/// different banks.
///
/// @expect  sectors of a full warp: 4 loaded, 4 stored; wavefronts: 1 in, 1 out
/// @pre     blocks are 32 x 32, and the grid covers `in`; width x height fits an int
__global__ void mirror_padded(int width, int height,
                              const int* in,  // [height, width]
                              int* out) {     // [width, height]
  __shared__ int tile[kTile][kTile + 1];
  const int left = blockIdx.x * kTile, top = blockIdx.y * kTile;  // of the tile, in `in`
  const int x = threadIdx.x, y = threadIdx.y;
  if (left + x < width && top + y < height) tile[y][x] = in[(top + y) * width + left + x];
  __syncthreads();  // the whole tile is there
  if (top + x < height && left + y < width) out[(left + y) * height + top + x] = tile[x][y];
}

/// The same with rows of `pitch` words, in shared memory whose size the launch decides.
///
/// @expect  wavefronts to take 32 pixels out: the greatest common divisor of pitch and 32
/// @pre     pitch >= 32, and the launch gives 32 x pitch ints of shared memory; blocks are 32 x 32,
///          and the grid covers `in`; width x height fits an int
__global__ void mirror_pitch(int width, int height, int pitch,
                             const int* in,                       // [height, width]
                             int* out) {                          // [width, height]
  extern __shared__ int pitched[];                                // [kTile, pitch]
  const int left = blockIdx.x * kTile, top = blockIdx.y * kTile;  // of the tile, in `in`
  const int x = threadIdx.x, y = threadIdx.y;
  if (left + x < width && top + y < height)
    pitched[y * pitch + x] = in[(top + y) * width + left + x];
  __syncthreads();  // the whole tile is there
  if (top + x < height && left + y < width)
    out[(left + y) * height + top + x] = pitched[x * pitch + y];
}

/// mirror_padded with a quarter of the threads: each loads four pixels before it waits.
///
/// @expect  the counters of mirror_padded
/// @pre     blocks are 32 x 8, and the grid covers `in` in tiles of 32 x 32; width x height fits an
///          int
__global__ void mirror_four(int width, int height,
                            const int* in,  // [height, width]
                            int* out) {     // [width, height]
  __shared__ int tile[kTile][kTile + 1];
  const int left = blockIdx.x * kTile, top = blockIdx.y * kTile;  // of the tile, in `in`
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kTile / kFour)
    if (left + x < width && top + y < height) tile[y][x] = in[(top + y) * width + left + x];
  __syncthreads();  // the whole tile is there
  for (int y = threadIdx.y; y < kTile; y += kTile / kFour)
    if (top + x < height && left + y < width) out[(left + y) * height + top + x] = tile[x][y];
}

/// mirror_pieces_four with pixels of one byte, eight for each thread.
///
/// @expect  sectors of a full warp's request: 8 loaded, 4 stored, where 32 divides width and height
/// @pre     blocks are 32 x 4, and the grid covers `in` in tiles of 32 x 32; width x height fits an
///          int
__global__ void mirror_bytes_pieces(int width, int height,
                                    const unsigned char* in,  // [height, width]
                                    unsigned char* out) {     // [width, height]
  unsigned char pixels[kEight];
  for (int k = 0; k < kEight; ++k) {
    const int piece = threadIdx.y + k * (kTile / kEight);
    const int col = blockIdx.x * kTile + piece % kAcross * kWide + threadIdx.x % kWide;
    const int row = blockIdx.y * kTile + piece / kAcross * kHigh + threadIdx.x / kWide;
    if (col < width && row < height) pixels[k] = in[row * width + col];
  }
  for (int k = 0; k < kEight; ++k) {
    const int piece = threadIdx.y + k * (kTile / kEight);
    const int col = blockIdx.x * kTile + piece % kAcross * kWide + threadIdx.x % kWide;
    const int row = blockIdx.y * kTile + piece / kAcross * kHigh + threadIdx.x / kWide;
    if (col < width && row < height) out[col * height + row] = pixels[k];
  }
}

/// mirror_four with pixels of one byte, eight for each thread. Four of them share a word of the
/// tile, so that its rows are a word longer than need be, not a byte.
///
/// @expect  sectors of a full warp's request: 1 loaded, 1 stored, where 32 divides width and
///          height; wavefronts: 1 in, 1 out
/// @pre     blocks are 32 x 4, and the grid covers `in` in tiles of 32 x 32; width x height fits an
///          int
__global__ void mirror_bytes_tile(int width, int height,
                                  const unsigned char* in,  // [height, width]
                                  unsigned char* out) {     // [width, height]
  __shared__ unsigned char tile[kTile][kTile + sizeof(int)];
  const int left = blockIdx.x * kTile, top = blockIdx.y * kTile;  // of the tile, in `in`
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kTile / kEight)
    if (left + x < width && top + y < height) tile[y][x] = in[(top + y) * width + left + x];
  __syncthreads();  // the whole tile is there
  for (int y = threadIdx.y; y < kTile; y += kTile / kEight)
    if (top + x < height && left + y < width) out[(left + y) * height + top + x] = tile[x][y];
}

/// mirror_padded without its barrier. Wrong on purpose: a warp may store pixels that another one
/// has not loaded yet.
///
/// @expect  the counters of mirror_padded
/// @pre     as for mirror_padded
__global__ void mirror_no_barrier(int width, int height,
                                  const int* in,  // [height, width]
                                  int* out) {     // [width, height]
  __shared__ int tile[kTile][kTile + 1];
  const int left = blockIdx.x * kTile, top = blockIdx.y * kTile;  // of the tile, in `in`
  const int x = threadIdx.x, y = threadIdx.y;
  if (left + x < width && top + y < height) tile[y][x] = in[(top + y) * width + left + x];
  if (top + x < height && left + y < width) out[(left + y) * height + top + x] = tile[x][y];
}

/// One load of a warp from shared memory: lane l reads number l x stride, 4 bytes.
///
/// @expect  wavefronts of the load: the greatest common divisor of stride and 32
/// @pre     one block of 32 threads; stride is from 1 to 33
__global__ void read_4_bytes(int stride, int* out) {  // [32]
  __shared__ int numbers[kPieces];
  for (int k = threadIdx.x; k < kPieces; k += blockDim.x) numbers[k] = k;
  __syncthreads();
  out[threadIdx.x] = numbers[threadIdx.x * stride];
}

/// The same with pairs, 8 bytes: the hardware serves half a warp at a time.
///
/// @expect  wavefronts of the load: 2, for neighbouring pairs
/// @pre     one block of 32 threads; stride is from 1 to 33
__global__ void read_8_bytes(int stride, int2* out) {  // [32]
  __shared__ int2 pairs[kPieces];
  for (int k = threadIdx.x; k < kPieces; k += blockDim.x) pairs[k] = make_int2(k, -k);
  __syncthreads();
  out[threadIdx.x] = pairs[threadIdx.x * stride];
}

/// The same with fours, 16 bytes: the hardware serves a quarter of a warp at a time.
///
/// @expect  wavefronts of the load: 4, for neighbouring fours
/// @pre     one block of 32 threads; stride is from 1 to 33
__global__ void read_16_bytes(int stride, int4* out) {  // [32]
  __shared__ int4 fours[kPieces];
  for (int k = threadIdx.x; k < kPieces; k += blockDim.x) fours[k] = make_int4(k, -k, 2 * k, 3);
  __syncthreads();
  out[threadIdx.x] = fours[threadIdx.x * stride];
}

/// Chapter 04's look_up_global with a copy of the table in shared memory: the block fetches every
/// entry once, waits until all of them are there, and looks up.
///
/// @expect  global load requests: 1 per warp and, where warps are full, kTableEntries / 32 per
///          block; shared load requests per warp: rounds
/// @pre     the grid covers n; blocks are one-dimensional; first[i] + rounds fits an int
__global__ void look_up_shared(int n, int rounds,
                               const float* table,  // [kTableEntries]
                               const int* first,    // [n], none negative
                               float* out) {        // [n]
  __shared__ float shared_table[kTableEntries];
  for (unsigned entry = threadIdx.x; entry < kTableEntries; entry += blockDim.x)
    shared_table[entry] = table[entry];
  __syncthreads();  // the whole table is there

  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const int start = first[i];
  float sum = 0.0f;
  for (int round = 0; round < rounds; ++round) sum += shared_table[(start + round) % kTableEntries];
  out[i] = sum;
}

/// Paints a picture with soft edges: each pixel is the mean of 2 x 2 points, whose colours a thread
/// looks up alone.
///
/// @expect  per full warp: 4 load requests of 8 sectors for the steps (two times the same 8), and 4
///          for their colours; 4 store sectors, where 64 divides wide
/// @pre     blocks have any size, and the grid covers the picture; wide and high are even
__global__ void soften_alone(int wide, int high,
                             const int* __restrict__ steps,         // [high, wide]
                             const unsigned* __restrict__ palette,  // [colours]: 0xRRGGBB
                             unsigned* __restrict__ picture) {      // [high / 2, wide / 2]
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= wide / 2 || row >= high / 2) return;

  unsigned colours[4];
  for (int k = 0; k < 4; ++k)
    colours[k] = palette[steps[(2 * row + k / 2) * wide + 2 * col + k % 2]];

  unsigned mean = 0;
  for (int shift = 0; shift < 24; shift += 8) {  // blue, green, red
    unsigned sum = 0;
    for (int k = 0; k < 4; ++k) sum += colours[k] >> shift & 255;
    mean |= sum / 4 << shift;
  }
  picture[row * (wide / 2) + col] = mean;
}

/// The same, but each thread looks up the colour of one point, and a quarter of the threads take
/// four colours each from shared memory.
///
/// @expect  per full warp: 1 load request of 4 sectors for the steps, and 1 for their colours; 1
///          shared store; for a quarter of the warps 12 shared loads, of 2 wavefronts each, and 4
///          store sectors; all where 64 divides wide
/// @pre     blocks are 64 x 4, and the grid covers the points; wide and high are even
__global__ void soften_together(int wide, int high,
                                const int* __restrict__ steps,         // [high, wide]
                                const unsigned* __restrict__ palette,  // [colours]: 0xRRGGBB
                                unsigned* __restrict__ picture) {      // [high / 2, wide / 2]
  __shared__ unsigned tile[kPointsHigh][kPointsWide];
  const int x = threadIdx.x, y = threadIdx.y;
  const int left = blockIdx.x * kPointsWide, top = blockIdx.y * kPointsHigh;
  if (left + x < wide && top + y < high) tile[y][x] = palette[steps[(top + y) * wide + left + x]];
  __syncthreads();

  const int col = left / 2 + x, row = top / 2 + y;
  if (x >= kPointsWide / 2 || y >= kPointsHigh / 2 || col >= wide / 2 || row >= high / 2) return;

  unsigned mean = 0;
  for (int shift = 0; shift < 24; shift += 8) {  // blue, green, red
    unsigned sum = 0;
    for (int k = 0; k < 4; ++k) sum += tile[2 * y + k / 2][2 * x + k % 2] >> shift & 255;
    mean |= sum / 4 << shift;
  }
  picture[row * (wide / 2) + col] = mean;
}
