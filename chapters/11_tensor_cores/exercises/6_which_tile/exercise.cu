// Exercise 11.6: which tile? `./course check 11 --exercise 6` says how far you are.

constexpr int kMultiprocessors = 132;  // of an H100; each computes one tile at a time
constexpr int kTileRows = 128;
constexpr int kTwoSpans = 64;  // k in which the time of a round is counted

/// What a *round* of tiles takes on an H100, in microseconds, as any_size.md has it: a beginning
/// and an end, and so much for every two spans of k, 64, the last of which may be short. In a
/// round, every multiprocessor computes a tile; in the last round, some may have none.
struct Tile {
  int columns;
  float start, span;
};

__device__ const Tile kTiles[] = {{64, 4.29f, 0.511f}, {128, 7.14f, 0.914f}, {192, 9.53f, 1.36f}};

/// Which of the three tiles multiplies [m, k] by [k, n] in the shortest time, and how long that
/// takes. (Only the rounds: launches and splitting are the same for all.) The grid is one thread.
__global__ void choose_tile(int m, int n, int k, int* columns, float* us) {
#ifdef COURSE_SOLUTION
  const auto parts = [](int of, int size) { return (of + size - 1) / size; };
  *us = INFINITY;
  for (const Tile& tile : kTiles) {
    const int tiles = parts(m, kTileRows) * parts(n, tile.columns);
    const int rounds = parts(tiles, kMultiprocessors);
    const float time = rounds * (tile.start + parts(k, kTwoSpans) * tile.span);
    if (time >= *us) continue;
    *columns = tile.columns;
    *us = time;
  }
#else
  // TODO: how many tiles of each kind are there, how many rounds do they take, and how long is a
  // round? This always takes the widest, and rounds down.
  const Tile& tile = kTiles[2];
  *columns = tile.columns;
  *us = m / kTileRows * (n / tile.columns) / kMultiprocessors *
        (tile.start + k / kTwoSpans * tile.span);
#endif
}
