// Launches of executable graphs. The nodes are done in the stream of the launch, one after the
// other, each after those that it depends on.
#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "capture.hpp"
#include "cuda_runtime_api.h"
#include "event.hpp"
#include "graph_executable.hpp"
#include "graph_memory.hpp"
#include "runtime.hpp"

using namespace emu;
using runtime::api_call;
using runtime::executables;
using runtime::graph_mutex;
using runtime::GraphMemory;
using runtime::Node;

namespace {

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
  if (const cudaError_t error = memory.note(stream); error != cudaSuccess) {
    memory.take_back(stream);
    return error;
  }
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

}  // namespace

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
