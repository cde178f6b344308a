// Graphs: nodes, executable graphs, launches. An executable graph's nodes are done in the stream of
// the launch, one after the other, each after those that it depends on.
#include "graph.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>

#include "capture.hpp"
#include "cuda_runtime_api.h"
#include "handles.hpp"
#include "runtime.hpp"

using namespace emu;
using runtime::api_call;
using runtime::Handles;
using Node = CUgraphNode_st;
using Nodes = std::vector<Node*>;

/// The tasks of a graph as it was when it was instantiated, in an order in which they can be done.
struct CUgraphExec_st {
  struct Step {
    const Node* node;  ///< of the graph; no more than a name, since the graph may be gone
    cudaGraphNodeType type;
    Task task;
  };
  std::vector<Step> steps;
  /// What an update compares: of each node of the graph its type, and the numbers of those before
  /// it.
  struct Shape {
    cudaGraphNodeType type;
    std::vector<std::size_t> after;
  };
  std::vector<Shape> shape;
  Ticket last = 0;  ///< of the newest launch, which the next one comes after
};

namespace {

Handles<CUgraph_st>& graphs() {
  static Handles<CUgraph_st>& handles = *new Handles<CUgraph_st>;
  return handles;
}
Handles<CUgraphExec_st>& executables() {
  static Handles<CUgraphExec_st>& handles = *new Handles<CUgraphExec_st>;
  return handles;
}

/// Calls of several threads change graphs one after the other.
std::recursive_mutex graph_mutex;

bool has(const CUgraph_st& graph, const Node* node) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [&](const auto& one) { return one.get() == node; });
}

/// The nodes' places in `nodes`.
std::unordered_map<const Node*, std::size_t> places_in(const CUgraph_st& graph) {
  std::unordered_map<const Node*, std::size_t> places;
  for (const auto& node : graph.nodes) places.emplace(node.get(), places.size());
  return places;
}

/// The nodes, each behind those that it depends on; fewer if there is a cycle.
Nodes in_order(const CUgraph_st& graph) {
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

/// Appends what is to be done; false if there is a cycle.
bool append_steps(const CUgraph_st& graph, std::vector<CUgraphExec_st::Step>& steps) {
  const Nodes order = in_order(graph);
  if (order.size() != graph.nodes.size()) return false;
  for (const Node* const node : order) {
    if (node->child && !append_steps(*node->child, steps)) return false;
    if (node->task.run) steps.push_back({node, node->type, node->task});
  }
  return true;
}

CUgraphExec_st executable_of(const CUgraph_st& graph, bool& is_possible) {
  CUgraphExec_st executable;
  is_possible = append_steps(graph, executable.steps);
  const auto places = places_in(graph);
  for (const auto& node : graph.nodes) {
    std::vector<std::size_t> after;
    for (const Node* const one : node->after) after.push_back(places.at(one));
    executable.shape.push_back({node->type, std::move(after)});
  }
  return executable;
}

std::unique_ptr<CUgraph_st> copy_of(const CUgraph_st& graph) {
  auto copy = std::make_unique<CUgraph_st>();
  for (const auto& node : graph.nodes) {
    Node* const added = copy->add(node->type, node->task, {});
    if (node->child) added->child = copy_of(*node->child);
  }
  const auto places = places_in(graph);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    for (const Node* const one : graph.nodes[i]->after)
      copy->nodes[i]->after.push_back(copy->nodes[places.at(one)].get());
  return copy;
}

/// Adds what `record` makes, behind these nodes of the same graph.
template <class Record>
cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t handle, const cudaGraphNode_t* dependencies,
                     std::size_t count, cudaGraphNodeType type, const Record& record) {
  if (node == nullptr || (count > 0 && dependencies == nullptr)) return cudaErrorInvalidValue;
  if (sticky_error() != cudaSuccess) return sticky_error();
  const std::lock_guard lock(graph_mutex);
  CUgraph_st* const graph = runtime::graph_of(handle);
  if (!graph) return cudaErrorInvalidValue;
  const Nodes after(dependencies, dependencies + count);
  for (const Node* const one : after)
    if (!has(*graph, one)) return cudaErrorInvalidValue;
  const runtime::RecordedCall made = record();
  if (made.error == cudaSuccess) *node = graph->add(type, made.task, after);
  return made.error;
}

/// The same from a call's parameters, which may be missing.
template <class Parameters>
cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                     std::size_t count, cudaGraphNodeType type, const Parameters* parameters,
                     runtime::RecordedCall (*record)(const Parameters&)) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  return add_node(node, graph, dependencies, count, type, [&] { return record(*parameters); });
}

