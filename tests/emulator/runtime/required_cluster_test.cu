// Tests clusters requested by cudaFuncSetAttribute according to CUDA's manual; not compared with a
// device.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include "cuda_error_text.hpp"
#include "emulator/cluster_launch.hpp"

namespace {

__global__ void any_cluster() {}
__global__ void __cluster_dims__(2, 1, 1) pairs() {}

}  // namespace

TEST_CASE("a required cluster is every launch's") {
  CHECK(cudaFuncSetAttribute(any_cluster, cudaFuncAttributeRequiredClusterWidth, 1) == cudaSuccess);
  CHECK(cudaFuncSetAttribute(any_cluster, cudaFuncAttributeRequiredClusterHeight, 2) ==
        cudaSuccess);
  any_cluster<<<dim3(4, 4), 32>>>();
  CHECK(cudaGetLastError() == cudaErrorInvalidClusterSize);  // the depth is not set yet
  CHECK(cudaFuncSetAttribute(any_cluster, cudaFuncAttributeRequiredClusterDepth, 1) == cudaSuccess);
  any_cluster<<<dim3(4, 4), 32>>>();
  CHECK(cudaGetLastError() == cudaSuccess);
  any_cluster<<<dim3(4, 3), 32>>>();
  CHECK(cudaGetLastError() == cudaErrorInvalidClusterSize);
  CHECK(launch_together({{2, 1, 1}}, dim3(4, 4), 32, any_cluster) == cudaErrorInvalidClusterSize);
  cudaGetLastError();
}

TEST_CASE("a definition's cluster cannot be changed") {
  CHECK(cudaFuncSetAttribute(pairs, cudaFuncAttributeRequiredClusterWidth, 4) ==
        cudaErrorNotPermitted);
  CHECK(cudaFuncSetAttribute(any_cluster, cudaFuncAttributeRequiredClusterWidth, -1) ==
        cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(any_cluster, cudaFuncAttributeClusterDimMustBeSet, 1) ==
        cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("who asks for the number of clusters must say how large they are") {
  cudaLaunchConfig_t config{};
  config.gridDim = 4;
  config.blockDim = 1024;
  int clusters = -1;
  CHECK(cudaOccupancyMaxActiveClusters(&clusters, pairs, &config) == cudaSuccess);
  CHECK(clusters == 132);
  CHECK(cudaOccupancyMaxActiveClusters(&clusters, &pairs, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaOccupancyMaxActiveClusters(nullptr, &pairs, &config) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(any_cluster, cudaFuncAttributeRequiredClusterWidth, 0) == cudaSuccess);
  CHECK(cudaFuncSetAttribute(any_cluster, cudaFuncAttributeRequiredClusterHeight, 0) ==
        cudaSuccess);
  CHECK(cudaFuncSetAttribute(any_cluster, cudaFuncAttributeRequiredClusterDepth, 0) == cudaSuccess);
  CHECK(cudaOccupancyMaxActiveClusters(&clusters, any_cluster, &config) ==
        cudaErrorInvalidClusterSize);
  cudaGetLastError();
}
