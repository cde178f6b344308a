// Tests refused cooperative launches and clusters, and what fits on the device, as with CUDA 13.0
// on an H200. Passes on a device, too, except for cluster sizes that depend on its groups of
// multiprocessors.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "cuda_error_text.hpp"
#include "emulator/cluster_launch.hpp"
#include "emulator/device/device_array.hpp"

namespace {

constexpr int kMostShared = 227 * 1024;

__global__ void count_blocks(unsigned* blocks) {
  if (threadIdx.x == 0) atomicAdd(blocks, 1);
}

__global__ void __cluster_dims__(2, 1, 1) count_in_pairs(unsigned* blocks) {
  if (threadIdx.x == 0) atomicAdd(blocks, 1);
}

__global__ void __cluster_dims__(2) in_rows(unsigned*) {}
__global__ void __cluster_dims__(1, 4) __launch_bounds__(128) in_columns(unsigned*) {}

// May start before the previous kernel has ended, and waits for it.
__global__ void count_after(unsigned* blocks) {
  cudaGridDependencySynchronize();
  if (threadIdx.x == 0) atomicAdd(blocks, 1);
  cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void __cluster_dims__(2, 1, 2) declared_first(unsigned*);
__global__ void declared_first(unsigned*) {}

template <int kWidth>
__global__ void __cluster_dims__(kWidth, kWidth > 2 ? 1 : 2) in_tiles(unsigned*) {}

/// Checks the last error after an error that is not sticky.
void check_last_error(cudaError_t error) {
  CHECK(cudaGetLastError() == error);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaGetLastError() == cudaSuccess);
}

void allow(void (*kernel)(unsigned*), cudaFuncAttribute attribute, int value) {
  REQUIRE(cudaFuncSetAttribute(kernel, attribute, value) == cudaSuccess);
}

cudaLaunchConfig_t shape(unsigned grid, unsigned threads, std::size_t dynamic_bytes = 0) {
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = threads;
  config.dynamicSmemBytes = dynamic_bytes;
  return config;
}

cudaLaunchAttribute clusters_of(unsigned blocks) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = blocks;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  return attribute;
}

}  // namespace

TEST_CASE("the device can do both") {
  cudaDeviceProp device;
  REQUIRE(cudaGetDeviceProperties(&device, 0) == cudaSuccess);
  CHECK(device.cooperativeLaunch == 1);
  CHECK(device.clusterLaunch == 1);
  for (const cudaDeviceAttr attribute : {cudaDevAttrCooperativeLaunch, cudaDevAttrClusterLaunch}) {
    int value = 0;
    CHECK(cudaDeviceGetAttribute(&value, attribute, 0) == cudaSuccess);
    CHECK(value == 1);
  }
}

TEST_CASE("a cooperative launch must fit on the device at once") {
  struct Case {
    unsigned blocks, threads;
    std::size_t dynamic_bytes;
    cudaError_t error;
  };
  const Case cases[] = {
      {264, 1024, 0, cudaSuccess},
      {265, 1024, 0, cudaErrorCooperativeLaunchTooLarge},
      {4224, 32, 0, cudaSuccess},
      {5000, 32, 0, cudaErrorCooperativeLaunchTooLarge},
      {0, 32, 0, cudaErrorInvalidValue},
      {1, 2000, 0, cudaErrorInvalidValue},
      {1, 32, 300000, cudaErrorCooperativeLaunchTooLarge},
      {1, 32, 60000, cudaErrorCooperativeLaunchTooLarge},
  };
  for (const Case& c : cases) {
    CAPTURE(c.blocks);
    CAPTURE(c.threads);
    CAPTURE(c.dynamic_bytes);
    DeviceArray<unsigned> count(1);
    count[0] = 0;
    unsigned* pointer = count.data();
    void* arguments[] = {&pointer};
    CHECK(cudaLaunchCooperativeKernel((const void*)count_blocks, dim3(c.blocks), dim3(c.threads),
                                      arguments, c.dynamic_bytes, nullptr) == c.error);
    check_last_error(c.error);
    CHECK(count[0] == (c.error == cudaSuccess ? c.blocks : 0));
  }
}

TEST_CASE("shared memory limits a cooperative launch") {
  DeviceArray<unsigned> count(1);
  unsigned* pointer = count.data();
  void* arguments[] = {&pointer};
  allow(count_blocks, cudaFuncAttributeMaxDynamicSharedMemorySize, kMostShared);
  CHECK(cudaLaunchCooperativeKernel(count_blocks, dim3(132), dim3(128), arguments, 120000) ==
        cudaSuccess);
  CHECK(cudaLaunchCooperativeKernel(count_blocks, dim3(264), dim3(128), arguments, 120000) ==
        cudaErrorCooperativeLaunchTooLarge);
  check_last_error(cudaErrorCooperativeLaunchTooLarge);
  allow(count_blocks, cudaFuncAttributeMaxDynamicSharedMemorySize, 48 * 1024);
}

TEST_CASE("a cooperative launch of nothing") {
  const void* const null = nullptr;
  CHECK(cudaLaunchCooperativeKernel(null, dim3(1), dim3(1), nullptr, 0, nullptr) ==
        cudaErrorInvalidDeviceFunction);
  check_last_error(cudaErrorInvalidDeviceFunction);
}

