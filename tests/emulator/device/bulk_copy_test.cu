// Tests mbarriers, which count arrivals and bytes, and the copies that arrive at them.
#include <cuda.h>
#include <cudaTypedefs.h>

#include <array>
#include <cstdint>
#include <cuda/ptx>
#include <vector>

#include "device_array.hpp"

namespace {

namespace ptx = cuda::ptx;

constexpr unsigned kThreads = 64;
constexpr unsigned kWarps = kThreads / 32;

__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

// ------------------------------------------------------------------------------------- mbarriers

// All threads arrive and wait in each round, in every possible way.
__global__ void many_rounds(int* out, int rounds) {
  __shared__ std::uint64_t barrier;
  __shared__ int values[kThreads];
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, std::uint32_t{kThreads});
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    for (int half = 0; half < 2; ++half) {
      if (half == 0) values[threadIdx.x] = round + static_cast<int>(threadIdx.x);
      const unsigned parity = static_cast<unsigned>(half);
      std::uint64_t state = 0;
      if (round % 3 == 0)
        state = ptx::mbarrier_arrive(&barrier);
      else if (round % 3 == 1)
        state = ptx::mbarrier_arrive(&barrier, 1u);
      else
        state = ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier);
      switch (round % 6) {
        case 0:
          wait(&barrier, parity);
          break;
        case 1:
          while (!ptx::mbarrier_try_wait(&barrier, state)) {
          }
          break;
        case 2:
          while (!ptx::mbarrier_test_wait(&barrier, state)) {
          }
          break;
        case 3:
          while (!ptx::mbarrier_test_wait_parity(&barrier, parity)) {
          }
          break;
        case 4:
          while (!ptx::mbarrier_try_wait(ptx::sem_acquire, ptx::scope_cta, &barrier, state)) {
          }
          break;
        default:
          while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, &barrier, parity,
                                                1000u)) {
          }
      }
      if (half == 0) sum += values[kThreads - 1 - threadIdx.x];
    }
  }
  out[threadIdx.x] = sum;
}

// The phase before the first counts as completed, and has parity 1.
__global__ void parities(int* out) {
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 2u);
    out[0] = ptx::mbarrier_test_wait_parity(&barrier, 0u);
    out[1] = ptx::mbarrier_test_wait_parity(&barrier, 1u);
    const std::uint64_t first = ptx::mbarrier_arrive(&barrier);
    out[2] = ptx::mbarrier_test_wait(&barrier, first);
    ptx::mbarrier_arrive(&barrier);
    out[3] = ptx::mbarrier_test_wait(&barrier, first);
    out[4] = ptx::mbarrier_test_wait_parity(&barrier, 0u);
    out[5] = ptx::mbarrier_test_wait_parity(&barrier, 1u);
    ptx::mbarrier_arrive(&barrier, 2u);
    out[6] = ptx::mbarrier_test_wait_parity(&barrier, 1u);
    out[7] = ptx::mbarrier_test_wait_parity(&barrier, 0u);
  }
}

// One warp writes what the other reads: two stages, a full and an empty barrier each.
__global__ void producer_and_consumer(const int* in, int* out, int rounds) {
  constexpr int kStages = 2;
  __shared__ std::uint64_t full[kStages], empty[kStages];
  __shared__ int stage[kStages][32];
  if (threadIdx.x == 0)
    for (int s = 0; s < kStages; ++s) {
      ptx::mbarrier_init(&full[s], 32u);
      ptx::mbarrier_init(&empty[s], 32u);
    }
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    const int s = round % kStages;
    const unsigned parity = static_cast<unsigned>(round / kStages % 2);
    if (threadIdx.x < 32) {
      wait(&empty[s], parity ^ 1);
      stage[s][lane] = in[round * 32 + static_cast<int>(lane)];
      ptx::mbarrier_arrive(&full[s]);
    } else {
      wait(&full[s], parity);
      sum += (round + 1) * stage[s][31 - lane];
      ptx::mbarrier_arrive(&empty[s]);
    }
  }
  if (threadIdx.x >= 32) out[lane] = sum;
}

