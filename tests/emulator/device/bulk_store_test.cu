// Tests bulk copies out of shared memory and their groups, threads that drop out of a barrier, and
// multicast copies: by cuda::ptx and by inline PTX.
#include <cuda.h>
#include <cudaTypedefs.h>

#include <array>
#include <cstdint>
#include <cuda/ptx>
#include <vector>

#include "../cluster_launch.hpp"
#include "device_array.hpp"

namespace {

namespace ptx = cuda::ptx;

constexpr unsigned kThreads = 64;

__device__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
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

// ----------------------------------------------------------------------------------- plain copies

constexpr unsigned kPart = 64;  // words of a copy

// Two groups of two copies; the data are overwritten after the older group has been read.
template <bool in_ptx>
__global__ void store_parts(unsigned* out) {
  __shared__ __align__(128) unsigned parts[4][kPart];
  for (unsigned p = 0; p < 4; ++p) parts[p][threadIdx.x] = 100 * p + threadIdx.x;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  constexpr unsigned kBytes = kPart * sizeof(unsigned);
  if (threadIdx.x == 0) {
    for (unsigned p = 0; p < 4; ++p) {
      if constexpr (in_ptx) {
        asm volatile(
            "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + p * kPart),
            "r"(shared_address(parts[p])), "r"(kBytes)
            : "memory");
        if (p % 2 != 0) asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      } else {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + p * kPart, parts[p], kBytes);
        if (p % 2 != 0) ptx::cp_async_bulk_commit_group();
      }
    }
    if constexpr (in_ptx)
      asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    else
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());
    parts[0][0] = parts[1][0] = 7777;  // both have been read
    if constexpr (in_ptx)
      asm volatile("cp.async.bulk.wait_group %0;" ::"n"(0) : "memory");
    else
      ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    for (unsigned p = 0; p < 4; ++p) out[4 * kPart + p] = out[p * kPart + 1];
  }
}

// Nobody waits: the copy reads later data, but is still made.
__global__ void store_without_waiting(unsigned* out) {
  __shared__ __align__(128) unsigned part[kPart];
  part[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, part, std::uint32_t{sizeof part});
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());  // for all but this one
  }
  __syncthreads();
  part[threadIdx.x] = 2;
}

// ------------------------------------------------------------------------------------------ boxes

struct Coordinates {
  std::int32_t of[2];  // innermost first
};

// Stores `bytes` of dynamic memory that begin `before` bytes after a multiple of 1024.
template <bool in_ptx>
__global__ void store_box(const __grid_constant__ CUtensorMap map, Coordinates at, unsigned bytes,
                          unsigned before, const unsigned char* image) {
  extern __shared__ __align__(1024) unsigned char staged_box[];
  for (unsigned i = threadIdx.x; i < bytes; i += kThreads) staged_box[before + i] = image[i];
  ptx::fence_proxy_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    if constexpr (in_ptx) {
      asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
      asm volatile(
          "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(
              &map),
          "r"(shared_address(staged_box + before)), "r"(at.of[0]), "r"(at.of[1])
          : "memory");
      asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;" ::: "memory");
    } else {
      ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, at.of,
                                staged_box + before);
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
  }
}

struct Boxes {
  cuuint64_t width, height, pitch;  // floats, rows, bytes
  std::array<cuuint32_t, 2> box;    // floats, rows
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
  unsigned before = 0;

  std::size_t place(std::size_t byte) const {
    const std::size_t pieces = swizzle == CU_TENSOR_MAP_SWIZZLE_128B  ? 8
                               : swizzle == CU_TENSOR_MAP_SWIZZLE_64B ? 4
                               : swizzle == CU_TENSOR_MAP_SWIZZLE_32B ? 2
                                                                      : 1;
    const std::size_t flat = before + byte, line = flat / 128, piece = flat / 16;
    return (piece / pieces * pieces + (piece % pieces ^ line % pieces)) * 16 + flat % 16 - before;
  }

