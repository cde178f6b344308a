#pragma once

/// A point as one writes it: two floats side by side, aligned like a float, to 4 bytes.
struct Point {
  float x, y;
};

/// The same bytes, with a promise: every point begins at a multiple of 8.
struct alignas(8) AlignedPoint {
  float x, y;
};

/// 32 points, a warp's worth: first their x, then their y.
struct PointTile {
  static constexpr int kPoints = 32;
  float x[kPoints];
  float y[kPoints];
};

/// Three floats, packed: 12 bytes, aligned to 4.
struct Point3 {
  float x, y, z;
};

/// Three floats and a fourth that nobody needs: 16 bytes, aligned to 16.
///
/// The padding has a name, so that copying a point is copying four floats.
struct alignas(16) PaddedPoint3 {
  float x, y, z, unused;
};

/// Eight floats, 32 bytes: every particle of an array fills one sector.
///
/// Halves of 16 bytes, because that is the widest load most GPUs have.
struct Particle {
  float4 place;     // x, y, z, and mass
  float4 velocity;  // along x, y, z, and charge
};

/// Moves every point of an array of structures; both fields are used.
///
/// A point is only known to begin at a multiple of 4, so copying it takes an instruction per field.
/// @expect  per full warp: 2 load requests of 8 sectors each (the same 8), 50 %; stores likewise
/// @pre     the grid covers n; blocks are one-dimensional
__global__ void aos_update(int n, float dx, float dy,
                           const Point* data,  // [n]
                           Point* result) {    // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  Point point = data[i];
  point.x += dx;
  point.y += dy;
  result[i] = point;
}

/// Moves every point along x alone, in place: every y is carried along and not used.
///
/// @expect  per full warp: 1 load request of 8 sectors, 50 %; the store likewise
/// @pre     the grid covers n; blocks are one-dimensional
__global__ void aos_update_x(int n, float dx,
                             Point* data) {  // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  data[i].x += dx;
}

/// aos_update with aligned points: one 8-byte instruction for both fields.
///
/// @expect  per full warp: 1 load request of 8 sectors, 100 %; the store likewise
/// @pre     the grid covers n; blocks are one-dimensional
__global__ void aos_aligned_update(int n, float dx, float dy,
                                   const AlignedPoint* data,  // [n]
                                   AlignedPoint* result) {    // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  AlignedPoint point = data[i];
  point.x += dx;
  point.y += dy;
  result[i] = point;
}

/// Moves every point of a structure of arrays: one array for x, one for y.
///
/// @expect  per full warp: 2 load requests of 4 sectors each, 100 %; stores likewise
/// @pre     the grid covers n; blocks are one-dimensional and a multiple of 32
__global__ void soa_update(int n, float dx, float dy,
                           const float* data_x,  // [n]
                           const float* data_y,  // [n]
                           float* result_x,      // [n]
                           float* result_y) {    // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const float x = data_x[i];
  const float y = data_y[i];
  result_x[i] = x + dx;
  result_y[i] = y + dy;
}

/// Moves every point along x alone, in place; the array of y is not touched.
///
/// @expect  per full warp: 1 load request of 4 sectors, 100 %; the store likewise
/// @pre     the grid covers n; blocks are one-dimensional and a multiple of 32
__global__ void soa_update_x(int n, float dx,
                             float* data_x) {  // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  data_x[i] += dx;
}

/// Moves every point of an array of structures of arrays: tiles of 32 x and 32 y.
///
/// @expect  per full warp: 2 load requests of 4 sectors each, 100 %; stores likewise
/// @pre     the grid covers n; blocks are one-dimensional and a multiple of 32
__global__ void aosoa_update(int n, float dx, float dy,
                             const PointTile* data,  // [n / 32, rounded up]
                             PointTile* result) {    // [n / 32, rounded up]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const int tile = i / PointTile::kPoints;
  const int slot = i % PointTile::kPoints;
  const float x = data[tile].x[slot];
  const float y = data[tile].y[slot];
  result[tile].x[slot] = x + dx;
  result[tile].y[slot] = y + dy;
}

