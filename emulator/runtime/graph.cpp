// Graphs: their nodes and edges, copies of them.
#include "graph.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "cuda_runtime_api.h"
#include "runtime.hpp"

using namespace emu;
using runtime::api_call;
using runtime::graph_mutex;
using runtime::graph_of;
using runtime::Handles;
using runtime::has_node;
using runtime::Node;
using runtime::Nodes;

namespace {

/// All graphs: the program's own, those within others, and those of executable graphs.
struct AllGraphs {
  std::mutex mutex;
  std::set<const CUgraph_st*> graphs;
  std::uint64_t newest = 0;
};
AllGraphs& all_graphs() {
  static AllGraphs& all = *new AllGraphs;
  return all;
}

/// The nodes' places in `nodes`.
std::unordered_map<const Node*, std::size_t> places_in(const CUgraph_st& graph) {
  std::unordered_map<const Node*, std::size_t> places;
  for (const auto& node : graph.nodes) places.emplace(node.get(), places.size());
  return places;
}

std::unique_ptr<runtime::Branches> copy_of(const runtime::Branches& branches, Node* owner) {
  auto copy = std::make_unique<runtime::Branches>();
  copy->condition = branches.condition;
  copy->type = branches.type;
  for (const auto& graph : branches.graphs) {
    copy->graphs.push_back(runtime::copy_of(*graph));
    copy->graphs.back()->owner = owner;
    copy->handles.push_back(copy->graphs.back().get());
  }
  return copy;
}

/// Copies a node without its edges.
void add_copy(CUgraph_st& to, const Node& node) {
  Node* const copy = to.add(node.type, node.task, {});
  copy->original = &node;
  copy->is_enabled = node.is_enabled;
  copy->attributes = node.attributes;
  copy->event = node.event;
  copy->memory = node.memory;
  copy->allocation = node.allocation;
  if (node.child) {
    copy->child = runtime::copy_of(*node.child);
    copy->child->owner = copy;
  }
  if (node.branches) copy->branches = copy_of(*node.branches, copy);
}

bool is_ordinary(const cudaGraphEdgeData& data) {
  return data.from_port == 0 && data.to_port == 0 && data.type == 0;
}

/// Whether an edge can have such data: only between kernels, a programmatic one from a port.
bool check_edge_data(const Node* from, const Node* to, const cudaGraphEdgeData& data) {
  if (std::any_of(std::begin(data.reserved), std::end(data.reserved),
                  [](unsigned char byte) { return byte != 0; }))
    return false;
  if (is_ordinary(data)) return true;
  const bool is_port = data.from_port == cudaGraphKernelNodePortProgrammatic ||
                       data.from_port == cudaGraphKernelNodePortLaunchCompletion;
  return data.type == cudaGraphDependencyTypeProgrammatic && data.to_port == 0 && is_port &&
         from->type == cudaGraphNodeTypeKernel && to->type == cudaGraphNodeTypeKernel;
}

/// The error of a call that changes these edges of a graph, all of which must be `present` or none.
cudaError_t check_edges(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                        std::size_t count, bool present) {
  const CUgraph_st* const graph = graph_of(handle);
  if (graph == nullptr || (count > 0 && (from == nullptr || to == nullptr)))
    return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < count; ++i) {
    if (!has_node(*graph, from[i]) || !has_node(*graph, to[i]) || from[i] == to[i])
      return cudaErrorInvalidValue;
    const Nodes& after = to[i]->after;
    if ((std::find(after.begin(), after.end(), from[i]) != after.end()) != present)
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

/// Hands out a list as CUDA does: its length if there is no room for it; else as much as there is
/// room for, and null behind it.
void hand_out(const Nodes& all, cudaGraphNode_t* to, std::size_t* count) {
  if (to == nullptr) {
    *count = all.size();
    return;
  }
  for (std::size_t i = 0; i < *count; ++i) to[i] = i < all.size() ? all[i] : nullptr;
  *count = std::min(*count, all.size());
}

struct Edges {
  Nodes from, to;
  std::vector<cudaGraphEdgeData> data;

  void add(Node* begin, Node* end) {
    from.push_back(begin);
    to.push_back(end);
    data.push_back(end->edge_from(begin));
  }

  /// Whether data of the edges would be lost if nobody asks for it.
  bool has_data() const { return !std::all_of(data.begin(), data.end(), is_ordinary); }

  /// Hands out the nodes at one or both ends; null is what nobody asks for.
  cudaError_t hand_out_to(cudaGraphNode_t* begins, cudaGraphNode_t* ends,
                          cudaGraphEdgeData* edge_data, std::size_t* count) const {
    const bool asks = begins != nullptr || ends != nullptr;
    if (edge_data && !asks) return cudaErrorInvalidValue;
    if (asks && !edge_data && has_data()) return cudaErrorLossyQuery;
    const std::size_t room = *count;
    if (edge_data) std::copy_n(data.begin(), std::min(room, data.size()), edge_data);
    if (begins || !asks) hand_out(from, begins, count);
    *count = asks ? room : *count;
    if (ends) hand_out(to, ends, count);
    if (asks) *count = std::min(room, data.size());
    return cudaSuccess;
  }
};

}  // namespace

CUgraph_st::CUgraph_st() {
  const std::lock_guard lock(all_graphs().mutex);
  all_graphs().graphs.insert(this);
  number = ++all_graphs().newest;
}

CUgraph_st::~CUgraph_st() {
  {
    const std::lock_guard lock(all_graphs().mutex);
    all_graphs().graphs.erase(this);
  }
  runtime::release_user_objects(*this);
}

std::recursive_mutex& runtime::graph_mutex() {
  static auto& mutex = *new std::recursive_mutex;
  return mutex;
}

Handles<CUgraph_st>& runtime::own_graphs() {
  static Handles<CUgraph_st>& handles = *new Handles<CUgraph_st>;
  return handles;
}

cudaGraph_t runtime::publish(std::unique_ptr<CUgraph_st> graph) {
  return own_graphs().adopt(std::move(graph));
}

CUgraph_st* runtime::graph_of(cudaGraph_t handle) {
  const std::lock_guard lock(all_graphs().mutex);
  return all_graphs().graphs.contains(handle) ? handle : nullptr;
}

void runtime::destroy_graphs() noexcept {
  destroy_executables();
  own_graphs().destroy_all();
}

bool runtime::has_node(const CUgraph_st& graph, const Node* node) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [&](const auto& one) { return one.get() == node; });
}

