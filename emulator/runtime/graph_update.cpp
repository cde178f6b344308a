// Changes of executable graphs: other parameters, other graphs of the same shape, nodes that do
// nothing. What may change is as an H200 has it
// (tests/emulator/runtime/graph_record/recorded_h200.txt).
#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "cuda_runtime_api.h"
#include "emulator/memory.h"
#include "graph_executable.hpp"
#include "runtime.hpp"

using namespace emu;
using runtime::api_call;
using runtime::executables;
using runtime::find_obstacle;
using runtime::for_each_node;
using runtime::graph_mutex;
using runtime::graph_of;
using runtime::Node;
using runtime::Nodes;
using runtime::with_node;

namespace {

/// The nodes of a graph in the order in which an update pairs them with another graph's: from those
/// that nothing comes after, in the order in which they were added, against the edges.
struct Pairing {
  Nodes order;
  std::size_t ends = 0;  ///< nodes that nothing comes after
  std::unordered_map<const Node*, std::size_t> places;

  explicit Pairing(const CUgraph_st& graph) {
    std::set<const Node*> have_next;
    for (const auto& node : graph.nodes) have_next.insert(node->after.begin(), node->after.end());
    for (const auto& node : graph.nodes)
      if (!have_next.contains(node.get())) add(node.get());
    ends = order.size();
    for (std::size_t i = 0; i < order.size(); ++i)
      for (Node* const before : order[i]->after) add(before);
  }

 private:
  void add(Node* node) {
    if (places.emplace(node, order.size()).second) order.push_back(node);
  }
};

/// An executable graph's copy of a node, and the node that is to take its place.
using Pair = std::pair<const Node*, Node*>;

bool is_row(const cudaMemcpy3DParms& copy) {
  return copy.extent.height == 1 && copy.extent.depth == 1 && !copy.srcArray && !copy.dstArray;
}
bool is_on_device(const void* address) {
  const Space space = find_space(address);
  return in_arena(address) ? space != Space::pinned && space != Space::managed
                           : space == Space::device_variable || space == Space::constant;
}

bool has_same_bytes(const void* one, const void* other, std::size_t bytes) {
  return std::memcmp(one, other, bytes) == 0;
}

/// Whether a node of an executable graph may get such parameters. Of copies, the memory must stay
/// on the same side; what is no single row must stay as it is.
bool may_become(const cudaMemcpy3DParms& old, const cudaMemcpy3DParms& next) {
  if (has_same_bytes(&old, &next, sizeof(old))) return true;
  return is_row(old) && is_row(next) &&
         is_on_device(old.srcPtr.ptr) == is_on_device(next.srcPtr.ptr) &&
         is_on_device(old.dstPtr.ptr) == is_on_device(next.dstPtr.ptr);
}
bool may_become(const cudaMemsetParams& old, const cudaMemsetParams& next) {
  if (old.height == 1 && next.height == 1) return true;
  return old.height == next.height && old.width == next.width &&
         old.elementSize == next.elementSize && old.pitch == next.pitch;
}
bool may_become(const Node& old, const Node& next) {
  const TaskParameters* const before = old.task.parameters.get();
  const TaskParameters* const after = next.task.parameters.get();
  if (!before || !after || before->index() != after->index()) return true;
  if (const auto* const copy = std::get_if<cudaMemcpy3DParms>(before))
    return may_become(*copy, std::get<cudaMemcpy3DParms>(*after));
  if (const auto* const fill = std::get_if<cudaMemsetParams>(before))
    return may_become(*fill, std::get<cudaMemsetParams>(*after));
  return true;
}

/// Pairs the nodes of an executable graph with those of the graph that is to take its place.
/// @return false if they differ; `result` says where
bool pair(const CUgraph_st& old, const CUgraph_st& next, std::vector<Pair>& pairs,
          cudaGraphExecUpdateResultInfo& result) {
  const auto differ = [&](cudaGraphExecUpdateResult how, Node* node, Node* from = nullptr) {
    result = {how, node, from};
    return false;
  };
  const Pairing before(old), after(next);
  if (old.nodes.size() != next.nodes.size())
    return differ(cudaGraphExecUpdateErrorTopologyChanged, nullptr);
  if (before.ends != after.ends)
    return differ(cudaGraphExecUpdateErrorTopologyChanged, after.order.front());
  for (std::size_t i = 0; i < before.order.size(); ++i) {
    const Node& one = *before.order[i];
    Node* const other = after.order[i];
    if (one.type != other->type) return differ(cudaGraphExecUpdateErrorNodeTypeChanged, other);
    if (one.after.size() != other->after.size())
      return differ(cudaGraphExecUpdateErrorTopologyChanged, other);
    for (std::size_t edge = 0; edge < one.after.size(); ++edge)
      if (before.places.at(one.after[edge]) != after.places.at(other->after[edge]))
        return differ(cudaGraphExecUpdateErrorTopologyChanged, other, other->after[edge]);
    if (!may_become(one, *other)) return differ(cudaGraphExecUpdateErrorParametersChanged, other);
    pairs.emplace_back(&one, other);
    if (one.child && !pair(*one.child, *other->child, pairs, result)) return false;
    if (!one.branches) continue;
    const auto& branches = one.branches->graphs;
    const auto& others = other->branches->graphs;
    if (one.branches->type != other->branches->type || branches.size() != others.size())
      return differ(cudaGraphExecUpdateErrorNotSupported, other);
    for (std::size_t k = 0; k < branches.size(); ++k)
      if (!pair(*branches[k], *others[k], pairs, result)) return false;
  }
  return true;
}

/// Copies a graph that takes the place of another one. Its nodes have the names of those, and are
/// enabled as they are.
std::unique_ptr<CUgraph_st> replacement(const CUgraph_st& next, const std::vector<Pair>& pairs) {
  std::unordered_map<const Node*, const Node*> old_of;
  for (const auto& [old, node] : pairs) old_of.emplace(node, old);
  auto copy = runtime::copy_of(next);
  for_each_node(*copy, [&](Node& node) {
    const Node& old = *old_of.at(node.original);
    node.original = old.original;
    node.is_enabled = old.is_enabled;
  });
  return copy;
}

bool can_be_disabled(const Node& node) {
  return node.type == cudaGraphNodeTypeKernel || node.type == cudaGraphNodeTypeMemcpy ||
         node.type == cudaGraphNodeTypeMemset;
}

}  // namespace