runtime::RecordedCall record_kernel(const cudaKernelNodeParams& p) {
  return runtime::record([&](cudaStream_t stream) {
    return cudaLaunchKernel(p.func, p.gridDim, p.blockDim, p.kernelParams, p.sharedMemBytes,
                            stream);
  });
}

runtime::RecordedCall record_box(const cudaMemcpy3DParms& p) {
  return runtime::record([&](cudaStream_t stream) { return cudaMemcpy3DAsync(&p, stream); });
}

runtime::RecordedCall record_copy(void* target, const void* source, std::size_t bytes,
                                  cudaMemcpyKind kind) {
  return runtime::record(
      [&](cudaStream_t stream) { return cudaMemcpyAsync(target, source, bytes, kind, stream); });
}

/// Rows of elements of 1, 2 or 4 bytes.
runtime::RecordedCall record_fill(const cudaMemsetParams& p) {
  if (p.elementSize == 1)
    return runtime::record([&](cudaStream_t stream) {
      return cudaMemset2DAsync(p.dst, std::max(p.pitch, p.width), static_cast<int>(p.value),
                               p.width, p.height, stream);
    });
  if (p.elementSize != 2 && p.elementSize != 4) return {cudaErrorInvalidValue, {}};
  const std::size_t width = p.width * p.elementSize;
  const std::size_t pitch = std::max(p.pitch, width);
  // The call's own checks; what it would do is done with the wrong values.
  runtime::RecordedCall recorded = runtime::record([&](cudaStream_t stream) {
    return cudaMemset2DAsync(p.dst, pitch, 0, width, p.height, stream);
  });
  if (recorded.error != cudaSuccess || !recorded.task.run) return recorded;
  const auto clear = recorded.task.run;
  recorded.task.run = [=] {
    clear();
    if (sticky_error() != cudaSuccess) return;
    const DeviceAccess access;
    for (std::size_t y = 0; y < p.height; ++y)
      for (std::size_t x = 0; x < p.width; ++x)
        std::memcpy(static_cast<char*>(p.dst) + y * pitch + x * p.elementSize, &p.value,
                    p.elementSize);
  };
  return recorded;
}

runtime::RecordedCall record_function(const cudaHostNodeParams& p) {
  return runtime::record(
      [&](cudaStream_t stream) { return cudaLaunchHostFunc(stream, p.fn, p.userData); });
}

/// Gives a step of an executable graph another task; `type` is what it must be.
template <class Record>
cudaError_t change_step(cudaGraphExec_t handle, cudaGraphNode_t node, cudaGraphNodeType type,
                        const Record& record) {
  if (sticky_error() != cudaSuccess) return sticky_error();
  const std::lock_guard lock(graph_mutex);
  cudaError_t error = cudaErrorInvalidValue;
  executables().with(handle, [&](CUgraphExec_st& executable) {
    const auto step =
        std::find_if(executable.steps.begin(), executable.steps.end(),
                     [&](const CUgraphExec_st::Step& one) { return one.node == node; });
    if (step == executable.steps.end() || step->type != type) return;
    const runtime::RecordedCall made = record();
    error = made.error;
    if (error != cudaSuccess) return;
    step->task = made.task;
  });
  return error;
}

/// The same from a call's parameters, which may be missing.
template <class Parameters>
cudaError_t change_step(cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraphNodeType type,
                        const Parameters* parameters,
                        runtime::RecordedCall (*record)(const Parameters&)) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  return change_step(executable, node, type, [&] { return record(*parameters); });
}

/// Whether a call may change these edges of a graph, all of which must be `present` or none.
bool check_edges(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                 std::size_t count, bool present) {
  const CUgraph_st* const graph = runtime::graph_of(handle);
  if (graph == nullptr || (count > 0 && (from == nullptr || to == nullptr))) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (!has(*graph, from[i]) || !has(*graph, to[i]) || from[i] == to[i]) return false;
    const Nodes& after = to[i]->after;
    if ((std::find(after.begin(), after.end(), from[i]) != after.end()) != present) return false;
  }
  return true;
}

/// Hands out a list as CUDA does: its length if there is no room for it; else as much as there is
/// room for, and null behind it.
template <class Element>
void hand_out(const std::vector<Element>& all, Element* to, std::size_t* count) {
  if (to == nullptr) {
    *count = all.size();
    return;
  }
  for (std::size_t i = 0; i < *count; ++i) to[i] = i < all.size() ? all[i] : Element();
  *count = std::min(*count, all.size());
}

