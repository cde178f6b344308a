/// @file
/// Kernels with one kind of memory access each, whose cost can be computed by hand and measured on
/// a GPU. They run with one block unless a launch says otherwise.
#pragma once

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstddef>

namespace microkernels {

constexpr int kWarp = 32;
constexpr int kSharedWords = 8192;  // 32 KiB

/// Maps a lane to element `lane * step + first`; lanes are taken modulo `period` if that is set.
struct Linear {
  int step = 1, first = 0, period = 0;
  __host__ __device__ int operator()(int lane) const {
    return (period > 0 ? lane % period : lane) * step + first;
  }
};

/// Maps a lane to element lane xor `bits`.
struct Xor {
  int bits;
  __host__ __device__ int operator()(int lane) const { return lane ^ bits; }
};

/// Maps lanes to rows of `width` lanes, `pitch` elements apart.
struct Rows {
  int width, pitch;
  __host__ __device__ int operator()(int lane) const { return lane / width * pitch + lane % width; }
};

/// Maps lanes to columns of `height` lanes: consecutive lanes are `pitch` elements apart.
struct Columns {
  int height, pitch;
  __host__ __device__ int operator()(int lane) const {
    return lane % height * pitch + lane / height;
  }
};

/// Maps `lanes` neighbouring lanes to one element.
struct SharedBy {
  int lanes;
  __host__ __device__ int operator()(int lane) const { return lane / lanes; }
};

/// Maps lanes l and l xor 2 to one element.
struct SharedCrosswise {
  __host__ __device__ int operator()(int lane) const { return lane / 4 * 2 + lane % 2; }
};

/// Maps pairs of neighbours to one element, in the first half of the warp only.
struct SharedInFirstHalf {
  __host__ __device__ int operator()(int lane) const { return lane < 16 ? lane / 2 : lane; }
};

/// Maps all lanes to one element, except the last two.
struct SharedButLast {
  __host__ __device__ int operator()(int lane) const { return lane == 31 ? 16 : lane / 2; }
};

/// Maps lanes to arbitrary but fixed elements among `range`.
struct Scattered {
  unsigned seed, range;
  __host__ __device__ int operator()(int lane) const {
    unsigned x = (static_cast<unsigned>(lane) + 1) * 2654435761u + seed * 40503u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return static_cast<int>(x % range);
  }
};

template <class T, class Map>
__global__ void global_load(const T* in, T* out, Map map) {
  out[threadIdx.x] = in[map(static_cast<int>(threadIdx.x))];
}

template <class T, class Map>
__global__ void global_store(T* out, T value, Map map) {
  out[map(static_cast<int>(threadIdx.x))] = value;
}

/// Loads and stores only in lanes whose bit is set.
template <class T, class Map>
__global__ void global_load_some(const T* in, T* out, Map map, unsigned lanes) {
  const int lane = static_cast<int>(threadIdx.x);
  if (lanes >> lane & 1) out[lane] = in[map(lane)];
}

/// Accesses bytes, so that a warp requests less than a sector.
template <class T>
__global__ void global_copy(const T* in, T* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = in[i];
}

/// Loads on both sides of a branch inside the warp: two requests, half the lanes each.
__global__ void global_load_both_sides(const float* in, const float* other, float* out) {
  const int lane = static_cast<int>(threadIdx.x);
  float value;
  if (lane % 2 == 0)
    value = in[lane] * 2.0f;
  else
    value = other[lane] + 3.0f;
  out[lane] = value;
}

/// Loads l + 1 elements of a row in lane l: the request of iteration p has the lanes from p on.
__global__ void global_load_triangle(const float* in, float* out, int pitch) {
  const int lane = static_cast<int>(threadIdx.x);
  float sum = 0.0f;
#pragma unroll 1
  for (int p = 0; p <= lane; ++p) sum += in[lane * pitch + p];
  out[lane] = sum;
}

/// Stores in every third of eight rounds, depending on the lane: lanes skip the store in different
/// rounds.
__global__ void global_store_in_thirds(float* out) {
  const int lane = static_cast<int>(threadIdx.x);
#pragma unroll 1
  for (int p = 0; p < 8; ++p)
    if ((p + lane) % 3 == 0) out[p * kWarp + lane] = static_cast<float>(p);
}

/// Does the same in a function that returns early; the lane continues with the next round.
__device__ inline void store_unless_skipped(float* out, int p, int lane) {
  if ((p + lane) % 3 != 0) return;
  out[p * kWarp + lane] = static_cast<float>(p);
}
__global__ void global_store_by_function(float* out) {
  int p = 0;
#pragma unroll 1
  do {
    store_unless_skipped(out, p, static_cast<int>(threadIdx.x));
    if (p % 2 == 1) continue;
    store_unless_skipped(out, p + 8, static_cast<int>(threadIdx.x));
  } while (++p < 8);
}

/// Loads lane % 4 + 1 elements of three rows: inner loops of different lengths.
__global__ void global_load_ragged(const float* in, float* out) {
  const int lane = static_cast<int>(threadIdx.x);
  float sum = 0.0f;
#pragma unroll 1
  for (int row = 0; row < 3; ++row)
#pragma unroll 1
    for (int j = 0; j <= lane % 4; ++j) sum += in[(row * kWarp + lane) * 8 + j];
  out[lane] = sum;
}

/// A structure of three floats: three 4-byte loads, 12 bytes apart.
struct Three {
  float x, y, z;
};
__global__ void global_load_three(const Three* in, float* out) {
  const Three value = in[threadIdx.x];
  out[threadIdx.x] = value.x + value.y * value.z;
}

template <class T>
__device__ T value_of(int i) {
  T value{};
  *reinterpret_cast<unsigned char*>(&value) = static_cast<unsigned char>(i);
  return value;
}

template <class T, class Map>
__global__ void shared_load(T* out, Map map, unsigned lanes) {
  __shared__ alignas(16) T tile[kSharedWords * sizeof(float) / sizeof(T)];
  const int lane = static_cast<int>(threadIdx.x);
  tile[map(lane)] = value_of<T>(lane);
  __syncthreads();
  if (lanes >> lane & 1) out[lane] = tile[map(lane)];
}

/// Copies elements asynchronously to shared memory, by the lanes in `lanes`.
template <class T, class Map>
__global__ void asynchronous_copy(const T* in, T* out, Map map, unsigned lanes) {
  __shared__ T tile[kWarp];
  const int lane = static_cast<int>(threadIdx.x);
  if (lanes >> lane & 1) __pipeline_memcpy_async(&tile[lane], &in[map(lane)], sizeof(T));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (lanes >> lane & 1) out[lane] = tile[lane];
}

template <class Map>
__global__ void global_atomic_add(int* counters, int* before, Map map) {
  before[threadIdx.x] = atomicAdd(&counters[map(static_cast<int>(threadIdx.x))], 1);
}

/// Ignores the old value: nvcc makes this a reduction, which returns nothing.
template <class Map>
__global__ void global_reduction_add(int* counters, Map map) {
  atomicAdd(&counters[map(static_cast<int>(threadIdx.x))], 1);
}

template <class Map>
__global__ void global_compare_and_swap(int* words, int* before, Map map) {
  before[threadIdx.x] = atomicCAS(&words[map(static_cast<int>(threadIdx.x))], 0, 1);
}

template <class Map>
__global__ void shared_atomic_add(int* out, Map map) {
  __shared__ int counters[kSharedWords];
  const int lane = static_cast<int>(threadIdx.x);
  counters[map(lane)] = 0;
  __syncthreads();
  out[lane] = atomicAdd(&counters[map(lane)], 1);
}

/// Lists all launches. Calls `visit(name, launch)`, where `launch(memory)` runs the kernel once.
/// `memory` is at least kMemoryBytes of zeroed device memory, whose second half is written.
constexpr std::size_t kMemoryBytes = std::size_t{8} << 20;

struct Memory {
  char* begin;
  template <class T>
  const T* in() const {
    return reinterpret_cast<const T*>(begin);
  }
  template <class T>
  T* out() const {
    return reinterpret_cast<T*>(begin + kMemoryBytes / 2);
  }
};

constexpr unsigned kAll = 0xffffffffu;

template <class T, class Map, class Visitor>
void load(Visitor&& visit, const char* name, Map map) {
  visit(name, [map](Memory memory) {
    global_load<T><<<1, kWarp>>>(memory.in<T>(), memory.out<T>(), map);
  });
}
template <class T, class Map, class Visitor>
void store(Visitor&& visit, const char* name, Map map) {
  visit(name, [map](Memory memory) { global_store<T><<<1, kWarp>>>(memory.out<T>(), T{}, map); });
}
template <class T, class Map, class Visitor>
void shared(Visitor&& visit, const char* name, Map map, unsigned lanes = kAll) {
  visit(name,
        [map, lanes](Memory memory) { shared_load<T><<<1, kWarp>>>(memory.out<T>(), map, lanes); });
}

template <class T, class Map, class Visitor>
void asynchronous(Visitor&& visit, const char* name, Map map, unsigned lanes = kAll) {
  visit(name, [map, lanes](Memory m) {
    asynchronous_copy<T><<<1, kWarp>>>(m.in<T>(), m.out<T>(), map, lanes);
  });
}

template <class Map, class Visitor>
void atomic(Visitor&& visit, const char* name, Map map) {
  visit(name, [map](Memory m) {
    global_atomic_add<<<1, kWarp>>>(m.out<int>(), m.out<int>() + 4096, map);
  });
}
template <class Map, class Visitor>
void reduction(Visitor&& visit, const char* name, Map map) {
  visit(name, [map](Memory m) { global_reduction_add<<<1, kWarp>>>(m.out<int>(), map); });
}
template <class Map, class Visitor>
void shared_atomic(Visitor&& visit, const char* name, Map map) {
  visit(name, [map](Memory m) { shared_atomic_add<<<1, kWarp>>>(m.out<int>(), map); });
}

template <class Visitor>
void for_each(Visitor&& visit) {
  // Loads, 4 bytes a lane
  load<float>(visit, "load_aligned", Linear{});
  load<float>(visit, "load_offset_1", Linear{.step = 1, .first = 1});
  load<float>(visit, "load_offset_11", Linear{.step = 1, .first = 11});
  load<float>(visit, "load_offset_31", Linear{.step = 1, .first = 31});
  load<float>(visit, "load_offset_128", Linear{.step = 1, .first = 128});
  load<float>(visit, "load_stride_2", Linear{.step = 2});
  load<float>(visit, "load_stride_3", Linear{.step = 3});
  load<float>(visit, "load_stride_8", Linear{.step = 8});
  load<float>(visit, "load_stride_32", Linear{.step = 32});
  load<float>(visit, "load_stride_33", Linear{.step = 33});
  load<float>(visit, "load_stride_minus_1", Linear{.step = -1, .first = 31});
  load<float>(visit, "load_broadcast", Linear{.step = 0, .first = 5});
  load<float>(visit, "load_two_words", Linear{.step = 64, .period = 2});
  load<float>(visit, "load_permuted_xor_5", Xor{5});
  load<float>(visit, "load_permuted_xor_31", Xor{31});
  load<float>(visit, "load_rows_8_pitch_100", Rows{8, 100});
  load<float>(visit, "load_rows_16_pitch_1000", Rows{16, 1000});
  load<float>(visit, "load_columns_8_pitch_64", Columns{8, 64});
  load<float>(visit, "load_scattered_4096", Scattered{1, 4096});
  load<float>(visit, "load_scattered_128", Scattered{2, 128});
  // Other widths
  load<unsigned char>(visit, "load_1_byte", Linear{});
  load<unsigned char>(visit, "load_1_byte_stride_32", Linear{.step = 32});
  load<unsigned short>(visit, "load_2_bytes", Linear{});
  load<unsigned short>(visit, "load_2_bytes_offset_9", Linear{.step = 1, .first = 9});
  load<float2>(visit, "load_8_bytes", Linear{});
  load<float2>(visit, "load_8_bytes_offset_1", Linear{.step = 1, .first = 1});
  load<float2>(visit, "load_8_bytes_stride_2", Linear{.step = 2});
  load<float2>(visit, "load_8_bytes_scattered", Scattered{3, 1024});
  load<double>(visit, "load_double", Linear{});
  load<float4>(visit, "load_16_bytes", Linear{});
  load<float4>(visit, "load_16_bytes_offset_1", Linear{.step = 1, .first = 1});
  load<float4>(visit, "load_16_bytes_stride_2", Linear{.step = 2});
  load<float4>(visit, "load_16_bytes_stride_9", Linear{.step = 9});
  load<float4>(visit, "load_16_bytes_broadcast", Linear{.step = 0, .first = 3});
  load<float4>(visit, "load_16_bytes_scattered", Scattered{4, 512});
  // Some lanes only
  visit("load_lanes_0_to_19", [](Memory m) {
    global_load_some<float><<<1, kWarp>>>(m.in<float>(), m.out<float>(), Linear{}, 0x000fffffu);
  });
  visit("load_even_lanes", [](Memory m) {
    global_load_some<float><<<1, kWarp>>>(m.in<float>(), m.out<float>(), Linear{}, 0x55555555u);
  });
  visit("load_one_lane", [](Memory m) {
    global_load_some<float><<<1, kWarp>>>(m.in<float>(), m.out<float>(), Linear{}, 0x00800000u);
  });
  visit("load_16_bytes_odd_lanes", [](Memory m) {
    global_load_some<float4><<<1, kWarp>>>(m.in<float4>(), m.out<float4>(), Linear{}, 0xaaaaaaaau);
  });
  visit("load_both_sides", [](Memory m) {
    global_load_both_sides<<<1, kWarp>>>(m.in<float>(), m.in<float>() + 4096, m.out<float>());
  });
  visit("load_triangle",
        [](Memory m) { global_load_triangle<<<1, kWarp>>>(m.in<float>(), m.out<float>(), 64); });
  visit("load_ragged",
        [](Memory m) { global_load_ragged<<<1, kWarp>>>(m.in<float>(), m.out<float>()); });
  visit("load_three_floats",
        [](Memory m) { global_load_three<<<1, kWarp>>>(m.in<Three>(), m.out<float>()); });
  visit("copy_1000_in_blocks_of_96",
        [](Memory m) { global_copy<float><<<11, 96>>>(m.in<float>(), m.out<float>(), 1000); });
  visit("copy_2_d_block_8_by_4", [](Memory m) {
    global_copy<float2><<<3, dim3(8, 4)>>>(m.in<float2>(), m.out<float2>(), 20);
  });
  // Stores
  store<float>(visit, "store_aligned", Linear{});
  store<float>(visit, "store_offset_11", Linear{.step = 1, .first = 11});
  store<float>(visit, "store_stride_2", Linear{.step = 2});
  store<float>(visit, "store_stride_32", Linear{.step = 32});
  store<float>(visit, "store_one_word", Linear{.step = 0});
  store<float>(visit, "store_scattered", Scattered{5, 2048});
  visit("store_in_thirds", [](Memory m) { global_store_in_thirds<<<1, kWarp>>>(m.out<float>()); });
  visit("store_by_function",
        [](Memory m) { global_store_by_function<<<1, kWarp>>>(m.out<float>()); });
  store<unsigned char>(visit, "store_1_byte", Linear{});
  store<float2>(visit, "store_8_bytes", Linear{});
  store<float4>(visit, "store_16_bytes", Linear{});
  store<float4>(visit, "store_16_bytes_stride_3", Linear{.step = 3});
  // Asynchronous copies to shared memory
  asynchronous<float>(visit, "async_4_bytes", Linear{});
  asynchronous<float>(visit, "async_4_bytes_offset_1", Linear{.step = 1, .first = 1});
  asynchronous<float>(visit, "async_4_bytes_stride_3", Linear{.step = 3});
  asynchronous<float>(visit, "async_4_bytes_broadcast", Linear{.step = 0, .first = 5});
  asynchronous<float>(visit, "async_4_bytes_rows_4_pitch_36", Rows{4, 36});
  asynchronous<float>(visit, "async_4_bytes_scattered", Scattered{20, 128});
  asynchronous<float2>(visit, "async_8_bytes", Linear{});
  asynchronous<float2>(visit, "async_8_bytes_offset_1", Linear{.step = 1, .first = 1});
  asynchronous<float2>(visit, "async_8_bytes_broadcast", Linear{.step = 0, .first = 5});
  asynchronous<float2>(visit, "async_8_bytes_scattered", Scattered{21, 64});
  asynchronous<float2>(visit, "async_8_bytes_even_lanes", Linear{}, 0x55555555u);
  asynchronous<float4>(visit, "async_16_bytes", Linear{});
  asynchronous<float4>(visit, "async_16_bytes_offset_1", Linear{.step = 1, .first = 1});
  asynchronous<float4>(visit, "async_16_bytes_broadcast", Linear{.step = 0, .first = 3});
  asynchronous<float4>(visit, "async_16_bytes_stride_2", Linear{.step = 2});
  asynchronous<float4>(visit, "async_16_bytes_scattered", Scattered{22, 32});
  asynchronous<float4>(visit, "async_16_bytes_lanes_0_to_16", Linear{}, 0x0001ffffu);
  asynchronous<float4>(visit, "async_16_bytes_offset_1_lanes_0_to_16",
                       Linear{.step = 1, .first = 1}, 0x0001ffffu);
  asynchronous<float4>(visit, "async_16_bytes_offset_1_odd_lanes", Linear{.step = 1, .first = 1},
                       0xaaaaaaaau);
  // Shared memory: every launch first stores with the same mapping
  shared<float>(visit, "shared_linear", Linear{});
  shared<float>(visit, "shared_stride_2", Linear{.step = 2});
  shared<float>(visit, "shared_stride_3", Linear{.step = 3});
  shared<float>(visit, "shared_stride_4", Linear{.step = 4});
  shared<float>(visit, "shared_stride_32", Linear{.step = 32});
  shared<float>(visit, "shared_stride_33", Linear{.step = 33});
  shared<float>(visit, "shared_broadcast", Linear{.step = 0});
  shared<float>(visit, "shared_two_words_one_bank", Linear{.step = 32, .period = 2});
  shared<float>(visit, "shared_xor_31", Xor{31});
  shared<float>(visit, "shared_scattered_256", Scattered{6, 256});
  shared<float>(visit, "shared_scattered_4096", Scattered{7, 4096});
  shared<float>(visit, "shared_stride_32_even_lanes", Linear{.step = 32}, 0x55555555u);
  shared<unsigned char>(visit, "shared_1_byte", Linear{});
  shared<unsigned char>(visit, "shared_1_byte_stride_128", Linear{.step = 128});
  shared<unsigned short>(visit, "shared_2_bytes_stride_2", Linear{.step = 2});
  shared<float2>(visit, "shared_8_bytes", Linear{});
  shared<float2>(visit, "shared_8_bytes_offset_5", Linear{.step = 1, .first = 5});
  shared<float2>(visit, "shared_8_bytes_stride_2", Linear{.step = 2});
  shared<float2>(visit, "shared_8_bytes_stride_3", Linear{.step = 3});
  shared<float2>(visit, "shared_8_bytes_stride_16", Linear{.step = 16});
  shared<float2>(visit, "shared_8_bytes_stride_17", Linear{.step = 17});
  shared<float2>(visit, "shared_8_bytes_broadcast", Linear{.step = 0});
  shared<float2>(visit, "shared_8_bytes_period_16", Linear{.step = 1, .period = 16});
  shared<float2>(visit, "shared_8_bytes_period_8", Linear{.step = 1, .period = 8});
  shared<float2>(visit, "shared_8_bytes_rows_16_pitch_24", Rows{16, 24});
  shared<float2>(visit, "shared_8_bytes_columns_2_pitch_16", Columns{2, 16});
  shared<float2>(visit, "shared_8_bytes_columns_16_pitch_2", Columns{16, 2});
  shared<float2>(visit, "shared_8_bytes_xor_17", Xor{17});
  shared<float2>(visit, "shared_8_bytes_scattered_32", Scattered{8, 32});
  shared<float2>(visit, "shared_8_bytes_scattered_64", Scattered{9, 64});
  shared<float2>(visit, "shared_8_bytes_scattered_1024", Scattered{10, 1024});
  shared<float2>(visit, "shared_8_bytes_even_lanes", Linear{}, 0x55555555u);
  shared<float2>(visit, "shared_8_bytes_first_half", Linear{}, 0x0000ffffu);
  shared<float2>(visit, "shared_8_bytes_stride_2_even_lanes", Linear{.step = 2}, 0x55555555u);
  shared<float2>(visit, "shared_8_bytes_8_lanes_of_each_half", Linear{}, 0x00ff00ffu);
  shared<float4>(visit, "shared_16_bytes", Linear{});
  shared<float4>(visit, "shared_16_bytes_stride_2", Linear{.step = 2});
  shared<float4>(visit, "shared_16_bytes_stride_3", Linear{.step = 3});
  shared<float4>(visit, "shared_16_bytes_stride_8", Linear{.step = 8});
  shared<float4>(visit, "shared_16_bytes_stride_9", Linear{.step = 9});
  shared<float4>(visit, "shared_16_bytes_broadcast", Linear{.step = 0});
  shared<float4>(visit, "shared_16_bytes_period_2", Linear{.step = 1, .period = 2});
  shared<float4>(visit, "shared_16_bytes_period_4", Linear{.step = 1, .period = 4});
  shared<float4>(visit, "shared_16_bytes_period_8", Linear{.step = 1, .period = 8});
  shared<float4>(visit, "shared_16_bytes_period_16", Linear{.step = 1, .period = 16});
  shared<float4>(visit, "shared_16_bytes_rows_4_pitch_8", Rows{4, 8});
  shared<float4>(visit, "shared_16_bytes_rows_4_pitch_12", Rows{4, 12});
  shared<float4>(visit, "shared_16_bytes_rows_2_pitch_2", Rows{2, 2});
  shared<float4>(visit, "shared_16_bytes_columns_4_pitch_8", Columns{4, 8});
  shared<float4>(visit, "shared_16_bytes_columns_8_pitch_4", Columns{8, 4});
  shared<float4>(visit, "shared_16_bytes_xor_9", Xor{9});
  shared<float4>(visit, "shared_16_bytes_scattered_16", Scattered{11, 16});
  shared<float4>(visit, "shared_16_bytes_scattered_32", Scattered{12, 32});
  shared<float4>(visit, "shared_16_bytes_scattered_512", Scattered{13, 512});
  shared<float4>(visit, "shared_16_bytes_first_quarter", Linear{}, 0x000000ffu);
  shared<float4>(visit, "shared_16_bytes_even_lanes", Linear{}, 0x55555555u);
  shared<float4>(visit, "shared_16_bytes_every_fourth_lane", Linear{}, 0x11111111u);
  shared<float4>(visit, "shared_16_bytes_stride_8_every_fourth_lane", Linear{.step = 8},
                 0x11111111u);
  shared<float2>(visit, "shared_8_bytes_by_neighbours", SharedBy{2});
  shared<float2>(visit, "shared_8_bytes_by_4", SharedBy{4});
  shared<float2>(visit, "shared_8_bytes_crosswise", SharedCrosswise{});
  shared<float2>(visit, "shared_8_bytes_by_neighbours_in_first_half", SharedInFirstHalf{});
  shared<float2>(visit, "shared_8_bytes_by_neighbours_but_last", SharedButLast{});
  shared<float2>(visit, "shared_8_bytes_by_neighbours_even_lanes", SharedBy{2}, 0x55555555u);
  shared<float2>(visit, "shared_8_bytes_by_neighbours_20_lanes", SharedBy{2}, 0x000fffffu);
  shared<float4>(visit, "shared_16_bytes_by_neighbours", SharedBy{2});
  shared<float4>(visit, "shared_16_bytes_by_4", SharedBy{4});
  shared<float4>(visit, "shared_16_bytes_by_8", SharedBy{8});
  shared<float4>(visit, "shared_16_bytes_crosswise", SharedCrosswise{});
  shared<float4>(visit, "shared_16_bytes_by_neighbours_in_first_half", SharedInFirstHalf{});
  shared<float4>(visit, "shared_16_bytes_by_neighbours_but_last", SharedButLast{});
  shared<float4>(visit, "shared_16_bytes_by_neighbours_even_lanes", SharedBy{2}, 0x55555555u);
  shared<float4>(visit, "shared_16_bytes_by_4_every_fourth_lane", SharedBy{4}, 0x11111111u);
  shared<float4>(visit, "shared_16_bytes_first_quarter_of_each_half", Linear{}, 0x00ff00ffu);
  // Atomics
  atomic(visit, "atomic_distinct", Linear{});
  atomic(visit, "atomic_stride_8", Linear{.step = 8});
  atomic(visit, "atomic_one_word", Linear{.step = 0});
  atomic(visit, "atomic_two_words_one_sector", Linear{.step = 1, .period = 2});
  atomic(visit, "atomic_two_words_two_lines", Linear{.step = 64, .period = 2});
  atomic(visit, "atomic_by_neighbours", SharedBy{2});
  atomic(visit, "atomic_scattered_16", Scattered{14, 16});
  atomic(visit, "atomic_scattered_64", Scattered{15, 64});
  reduction(visit, "reduction_distinct", Linear{});
  reduction(visit, "reduction_stride_8", Linear{.step = 8});
  reduction(visit, "reduction_one_word", Linear{.step = 0});
  reduction(visit, "reduction_by_neighbours", SharedBy{2});
  reduction(visit, "reduction_scattered_64", Scattered{15, 64});
  visit("compare_and_swap_distinct", [](Memory m) {
    global_compare_and_swap<<<1, kWarp>>>(m.out<int>(), m.out<int>() + 4096, Linear{});
  });
  visit("compare_and_swap_one_word", [](Memory m) {
    global_compare_and_swap<<<1, kWarp>>>(m.out<int>(), m.out<int>() + 4096, Linear{.step = 0});
  });
  shared_atomic(visit, "shared_atomic_distinct", Linear{});
  shared_atomic(visit, "shared_atomic_one_bank", Linear{.step = 32});
  shared_atomic(visit, "shared_atomic_one_word", Linear{.step = 0});
  shared_atomic(visit, "shared_atomic_by_neighbours", SharedBy{2});
  shared_atomic(visit, "shared_atomic_scattered_64", Scattered{16, 64});
}

}  // namespace microkernels