cudaError_t runtime::change_in_executable(cudaGraphExec_t executable, cudaGraphNode_t node,
                                          cudaGraphNodeType type,
                                          const std::function<cudaError_t(Node& node)>& change) {
  return with_node(executable, node, [&](Node& copy) {
    if (copy.type != type) return cudaErrorInvalidValue;
    Node changed;
    changed.type = type;
    changed.graph = copy.graph;
    changed.attributes = copy.attributes;
    if (const cudaError_t error = change(changed); error != cudaSuccess) return error;
    if (!may_become(copy, changed)) return cudaErrorInvalidValue;
    copy.task = std::move(changed.task);
    copy.event = changed.event;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex());
    CUgraph_st* const next = graph_of(graph);
    if (next == nullptr || find_obstacle(*next, 0).result != 0) return cudaErrorInvalidValue;
    cudaGraphExecUpdateResultInfo difference{};
    cudaError_t error = cudaErrorInvalidValue;
    executables().with(handle, [&](CUgraphExec_st& executable) {
      std::vector<Pair> pairs;
      error = cudaErrorGraphExecUpdateFailure;
      if (!pair(*executable.graph, *next, pairs, difference)) return;
      executable.graph = replacement(*next, pairs);
      error = cudaSuccess;
    });
    if (result) *result = difference;
    return error;
  });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex());
    const CUgraph_st* const next = graph_of(child);
    if (next == nullptr) return cudaErrorInvalidValue;
    return with_node(executable, node, [&](Node& copy) {
      if (copy.type != cudaGraphNodeTypeGraph) return cudaErrorInvalidValue;
      cudaGraphExecUpdateResultInfo difference{};
      std::vector<Pair> pairs;
      if (!pair(*copy.child, *next, pairs, difference)) return cudaErrorGraphExecUpdateFailure;
      copy.child = replacement(*next, pairs);
      copy.child->owner = &copy;
      return cudaSuccess;
    });
  });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int isEnabled) {
  return api_call([&] {
    return with_node(executable, node, [&](Node& copy) {
      if (!can_be_disabled(copy)) return cudaErrorInvalidValue;
      copy.is_enabled = isEnabled != 0;
      return cudaSuccess;
    });
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int* isEnabled) {
  return api_call([&] {
    if (isEnabled == nullptr) return cudaErrorInvalidValue;
    return with_node(executable, node, [&](Node& copy) {
      if (!can_be_disabled(copy)) return cudaErrorInvalidValue;
      *isEnabled = copy.is_enabled ? 1 : 0;
      return cudaSuccess;
    });
  });
}
