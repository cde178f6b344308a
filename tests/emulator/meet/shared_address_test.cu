// Tests 32-bit addresses of shared memory, and queries of an address's memory space.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "emulator/cluster_launch.hpp"
#include "emulator/device/device_array.hpp"

namespace {

namespace cg = cooperative_groups;

constexpr unsigned kAnswers = 24;

__device__ int variable;

__global__ void addresses(unsigned long long* out) {
  __shared__ int a;
  __shared__ double b[3];
  extern __shared__ char dynamic[];
  const cg::cluster_group cluster = cg::this_cluster();
  const int last = static_cast<int>(cluster.num_blocks()) - 1;
  if (threadIdx.x == 0) a = 40 + static_cast<int>(cluster.block_rank());
  cluster.sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    int local = 0;
    const int* const own = cluster.map_shared_rank(&a, 0);
    const int* const others = cluster.map_shared_rank(&a, last);
    out[0] = __cvta_generic_to_shared(&a);
    out[1] = __cvta_generic_to_shared(b);
    out[2] = __cvta_generic_to_shared(dynamic);
    out[3] = __cvta_generic_to_shared(b + 2);
    out[4] = __cvta_shared_to_generic(__cvta_generic_to_shared(&a)) == &a;
    out[5] = __cvta_shared_to_generic(__cvta_generic_to_shared(dynamic + 7)) == dynamic + 7;
    out[6] = own == &a;
    out[7] = __cvta_generic_to_shared(others);
    out[8] = static_cast<unsigned long long>(
        *static_cast<int*>(__cvta_shared_to_generic(__cvta_generic_to_shared(others))));
    out[9] = __isShared(&a);
    out[10] = __isShared(out);
    out[11] = __isShared(others);
    out[12] = __isGlobal(out);
    out[13] = __isGlobal(&variable);
    out[14] = __isGlobal(&a);
    out[15] = __isGlobal(others);
    out[16] = __isGlobal(&local);
    out[17] = __isLocal(&local);
    out[18] = __isLocal(out);
    out[19] = __isLocal(&a);
    out[20] = __cvta_generic_to_global(out) == reinterpret_cast<size_t>(out);
    out[21] = __cvta_local_to_generic(__cvta_generic_to_local(&local)) == &local;
    out[22] = __isConstant(out);
    out[23] = cluster.query_shared_rank(&a);
  }
  cluster.sync();
}

/// Returns the answers of the first block of a cluster of this size.
std::array<unsigned long long, kAnswers> answers(unsigned blocks) {
  DeviceArray<unsigned long long> out(kAnswers);
  REQUIRE(launch_together({{blocks, 1, 1}, false, 100}, 2, 32, addresses, out.data()) ==
          cudaSuccess);
  require_finished();
  std::array<unsigned long long, kAnswers> answers{};
  std::copy_n(out.data(), kAnswers, answers.begin());
  return answers;
}

}  // namespace

TEST_CASE("shared memory has 32-bit addresses") {
  for (const unsigned blocks : {1u, 2u}) {
    CAPTURE(blocks);
    const auto out = answers(blocks);
    constexpr unsigned long long kReserved = 0x400, kMost = 0x400 + 227 * 1024;
    for (const std::size_t variable : {0, 1, 2}) {
      CAPTURE(variable);
      CHECK(out[variable] >= kReserved);
      CHECK(out[variable] < kMost);
    }
    CHECK(out[0] % alignof(int) == 0);
    CHECK(out[1] % alignof(double) == 0);
    CHECK(out[2] % 16 == 0);
    CHECK(out[3] == out[1] + 2 * sizeof(double));
    CHECK(out[4] == 1);
    CHECK(out[5] == 1);
    CHECK(out[6] == 1);
    CHECK(out[7] == (static_cast<unsigned long long>(blocks - 1) << 24 | out[0]));
    CHECK(out[8] == 40 + blocks - 1);
    CHECK(out[23] == 0);
  }
}

TEST_CASE("an address tells what memory it is in") {
  for (const unsigned blocks : {1u, 2u}) {
    CAPTURE(blocks);
    const auto out = answers(blocks);
    CHECK(out[9] == 1);
    CHECK(out[10] == 0);
    CHECK(out[11] == (blocks == 1 ? 1 : 0));  // belongs to this block
    CHECK(out[12] == 1);
    CHECK(out[13] == 1);
    CHECK(out[14] == 0);
    CHECK(out[15] == 0);
    CHECK(out[16] == 0);
    CHECK(out[17] == 1);
    CHECK(out[18] == 0);
    CHECK(out[19] == 0);
    CHECK(out[20] == 1);
    CHECK(out[21] == 1);
    CHECK(out[22] == 0);
  }
}