bool runtime::has_node_of(const CUgraph_st& graph, cudaGraphNodeType type) {
  bool has = false;
  for_each_node(graph, [&](const Node& node) { has = has || node.type == type; });
  return has;
}

bool runtime::has_memory_nodes(const CUgraph_st& graph) {
  return has_node_of(graph, cudaGraphNodeTypeMemAlloc) ||
         has_node_of(graph, cudaGraphNodeTypeMemFree);
}

bool runtime::may_not_be_copied(const CUgraph_st& graph) {
  return has_memory_nodes(graph) || has_node_of(graph, cudaGraphNodeTypeConditional);
}

Nodes runtime::in_order(const CUgraph_st& graph) {
  Nodes order;
  std::set<const Node*> done;
  const auto is_done = [&](const Node* node) { return done.contains(node); };
  for (std::size_t before = 1; before != order.size();) {
    before = order.size();
    for (const auto& node : graph.nodes)
      if (!is_done(node.get()) && std::all_of(node->after.begin(), node->after.end(), is_done)) {
        order.push_back(node.get());
        done.insert(node.get());
      }
  }
  return order;
}

std::unique_ptr<CUgraph_st> runtime::copy_of(const CUgraph_st& graph) {
  auto copy = std::make_unique<CUgraph_st>();
  copy->conditions = graph.conditions;
  keep_user_objects(*copy, graph.user_objects);
  for (const auto& node : graph.nodes) add_copy(*copy, *node);
  const auto places = places_in(graph);
  const auto copied = [&](const Node* node) { return copy->nodes[places.at(node)].get(); };
  for (const auto& node : graph.nodes) {
    Node* const to = copied(node.get());
    for (const Node* const one : node->after) to->after.push_back(copied(one));
    for (const auto& [from, data] : node->edge_data) to->edge_data[copied(from)] = data;
  }
  return copy;
}

Node* runtime::find_copy(CUgraph_st& copy, const Node* original) {
  Node* found = nullptr;
  for_each_node(copy, [&](Node& node) {
    if (node.original == original) found = &node;
  });
  return found;
}

cudaGraphNodeType runtime::node_type(TaskKind kind) {
  switch (kind) {
    case TaskKind::kernel:
      return cudaGraphNodeTypeKernel;
    case TaskKind::copy:
      return cudaGraphNodeTypeMemcpy;
    case TaskKind::fill:
      return cudaGraphNodeTypeMemset;
    case TaskKind::host_function:
      return cudaGraphNodeTypeHost;
    case TaskKind::other:
      break;
  }
  return cudaGraphNodeTypeEmpty;
}

cudaError_t runtime::add_node(cudaGraphNode_t* added, cudaGraph_t handle,
                              const cudaGraphNode_t* dependencies,
                              const cudaGraphEdgeData* edge_data, std::size_t count,
                              cudaGraphNodeType type,
                              const std::function<cudaError_t(Node& node)>& make) {
  if (added == nullptr || (count > 0 && dependencies == nullptr)) return cudaErrorInvalidValue;
  if (sticky_error() != cudaSuccess) return sticky_error();
  const std::lock_guard lock(graph_mutex());
  CUgraph_st* const graph = graph_of(handle);
  if (!graph) return cudaErrorInvalidValue;
  const Nodes after(dependencies, dependencies + count);
  for (const Node* const one : after)
    if (!has_node(*graph, one)) return cudaErrorInvalidValue;
  Node* const node = graph->add(type, {}, after);
  cudaError_t error = cudaSuccess;
  for (std::size_t i = 0; edge_data && i < count; ++i) {
    if (!check_edge_data(after[i], node, edge_data[i])) error = cudaErrorInvalidValue;
    if (!is_ordinary(edge_data[i])) node->edge_data[after[i]] = edge_data[i];
  }
  if (error == cudaSuccess) error = make(*node);
  if (error != cudaSuccess)
    graph->nodes.pop_back();
  else
    *added = node;
  return error;
}