/// Moves every point of three packed floats.
///
/// @expect  per full warp: 3 load requests of 12 sectors each (the same 12), 33.3 %; stores alike
/// @pre     the grid covers n; blocks are one-dimensional
__global__ void aos3_update(int n, float dx, float dy, float dz,
                            const Point3* data,  // [n]
                            Point3* result) {    // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  Point3 point = data[i];
  point.x += dx;
  point.y += dy;
  point.z += dz;
  result[i] = point;
}

/// aos3_update with points padded to 16 bytes: one instruction, and a quarter of it for nothing.
///
/// @expect  per full warp: 1 load request of 16 sectors, 100 % (of what it asks for; 75 % of use)
/// @pre     the grid covers n; blocks are one-dimensional
__global__ void aos3_padded_update(int n, float dx, float dy, float dz,
                                   const PaddedPoint3* data,  // [n]
                                   PaddedPoint3* result) {    // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  PaddedPoint3 point = data[i];
  point.x += dx;
  point.y += dy;
  point.z += dz;
  result[i] = point;
}

/// aos3_update on the same packed bytes, carried through shared memory by neighbouring lanes.
///
/// Lanes read their points from the tile 3 floats apart: 3 is odd, so no two share a bank.
/// @expect  per full warp: 3 load requests of 4 sectors each, 100 %; stores likewise; in shared
///          memory 6 loads and 6 stores of one wavefront each
/// @pre     the grid covers n; blocks are one-dimensional, a multiple of 32, and have
///          3 x blockDim.x floats of dynamic shared memory
__global__ void aos3_staged_update(int n, float dx, float dy, float dz,
                                   const float* data,  // [n, 3]
                                   float* result) {    // [n, 3]
  constexpr int kFields = 3;
  extern __shared__ float tile[];  // [blockDim.x, 3]
  const int thread = threadIdx.x;
  const int first = blockIdx.x * blockDim.x;
  const int points = min(static_cast<int>(blockDim.x), n - first);
  data += static_cast<size_t>(kFields) * first;
  result += static_cast<size_t>(kFields) * first;

  for (int part = 0; part < kFields; ++part) {
    const int k = part * blockDim.x + thread;
    if (k < kFields * points) tile[k] = data[k];
  }
  __syncthreads();
  if (thread < points) {
    float* point = tile + kFields * thread;
    point[0] += dx;
    point[1] += dy;
    point[2] += dz;
  }
  __syncthreads();
  for (int part = 0; part < kFields; ++part) {
    const int k = part * blockDim.x + thread;
    if (k < kFields * points) result[k] = tile[k];
  }
}

/// Moves every point of three arrays.
///
/// @expect  per full warp: 3 load requests of 4 sectors each, 100 %; stores likewise
/// @pre     the grid covers n; blocks are one-dimensional and a multiple of 32
__global__ void soa3_update(int n, float dx, float dy, float dz,
                            const float* data_x,  // [n]
                            const float* data_y,  // [n]
                            const float* data_z,  // [n]
                            float* result_x,      // [n]
                            float* result_y,      // [n]
                            float* result_z) {    // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const float x = data_x[i];
  const float y = data_y[i];
  const float z = data_z[i];
  result_x[i] = x + dx;
  result_y[i] = y + dy;
  result_z[i] = z + dz;
}

/// Moves every particle along x by dt times its velocity, in place: two fields of eight.
///
/// Each particle is a sector of its own, and 8 bytes of it are read.
/// @expect  per full warp: 2 load requests of 32 sectors each (the same 32), 12.5 %; 1 store
///          request of 32 sectors, 12.5 %
/// @pre     the grid covers n; blocks are one-dimensional
__global__ void aos8_drift(int n, float dt,
                           Particle* particles) {  // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  particles[i].place.x += dt * particles[i].velocity.x;
}

/// aos8_drift with an array per field; those of the other six fields are not touched.
///
/// @expect  per full warp: 2 load requests of 4 sectors each, 100 %; 1 store request of 4 sectors
/// @pre     the grid covers n; blocks are one-dimensional and a multiple of 32
__global__ void soa8_drift(int n, float dt,
                           float* x,           // [n]
                           const float* vx) {  // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  x[i] += dt * vx[i];
}

