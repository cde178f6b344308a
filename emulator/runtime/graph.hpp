/// @file
/// What stands behind the handles of graphs.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "driver_types.h"
#include "engine/run/queue.hpp"

/// A node and the nodes that come before it, in the order in which the program named them.
struct CUgraphNode_st {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  CUgraph_st* graph = nullptr;
  std::vector<CUgraphNode_st*> after;
  emu::Task task;                     ///< of an empty node and a child graph: none
  std::unique_ptr<CUgraph_st> child;  ///< of a child graph's node
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  // in the order in which they were added

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

/// The handle of a graph that is the program's from now on.
cudaGraph_t publish(std::unique_ptr<CUgraph_st> graph);
/// The graph behind a handle; null if there is none.
CUgraph_st* graph_of(cudaGraph_t handle);

void destroy_graphs() noexcept;

cudaGraphNodeType node_type(TaskKind kind);

}  // namespace emu::runtime
