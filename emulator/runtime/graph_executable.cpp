// Executable graphs: how they are made, and how they end.
#include "graph_executable.hpp"

#include <algorithm>
#include <iterator>

#include "cuda_runtime_api.h"

using namespace emu;
using runtime::api_call;
using runtime::executables;
using runtime::find_obstacle;
using runtime::for_each_node;
using runtime::graph_mutex;
using runtime::graph_of;
using runtime::Handles;
using runtime::Node;
using runtime::Nodes;
using runtime::Obstacle;

namespace {

constexpr unsigned long long kFlags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
    cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;

/// A graph that a kernel could launch has only nodes of some kinds.
bool device_may_launch(const Node& node) {
  return node.type == cudaGraphNodeTypeKernel || node.type == cudaGraphNodeTypeMemcpy ||
         node.type == cudaGraphNodeTypeMemset || node.type == cudaGraphNodeTypeGraph;
}

/// A conditional node's graphs have no nodes that only the host can do.
bool branch_may_have(const Node& node) {
  return device_may_launch(node) || node.type == cudaGraphNodeTypeEmpty ||
         node.type == cudaGraphNodeTypeConditional;
}

template <class IsAllowed>
Obstacle find_other(const CUgraph_st& graph, const IsAllowed& is_allowed) {
  Obstacle found;
  for_each_node(graph, [&](Node& node) {
    if (found.node == nullptr && !is_allowed(node))
      found = {cudaGraphInstantiateNodeOperationNotSupported, &node};
  });
  return found;
}

/// A node that is on a cycle or behind one; null if there is none.
Node* node_of_cycle(const CUgraph_st& graph) {
  const Nodes order = runtime::in_order(graph);
  const auto found = std::find_if(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) {
    return std::find(order.begin(), order.end(), node.get()) == order.end();
  });
  return order.size() == graph.nodes.size() ? nullptr : found->get();
}

cudaError_t instantiate(cudaGraphExec_t* executable, cudaGraph_t handle, unsigned long long flags,
                        Obstacle& obstacle) {
  constexpr unsigned long long kNotTogether =
      cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagAutoFreeOnLaunch;
  const std::lock_guard lock(graph_mutex());
  CUgraph_st* const graph = graph_of(handle);
  obstacle.result = cudaGraphInstantiateError;
  if (executable == nullptr || graph == nullptr || (flags & ~kFlags) != 0 ||
      (flags & kNotTogether) == kNotTogether)
    return cudaErrorInvalidValue;
  if (sticky_error() != cudaSuccess) return sticky_error();
  if (graph->owner != nullptr) return cudaErrorNotSupported;
  obstacle = find_obstacle(*graph, flags);
  if (obstacle.result != cudaGraphInstantiateSuccess) return cudaErrorInvalidValue;
  if (runtime::may_not_be_copied(*graph) && graph->executables > 0) {
    obstacle.result = cudaGraphInstantiateError;
    return cudaErrorNotSupported;
  }
  ++graph->executables;
  *executable = executables().create({runtime::copy_of(*graph), graph, graph->number, flags, 0});
  return cudaSuccess;
}

}  // namespace

Handles<CUgraphExec_st>& runtime::executables() {
  static Handles<CUgraphExec_st>& handles = *new Handles<CUgraphExec_st>;
  return handles;
}

void runtime::destroy_executables() noexcept { executables().destroy_all(); }

runtime::Obstacle runtime::find_obstacle(const CUgraph_st& graph, unsigned long long flags) {
  if (Node* const node = node_of_cycle(graph)) return {cudaGraphInstantiateInvalidStructure, node};
  for (const auto& condition : graph.conditions)
    if (!condition->has_node) return {cudaGraphInstantiateConditionalHandleUnused, nullptr};
  for (const auto& node : graph.nodes) {
    if (node->child)
      if (const Obstacle found = find_obstacle(*node->child, flags); found.result != 0)
        return found;
    if (!node->branches) continue;
    for (const auto& branch : node->branches->graphs) {
      if (const Obstacle found = find_obstacle(*branch, flags); found.result != 0) return found;
      if (const Obstacle found = find_other(*branch, branch_may_have); found.result != 0)
        return found;
    }
  }
  if (flags & cudaGraphInstantiateFlagDeviceLaunch) return find_other(graph, device_may_launch);
  return {};
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long flags) {
  return api_call([&] {
    // Only cudaGraphInstantiateWithParams is told a stream for the upload.
    if (flags & cudaGraphInstantiateFlagUpload) return cudaErrorInvalidValue;
    Obstacle obstacle;
    return instantiate(executable, graph, flags, obstacle);
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return api_call([&] { return cudaGraphInstantiate(executable, graph, flags); });
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  return api_call([&] {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    Obstacle obstacle;
    const cudaError_t error = instantiate(executable, graph, parameters->flags, obstacle);
    parameters->result_out = obstacle.result;
    parameters->errNode_out = obstacle.node;
    if (error != cudaSuccess || !(parameters->flags & cudaGraphInstantiateFlagUpload)) return error;
    return cudaGraphUpload(*executable, parameters->uploadStream);
  });
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
  return api_call([&] {
    if (flags == nullptr) return cudaErrorInvalidValue;
    const bool is_known = executables().with(
        handle, [&](const CUgraphExec_st& executable) { *flags = executable.flags; });
    return is_known ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex());
    const auto executable = executables().take(handle);
    if (!executable) return cudaErrorInvalidValue;
    if (CUgraph_st* const graph = graph_of(executable->original);
        graph && graph->number == executable->original_number)
      --graph->executables;
    return cudaSuccess;
  });
}
