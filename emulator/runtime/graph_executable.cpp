// Executable graphs: how they are made, changed and launched. Their nodes are done in the stream of
// the launch, one after the other, each after those that it depends on.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "capture.hpp"
#include "cuda_runtime_api.h"
#include "event.hpp"
#include "graph.hpp"
#include "runtime.hpp"

using namespace emu;
using runtime::api_call;
using runtime::for_each_node;
using runtime::graph_mutex;
using runtime::graph_of;
using runtime::GraphMemory;
using runtime::Handles;
using runtime::Node;
using runtime::Nodes;

struct CUgraphExec_st {
  std::shared_ptr<CUgraph_st> graph;  ///< a copy, which launches that are not over share
  CUgraph_st* original = nullptr;     ///< if it is still there and has this number
  std::uint64_t original_number = 0;
  unsigned long long flags = 0;
  Ticket last = 0;  ///< of the newest launch, which the next one comes after
};

namespace {

Handles<CUgraphExec_st>& executables() {
  static Handles<CUgraphExec_st>& handles = *new Handles<CUgraphExec_st>;
  return handles;
}

constexpr unsigned long long kFlags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
    cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;

// --------------------------------------------------------------------------------- instantiation

/// A reason against instantiating a graph.
struct Obstacle {
  cudaGraphInstantiateResult result = cudaGraphInstantiateSuccess;
  Node* node = nullptr;
};

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

Obstacle find_obstacle(const CUgraph_st& graph, unsigned long long flags) {
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

// ---------------------------------------------------------------------------------------- launches

/// A node that is done in the stream. Records of events and waits for them are known to the calls
/// that come after the launch.
struct Step {
  cudaGraphNodeType type;
  Task task;
  cudaEvent_t event = nullptr;
};

std::vector<Step> steps_of(const CUgraph_st& graph);

/// Does the chosen graph of a conditional node, again and again if that is its kind.
Task task_of(const runtime::Branches& branches) {
  struct Plan {
    std::shared_ptr<runtime::Condition> condition;
    bool is_loop;
    bool is_switch;
    std::vector<std::vector<Step>> branches;
  };
  const auto plan = std::make_shared<Plan>();
  plan->condition = branches.condition;
  plan->is_loop = branches.type == cudaGraphCondTypeWhile;
  plan->is_switch = branches.type == cudaGraphCondTypeSwitch;
  for (const auto& graph : branches.graphs) plan->branches.push_back(steps_of(*graph));
  const auto run = [plan] {
    do {
      const unsigned value = plan->condition->value;
      if (plan->is_loop && value == 0) return;
      const std::size_t chosen = plan->is_switch ? value : value != 0 ? 0 : 1;
      if (chosen >= plan->branches.size() || sticky_error() != cudaSuccess) return;
      for (const Step& step : plan->branches[chosen]) step.task.run();
    } while (plan->is_loop);
  };
  return {.run = run, .kind = TaskKind::kernel};
}

void append_steps(const CUgraph_st& graph, std::vector<Step>& steps) {
  for (const Node* const node : runtime::in_order(graph)) {
    if (!node->is_enabled) continue;
    Step step{node->type, node->task, node->event};
    switch (node->type) {
      case cudaGraphNodeTypeGraph:
        append_steps(*node->child, steps);
        continue;
      case cudaGraphNodeTypeConditional:
        step.task = task_of(*node->branches);
        break;
      case cudaGraphNodeTypeMemAlloc:
        step.task.run = [memory = node->memory] { memory->allocate(); };
        break;
      case cudaGraphNodeTypeMemFree:
        step.task.run = [memory = node->memory] { memory->free(); };
        break;
      case cudaGraphNodeTypeEventRecord:
      case cudaGraphNodeTypeWaitEvent:
        step.task.run = [] {};
        break;
      default:
        break;
    }
    if (step.task.run) steps.push_back(std::move(step));
  }
}

std::vector<Step> steps_of(const CUgraph_st& graph) {
  std::vector<Step> steps;
  append_steps(graph, steps);
  return steps;
}

/// The beginning of a launch: it comes after the one before, and gives conditions their first
/// values.
Task first_task(const CUgraph_st& graph, Ticket launch_before) {
  std::vector<std::shared_ptr<runtime::Condition>> conditions;
  std::copy_if(graph.conditions.begin(), graph.conditions.end(), std::back_inserter(conditions),
               [](const auto& condition) { return condition->has_first; });
  const auto run = [conditions] {
    for (const auto& condition : conditions) condition->value = condition->first;
  };
  return {.run = run, .after = launch_before};
}

/// Calls visit(memory, is_allocated) for what a launch allocates and frees, in its order.
template <class Visit>
void for_each_memory_node(const CUgraph_st& graph, const Visit& visit) {
  for (const Node* const node : runtime::in_order(graph)) {
    if (node->child) for_each_memory_node(*node->child, visit);
    if (node->memory) visit(node->memory, node->type == cudaGraphNodeTypeMemAlloc);
  }
}

/// The memory of a launch: what it finds and what it leaves.
class MemoryOfLaunch {
 public:
  explicit MemoryOfLaunch(const CUgraph_st& graph) : graph_(graph) {}

  /// Frees what an earlier launch has left.
  void free_left(const StreamKey& stream) {
    for_each_memory_node(graph_, [&](const std::shared_ptr<GraphMemory>& memory, bool allocates) {
      if (allocates && memory->will_be_there()) free_graph_memory(memory, stream);
    });
  }

  /// The error of the launch: nothing can be allocated twice, or freed that is not allocated.
  cudaError_t check() {
    bool is_possible = true;
    for_each_memory_node(graph_, [&](const std::shared_ptr<GraphMemory>& memory, bool allocates) {
      const auto [state, is_first] = is_there_.try_emplace(memory, memory->will_be_there());
      is_possible = is_possible && state->second != allocates;
      state->second = allocates;
    });
    return is_possible ? cudaSuccess : cudaErrorInvalidValue;
  }

  /// Notes what the launch does to memory, before it is put into the stream.
  cudaError_t note(const StreamKey& stream) {
    cudaError_t error = cudaSuccess;
    for_each_memory_node(graph_, [&](const std::shared_ptr<GraphMemory>& memory, bool allocates) {
      if (!allocates)
        memory->will_be_freed(stream);
      else if (!memory->will_be_allocated(&graph_, stream))
        error = cudaErrorMemoryAllocation;
    });
    return error;
  }

  /// Notes that what note() has noted does not happen.
  void take_back(const StreamKey& stream) {
    for (const auto& [memory, is_there] : is_there_)
      if (is_there) memory->will_be_freed(stream);
  }

  /// Lets calls behind the launch use what it has left.
  void promise() {
    for (const auto& [memory, is_there] : is_there_)
      if (is_there) memory->promise();
  }

 private:
  const CUgraph_st& graph_;
  std::map<std::shared_ptr<GraphMemory>, bool> is_there_;
};

cudaError_t launch(CUgraphExec_st& executable, const StreamKey& stream) {
  const std::shared_ptr<CUgraph_st> graph = executable.graph;
  MemoryOfLaunch memory(*graph);
  if (executable.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) memory.free_left(stream);
  if (const cudaError_t error = memory.check(); error != cudaSuccess) return error;
  if (const cudaError_t error = memory.note(stream); error != cudaSuccess) return error;
  enqueue(stream, first_task(*graph, executable.last));
  for (Step& step : steps_of(*graph)) {
    if (step.type == cudaGraphNodeTypeEventRecord) {
      runtime::record_event(step.event, stream);
      continue;
    }
    if (step.type == cudaGraphNodeTypeWaitEvent)
      step.task.after = runtime::newest_record(step.event);
    enqueue(stream, std::move(step.task));
  }
  executable.last = enqueue(stream, {.run = [graph] {}});  // which lives until all is done
  memory.promise();
  return cudaSuccess;
}

// ----------------------------------------------------------------------------------------- updates

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

/// Calls use(node) for the executable graph's copy of a node.
template <class Use>
cudaError_t with_node(cudaGraphExec_t handle, cudaGraphNode_t node, const Use& use) {
  if (node == nullptr) return cudaErrorInvalidValue;
  if (sticky_error() != cudaSuccess) return sticky_error();
  const std::lock_guard lock(graph_mutex());
  cudaError_t error = cudaErrorInvalidValue;
  executables().with(handle, [&](CUgraphExec_st& executable) {
    if (Node* const copy = runtime::find_copy(*executable.graph, node)) error = use(*copy);
  });
  return error;
}

}  // namespace

void runtime::destroy_executables() noexcept { executables().destroy_all(); }

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

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return api_call([&] {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (!valid_stream(stream)) return cudaErrorInvalidValue;
    const std::lock_guard lock(graph_mutex());
    std::shared_ptr<CUgraph_st> graph;
    executables().with(executable, [&](const CUgraphExec_st& known) { graph = known.graph; });
    if (!graph) return cudaErrorInvalidValue;
    // An upload gets the memory that launches will have.
    MemoryOfLaunch memory(*graph);
    if (memory.check() != cudaSuccess) return cudaSuccess;
    const StreamKey key = key_of(stream);
    const cudaError_t error = memory.note(key);
    memory.take_back(key);
    return error;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
  return api_call([&] {
    if (sticky_error() != cudaSuccess) return sticky_error();
    const std::lock_guard lock(graph_mutex());  // no other launch comes between the nodes
    CUgraphExec_st executable;
    if (!executables().with(handle, [&](const CUgraphExec_st& known) { executable = known; }))
      return cudaErrorInvalidValue;
    if (!valid_stream(stream)) return cudaErrorInvalidResourceHandle;
    const StreamKey key = key_of(stream);
    if (const cudaError_t error = refusal_beside_capture(key); error != cudaSuccess) return error;
    if (is_captured(key)) {
      if (runtime::may_not_be_copied(*executable.graph)) {
        spoil_capture(key);
        return cudaErrorStreamCaptureUnsupported;
      }
      return runtime::capture_node(key, cudaGraphNodeTypeGraph, [&](Node* node) {
        node->child = runtime::copy_of(*executable.graph);
        node->child->owner = node;
        return cudaSuccess;
      });
    }
    const cudaError_t error = launch(executable, key);
    executables().with(handle, [&](CUgraphExec_st& known) { known.last = executable.last; });
    return error;
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