  template <class Kernel>
  void check(Coordinates at, Kernel kernel) const {
    CAPTURE(swizzle);
    CAPTURE(at.of[0]);
    CAPTURE(at.of[1]);
    const std::size_t row_bytes = box[0] * sizeof(float), bytes = row_bytes * box[1];
    DeviceArray<unsigned char> memory(height * pitch), image(bytes);
    for (std::size_t i = 0; i < bytes; ++i) image[i] = static_cast<unsigned char>(i * 7 + i / 251);
    std::vector<unsigned char> expected(memory.size(), 0xff);
    for (std::size_t i = 0; i < bytes; ++i) {
      const long long column = at.of[0] + static_cast<long long>(i % row_bytes / sizeof(float));
      const long long row = at.of[1] + static_cast<long long>(i / row_bytes);
      // The last 16 bytes of a row are written completely, even if the matrix ends within them.
      const long long written = (static_cast<long long>(width) + 3) / 4 * 4;
      if (column >= written || row >= static_cast<long long>(height)) continue;
      expected[static_cast<std::size_t>(row) * pitch + static_cast<std::size_t>(column) * 4 +
               i % 4] = image[place(i)];
    }
    CUtensorMap map;
    const cuuint64_t sizes[] = {width, height};
    const cuuint32_t steps[] = {1, 1};
    REQUIRE(encode_function()(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, memory.data(), sizes,
                              &pitch, box.data(), steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                              CU_TENSOR_MAP_L2_PROMOTION_NONE,
                              CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
    kernel<<<1, kThreads, before + bytes>>>(map, at, static_cast<unsigned>(bytes), before,
                                            image.data());
    require_finished();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < memory.size(); ++i) wrong += memory[i] != expected[i];
    CHECK(wrong == 0);
  }
  void check(Coordinates at) const {
    check(at, store_box<false>);
    check(at, store_box<true>);
  }
};

// --------------------------------------------------------------------------------------- barriers

// One of three threads arrives for the last time in the first phase, two in the second.
__global__ void drop(int* out) {
  __shared__ std::uint64_t barrier;
  if (threadIdx.x != 0) return;
  ptx::mbarrier_init(&barrier, 3u);
  const unsigned place = shared_address(&barrier);
  asm volatile("{ .reg .b64 s; mbarrier.arrive_drop.shared.b64 s, [%0]; }" ::"r"(place) : "memory");
  ptx::mbarrier_arrive(&barrier);
  out[0] = ptx::mbarrier_test_wait_parity(&barrier, 0u);
  ptx::mbarrier_arrive(&barrier);
  out[1] = ptx::mbarrier_test_wait_parity(&barrier, 0u);
  ptx::mbarrier_arrive(&barrier);
  out[2] = ptx::mbarrier_test_wait_parity(&barrier, 1u);
  asm volatile("mbarrier.arrive_drop.release.cta.shared::cta.b64 _, [%0], 1;" ::"r"(place)
               : "memory");
  out[3] = ptx::mbarrier_test_wait_parity(&barrier, 1u);
  asm volatile("mbarrier.arrive_drop.expect_tx.shared.b64 _, [%0], 0;" ::"r"(place) : "memory");
  out[4] = ptx::mbarrier_test_wait_parity(&barrier, 0u);
}

// ---------------------------------------------------------------------------------------- clusters

constexpr unsigned kTile = 32;  // floats, one for each thread

// Block 0 copies a matrix row to each block of `mask`; each reports the arrival at a barrier of
// block 0.
__global__ void spread(const __grid_constant__ CUtensorMap map, float* out, unsigned short mask) {
  __shared__ alignas(128) float tile[kTile];
  __shared__ std::uint64_t full, all_have_it;
  unsigned rank, blocks;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
  const bool receives = (mask >> rank & 1) != 0;
  tile[threadIdx.x] = -1;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1u);
    ptx::mbarrier_init(&all_have_it, blocks * kTile);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
    if (receives)
      asm volatile(
          "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&full)),
          "r"(kTile * 4)
          : "memory");
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\n barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
  unsigned is_chosen = 0;
  asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }"
               : "=r"(is_chosen));
  if (rank == 0 && is_chosen)
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
        ".multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(shared_address(tile)),
        "l"(&map), "r"(shared_address(&full)), "r"(0), "r"(2), "h"(mask)
        : "memory");
  if (receives) wait(&full, 0);
  out[blockIdx.x * kTile + threadIdx.x] = tile[threadIdx.x];
  asm volatile(
      "{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, 0;\n"
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }" ::"r"(
          shared_address(&all_have_it))
      : "memory");
  if (rank == 0) wait(&all_have_it, 0);
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}