// ---------------------------------------------------------------------------------------- copies

__global__ void copy_row(const std::uint32_t* in, std::uint32_t* out, unsigned count) {
  __shared__ __align__(128) std::uint32_t staged[256];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1u);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  const auto bytes = static_cast<std::uint32_t>(count * sizeof(std::uint32_t));
  if (threadIdx.x == 0) {  // in two pieces, announced after they were started
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, staged, in, 16u, &barrier);
    ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, staged + 4, in + 4, bytes - 16,
                       &barrier);
    ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &barrier, bytes);
    ptx::mbarrier_arrive(&barrier);
  }
  wait(&barrier, 0);
  for (unsigned i = threadIdx.x; i < count; i += kThreads) out[i] = staged[i];
}

template <int kRank>
struct Coordinates {
  std::int32_t of[kRank];  // innermost first
};

/// The same by inline PTX.
template <int kRank>
__device__ void ask_for_box(void* target, const CUtensorMap* map, const Coordinates<kRank>& at,
                            std::uint64_t* barrier) {
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(target));
  const auto by = static_cast<unsigned>(__cvta_generic_to_shared(barrier));
  if constexpr (kRank == 1)
    asm volatile(
        "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes"
        " [%0], [%1, {%3}], [%2];" ::"r"(to),
        "l"(map), "r"(by), "r"(at.of[0])
        : "memory");
  else if constexpr (kRank == 2)
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"
        " [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(to),
        "l"(map), "r"(by), "r"(at.of[0]), "r"(at.of[1]), "l"(0x1000000000000000ull)
        : "memory");
  else
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
        " [%0], [%1, {%3, %4, %5}], [%2];" ::"r"(to),
        "l"(map), "r"(by), "r"(at.of[0]), "r"(at.of[1]), "r"(at.of[2])
        : "memory");
}

// Copies the box at `at` to `before` bytes after a multiple of 1024, and returns its bytes.
template <int kRank, bool in_ptx>
__global__ void copy_box(const __grid_constant__ CUtensorMap map, Coordinates<kRank> at,
                         unsigned bytes, unsigned before, unsigned char* out) {
  extern __shared__ __align__(1024) unsigned char dynamic_stage[];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1u);
    ptx::fence_proxy_async();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                   bytes);
    if constexpr (in_ptx)
      ask_for_box(dynamic_stage + before, &map, at, &barrier);
    else
      ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, dynamic_stage + before, &map,
                                at.of, &barrier);
  }
  wait(&barrier, 0);
  for (unsigned i = threadIdx.x; i < bytes; i += kThreads) out[i] = dynamic_stage[before + i];
}

PFN_cuTensorMapEncodeTiled_v12000 encode_function() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  constexpr unsigned kVersion = 12000;
  REQUIRE(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, kVersion,
                                           cudaEnableDefault, &found) == cudaSuccess);
  REQUIRE(found == cudaDriverEntryPointSuccess);
  return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
}

/// A tensor whose neighbouring bytes differ, and boxes of it.
template <int kRank>
struct Boxes {
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  unsigned element_bytes = 4;
  std::array<cuuint64_t, kRank> sizes{};    // elements, innermost first
  std::array<cuuint64_t, kRank> strides{};  // bytes; the first is the element's
  std::array<cuuint32_t, kRank> box{};      // elements
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
  unsigned before = 0;

  unsigned row_bytes() const { return box[0] * element_bytes; }

  /// Returns the position of byte `b` of row `r` of the box, in the manual's terms: within spans of
  /// 32, 64 or 128 bytes, 16-byte pieces are permuted depending on the number of their 128-byte
  /// line.
  std::size_t place(std::size_t r, std::size_t b) const {
    const std::size_t pieces = swizzle == CU_TENSOR_MAP_SWIZZLE_128B  ? 8
                               : swizzle == CU_TENSOR_MAP_SWIZZLE_64B ? 4
                               : swizzle == CU_TENSOR_MAP_SWIZZLE_32B ? 2
                                                                      : 1;
    const std::size_t flat = before + r * row_bytes() + b;
    const std::size_t line = flat / 128, piece = flat / 16;
    const std::size_t moved = piece / pieces * pieces + (piece % pieces ^ line % pieces);
    return moved * 16 + flat % 16 - before;
  }