/// The differences between an executable graph and a graph that it is to be updated to.
cudaGraphExecUpdateResult difference(const CUgraphExec_st& from, const CUgraphExec_st& to) {
  if (from.shape.size() != to.shape.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  for (std::size_t i = 0; i < from.shape.size(); ++i) {
    if (from.shape[i].type != to.shape[i].type) return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (from.shape[i].after != to.shape[i].after) return cudaGraphExecUpdateErrorTopologyChanged;
  }
  return cudaGraphExecUpdateSuccess;
}

}  // namespace

cudaGraph_t runtime::publish(std::unique_ptr<CUgraph_st> graph) {
  return graphs().adopt(std::move(graph));
}

CUgraph_st* runtime::graph_of(cudaGraph_t handle) {
  return graphs().contains(handle) ? handle : nullptr;
}

void runtime::destroy_graphs() noexcept {
  executables().destroy_all();
  graphs().destroy_all();
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
      return cudaGraphNodeTypeGraph;
  }
  return cudaGraphNodeTypeEmpty;
}

// ------------------------------------------------------------------------------------------- nodes

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
    const std::lock_guard lock(graph_mutex);
    return graphs().destroy(graph) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex);
    const CUgraph_st* const original = runtime::graph_of(graph);
    if (clone == nullptr || original == nullptr) return cudaErrorInvalidValue;
    *clone = runtime::publish(copy_of(*original));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* parameters) {
  return api_call([&] {
    return add_node(node, graph, dependencies, count, cudaGraphNodeTypeKernel, parameters,
                    record_kernel);
  });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  return api_call([&] {
    return add_node(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy, parameters,
                    record_box);
  });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     void* target, const void* source, size_t bytes,
                                     cudaMemcpyKind kind) {
  return api_call([&] {
    return add_node(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
                    [&] { return record_copy(target, source, bytes, kind); });
  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters) {
  return api_call([&] {
    return add_node(node, graph, dependencies, count, cudaGraphNodeTypeMemset, parameters,
                    record_fill);
  });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters) {
  return api_call([&] {
    return add_node(node, graph, dependencies, count, cudaGraphNodeTypeHost, parameters,
                    record_function);
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  return api_call([&] {
    return add_node(node, graph, dependencies, count, cudaGraphNodeTypeEmpty,
                    [] { return runtime::RecordedCall(); });
  });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex);
    const CUgraph_st* const known = runtime::graph_of(child);
    if (known == nullptr || child == graph) return cudaErrorInvalidValue;
    const cudaError_t error = add_node(node, graph, dependencies, count, cudaGraphNodeTypeGraph,
                                       [] { return runtime::RecordedCall(); });
    if (error == cudaSuccess) (*node)->child = copy_of(*known);
    return error;
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     size_t count) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex);
    if (!check_edges(handle, from, to, count, false)) return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) to[i]->after.push_back(from[i]);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        size_t count) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex);
    if (!check_edges(handle, from, to, count, true)) return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) std::erase(to[i]->after, from[i]);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return api_call([&] {
    if (node == nullptr) return cudaErrorInvalidValue;
    const std::lock_guard lock(graph_mutex);
    CUgraph_st* const graph = node->graph;
    for (const auto& one : graph->nodes) std::erase(one->after, node);
    std::erase_if(graph->nodes, [&](const auto& one) { return one.get() == node; });
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams* parameters) {
  return api_call([&] {
    if (node == nullptr || parameters == nullptr || node->type != cudaGraphNodeTypeKernel)
      return cudaErrorInvalidValue;
    const std::lock_guard lock(graph_mutex);
    const runtime::RecordedCall made = record_kernel(*parameters);
    if (made.error != cudaSuccess) return made.error;
    node->task = made.task;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex);
    const CUgraph_st* const graph = runtime::graph_of(handle);
    if (graph == nullptr || count == nullptr) return cudaErrorInvalidValue;
    Nodes all;
    for (const auto& node : graph->nodes) all.push_back(node.get());
    hand_out(all, nodes, count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* count) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex);
    const CUgraph_st* const graph = runtime::graph_of(handle);
    if (graph == nullptr || count == nullptr) return cudaErrorInvalidValue;
    Nodes roots;
    for (const auto& node : graph->nodes)
      if (node->after.empty()) roots.push_back(node.get());
    hand_out(roots, nodes, count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* edgeData, size_t* count) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex);
    const CUgraph_st* const graph = runtime::graph_of(handle);
    if (graph == nullptr || count == nullptr || (from == nullptr) != (to == nullptr))
      return cudaErrorInvalidValue;
    Nodes begins, ends;
    for (const auto& node : graph->nodes)
      for (Node* const one : node->after) {
        begins.push_back(one);
        ends.push_back(node.get());
      }
    std::size_t again = *count;
    hand_out(begins, from, count);
    hand_out(ends, to, &again);
    if (edgeData && from) std::fill_n(edgeData, *count, cudaGraphEdgeData{});
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                         cudaGraphEdgeData* edgeData, size_t* count) {
  return api_call([&] {
    if (node == nullptr || count == nullptr) return cudaErrorInvalidValue;
    const std::lock_guard lock(graph_mutex);
    hand_out(node->after, dependencies, count);
    if (edgeData && dependencies) std::fill_n(edgeData, *count, cudaGraphEdgeData{});
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

// ------------------------------------------------------------------------------- executable graphs

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t handle,
                                 unsigned long long flags) {
  return api_call([&] {
    constexpr unsigned long long kFlags =
        cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
        cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
    const std::lock_guard lock(graph_mutex);
    const CUgraph_st* const graph = runtime::graph_of(handle);
    if (executable == nullptr || graph == nullptr || (flags & ~kFlags) != 0)
      return cudaErrorInvalidValue;
    if (sticky_error() != cudaSuccess) return sticky_error();
    bool is_possible = false;
    CUgraphExec_st made = executable_of(*graph, is_possible);
    if (!is_possible) return cudaErrorInvalidValue;
    *executable = executables().create(std::move(made));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return api_call([&] { return cudaGraphInstantiate(executable, graph, flags); });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return api_call([&] {
    if (sticky_error() != cudaSuccess) return sticky_error();
    return executables().contains(executable) && valid_stream(stream) ? cudaSuccess
                                                                      : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
  return api_call([&] {
    if (sticky_error() != cudaSuccess) return sticky_error();
    std::vector<CUgraphExec_st::Step> steps;
    const bool is_known = executables().with(
        handle, [&](const CUgraphExec_st& executable) { steps = executable.steps; });
    if (!is_known) return cudaErrorInvalidValue;
    if (!valid_stream(stream)) return cudaErrorInvalidResourceHandle;
    const StreamKey key = key_of(stream);
    if (const cudaError_t error = refusal_beside_capture(key); error != cudaSuccess) return error;
    if (is_captured(key)) {  // as one node
      enqueue(key, {.run = [steps] {
                for (const CUgraphExec_st::Step& step : steps) step.task.run();
              }});
      return cudaSuccess;
    }
    const std::lock_guard lock(graph_mutex);  // no other launch comes between the steps
    executables().with(handle, [&](CUgraphExec_st& executable) {
      if (!steps.empty()) steps.front().task.after = executable.last;
    });
    Ticket last = 0;
    for (const CUgraphExec_st::Step& step : steps) last = enqueue(key, step.task);
    executables().with(handle, [&](CUgraphExec_st& executable) { executable.last = last; });
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex);
    const CUgraph_st* const known = runtime::graph_of(graph);
    if (known == nullptr || result == nullptr) return cudaErrorInvalidValue;
    bool is_possible = false;
    CUgraphExec_st updated = executable_of(*known, is_possible);
    if (!is_possible) return cudaErrorInvalidValue;
    *result = {};
    cudaError_t error = cudaErrorInvalidValue;
    executables().with(handle, [&](CUgraphExec_st& executable) {
      result->result = difference(executable, updated);
      error = cudaErrorGraphExecUpdateFailure;
      if (result->result != cudaGraphExecUpdateSuccess) return;
      // The names of the nodes stay those of the first graph.
      for (std::size_t i = 0; i < updated.steps.size() && i < executable.steps.size(); ++i)
        updated.steps[i].node = executable.steps[i].node;
      updated.last = executable.last;
      executable = std::move(updated);
      error = cudaSuccess;
    });
    return error;
  });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return api_call([&] {
    return change_step(executable, node, cudaGraphNodeTypeKernel, parameters, record_kernel);
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void* target, const void* source, size_t bytes,
                                               cudaMemcpyKind kind) {
  return api_call([&] {
    return change_step(executable, node, cudaGraphNodeTypeMemcpy,
                       [&] { return record_copy(target, source, bytes, kind); });
  });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return api_call([&] {
    return change_step(executable, node, cudaGraphNodeTypeMemset, parameters, record_fill);
  });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return api_call([&] {
    return change_step(executable, node, cudaGraphNodeTypeHost, parameters, record_function);
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return api_call(
      [&] { return executables().destroy(executable) ? cudaSuccess : cudaErrorInvalidValue; });
}
