// Exercise 09.9: even shares. `./course check 09 --exercise 9` says how far you are.

/// Neighbouring panels of one tile, which one block multiplies.
struct Piece {
  int tile;
  int first, count;  // the first of these panels in the tile, and how many there are
  int of;            // how many pieces the tile has, those of all blocks together
};

/// Writes down piece number `i` of the block, for the check to read. This stays as it is.
__device__ void write_down(const Piece& piece, int i, int room,
                           int4* pieces) {  // [gridDim.x, room]
  if (i < room)
    pieces[blockIdx.x * room + i] = make_int4(piece.tile, piece.first, piece.count, piece.of);
}

#ifdef COURSE_SOLUTION
/// Where the share of a block begins in the row of `all` panels.
__device__ int share_begin(int all, int block) {
  return static_cast<int>(static_cast<long long>(all) * block / gridDim.x);
}

/// Which block has that panel of the row.
__device__ int block_of(int all, int panel) {
  return static_cast<int>(((panel + 1LL) * gridDim.x - 1) / all);
}

#endif
/// Deals out the work of a product. C has `tiles` tiles, and each takes `panels` panels: k-tiles of
/// A and B. Every block writes down the pieces that it would multiply.
///
/// So far the blocks take whole tiles in turn. With four tiles of five panels and three blocks,
/// block 0 has ten panels and the others have five: half of the time they watch. Deal evenly, as
/// step 16 does. Lay the panels of all tiles end to end: those of tile 0, then those of tile 1, and
/// so on. Cut this row into one share for each block, in the order of the blocks. Their lengths
/// differ by one panel at most. A share may begin in the middle of a tile; where it runs into the
/// next tile, a new piece begins.
///
/// Whoever leaves the last piece of a tile adds up all of them. To know that it is the last, a
/// block needs Piece::of. It cannot ask the others: it works out what they have.
///
/// @pre  blocks of one thread; tiles and panels are at least 1, and tiles * panels fits into an
///       int; no share has more pieces than `room`. There may be more blocks than panels: blocks
///       without a share write nothing
__global__ void deal(int tiles, int panels, int room,
                     int4* pieces) {  // [gridDim.x, room]
#ifdef COURSE_SOLUTION
  const int all = tiles * panels, end = share_begin(all, blockIdx.x + 1);
  int i = 0;
  for (int cursor = share_begin(all, blockIdx.x); cursor < end;) {
    const int tile = cursor / panels, first = cursor % panels;
    const int count = min(end - cursor, panels - first);
    const int begin = tile * panels;  // of the tile, in the row
    const int blocks = block_of(all, begin + panels - 1) - block_of(all, begin) + 1;
    // With more blocks than panels, some of these blocks have nothing.
    write_down({tile, first, count, min(blocks, panels)}, i, room, pieces);
    cursor += count;
    ++i;
  }
#else
  // TODO: where does the block's share begin in the row of all panels, and where does it end? Go
  // through it piece by piece. And how many pieces does each of these tiles have?
  int i = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    write_down({tile, 0, panels, 1}, i, room, pieces);
    ++i;
  }
#endif
}