// ------------------------------------------------------------------------------------------ graphs

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  return api_call([&] {
    if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
    if (sticky_error() != cudaSuccess) return sticky_error();
    *graph = runtime::publish(std::make_unique<CUgraph_st>());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex());
    return runtime::own_graphs().destroy(graph) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex());
    const CUgraph_st* const original = graph_of(graph);
    if (clone == nullptr || original == nullptr) return cudaErrorInvalidValue;
    if (runtime::may_not_be_copied(*original)) return cudaErrorNotSupported;
    *clone = runtime::publish(runtime::copy_of(*original));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  return api_call([&] {
    if (node == nullptr || original == nullptr) return cudaErrorInvalidValue;
    const std::lock_guard lock(graph_mutex());
    CUgraph_st* const graph = graph_of(clone);
    if (graph == nullptr) return cudaErrorInvalidValue;
    const auto found = std::find_if(graph->nodes.begin(), graph->nodes.end(),
                                    [&](const auto& one) { return one->original == original; });
    if (found == graph->nodes.end()) return cudaErrorInvalidValue;
    *node = found->get();
    return cudaSuccess;
  });
}

// ------------------------------------------------------------------------------------------- edges

cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* edgeData,
                                     size_t count) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex());
    if (const cudaError_t error = check_edges(handle, from, to, count, false); error != cudaSuccess)
      return error;
    for (std::size_t i = 0; edgeData && i < count; ++i)
      if (!check_edge_data(from[i], to[i], edgeData[i])) return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      to[i]->after.push_back(from[i]);
      if (edgeData && !is_ordinary(edgeData[i])) to[i]->edge_data[from[i]] = edgeData[i];
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData* edgeData, size_t count) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex());
    if (const cudaError_t error = check_edges(handle, from, to, count, true); error != cudaSuccess)
      return error;
    if (count > 0 && runtime::has_memory_nodes(*graph_of(handle))) return cudaErrorNotSupported;
    for (std::size_t i = 0; edgeData && i < count; ++i) {
      const cudaGraphEdgeData present = to[i]->edge_from(from[i]);
      if (edgeData[i].from_port != present.from_port || edgeData[i].type != present.type)
        return cudaErrorInvalidValue;
    }
    for (std::size_t i = 0; i < count; ++i) {
      std::erase(to[i]->after, from[i]);
      to[i]->edge_data.erase(from[i]);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* edgeData, size_t* count) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex());
    const CUgraph_st* const graph = graph_of(handle);
    if (graph == nullptr || count == nullptr || (from == nullptr) != (to == nullptr))
      return cudaErrorInvalidValue;
    Edges edges;
    for (const auto& node : graph->nodes)
      for (Node* const one : node->after) edges.add(one, node.get());
    return edges.hand_out_to(from, to, edgeData, count);
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                         cudaGraphEdgeData* edgeData, size_t* count) {
  return api_call([&] {
    if (node == nullptr || count == nullptr) return cudaErrorInvalidValue;
    const std::lock_guard lock(graph_mutex());
    Edges edges;
    for (Node* const one : node->after) edges.add(one, node);
    return edges.hand_out_to(dependencies, nullptr, edgeData, count);
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                           cudaGraphEdgeData* edgeData, size_t* count) {
  return api_call([&] {
    if (node == nullptr || count == nullptr) return cudaErrorInvalidValue;
    const std::lock_guard lock(graph_mutex());
    Edges edges;
    for (const auto& one : node->graph->nodes)
      if (std::find(one->after.begin(), one->after.end(), node) != one->after.end())
        edges.add(node, one.get());
    return edges.hand_out_to(nullptr, dependents, edgeData, count);
  });
}

// ------------------------------------------------------------------------------------------- nodes

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return api_call([&] {
    if (node == nullptr) return cudaErrorInvalidValue;
    const std::lock_guard lock(graph_mutex());
    CUgraph_st* const graph = node->graph;
    if (runtime::has_memory_nodes(*graph)) return cudaErrorNotSupported;
    for (const auto& one : graph->nodes) {
      std::erase(one->after, node);
      one->edge_data.erase(node);
    }
    std::erase_if(graph->nodes, [&](const auto& one) { return one.get() == node; });
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex());
    const CUgraph_st* const graph = graph_of(handle);
    if (graph == nullptr || count == nullptr) return cudaErrorInvalidValue;
    Nodes all;
    for (const auto& node : graph->nodes) all.push_back(node.get());
    hand_out(all, nodes, count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex());
    const CUgraph_st* const graph = graph_of(handle);
    if (graph == nullptr || count == nullptr) return cudaErrorInvalidValue;
    Nodes roots;
    for (const auto& node : graph->nodes)
      if (node->after.empty()) roots.push_back(node.get());
    hand_out(roots, nodes, count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return api_call([&] {
    if (node == nullptr || type == nullptr) return cudaErrorInvalidValue;
    *type = node->type;
    return cudaSuccess;
  });
}
