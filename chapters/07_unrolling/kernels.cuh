#pragma once

/// C[i] = A[i + offset] + B[i + offset], one element per thread: two loads in flight.
///
/// Chapter 03's kernel. Writes [0, n - offset) of C; nothing at all if offset >= n.
/// @expect  requests per full warp: 2 loads, 1 store; sectors: 4 each, of a load 5 unless the
///          offset is a multiple of 8
/// @pre     the grid covers n - offset, blocks are one-dimensional; 0 <= n <= 2^30, 0 <= offset
__global__ void read_offset(int n, int offset,
                            const float* A,  // [n]
                            const float* B,  // [n]
                            float* C) {      // [n - offset]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - offset) return;  // cannot overflow, unlike i + offset >= n

  const int k = i + offset;
  C[i] = A[k] + B[k];
}

/// Four elements per thread as a textbook has them: wrong, unless the blocks' work ends at n.
///
/// A thread works only if all four of its elements exist, and those of the others are dropped. And
/// each sum is stored before the next is loaded: C might overlap A, so no compiler may change that.
/// @expect  the requests and sectors of read_offset for the elements that are written
/// @pre     as read_offset, offset <= 2^30, with 4 x blockDim.x elements per block
__global__ void read_offset_unroll4_published(int n, int offset,
                                              const float* A,  // [n]
                                              const float* B,  // [n]
                                              float* C) {      // [n - offset]
  const int threads = blockDim.x;
  const int i = blockIdx.x * 4 * threads + threadIdx.x;
  const int k = i + offset;
  if (k + 3 * threads >= n) return;

  C[i] = A[k] + B[k];
  C[i + threads] = A[k + threads] + B[k + threads];
  C[i + 2 * threads] = A[k + 2 * threads] + B[k + 2 * threads];
  C[i + 3 * threads] = A[k + 3 * threads] + B[k + 3 * threads];
}

/// Four elements per thread, each with its own guard, one after the other: two loads in flight.
///
/// @expect  the requests and sectors of read_offset
/// @pre     as read_offset, offset <= 2^30, with 4 x blockDim.x elements per block
__global__ void read_offset_unroll4_in_turn(int n, int offset,
                                            const float* A,  // [n]
                                            const float* B,  // [n]
                                            float* C) {      // [n - offset]
  constexpr int kUnroll = 4;
  const int threads = blockDim.x;
  const int i = blockIdx.x * kUnroll * threads + threadIdx.x;
  const int k = i + offset;

  for (int u = 0; u < kUnroll; ++u)
    if (k + u * threads < n) C[i + u * threads] = A[k + u * threads] + B[k + u * threads];
}

/// Two elements per thread, all loads before the first store: four loads in flight.
///
/// Only the block in which n lies looks at each element; for the others one comparison will do.
/// @expect  the requests and sectors of read_offset
/// @pre     as read_offset, offset <= 2^30, with 2 x blockDim.x elements per block
__global__ void read_offset_unroll2(int n, int offset,
                                    const float* A,  // [n]
                                    const float* B,  // [n]
                                    float* C) {      // [n - offset]
  constexpr int kUnroll = 2;
  const int threads = blockDim.x;
  const int first = blockIdx.x * kUnroll * threads;  // of the block's elements
  const int i = first + threadIdx.x;
  const int k = i + offset;

  if (first + offset + kUnroll * threads <= n) {
    float a[kUnroll], b[kUnroll];
    for (int u = 0; u < kUnroll; ++u) {
      a[u] = A[k + u * threads];
      b[u] = B[k + u * threads];
    }
    for (int u = 0; u < kUnroll; ++u) C[i + u * threads] = a[u] + b[u];
  } else {
    for (int u = 0; u < kUnroll; ++u)
      if (k + u * threads < n) C[i + u * threads] = A[k + u * threads] + B[k + u * threads];
  }
}