TEST_CASE("launches with attributes: sizes, clusters, cooperation") {
  struct Case {
    const char* what;
    Together together;
    dim3 grid, block;
    cudaError_t error;
  };
  const Case cases[] = {
      {"cooperative, too large", {{0, 0, 0}, true}, 265, 1024, cudaErrorCooperativeLaunchTooLarge},
      {"cooperative", {{0, 0, 0}, true}, 10, 64, cudaSuccess},
      {"cooperative, in pairs", {{2, 1, 1}, true}, 8, 64, cudaSuccess},
      {"pairs in a grid of 3", {{2, 1, 1}}, 3, 32, cudaErrorInvalidClusterSize},
      {"clusters of 16", {{16, 1, 1}}, 16, 32, cudaErrorInvalidClusterSize},
      {"clusters of 9", {{9, 1, 1}}, 18, 32, cudaErrorInvalidClusterSize},
      {"clusters of 3", {{3, 1, 1}}, 6, 32, cudaSuccess},
      {"a cluster larger than the grid", {{4, 1, 1}}, 2, 32, cudaErrorInvalidClusterSize},
      {"clusters of 2 x 2 x 2", {{2, 2, 2}}, {4, 2, 2}, 32, cudaSuccess},
      {"a grid that is odd in z", {{1, 1, 2}}, {4, 2, 1}, 32, cudaErrorInvalidClusterSize},
      {"too many threads", {}, 1, 2000, cudaErrorInvalidValue},
      {"no blocks", {}, 0, 32, cudaErrorInvalidValue},
      {"too much shared memory", {{0, 0, 0}, false, 300000}, 1, 32, cudaErrorInvalidValue},
  };
  for (const Case& c : cases) {
    CAPTURE(c.what);
    DeviceArray<unsigned> count(1);
    count[0] = 0;
    CHECK(launch_together(c.together, c.grid, c.block, count_blocks, count.data()) == c.error);
    check_last_error(c.error);
    CHECK(count[0] == (c.error == cudaSuccess ? c.grid.x * c.grid.y * c.grid.z : 0));
  }
}

TEST_CASE("clusters of up to 16 blocks, if the kernel allows them") {
  DeviceArray<unsigned> count(1);
  count[0] = 0;
  const auto launch = [&](unsigned blocks) {
    return launch_together({{blocks, 1, 1}}, blocks, 32, count_blocks, count.data());
  };
  allow(count_blocks, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  CHECK(launch(16) == cudaSuccess);
  CHECK(launch(32) == cudaErrorInvalidClusterSize);
  check_last_error(cudaErrorInvalidClusterSize);
  CHECK(count[0] == 16);
  allow(count_blocks, cudaFuncAttributeNonPortableClusterSizeAllowed, 0);
}

TEST_CASE("an attribute that names no cluster, and one that is not there") {
  DeviceArray<unsigned> count(1);
  count[0] = 0;
  cudaLaunchConfig_t config = shape(4, 32);
  cudaLaunchAttribute none = clusters_of(0);
  none.val.clusterDim.y = none.val.clusterDim.z = 0;
  config.attrs = &none;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, count_blocks, count.data()) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(count[0] == 4);
  config.attrs = nullptr;
  CHECK(cudaLaunchKernelEx(&config, count_blocks, count.data()) == cudaErrorInvalidValue);
  check_last_error(cudaErrorInvalidValue);
}

TEST_CASE("a kernel that has its clusters from its definition") {
  DeviceArray<unsigned> count(1);
  count[0] = 0;
  count_in_pairs<<<3, 32>>>(count.data());
  check_last_error(cudaErrorInvalidClusterSize);
  count_in_pairs<<<4, 32>>>(count.data());
  check_last_error(cudaSuccess);
  CHECK(count[0] == 4);
  CHECK(launch_together({{4, 1, 1}}, 8, 32, count_in_pairs, count.data()) ==
        cudaErrorInvalidClusterSize);
  check_last_error(cudaErrorInvalidClusterSize);
  CHECK(launch_together({{2, 1, 1}}, 8, 32, count_in_pairs, count.data()) == cudaSuccess);
  check_last_error(cudaSuccess);
  CHECK(count[0] == 12);
  unsigned* pointer = count.data();
  void* arguments[] = {&pointer};
  CHECK(cudaLaunchCooperativeKernel(count_in_pairs, dim3(3), dim3(32), arguments) ==
        cudaErrorInvalidClusterSize);
  check_last_error(cudaErrorInvalidClusterSize);
  CHECK(cudaLaunchCooperativeKernel(count_in_pairs, dim3(4), dim3(32), arguments) == cudaSuccess);
  check_last_error(cudaSuccess);
  CHECK(count[0] == 16);
}

