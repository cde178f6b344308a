// Exercise 03.6: fill what you touch. `./course check 03 --exercise 6` says how far you are.

/// Stores each record in a row of its own: record r becomes row ids[r] of the table. Rows begin
/// `pitch` floats apart, a multiple of 8, so that each begins a sector.
///
/// A record may end in the middle of a sector. The rest of that sector belongs to nobody: fill it
/// with zeros, so that every sector is stored whole, by one request. Touch no others.
/// @pre  the grid covers rows x pitch, blocks are one-dimensional and a multiple of 32;
///       1 <= cols <= pitch, and rows x pitch fits an int; no row is named twice; the table begins
///       at a line
__global__ void store_records(int rows, int cols, int pitch,
                              const int* ids,   // [rows]
                              const float* in,  // [rows, cols]
                              float* table) {   // [any number, pitch]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

#ifdef COURSE_SOLUTION
  constexpr int kSectorFloats = 8;
  const int stored = (cols + kSectorFloats - 1) / kSectorFloats * kSectorFloats;
  if (i >= rows * stored) return;

  const int row = i / stored, col = i % stored;
  table[ids[row] * pitch + col] = col < cols ? in[row * cols + col] : 0.0f;
#else
  // TODO: how many floats of the table should a record's threads store, so that no sector is left
  // half full? Where does the next record's first thread stand then?
  if (i >= rows * cols) return;

  const int row = i / cols, col = i % cols;
  table[ids[row] * pitch + col] = in[row * cols + col];
#endif
}
