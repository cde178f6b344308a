// Exercise 05.4: turn a picture through a tile. `./course check 05 --exercise 4` says how far you
// are.

constexpr int kTile = 32;

/// Rotates a picture by a quarter turn, clockwise: its first row becomes the last column of `out`.
///
/// Through a tile in shared memory, so that loads and stores both go along rows: 8 sectors for 32
/// pixels. Going to the tile and coming from it, a warp's 32 pixels take one wavefront each.
///
/// The result is right, and stores go down columns.
///
/// @pre  blocks are 32 x 32, and the grid covers the picture
__global__ void turn_through_tile(int width, int height,
                                  const int* in,                       // [height, width]
                                  int* out) {                          // [width, height]
  const int tile_x = blockIdx.x * kTile, tile_y = blockIdx.y * kTile;  // of the tile, in `in`
  const int x = threadIdx.x, y = threadIdx.y;
#ifdef COURSE_SOLUTION
  __shared__ int tile[kTile][kTile + 1];
  if (tile_x + x < width && tile_y + y < height) tile[y][x] = in[(tile_y + y) * width + tile_x + x];
  __syncthreads();
  if (tile_y + x < height && tile_x + y < width)
    out[(tile_x + y) * height + (height - 1 - (tile_y + x))] = tile[x][y];
#else
  // TODO: put the tile in between. Which pixel of it does a thread store, so that neighbours store
  // neighbours?
  if (tile_x + x < width && tile_y + y < height)
    out[(tile_x + x) * height + (height - 1 - (tile_y + y))] =
        in[(tile_y + y) * width + tile_x + x];
#endif
}