/// Four elements per thread, all loads before the first store: eight loads in flight.
///
/// Only the block in which n lies looks at each element; for the others one comparison will do.
/// @expect  the requests and sectors of read_offset
/// @pre     as read_offset, offset <= 2^30, with 4 x blockDim.x elements per block
__global__ void read_offset_unroll4(int n, int offset,
                                    const float* A,  // [n]
                                    const float* B,  // [n]
                                    float* C) {      // [n - offset]
  constexpr int kUnroll = 4;
  const int threads = blockDim.x;
  const int first = blockIdx.x * kUnroll * threads;  // of the block's elements
  const int i = first + threadIdx.x;
  const int k = i + offset;

  if (first + offset + kUnroll * threads <= n) {
    float a[kUnroll], b[kUnroll];
    for (int u = 0; u < kUnroll; ++u) {
      a[u] = A[k + u * threads];
      b[u] = B[k + u * threads];
    }
    for (int u = 0; u < kUnroll; ++u) C[i + u * threads] = a[u] + b[u];
  } else {
    for (int u = 0; u < kUnroll; ++u)
      if (k + u * threads < n) C[i + u * threads] = A[k + u * threads] + B[k + u * threads];
  }
}

/// Eight elements per thread, all loads before the first store: sixteen loads in flight.
///
/// Only the block in which n lies looks at each element; for the others one comparison will do.
/// @expect  the requests and sectors of read_offset
/// @pre     as read_offset, offset <= 2^30, with 8 x blockDim.x elements per block
__global__ void read_offset_unroll8(int n, int offset,
                                    const float* A,  // [n]
                                    const float* B,  // [n]
                                    float* C) {      // [n - offset]
  constexpr int kUnroll = 8;
  const int threads = blockDim.x;
  const int first = blockIdx.x * kUnroll * threads;  // of the block's elements
  const int i = first + threadIdx.x;
  const int k = i + offset;

  if (first + offset + kUnroll * threads <= n) {
    float a[kUnroll], b[kUnroll];
    for (int u = 0; u < kUnroll; ++u) {
      a[u] = A[k + u * threads];
      b[u] = B[k + u * threads];
    }
    for (int u = 0; u < kUnroll; ++u) C[i + u * threads] = a[u] + b[u];
  } else {
    for (int u = 0; u < kUnroll; ++u)
      if (k + u * threads < n) C[i + u * threads] = A[k + u * threads] + B[k + u * threads];
  }
}

/// A grid of any size: each thread goes on by the whole grid until there is nothing left.
///
/// @expect  the requests and sectors of read_offset if the block is a multiple of 32
/// @pre     n + offset + the grid's threads fit into an int
__global__ void read_offset_grid_stride(int n, int offset,
                                        const float* A,  // [n]
                                        const float* B,  // [n]
                                        float* C) {      // [n - offset]
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + offset < n; i += stride)
    C[i] = A[i + offset] + B[i + offset];
}

/// Four neighbouring elements per thread, in 16-byte accesses: as many bytes in flight as with
/// read_offset_unroll4, and a quarter of the requests.
///
/// @expect  requests per full warp: 2 loads, 1 store; sectors: 16 each
/// @pre     as read_offset, offset <= 2^30, with 4 x blockDim.x elements per block; offset is a
///          multiple of 4, for a float4 must stand at a multiple of 16 bytes
__global__ void read_offset_float4(int n, int offset,
                                   const float* A,  // [n]
                                   const float* B,  // [n]
                                   float* C) {      // [n - offset]
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int k = i + offset;

  if (k + 4 <= n) {
    const float4 a = *reinterpret_cast<const float4*>(A + k);
    const float4 b = *reinterpret_cast<const float4*>(B + k);
    *reinterpret_cast<float4*>(C + i) = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
  } else {
    for (int j = 0; j < 4 && k + j < n; ++j) C[i + j] = A[k + j] + B[k + j];
  }
}

/// The same at any offset: the two aligned vectors that hold a thread's elements, and their sum
/// shifted into place.
///
/// Its second vector is its neighbour's first: the line is in L1 by then, and DRAM sees it once.
/// @expect  load requests per full warp: 4, or 2 where offset % 4 == 0; sectors: 16 or 17 each
/// @pre     as read_offset, offset <= 2^30, with 4 x blockDim.x elements per block
__global__ void read_offset_float4_shifted(int n, int offset,
                                           const float* A,  // [n]
                                           const float* B,  // [n]
                                           float* C) {      // [n - offset]
  const int shift = offset % 4;
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int k = i + offset;
  const int end = k - shift + (shift == 0 ? 4 : 8);  // of the vectors that it needs

  if (end <= n) {
    const float4* a = reinterpret_cast<const float4*>(A + k - shift);
    const float4* b = reinterpret_cast<const float4*>(B + k - shift);
    const float4 a0 = a[0], b0 = b[0];
    const float4 a1 = shift == 0 ? a0 : a[1], b1 = shift == 0 ? b0 : b[1];
    const float4 low = make_float4(a0.x + b0.x, a0.y + b0.y, a0.z + b0.z, a0.w + b0.w);
    const float4 high = make_float4(a1.x + b1.x, a1.y + b1.y, a1.z + b1.z, 0.0f);
    float4 c = low;
    if (shift == 1) c = make_float4(low.y, low.z, low.w, high.x);
    if (shift == 2) c = make_float4(low.z, low.w, high.x, high.y);
    if (shift == 3) c = make_float4(low.w, high.x, high.y, high.z);
    *reinterpret_cast<float4*>(C + i) = c;
  } else {
    for (int j = 0; j < 4 && k + j < n; ++j) C[i + j] = A[k + j] + B[k + j];
  }
}

