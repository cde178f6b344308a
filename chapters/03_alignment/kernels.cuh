#pragma once

/// One request: the lanes of a warp load consecutive floats, the first of them `first` floats
/// behind the beginning of a line.
///
/// @expect  full warp: 4 sectors if `first` is a multiple of 8, else 5; 1 line if it is a multiple
///          of 32, else 2
/// @pre     one block of at most 32 threads
__global__ void load_from(int first,
                          const float* in,  // [first + 32]
                          float* out) {     // [32]
  const int lane = threadIdx.x;
  out[lane] = in[first + lane];
}

/// One request: the lanes take turns at `sectors` sectors, which begin `pitch` sectors apart.
///
/// With sectors = 4 and pitch = 1 these are the floats of one line, in another order. With pitch =
/// 4, every sector lies in a line of its own.
/// @expect  as many sectors as asked for; as many lines if the pitch is 4
/// @pre     one block of at most 32 threads; sectors from 1 to 32
__global__ void load_sectors(int sectors, int pitch,
                             const float* in,  // [((sectors - 1) x pitch + 1) x 8]
                             float* out) {     // [32]
  constexpr int kSectorFloats = 8;
  const int lane = threadIdx.x;
  const int sector = lane % sectors;
  const int word = lane / sectors % kSectorFloats;
  out[lane] = in[sector * pitch * kSectorFloats + word];
}

/// One request: all lanes load the same float.
///
/// @expect  1 sector, 1 line
/// @pre     one block of at most 32 threads
__global__ void load_one_word(int word,
                              const float* in,  // [word + 1]
                              float* out) {     // [32]
  const int lane = threadIdx.x;
  out[lane] = in[word];
}

/// One request: every eight lanes fill one of `sectors` sectors, which begin `pitch` sectors apart.
///
/// @expect  as many store sectors as asked for, neither more nor rounded up
/// @pre     one block of at most 32 threads; sectors from 1 to 4
__global__ void store_sectors(int sectors, int pitch,
                              const float* in,  // [32]
                              float* out) {     // [((sectors - 1) x pitch + 1) x 8]
  constexpr int kSectorFloats = 8;
  const int lane = threadIdx.x;
  const int sector = lane / kSectorFloats;
  const int word = lane % kSectorFloats;
  if (sector >= sectors) return;

  out[sector * pitch * kSectorFloats + word] = in[lane];
}

/// C[i] = A[i + offset] + B[i + offset]: the loads begin `offset` floats into A and B.
///
/// Writes [0, n - offset) of C and nothing else; nothing at all if offset >= n.
/// @expect  per full warp and load: 4 sectors if the offset is a multiple of 8, else 5; 1 line if
///          it is a multiple of 32, else 2; stores: 4 sectors, 1 line
/// @pre     the grid covers n - offset, blocks are one-dimensional and a multiple of 32;
///          0 <= n <= 2^30, 0 <= offset
__global__ void read_offset(int n, int offset,
                            const float* A,  // [n]
                            const float* B,  // [n]
                            float* C) {      // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - offset) return;  // cannot overflow, unlike i + offset >= n

  const int k = i + offset;
  C[i] = A[k] + B[k];
}

/// The same with loads that pass L1 by: __ldcg() means "cache globally", which is in L2 only.
///
/// @expect  the requests, sectors and lines of read_offset, all equal
/// @pre     as for read_offset
__global__ void read_offset_l2_only(int n, int offset,
                                    const float* A,  // [n]
                                    const float* B,  // [n]
                                    float* C) {      // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - offset) return;  // cannot overflow, unlike i + offset >= n

  const int k = i + offset;
  C[i] = __ldcg(&A[k]) + __ldcg(&B[k]);
}

/// C[i + offset] = A[i] + B[i]: the stores begin `offset` floats into C.
///
/// Writes [offset, n) of C and nothing else; nothing at all if offset >= n.
/// @expect  per full warp and store: 4 sectors if the offset is a multiple of 8, else 5; loads: 4
/// @pre     as for read_offset
__global__ void write_offset(int n, int offset,
                             const float* A,  // [n]
                             const float* B,  // [n]
                             float* C) {      // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - offset) return;  // cannot overflow, unlike i + offset >= n

  const int k = i + offset;
  C[k] = A[i] + B[i];
}

/// Fetches rows of a table in the order of `ids`, as a look-up in a table of words does: row r of
/// `out` is row ids[r] of the table, whose rows begin `pitch` floats apart, behind a header of
/// `header` floats.
///
/// @expect  rows of 32 floats: a warp's load of the table takes 4 sectors if its row begins at a
///          multiple of 8 floats, else 5; one more sector for its id; stores: 4 sectors
/// @pre     the grid covers rows x cols, blocks are one-dimensional and a multiple of 32;
///          1 <= cols <= pitch, every index is below 2^31
__global__ void gather_rows(int rows, int cols, int pitch, int header,
                            const int* ids,      // [rows]
                            const float* table,  // [header + rows x pitch]
                            float* out) {        // [rows, cols]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * cols) return;

  const int row = i / cols, col = i % cols;
  out[i] = table[header + ids[row] * pitch + col];
}

/// The other way round: row r of `in` goes to row ids[r] of the table.
///
/// Writes `cols` floats of each of these rows, and nothing else.
/// @expect  rows of 32 floats: a warp's store takes 4 sectors if its row begins at a multiple of 8
///          floats, else 5
/// @pre     as for gather_rows, and no row is named twice
__global__ void scatter_rows(int rows, int cols, int pitch, int header,
                             const int* ids,   // [rows]
                             const float* in,  // [rows, cols]
                             float* table) {   // [header + rows x pitch]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * cols) return;

  const int row = i / cols, col = i % cols;
  table[header + ids[row] * pitch + col] = in[i];
}
