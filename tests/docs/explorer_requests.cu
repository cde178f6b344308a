/// Makes requests as docs/explorer describes them, and writes the emulator's counts, a JSON object
/// per line, which explorer_test.js compares.
///
/// Reads settings from standard input first, one per line, with values in the order in which read()
/// reads them; then tries a grid of settings.
///
/// Lanes compute their addresses from threadIdx, so the mapping is compared as well as the cost.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <random>
#include <string>

#include "emulator/counters.h"

namespace {

[[maybe_unused]] const bool counts = (emu::set_counting(true), true);

enum Order { kStraight, kXor, kTimes, kShared };
constexpr const char* kOrders[] = {"straight", "xor", "times", "shared"};
enum Access { kLoad, kStore, kAtomic };
constexpr const char* kAccesses[] = {"load", "store", "atomic"};

/// The settings of docs/explorer/model.js, under the same names.
struct Setting {
  bool is_shared = false;
  int access = kLoad;
  int bytes = 4;
  int base = 0, offset = 0, stride = 1, pitch = 0;
  int block_x = 32, block_y = 1;
  bool x_is_column = true;
  int order = kStraight, by = 1;
  int lanes = 32;
};

__device__ int element_of(const Setting& s) {
  const int lane = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
  int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  if (s.order != kStraight) {
    const int taken = s.order == kXor     ? lane ^ s.by
                      : s.order == kTimes ? lane * s.by % warpSize
                                          : lane / s.by;
    x = taken % static_cast<int>(blockDim.x);
    y = taken / static_cast<int>(blockDim.x);
  }
  const int col = s.x_is_column ? x : y, row = s.x_is_column ? y : x;
  return s.offset + row * s.pitch + col * s.stride;
}

template <class T>
__device__ void load_or_store(T* data, const Setting& s, T* spare) {
  const int thread = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
  if (thread >= s.lanes) return;
  if (s.access == kLoad) {
    spare[thread] = data[element_of(s)];
  } else {
    data[element_of(s)] = T{};
  }
}

template <class T>
__device__ void add_one(T* data, const Setting& s) {
  const int thread = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
  if (thread < s.lanes) atomicAdd(&data[element_of(s)], T{1});
}

extern __shared__ __align__(128) char shared_memory[];

template <class T>
__global__ void global_request(Setting s, char* memory, T* spare) {
  load_or_store(reinterpret_cast<T*>(memory + s.base), s, spare);
}

template <class T>
__global__ void shared_request(Setting s, T* spare) {
  load_or_store(reinterpret_cast<T*>(shared_memory + s.base), s, spare);
}

template <class T>
__global__ void global_atomic(Setting s, char* memory) {
  add_one(reinterpret_cast<T*>(memory + s.base), s);
}

template <class T>
__global__ void shared_atomic(Setting s) {
  add_one(reinterpret_cast<T*>(shared_memory + s.base), s);
}

constexpr int kGlobalBytes = 1 << 20, kSharedBytes = 48 << 10;

void require(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "explorer_requests: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

template <class T>
void launch(const Setting& s, char* memory, char* spare) {
  const dim3 block(s.block_x, s.block_y);
  T* const values = reinterpret_cast<T*>(spare);
  if (s.is_shared) {
    shared_request<T><<<1, block, kSharedBytes>>>(s, values);
  } else {
    global_request<T><<<1, block>>>(s, memory, values);
  }
}

template <class T>
void launch_atomic(const Setting& s, char* memory) {
  const dim3 block(s.block_x, s.block_y);
  if (s.is_shared) {
    shared_atomic<T><<<1, block, kSharedBytes>>>(s);
  } else {
    global_atomic<T><<<1, block>>>(s, memory);
  }
}

void run(const Setting& s, char* memory, char* spare) {
  if (s.access == kAtomic) {
    s.bytes == 4 ? launch_atomic<unsigned>(s, memory)
                 : launch_atomic<unsigned long long>(s, memory);
  } else if (s.bytes == 1) {
    launch<unsigned char>(s, memory, spare);
  } else if (s.bytes == 2) {
    launch<unsigned short>(s, memory, spare);
  } else if (s.bytes == 4) {
    launch<float>(s, memory, spare);
  } else if (s.bytes == 8) {
    launch<float2>(s, memory, spare);
  } else {
    launch<float4>(s, memory, spare);
  }
  require(cudaGetLastError());
  require(cudaDeviceSynchronize());
}

void print(const Setting& s, const emu::Counters& counters) {
  std::printf(
      "{\"settings\": {\"memory\": \"%s\", \"access\": \"%s\", \"bytes\": %d, "
      "\"base\": %d, \"offset\": %d, \"stride\": %d, \"pitch\": %d, \"blockX\": %d, "
      "\"blockY\": %d, \"column\": \"%s\", \"order\": \"%s\", \"by\": %d, \"lanes\": %d}, ",
      s.is_shared ? "shared" : "global", kAccesses[s.access], s.bytes, s.base, s.offset, s.stride,
      s.pitch, s.block_x, s.block_y, s.x_is_column ? "x" : "y", kOrders[s.order], s.by, s.lanes);
  if (s.is_shared) {
    const course::SharedCounters& c = s.access == kLoad    ? counters.shared_load
                                      : s.access == kStore ? counters.shared_store
                                                           : counters.shared_atomic;
    std::printf(
        "\"counted\": {\"requests\": %lu, \"wavefronts\": %lu, \"wavefrontsIdeal\": %lu}}\n",
        c.requests, c.wavefronts, c.wavefronts_ideal);
  } else {
    const course::GlobalCounters& c = s.access == kLoad    ? counters.global_load
                                      : s.access == kStore ? counters.global_store
                                                           : counters.global_atomic;
    std::printf(
        "\"counted\": {\"requests\": %lu, \"sectors\": %lu, \"lines\": %lu, \"bytes\": %lu}}\n",
        c.requests, c.sectors, c.lines, c.bytes);
  }
}

/// Returns the index of `name` in a list of names.
template <class Names>
int place_of(const std::string& name, const Names& names) {
  const auto found = std::find(std::begin(names), std::end(names), name);
  if (found != std::end(names)) return static_cast<int>(found - std::begin(names));
  std::fprintf(stderr, "explorer_requests: unknown setting: %s\n", name.c_str());
  std::exit(1);
}

/// Reads one line of settings; returns false at the end of the input.
bool read(Setting& s) {
  std::string memory, access, column, order;
  std::cin >> memory >> access >> s.bytes >> s.base >> s.offset >> s.stride >> s.pitch >>
      s.block_x >> s.block_y >> column >> order >> s.by >> s.lanes;
  if (!std::cin) return false;
  s.is_shared = memory == "shared";
  s.access = place_of(access, kAccesses);
  s.x_is_column = column == "x";
  s.order = place_of(order, kOrders);
  return true;
}

struct Shape {
  int x, y;
};

/// An order of lanes, and its parameter.
struct Reordering {
  int order, by;
};

}  // namespace

/// Tries all combinations of the main settings; the others cycle through their values meanwhile.
int main() {
  char *memory = nullptr, *spare = nullptr;
  require(cudaMalloc(&memory, kGlobalBytes));
  require(cudaMemset(memory, 0, kGlobalBytes));
  require(cudaMalloc(&spare, kGlobalBytes));

  constexpr int kOffsets[] = {0, 1, 8, 11, 128}, kPitches[] = {0, 4, 5, 16, 17, 32, 33};
  constexpr int kLanes[] = {32, 32, 32, 20, 16, 7, 1}, kBases[] = {0, 0, 16, 96};
  constexpr Reordering kReorderings[] = {{kStraight, 1}, {kStraight, 1}, {kXor, 1},
                                         {kXor, 21},     {kTimes, 5},    {kTimes, 6},
                                         {kShared, 2},   {kShared, 3},   {kShared, 32}};
  for (Setting s; read(s);) {
    run(s, memory, spare);
    print(s, emu::last_launch()->counters);
  }
  std::mt19937 random(6);
  const auto one_of = [&](const auto& values) { return values[random() % std::size(values)]; };
  for (const bool is_shared : {false, true})
    for (const int access : {kLoad, kStore, kAtomic})
      for (const int bytes : {1, 2, 4, 8, 16})
        for (const int stride : {0, 1, 2, 3, 4, 8, 16, 32, 33})
          for (const Shape shape :
               {Shape{32, 1}, {1, 32}, {8, 4}, {4, 8}, {16, 2}, {5, 7}, {3, 3}, {64, 2}})
            for (const bool x_is_column : {true, false})
              for (const Reordering reordering : kReorderings) {
                Setting s{is_shared, access, bytes};
                if (access == kAtomic && bytes != 4 && bytes != 8) continue;
                s.stride = stride;
                s.block_x = shape.x;
                s.block_y = shape.y;
                s.x_is_column = x_is_column;
                s.order = reordering.order;
                s.by = reordering.by;
                s.offset = one_of(kOffsets);
                s.pitch = one_of(kPitches);
                s.base = one_of(kBases);
                s.lanes = std::min(one_of(kLanes), shape.x * shape.y);
                const int last = s.offset + 31 * (s.stride + s.pitch);
                if (is_shared && s.base + (last + 1) * bytes > kSharedBytes) continue;
                run(s, memory, spare);
                print(s, emu::last_launch()->counters);
              }
}