/// Follows a chain: each load needs the result of the one before, so that a hop is one latency.
///
/// @expect  load requests and sectors: one each per hop
/// @pre     one thread; at every index in the chain stands the next one
__global__ void follow_chain(int hops, const int* next,  // [lines x 32]
                             int* last) {                // [1]
  int at = 0;
  for (int hop = 0; hop < hops; ++hop) at = next[at];
  *last = at;
}

/// Paints a picture with soft edges: each pixel is the mean of 2 x 2 points. A thread takes four
/// points of two rows, with a wide load for each, and paints two pixels.
///
/// @expect  per full warp: 2 load requests of 16 sectors for the steps, and 8 for their colours; 3
///          store requests of 2 sectors, where 128 divides wide
/// @pre     blocks have any size, and the grid has a thread for two pixels; 4 divides wide, and 2
///          high; steps begins at a multiple of 16 bytes, planes of 2
__global__ void soften_two(int wide, int high,
                           const int* __restrict__ steps,         // [high, wide]
                           const unsigned* __restrict__ palette,  // [colours]: 0xRRGGBB
                           uchar2* __restrict__ planes) {         // [3, high / 2, wide / 4]
  const int pair = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (pair >= wide / 4 || row >= high / 2) return;

  const int4* const points = reinterpret_cast<const int4*>(steps) + 2 * row * (wide / 4) + pair;
  const int4 upper = points[0], lower = points[wide / 4];
  const unsigned left[] = {palette[upper.x], palette[upper.y], palette[lower.x], palette[lower.y]};
  const unsigned right[] = {palette[upper.z], palette[upper.w], palette[lower.z], palette[lower.w]};

  for (int channel = 0; channel < 3; ++channel) {
    unsigned sums[2] = {};
    for (int k = 0; k < 4; ++k) {
      sums[0] += left[k] >> (16 - 8 * channel) & 255;
      sums[1] += right[k] >> (16 - 8 * channel) & 255;
    }
    planes[(channel * (high / 2) + row) * (wide / 4) + pair] =
        make_uchar2(sums[0] / 4, sums[1] / 4);
  }
}

/// Counts the steps of the Mandelbrot set's points as chapter 00's `mandelbrot` does, but asks only
/// after every eighth step whether z has run away. If it has, the thread returns to where these
/// eight began, and takes them again, one by one.
///
/// @expect  per full warp: no load, and 1 store request of 4 sectors, where 32 divides wide
/// @pre     blocks have any size, and the grid covers the points; 0 <= most
__global__ void draw_eight(int wide, int high, int most,
                           int* steps) {  // [high, wide]
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= wide || row >= high) return;

  const float c_x = fmaf(3.0f / wide, col, -2.25f);
  const float c_y = fmaf(2.5f / high, row, -1.25f);
  float x = 0.0f, y = 0.0f;
  int step = 0;
  for (; step + 8 <= most; step += 8) {
    const float old_x = x, old_y = y;
    for (int u = 0; u < 8; ++u) {
      const float y_next = fmaf(x + x, y, c_y);
      x = fmaf(y, -y, x * x) + c_x;
      y = y_next;
    }
    if (!(fmaf(y, y, x * x) <= 4.0f)) {  // true for NaN, too: z may be beyond all numbers by now
      x = old_x;
      y = old_y;
      break;
    }
  }
  for (; step < most; ++step) {
    if (fmaf(y, y, x * x) > 4.0f) break;
    const float y_next = fmaf(x + x, y, c_y);
    x = fmaf(y, -y, x * x) + c_x;
    y = y_next;
  }
  steps[row * wide + col] = step;
}