/// Puts whole particles into another order: particle `order[i]` comes to place i.
///
/// @expect  per full warp: 1 load request of 4 sectors for `order`, then 2 of 32 sectors each (the
///          same 32, half of each); 2 store requests of 32 sectors each (the same 32)
/// @pre     the grid covers n; blocks are one-dimensional and a multiple of 32; `order` is a
///          permutation of 0 to n - 1
__global__ void aos8_reorder(int n,
                             const int* order,           // [n]
                             const Particle* particles,  // [n]
                             Particle* result) {         // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const Particle* particle = particles + order[i];
  const float4 place = particle->place;
  const float4 velocity = particle->velocity;
  result[i].place = place;
  result[i].velocity = velocity;
}

/// aos8_reorder with an array per field, one behind the other, each `pitch` floats long.
///
/// @expect  per full warp: 1 load request of 4 sectors for `order`, then 8 of up to 32 sectors each
///          (a sector for each lane, if `order` is random); 8 store requests of 4 sectors each
/// @pre     the grid covers n; blocks are one-dimensional and a multiple of 32; `order` is a
///          permutation of 0 to n - 1; pitch >= n, and a multiple of 32
__global__ void soa8_reorder(int n, int pitch,
                             const int* order,     // [n]
                             const float* fields,  // [8, pitch]
                             float* result) {      // [8, pitch]
  constexpr int kFields = 8;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const int from = order[i];
  float particle[kFields];
  for (int field = 0; field < kFields; ++field)
    particle[field] = fields[static_cast<size_t>(field) * pitch + from];
  for (int field = 0; field < kFields; ++field)
    result[static_cast<size_t>(field) * pitch + i] = particle[field];
}

/// Paints a picture with soft edges, as a file wants it: three bytes for each pixel, red, green and
/// blue, beside each other. A pixel is the mean of 2 x 2 points.
///
/// @expect  per full warp: 3 store requests of 3 sectors each (the same 3), where 64 divides wide
/// @pre     blocks have any size, and the grid covers the picture; wide and high are even
__global__ void soften_bytes(int wide, int high,
                             const int* __restrict__ steps,         // [high, wide]
                             const unsigned* __restrict__ palette,  // [colours]: 0xRRGGBB
                             unsigned char* __restrict__ rgb) {     // [high / 2, wide / 2, 3]
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= wide / 2 || row >= high / 2) return;

  unsigned colours[4];
  for (int k = 0; k < 4; ++k)
    colours[k] = palette[steps[(2 * row + k / 2) * wide + 2 * col + k % 2]];

  for (int channel = 0; channel < 3; ++channel) {
    unsigned sum = 0;
    for (int k = 0; k < 4; ++k) sum += colours[k] >> (16 - 8 * channel) & 255;
    rgb[3 * (row * (wide / 2) + col) + channel] = sum / 4;
  }
}

/// The same with an array for each colour: first all reds, then all greens, then all blues.
///
/// @expect  per full warp: 3 store requests of 1 sector each, where 64 divides wide
/// @pre     as soften_bytes
__global__ void soften_planes(int wide, int high,
                              const int* __restrict__ steps,         // [high, wide]
                              const unsigned* __restrict__ palette,  // [colours]: 0xRRGGBB
                              unsigned char* __restrict__ rgb) {     // [3, high / 2, wide / 2]
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= wide / 2 || row >= high / 2) return;

  unsigned colours[4];
  for (int k = 0; k < 4; ++k)
    colours[k] = palette[steps[(2 * row + k / 2) * wide + 2 * col + k % 2]];

  for (int channel = 0; channel < 3; ++channel) {
    unsigned sum = 0;
    for (int k = 0; k < 4; ++k) sum += colours[k] >> (16 - 8 * channel) & 255;
    rgb[(channel * (high / 2) + row) * (wide / 2) + col] = sum / 4;
  }
}
