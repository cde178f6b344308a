// Conditional nodes of graphs, and the values that they go by.
#include <algorithm>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "cuda_runtime_api.h"
#include "emulator/condition.h"
#include "graph.hpp"
#include "runtime.hpp"

using namespace emu;
using runtime::api_call;
using runtime::Condition;
using runtime::graph_mutex;
using runtime::graph_of;
using runtime::Node;

namespace {

/// The conditions that handles name.
struct Conditions {
  std::mutex mutex;
  cudaGraphConditionalHandle newest = 0;
  std::unordered_map<cudaGraphConditionalHandle, std::weak_ptr<Condition>> by_handle;
};
Conditions& conditions() {
  static Conditions& all = *new Conditions;
  return all;
}

std::shared_ptr<Condition> condition_of(cudaGraphConditionalHandle handle) {
  const std::lock_guard lock(conditions().mutex);
  const auto found = conditions().by_handle.find(handle);
  return found == conditions().by_handle.end() ? nullptr : found->second.lock();
}

/// The graph that a graph lies in, at any depth.
CUgraph_st& outermost(CUgraph_st& graph) {
  CUgraph_st* outer = &graph;
  while (outer->owner) outer = outer->owner->graph;
  return *outer;
}

bool belongs_to(const std::shared_ptr<Condition>& condition, CUgraph_st& graph) {
  const auto& known = outermost(graph).conditions;
  return std::find(known.begin(), known.end(), condition) != known.end();
}

bool has_valid_size(const cudaConditionalNodeParams& parameters) {
  switch (parameters.type) {
    case cudaGraphCondTypeIf:
      return parameters.size == 1 || parameters.size == 2;
    case cudaGraphCondTypeWhile:
      return parameters.size == 1;
    case cudaGraphCondTypeSwitch:
      return parameters.size > 0;
  }
  return false;
}

}  // namespace

cudaError_t runtime::set_branches(Node& node, cudaConditionalNodeParams& parameters) {
  const std::shared_ptr<Condition> condition = condition_of(parameters.handle);
  if (!condition || condition->has_node || !belongs_to(condition, *node.graph) ||
      !has_valid_size(parameters))
    return cudaErrorInvalidValue;
  condition->has_node = true;
  node.branches = std::make_unique<Branches>();
  node.branches->condition = condition;
  node.branches->type = parameters.type;
  for (unsigned i = 0; i < parameters.size; ++i) {
    node.branches->graphs.push_back(std::make_unique<CUgraph_st>());
    node.branches->graphs.back()->owner = &node;
    node.branches->handles.push_back(node.branches->graphs.back().get());
  }
  parameters.phGraph_out = node.branches->handles.data();
  return cudaSuccess;
}

void emu::set_condition(unsigned long long handle, unsigned value) noexcept {
  if (const auto condition = condition_of(handle)) condition->value = value;
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned int defaultValue, unsigned int flags) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex());
    CUgraph_st* const known = graph_of(graph);
    if (handle == nullptr || known == nullptr || flags > cudaGraphCondAssignDefault)
      return cudaErrorInvalidValue;
    auto condition = std::make_shared<Condition>();
    condition->first = defaultValue;
    condition->has_first = flags == cudaGraphCondAssignDefault;
    {
      const std::lock_guard conditions_lock(conditions().mutex);
      condition->handle = ++conditions().newest;
      conditions().by_handle[condition->handle] = condition;
    }
    outermost(*known).conditions.push_back(condition);
    *handle = condition->handle;
    return cudaSuccess;
  });
}
