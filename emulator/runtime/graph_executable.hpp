/// @file
/// Executable graphs: what stands behind their handles.
#pragma once

#include <cstdint>
#include <memory>

#include "driver_types.h"
#include "graph.hpp"
#include "handles.hpp"
#include "runtime.hpp"

struct CUgraphExec_st {
  std::shared_ptr<CUgraph_st> graph;  ///< a copy, which launches that are not over share
  CUgraph_st* original = nullptr;     ///< if it is still there and has this number
  std::uint64_t original_number = 0;
  unsigned long long flags = 0;
  emu::Ticket last = 0;  ///< of the newest launch, which the next one comes after
};

namespace emu::runtime {

Handles<CUgraphExec_st>& executables();

/// A reason against instantiating a graph.
struct Obstacle {
  cudaGraphInstantiateResult result = cudaGraphInstantiateSuccess;
  Node* node = nullptr;
};

/// Returns why a graph cannot be made executable with these flags, if it cannot.
Obstacle find_obstacle(const CUgraph_st& graph, unsigned long long flags);

/// Calls use(node) for the executable graph's copy of a node.
template <class Use>
cudaError_t with_node(cudaGraphExec_t handle, cudaGraphNode_t node, const Use& use) {
  if (node == nullptr) return cudaErrorInvalidValue;
  if (sticky_error() != cudaSuccess) return sticky_error();
  const std::lock_guard lock(graph_mutex());
  cudaError_t error = cudaErrorInvalidValue;
  executables().with(handle, [&](CUgraphExec_st& executable) {
    if (Node* const copy = find_copy(*executable.graph, node)) error = use(*copy);
  });
  return error;
}

}  // namespace emu::runtime