  void check(Coordinates<kRank> at) const {
    check(at, copy_box<kRank, false>);
    check(at, copy_box<kRank, true>);
  }

  template <class Kernel>
  void check(Coordinates<kRank> at, Kernel kernel) const {
    CAPTURE(row_bytes());
    CAPTURE(swizzle);
    CAPTURE(before);
    CAPTURE(at.of[0]);
    DeviceArray<unsigned char> memory(sizes[kRank - 1] * strides[kRank - 1]);
    for (std::size_t i = 0; i < memory.size(); ++i)
      memory[i] = static_cast<unsigned char>(1 + (i * 7 + i / 251) % 255);
    std::array<cuuint32_t, kRank> steps{};
    steps.fill(1);
    CUtensorMap map;
    REQUIRE(encode_function()(&map, type, kRank, memory.data(), sizes.data(), strides.data() + 1,
                              box.data(), steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                              CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                              CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
    std::size_t rows = 1;
    for (int d = 1; d < kRank; ++d) rows *= box[static_cast<std::size_t>(d)];
    const std::size_t bytes = rows * row_bytes();
    DeviceArray<unsigned char> out(bytes);
    kernel<<<1, kThreads, before + bytes>>>(map, at, static_cast<unsigned>(bytes), before,
                                            out.data());
    require_finished();
    std::size_t wrong = 0;
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t b = 0; b < row_bytes(); ++b) {
        std::size_t rest = r, offset = b % element_bytes;
        bool inside = true;
        for (std::size_t d = 0; d < kRank; ++d) {
          const std::size_t within = d == 0 ? b / element_bytes : rest % box[d];
          if (d > 0) rest /= box[d];
          const long long coordinate = at.of[d] + static_cast<long long>(within);
          inside = inside && coordinate >= 0 && coordinate < static_cast<long long>(sizes[d]);
          offset += static_cast<std::size_t>(coordinate) * strides[d];
        }
        wrong += out[place(r, b)] != (inside ? memory[offset] : 0);
      }
    CHECK(wrong == 0);
  }
};

__global__ void all_dynamic_memory(unsigned* out, unsigned words) {
  extern __shared__ __align__(1024) unsigned dynamic_words[];
  for (unsigned i = threadIdx.x; i < words; i += kThreads) dynamic_words[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(dynamic_words) % 1024);
    out[1] = dynamic_words[words - 1];
  }
}

}  // namespace

TEST_CASE("an mbarrier is a barrier in each of its phases, however one arrives and waits") {
  constexpr int kRounds = 13;
  DeviceArray<int> out(kThreads);
  many_rounds<<<1, kThreads>>>(out.data(), kRounds);
  require_finished();
  for (int i = 0; i < static_cast<int>(kThreads); ++i) {
    int sum = 0;
    for (int round = 0; round < kRounds; ++round) sum += round + static_cast<int>(kThreads) - 1 - i;
    CHECK(out[static_cast<std::size_t>(i)] == sum);
  }
}

TEST_CASE("which phases are over") {
  DeviceArray<int> out(8);
  parities<<<1, 1>>>(out.data());
  require_finished();
  const std::array expected = {0, 1, 0, 1, 1, 0, 1, 0};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(out[i] == expected[i]);
  }
}

TEST_CASE("two stages with full and empty barriers, many times round") {
  constexpr int kRounds = 9;
  DeviceArray<int> in(kRounds * 32), out(32);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * i % 101);
  producer_and_consumer<<<1, kWarps * 32>>>(in.data(), out.data(), kRounds);
  require_finished();
  for (int lane = 0; lane < 32; ++lane) {
    int sum = 0;
    for (int round = 0; round < kRounds; ++round)
      sum += (round + 1) * in[static_cast<std::size_t>(round * 32 + 31 - lane)];
    CHECK(out[static_cast<std::size_t>(lane)] == sum);
  }
}