TEST_CASE("a definition's clusters are attributes of the kernel") {
  struct Case {
    void (*kernel)(unsigned*);
    int width, height, depth;
  };
  const Case cases[] = {
      {count_in_pairs, 2, 1, 1}, {in_rows, 2, 1, 1},     {declared_first, 2, 1, 2},
      {in_columns, 1, 4, 1},     {in_tiles<2>, 2, 2, 1}, {in_tiles<4>, 4, 1, 1},
      {count_blocks, 0, 0, 0},
  };
  for (const Case& c : cases) {
    CAPTURE(&c - cases);
    cudaFuncAttributes attributes;
    REQUIRE(cudaFuncGetAttributes(&attributes, c.kernel) == cudaSuccess);
    CHECK(attributes.clusterDimMustBeSet == (c.width > 0));
    CHECK(attributes.requiredClusterWidth == c.width);
    CHECK(attributes.requiredClusterHeight == c.height);
    CHECK(attributes.requiredClusterDepth == c.depth);
    CHECK(attributes.nonPortableClusterSizeAllowed == 0);
  }
}

TEST_CASE("clusters that the device holds at once") {
  // An H200's answers for blocks of 128 threads, of 1024, of 128 with 200000 bytes of shared
  // memory, and of 256 with 100000.
  struct Row {
    unsigned blocks;  // per cluster
    std::array<int, 4> clusters;
  };
  const Row rows[] = {
      {1, {1056, 264, 132, 264}}, {2, {528, 132, 66, 132}}, {3, {327, 79, 39, 79}},
      {4, {248, 62, 30, 62}},     {5, {193, 47, 22, 47}},   {6, {163, 39, 17, 39}},
      {7, {139, 32, 15, 32}},     {8, {124, 30, 15, 30}},   {16, {58, 14, 7, 14}},
  };
  struct Block {
    unsigned threads;
    std::size_t dynamic_bytes;
  };
  const std::array<Block, 4> blocks = {{{128, 0}, {1024, 0}, {128, 200000}, {256, 100000}}};
  allow(count_blocks, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  allow(count_blocks, cudaFuncAttributeMaxDynamicSharedMemorySize, kMostShared);
  for (const Row& row : rows) {
    CAPTURE(row.blocks);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      CAPTURE(i);
      cudaLaunchConfig_t config = shape(row.blocks, blocks[i].threads, blocks[i].dynamic_bytes);
      cudaLaunchAttribute attribute = clusters_of(row.blocks);
      config.attrs = &attribute;
      config.numAttrs = 1;
      int clusters = -1;
      CHECK(cudaOccupancyMaxActiveClusters(&clusters, count_blocks, &config) == cudaSuccess);
      CHECK(clusters == row.clusters[i]);
    }
  }
  allow(count_blocks, cudaFuncAttributeNonPortableClusterSizeAllowed, 0);
  allow(count_blocks, cudaFuncAttributeMaxDynamicSharedMemorySize, 48 * 1024);
}

TEST_CASE("the largest cluster that a launch could have") {
  allow(count_blocks, cudaFuncAttributeMaxDynamicSharedMemorySize, kMostShared);
  for (const int nonportable : {0, 1}) {
    allow(count_blocks, cudaFuncAttributeNonPortableClusterSizeAllowed, nonportable);
    for (const std::size_t dynamic_bytes : {0, 200000}) {
      const cudaLaunchConfig_t config = shape(64, 128, dynamic_bytes);
      int blocks = -1;
      CHECK(cudaOccupancyMaxPotentialClusterSize(&blocks, count_blocks, &config) == cudaSuccess);
      CHECK(blocks == (nonportable ? 16 : 8));
    }
  }
  allow(count_blocks, cudaFuncAttributeNonPortableClusterSizeAllowed, 0);
  allow(count_blocks, cudaFuncAttributeMaxDynamicSharedMemorySize, 48 * 1024);
  const cudaLaunchConfig_t config = shape(64, 128);
  int blocks = -1;
  CHECK(cudaOccupancyMaxPotentialClusterSize(&blocks, count_in_pairs, &config) == cudaSuccess);
  CHECK(blocks == 2);
}

TEST_CASE("attributes that change no result are taken") {
  DeviceArray<unsigned> count(1);
  count[0] = 0;
  const cudaLaunchAttributeID harmless[] = {
      cudaLaunchAttributeIgnore,
      cudaLaunchAttributeSynchronizationPolicy,
      cudaLaunchAttributeProgrammaticStreamSerialization,
      cudaLaunchAttributePriority,
      cudaLaunchAttributeMemSyncDomain,
  };
  std::vector<cudaLaunchAttribute> attributes;
  for (const cudaLaunchAttributeID id : harmless) {
    attributes.emplace_back();
    attributes.back().id = id;
  }
  attributes[1].val.syncPolicy = cudaSyncPolicyAuto;
  cudaLaunchConfig_t config = shape(3, 32);
  config.attrs = attributes.data();
  config.numAttrs = static_cast<unsigned>(attributes.size());
  CHECK(cudaLaunchKernelEx(&config, count_blocks, count.data()) == cudaSuccess);
  attributes[2].val.programmaticStreamSerializationAllowed = 1;
  CHECK(cudaLaunchKernelEx(&config, count_after, count.data()) == cudaSuccess);
  check_last_error(cudaSuccess);
  CHECK(count[0] == 6);
}
