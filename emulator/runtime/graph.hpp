/// @file
/// What stands behind the handles of graphs. An executable graph is a copy of the graph that it was
/// made of, whose nodes it knows by those of the original.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "driver_types.h"
#include "engine/run/queue.hpp"
#include "graph_memory.hpp"
#include "handles.hpp"

namespace emu::runtime {

/// The value that a conditional node goes by. Kernels set it.
struct Condition {
  cudaGraphConditionalHandle handle = 0;
  unsigned first = 0;      ///< at the beginning of a launch, if `has_first`
  bool has_first = false;  ///< otherwise the value stays from launch to launch
  bool has_node = false;   ///< there is a node that goes by it
  std::atomic<unsigned> value{0};
};

/// A conditional node's graphs.
struct Branches {
  std::shared_ptr<Condition> condition;
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::vector<std::unique_ptr<CUgraph_st>> graphs;
  std::vector<cudaGraph_t> handles;  ///< the graphs, for the program
};

using Attributes = std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue>;

}  // namespace emu::runtime

/// A node and the nodes that come before it, in the order in which the program named them.
struct CUgraphNode_st {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  CUgraph_st* graph = nullptr;
  std::vector<CUgraphNode_st*> after;
  /// Of the edges from those nodes, the data of those that have any.
  std::map<const CUgraphNode_st*, cudaGraphEdgeData> edge_data;
  const CUgraphNode_st* original = nullptr;  ///< of which it is a copy; no more than a name
  bool is_enabled = true;

  // What the node is made of, by its type.
  emu::Task task;                                     ///< kernels, copies, fills, functions
  emu::runtime::Attributes attributes;                ///< kernels
  std::unique_ptr<CUgraph_st> child;                  ///< child graphs
  cudaEvent_t event = nullptr;                        ///< records and waits
  std::shared_ptr<emu::runtime::GraphMemory> memory;  ///< allocations and frees
  cudaMemAllocNodeParams allocation{};                ///< allocations
  std::unique_ptr<emu::runtime::Branches> branches;   ///< conditional nodes

  cudaGraphEdgeData edge_from(const CUgraphNode_st* node) const {
    const auto found = edge_data.find(node);
    return found == edge_data.end() ? cudaGraphEdgeData{} : found->second;
  }
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  // in the order in which they were added
  CUgraphNode_st* owner = nullptr;  ///< the node that it is the child or a branch of; null: none
  std::vector<std::shared_ptr<emu::runtime::Condition>> conditions;
  std::map<cudaUserObject_t, unsigned> user_objects;  ///< and how many references it has
  int executables = 0;                                ///< that have been made of it, and are there
  std::uint64_t number = 0;                           ///< that no other graph has

  CUgraph_st();
  ~CUgraph_st();
  CUgraph_st(const CUgraph_st&) = delete;
  CUgraph_st& operator=(const CUgraph_st&) = delete;

  CUgraphNode_st* add(cudaGraphNodeType type, emu::Task task, std::vector<CUgraphNode_st*> after) {
    auto node = std::make_unique<CUgraphNode_st>();
    node->type = type;
    node->graph = this;
    node->task = std::move(task);
    node->after = std::move(after);
    nodes.push_back(std::move(node));
    return nodes.back().get();
  }
};

namespace emu::runtime {

using Node = CUgraphNode_st;
using Nodes = std::vector<Node*>;

/// Calls of several threads change graphs one after the other.
std::recursive_mutex& graph_mutex();

/// The graphs that are the program's own.
Handles<CUgraph_st>& own_graphs();

/// Makes a graph the program's own from now on.
cudaGraph_t publish(std::unique_ptr<CUgraph_st> graph);
/// The graph behind a handle, which may also be a child or a branch; null if there is none.
CUgraph_st* graph_of(cudaGraph_t handle);

bool has_node(const CUgraph_st& graph, const Node* node);

/// Calls visit(node) for the nodes of a graph and of the graphs within it.
template <class Graph, class Visit>
void for_each_node(Graph& graph, const Visit& visit) {
  for (const auto& node : graph.nodes) {
    visit(*node);
    if (node->child) for_each_node(*node->child, visit);
    if (node->branches)
      for (const auto& branch : node->branches->graphs) for_each_node(*branch, visit);
  }
}

bool has_node_of(const CUgraph_st& graph, cudaGraphNodeType type);
/// Whether a graph has nodes that allocate or free memory.
bool has_memory_nodes(const CUgraph_st& graph);
/// Whether a graph has nodes of which a copy would be of no use: their memory or condition is one.
bool may_not_be_copied(const CUgraph_st& graph);

/// The nodes, each behind those that it depends on; fewer if there is a cycle.
Nodes in_order(const CUgraph_st& graph);

/// Copies a graph with all that is in it. Memory and conditions are those of the original.
std::unique_ptr<CUgraph_st> copy_of(const CUgraph_st& graph);

/// The node of a copied graph, or of a graph within it, that is the copy of `original`.
Node* find_copy(CUgraph_st& copy, const Node* original);

/// Adds a node behind others of the same graph, which are checked. `make(node)` gives it what it
/// is made of; if that fails, there is no node.
cudaError_t add_node(cudaGraphNode_t* added, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                     const cudaGraphEdgeData* edge_data, std::size_t count, cudaGraphNodeType type,
                     const std::function<cudaError_t(Node& node)>& make);

/// Gives a node the parameters of its kind, of the program's graph or of an executable one.
cudaError_t set_parameters(Node& node, const cudaGraphNodeParams& parameters);
cudaError_t set_kernel(Node& node, const cudaKernelNodeParams& parameters);
cudaError_t set_copy(Node& node, const cudaMemcpy3DParms& parameters);
cudaError_t set_copy(Node& node, void* target, const void* source, std::size_t bytes,
                     cudaMemcpyKind kind);
cudaError_t set_copy_to_symbol(Node& node, const void* symbol, const void* source,
                               std::size_t bytes, std::size_t offset, cudaMemcpyKind kind);
cudaError_t set_copy_from_symbol(Node& node, void* target, const void* symbol, std::size_t bytes,
                                 std::size_t offset, cudaMemcpyKind kind);
cudaError_t set_fill(Node& node, const cudaMemsetParams& parameters);
cudaError_t set_function(Node& node, const cudaHostNodeParams& parameters);
cudaError_t set_event(Node& node, cudaEvent_t event);
cudaError_t set_allocation(Node& node, cudaMemAllocNodeParams& parameters);
cudaError_t set_free(Node& node, void* pointer);
cudaError_t set_branches(Node& node, cudaConditionalNodeParams& parameters);

/// Gives a node of an executable graph other parameters. `change(node)` is called for a copy of
/// what it has in the place of the program's node, and the copy takes its place if that is
/// possible.
cudaError_t change_in_executable(cudaGraphExec_t executable, cudaGraphNode_t node,
                                 cudaGraphNodeType type,
                                 const std::function<cudaError_t(Node& node)>& change);

/// Adds references of one graph to user objects to those of another.
void keep_user_objects(CUgraph_st& graph, const std::map<cudaUserObject_t, unsigned>& objects);
void release_user_objects(CUgraph_st& graph) noexcept;

void destroy_graphs() noexcept;
void destroy_executables() noexcept;

cudaGraphNodeType node_type(TaskKind kind);

}  // namespace emu::runtime