TEST_CASE("a row in bulk") {
  for (const std::size_t count : {8, 64, 256}) {
    DeviceArray<std::uint32_t> in(count), out(count);
    for (std::size_t i = 0; i < count; ++i) in[i] = static_cast<std::uint32_t>(i * 2654435761u);
    copy_row<<<1, kThreads>>>(in.data(), out.data(), static_cast<unsigned>(count));
    require_finished();
    bool equal = true;
    for (std::size_t i = 0; i < count; ++i) equal = equal && out[i] == in[i];
    CHECK(equal);
  }
}

TEST_CASE("boxes of a matrix, inside, across its edges and far away") {
  Boxes<2> boxes;
  boxes.sizes = {70, 50};
  boxes.strides = {4, 288};
  boxes.box = {16, 12};
  constexpr int kFar = 1 << 30;
  for (const Coordinates<2> at : {Coordinates<2>{0, 0},
                                  {16, 7},
                                  {-4, -3},
                                  {60, 45},
                                  {72, 0},
                                  {0, 50},
                                  {-kFar, 3},
                                  {kFar, kFar}})
    boxes.check(at);
  boxes.sizes = {1, 1};
  boxes.check({0, 0});
  boxes.box = {256, 1};
  boxes.check({-128, 0});
}

TEST_CASE("swizzled boxes, and what their place in shared memory does") {
  Boxes<2> boxes;
  boxes.sizes = {200, 40};
  boxes.strides = {4, 800};
  struct Span {
    CUtensorMapSwizzle swizzle;
    cuuint32_t elements;
  };
  for (const Span span : {Span{CU_TENSOR_MAP_SWIZZLE_32B, 8}, Span{CU_TENSOR_MAP_SWIZZLE_64B, 16},
                          Span{CU_TENSOR_MAP_SWIZZLE_128B, 32}}) {
    boxes.swizzle = span.swizzle;
    boxes.box = {span.elements, 24};
    for (const unsigned before : {0u, 128u, 640u, 1024u}) {
      boxes.before = before;
      boxes.check({0, 0});
      boxes.check({32, 20});
      boxes.check({196, -5});
    }
  }
}

TEST_CASE("tensors of one and of three dimensions, and elements of 1, 2 and 8 bytes") {
  Boxes<1> row;
  row.sizes = {100};
  row.strides = {4};
  row.box = {64};
  row.check({0});
  row.check({64});
  row.check({-64});

  Boxes<3> cube;
  cube.sizes = {9, 5, 4};
  cube.strides = {4, 48, 256};
  cube.box = {8, 3, 2};
  cube.check({0, 0, 0});
  cube.check({4, 3, 3});
  cube.check({-4, -1, -1});

  struct Element {
    CUtensorMapDataType type;
    unsigned bytes;
  };
  for (const Element element :
       {Element{CU_TENSOR_MAP_DATA_TYPE_UINT8, 1}, Element{CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2},
        Element{CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 8}}) {
    Boxes<2> boxes;
    boxes.type = element.type;
    boxes.element_bytes = element.bytes;
    boxes.sizes = {45, 6};
    boxes.strides = {element.bytes, 400};
    boxes.box = {32, 4};
    boxes.check({16, 0});
    boxes.check({32, 4});
  }
}

TEST_CASE("a block may have 227 KiB of dynamic shared memory, at a multiple of 1024") {
  constexpr unsigned kBytes = 227 * 1024;
  DeviceArray<unsigned> out(2);
  REQUIRE(cudaFuncSetAttribute(all_dynamic_memory, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               kBytes) == cudaSuccess);
  all_dynamic_memory<<<1, kThreads, kBytes>>>(out.data(), kBytes / 4);
  require_finished();
  CHECK(out[0] == 0);
  CHECK(out[1] == kBytes / 4 - 1);
}
