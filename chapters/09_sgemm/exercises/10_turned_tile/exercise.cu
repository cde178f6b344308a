// Exercise 09.10: a turned tile. `./course check 09 --exercise 10` says how far you are.

constexpr int kTileM = 64, kTileK = 32;

#ifdef COURSE_SOLUTION
// Four floats of padding after every fourth k, as in step 07.
constexpr int kFourK = 4 * kTileM + 4;
constexpr int kRoom = kTileK / 4 * kFourK;
#else
constexpr int kRoom = kTileK * kTileM;  // floats of shared memory; take more if you need padding
#endif

/// Where in shared memory an element of A's tile lies: the one in row `row` and column `p`.
///
/// Of every column, rows 0 to 3 must lie side by side and begin at a multiple of four floats. So
/// must rows 4 to 7, and so on.
__device__ int place_of(int p, int row) {
#ifdef COURSE_SOLUTION
  return p / 4 * kFourK + p % 4 * kTileM + row;
#else
  // TODO: find places where the lanes that store at the same time do not meet in a bank.
  return p * kTileM + row;
#endif
}

/// Turns a matrix, a tile of 64 x 32 elements per block, in 16-byte accesses: a lane loads four
/// neighbours of a row of A, and stores them to shared memory one by one. Then it loads four rows
/// of one column together, as the multiplication of step 06 does.
///
/// That is right, but turning costs conflicts. The eight lanes that hold a row of the tile all
/// store to one bank. So a store takes eight wavefronts, and one would do. The accesses are fine as
/// they are: it is enough to change the places (place_of and kRoom). Draw them before you do.
///
/// @pre  128 threads; the grid covers k in x and m in y; k is a multiple of 32, m one of 64
__global__ void turn(int m, int k,
                     const float* A,   // [m, k]
                     float* turned) {  // [k, m]
  __shared__ __align__(16) float tile[kRoom];
  const int row0 = blockIdx.y * kTileM, k0 = blockIdx.x * kTileK;

  for (int i = 4 * threadIdx.x; i < kTileM * kTileK; i += 4 * blockDim.x) {
    const int row = i / kTileK, p = i % kTileK;
    const float4 a = *reinterpret_cast<const float4*>(&A[(row0 + row) * k + k0 + p]);
    tile[place_of(p, row)] = a.x;
    tile[place_of(p + 1, row)] = a.y;
    tile[place_of(p + 2, row)] = a.z;
    tile[place_of(p + 3, row)] = a.w;
  }
  __syncthreads();

  for (int i = 4 * threadIdx.x; i < kTileM * kTileK; i += 4 * blockDim.x) {
    const int p = i / kTileM, row = i % kTileM;
    const float4 rows = *reinterpret_cast<const float4*>(&tile[place_of(p, row)]);
    *reinterpret_cast<float4*>(&turned[(k0 + p) * m + row0 + row]) = rows;
  }
}