__global__ void change_registers(int* out) {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
  out[threadIdx.x] = 1;
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(232));
}

}  // namespace

TEST_CASE("bulk copies out of shared memory, in groups") {
  for (const auto kernel : {store_parts<false>, store_parts<true>}) {
    DeviceArray<unsigned> out(4 * kPart + 4);
    kernel<<<1, kThreads>>>(out.data());
    require_finished();
    for (unsigned i = 0; i < 4 * kPart; ++i) CHECK(out[i] == 100 * (i / kPart) + i % kPart);
    for (unsigned p = 0; p < 4; ++p) CHECK(out[4 * kPart + p] == 100 * p + 1);
  }
}

TEST_CASE("a copy that nobody waits for takes what is written later") {
  DeviceArray<unsigned> out(kPart);
  store_without_waiting<<<1, kThreads>>>(out.data());
  require_finished();
  for (unsigned i = 0; i < kPart; ++i) CHECK(out[i] == 2);
}

TEST_CASE("boxes of a matrix go out of shared memory as they came in; what is outside is dropped") {
  Boxes boxes{70, 50, 288, {16, 12}};
  for (const Coordinates at : {Coordinates{{0, 0}}, {{16, 7}}, {{60, 45}}, {{72, 0}}, {{0, 50}}})
    boxes.check(at);
}

TEST_CASE("swizzled boxes go out as they came in") {
  struct Span {
    CUtensorMapSwizzle swizzle;
    cuuint32_t floats;
  };
  for (const Span span : {Span{CU_TENSOR_MAP_SWIZZLE_32B, 8}, Span{CU_TENSOR_MAP_SWIZZLE_64B, 16},
                          Span{CU_TENSOR_MAP_SWIZZLE_128B, 32}})
    for (const unsigned before : {0u, 128u, 1024u}) {
      Boxes boxes{200, 40, 800, {span.floats, 24}, span.swizzle, before};
      boxes.check({{0, 0}});
      boxes.check({{32, 20}});
      boxes.check({{196, 35}});
    }
}

TEST_CASE("who drops out of an mbarrier arrives, and is not waited for later") {
  DeviceArray<int> out(5);
  drop<<<1, 32>>>(out.data());
  require_finished();
  const std::array expected = {0, 1, 0, 1, 1};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(out[i] == expected[i]);
  }
}

TEST_CASE("a box goes to the blocks of a cluster that the mask names") {
  constexpr unsigned kBlocks = 4;
  DeviceArray<float> in(4 * kTile), out(kBlocks * kTile);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  CUtensorMap map;
  const cuuint64_t sizes[] = {kTile, 4}, pitch = kTile * sizeof(float);
  const cuuint32_t box[] = {kTile, 1}, steps[] = {1, 1};
  REQUIRE(encode_function()(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, in.data(), sizes, &pitch, box,
                            steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                            CU_TENSOR_MAP_L2_PROMOTION_NONE,
                            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
  for (const unsigned short mask : {0x1, 0xa, 0xf}) {
    CAPTURE(mask);
    REQUIRE(launch_together({.cluster = {kBlocks, 1, 1}}, kBlocks, kTile, spread, map, out.data(),
                            mask) == cudaSuccess);
    require_finished();
    for (unsigned i = 0; i < kBlocks * kTile; ++i)
      CHECK(out[i] ==
            ((mask >> i / kTile & 1) != 0 ? static_cast<float>(2 * kTile + i % kTile) : -1));
  }
}

TEST_CASE("setmaxnreg changes nothing here") {
  DeviceArray<int> out(128);
  change_registers<<<1, 128>>>(out.data());
  require_finished();
  for (int i = 0; i < 128; ++i) CHECK(out[static_cast<std::size_t>(i)] == 1);
}
