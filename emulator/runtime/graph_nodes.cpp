// Nodes of graphs by their kinds: kernels, copies, fills, functions, child graphs and events. A
// node's parameters are checked as those of the call that does the same at once: that call is
// recorded.
#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "capture.hpp"
#include "copy.hpp"
#include "cuda_runtime_api.h"
#include "engine/engine.hpp"
#include "event.hpp"
#include "graph.hpp"
#include "launch.hpp"
#include "runtime.hpp"

using namespace emu;
using runtime::add_node;
using runtime::api_call;
using runtime::change_in_executable;
using runtime::graph_mutex;
using runtime::graph_of;
using runtime::Node;
using runtime::RecordedCall;

namespace {

/// Makes a recorded call what the node does.
cudaError_t take(Node& node, RecordedCall made) {
  if (made.error == cudaSuccess) node.task = std::move(made.task);
  return made.error;
}

/// The same with other parameters for those who ask for them than the call would have.
template <class Parameters>
cudaError_t take(Node& node, RecordedCall made, const Parameters& parameters) {
  made.task.parameters = std::make_shared<const TaskParameters>(parameters);
  return take(node, std::move(made));
}

/// The same for a copy, of which the program has named this kind.
cudaError_t take(Node& node, RecordedCall made, cudaMemcpyKind kind) {
  if (made.error != cudaSuccess) return made.error;
  auto parameters = std::get<cudaMemcpy3DParms>(*made.task.parameters);
  parameters.kind = kind;
  return take(node, std::move(made), parameters);
}

RecordedCall record_kernel(const cudaKernelNodeParams& kernel,
                           const runtime::Attributes& attributes) {
  std::vector<cudaLaunchAttribute> list;
  for (const auto& [id, value] : attributes) {
    list.emplace_back();
    list.back().id = id;
    list.back().val = value;
  }
  cudaLaunchConfig_t config{};
  config.gridDim = kernel.gridDim;
  config.blockDim = kernel.blockDim;
  config.dynamicSmemBytes = kernel.sharedMemBytes;
  config.attrs = list.data();
  config.numAttrs = static_cast<unsigned>(list.size());
  return runtime::record([&](cudaStream_t stream) {
    config.stream = stream;
    Configuration configuration;
    const cudaError_t error = runtime::read_launch(config, configuration);
    return error != cudaSuccess ? error
                                : runtime::launch(kernel.func, configuration, kernel.kernelParams);
  });
}

/// What a kernel's node was made with, including arguments.
KernelParameters kernel_of(const Node& node) {
  const auto* const kernel = std::get_if<KernelParameters>(node.task.parameters.get());
  if (!kernel) unsupported("the parameters of this captured node");  // a library's call
  if (!kernel->arguments) unsupported("the arguments of a launch <<<...>>> that was captured");
  return *kernel;
}

/// The same as the program is told of it. The arguments are there as long as the node keeps them.
cudaKernelNodeParams given(const KernelParameters& kernel) {
  cudaKernelNodeParams parameters = kernel.launch;
  if (kernel.arguments) parameters.kernelParams = kernel.arguments->pointers.data();
  return parameters;
}

/// Makes a node launch a kernel.
cudaError_t set_launch(Node& node, const cudaKernelNodeParams& kernel,
                       const runtime::Attributes& attributes) {
  RecordedCall made = record_kernel(kernel, attributes);
  if (made.error != cudaSuccess) return made.error;
  KernelParameters parameters{kernel, copy_arguments(kernel.func, kernel.kernelParams)};
  parameters.launch.kernelParams = nullptr;  // which the program may take back
  return take(node, std::move(made), parameters);
}

/// Hands out a node's parameters.
template <class Parameters>
cudaError_t get(cudaGraphNode_t node, cudaGraphNodeType type, Parameters* parameters) {
  if (node == nullptr || parameters == nullptr || node->type != type) return cudaErrorInvalidValue;
  const std::lock_guard lock(graph_mutex());
  const Parameters* const known = std::get_if<Parameters>(node->task.parameters.get());
  if (known == nullptr) unsupported("the parameters of this captured node");
  *parameters = *known;
  return cudaSuccess;
}

/// Changes a node of a program's graph.
template <class Set>
cudaError_t change(cudaGraphNode_t node, cudaGraphNodeType type, const Set& set) {
  if (node == nullptr || node->type != type) return cudaErrorInvalidValue;
  if (sticky_error() != cudaSuccess) return sticky_error();
  const std::lock_guard lock(graph_mutex());
  return set(*node);
}
template <class Parameters>
cudaError_t change(cudaGraphNode_t node, cudaGraphNodeType type, const Parameters* parameters,
                   cudaError_t (*set)(Node&, const Parameters&)) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  return change(node, type, [&](Node& one) { return set(one, *parameters); });
}

/// Adds a node from a call's parameters, which may be missing.
template <class Parameters>
cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                std::size_t count, cudaGraphNodeType type, const Parameters* parameters,
                cudaError_t (*set)(Node&, const Parameters&)) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  return add_node(node, graph, dependencies, nullptr, count, type,
                  [&](Node& added) { return set(added, *parameters); });
}

/// Makes a graph the child of a node: a copy, or the graph itself.
cudaError_t set_child(Node& node, cudaGraph_t handle, cudaGraphChildGraphNodeOwnership ownership) {
  const CUgraph_st* const child = graph_of(handle);
  if (child == nullptr || handle == node.graph) return cudaErrorInvalidValue;
  if (runtime::has_node_of(*child, cudaGraphNodeTypeConditional)) return cudaErrorNotSupported;
  if (ownership == cudaGraphChildGraphOwnershipMove) {
    auto moved = runtime::own_graphs().take(handle);
    if (!moved) return cudaErrorInvalidValue;
    node.child = std::move(moved);
  } else {
    if (runtime::has_memory_nodes(*child)) return cudaErrorNotSupported;
    node.child = runtime::copy_of(*child);
  }
  node.child->owner = &node;
  return cudaSuccess;
}

/// cudaGraphAddNode has types of its own for some parameters, with the same members.
template <class Target, class Source>
const Target& same(const Source& source) {
  static_assert(sizeof(Target) == sizeof(Source));
  return reinterpret_cast<const Target&>(source);
}

bool is_kernel_attribute(cudaLaunchAttributeID attribute) {
  switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeCooperative:
    case cudaLaunchAttributeClusterDimension:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      return true;
    default:
      return false;
  }
}

/// What an attribute is before the program sets it.
cudaLaunchAttributeValue first_value(cudaLaunchAttributeID attribute) {
  cudaLaunchAttributeValue value{};
  if (attribute == cudaLaunchAttributeMemSyncDomainMap) value.memSyncDomainMap = {0, 1};
  return value;
}

/// Whether a launch with these attributes is another one than without.
bool changes_launch(const runtime::Attributes& attributes) {
  return attributes.contains(cudaLaunchAttributeCooperative) ||
         attributes.contains(cudaLaunchAttributeClusterDimension);
}

cudaError_t set_attributes(Node& node, const runtime::Attributes& attributes) {
  if (changes_launch(attributes) || changes_launch(node.attributes)) {
    const cudaError_t error = set_launch(node, given(kernel_of(node)), attributes);
    if (error != cudaSuccess) return error;
  }
  node.attributes = attributes;
  return cudaSuccess;
}

bool has_reserved(const cudaGraphNodeParams& parameters) {
  return std::any_of(std::begin(parameters.reserved0), std::end(parameters.reserved0),
                     [](int number) { return number != 0; }) ||
         parameters.reserved2 != 0;
}

/// Makes a new node what cudaGraphAddNode is told.
cudaError_t make(Node& node, cudaGraphNodeParams& parameters) {
  switch (parameters.type) {
    case cudaGraphNodeTypeEmpty:
      return cudaSuccess;
    case cudaGraphNodeTypeGraph:
      return set_child(node, parameters.graph.graph, parameters.graph.ownership);
    case cudaGraphNodeTypeMemAlloc:
      return runtime::set_allocation(node, const_cast<cudaMemAllocNodeParams&>(
                                               same<cudaMemAllocNodeParams>(parameters.alloc)));
    case cudaGraphNodeTypeMemFree:
      return runtime::set_free(node, parameters.free.dptr);
    case cudaGraphNodeTypeConditional:
      return runtime::set_branches(node, parameters.conditional);
    default:
      return runtime::set_parameters(node, parameters);
  }
}

}  // namespace

cudaError_t runtime::set_parameters(Node& node, const cudaGraphNodeParams& parameters) {
  switch (parameters.type) {
    case cudaGraphNodeTypeKernel:
      return set_kernel(node, same<cudaKernelNodeParams>(parameters.kernel));
    case cudaGraphNodeTypeMemcpy:
      return set_copy(node, parameters.memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return set_fill(node, same<cudaMemsetParams>(parameters.memset));
    case cudaGraphNodeTypeHost:
      return set_function(node, same<cudaHostNodeParams>(parameters.host));
    case cudaGraphNodeTypeWaitEvent:
      return set_event(node, parameters.eventWait.event);
    case cudaGraphNodeTypeEventRecord:
      return set_event(node, parameters.eventRecord.event);
    case cudaGraphNodeTypeMemAlloc:
    case cudaGraphNodeTypeMemFree:
    case cudaGraphNodeTypeConditional:
      return cudaErrorNotSupported;
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t runtime::set_kernel(Node& node, const cudaKernelNodeParams& parameters) {
  return set_launch(node, parameters, node.attributes);
}

cudaError_t runtime::set_copy(Node& node, const cudaMemcpy3DParms& p) {
  if (p.extent.width == 0 || p.extent.height == 0 || p.extent.depth == 0)
    return cudaErrorInvalidValue;
  cudaMemcpy3DParms checked = p;
  // The pitch of a single row is of no account.
  const bool is_row = p.extent.height == 1 && p.extent.depth == 1;
  if (is_row && !p.srcArray && !p.dstArray) {
    checked.srcPtr.pitch = std::max(p.srcPtr.pitch, p.extent.width);
    checked.dstPtr.pitch = std::max(p.dstPtr.pitch, p.extent.width);
  }
  return take(node,
              record([&](cudaStream_t stream) { return cudaMemcpy3DAsync(&checked, stream); }), p);
}

cudaError_t runtime::set_copy(Node& node, void* target, const void* source, std::size_t bytes,
                              cudaMemcpyKind kind) {
  if (bytes == 0) return cudaErrorInvalidValue;
  return take(node, record([&](cudaStream_t stream) {
                return cudaMemcpyAsync(target, source, bytes, kind, stream);
              }));
}

cudaError_t runtime::set_copy_to_symbol(Node& node, const void* symbol, const void* source,
                                        std::size_t bytes, std::size_t offset,
                                        cudaMemcpyKind kind) {
  if (bytes == 0) return cudaErrorInvalidValue;
  return take(node, record([&](cudaStream_t stream) {
                return cudaMemcpyToSymbolAsync(symbol, source, bytes, offset, kind, stream);
              }),
              kind);
}

cudaError_t runtime::set_copy_from_symbol(Node& node, void* target, const void* symbol,
                                          std::size_t bytes, std::size_t offset,
                                          cudaMemcpyKind kind) {
  if (bytes == 0) return cudaErrorInvalidValue;
  return take(node, record([&](cudaStream_t stream) {
                return cudaMemcpyFromSymbolAsync(target, symbol, bytes, offset, kind, stream);
              }),
              kind);
}

cudaError_t runtime::set_fill(Node& node, const cudaMemsetParams& p) {
  if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4) return cudaErrorInvalidValue;
  const std::size_t width = p.width * p.elementSize;
  if (width == 0 || p.height == 0 || (p.height > 1 && p.pitch < width))
    return cudaErrorInvalidValue;
  const Box target = {static_cast<const char*>(p.dst), std::max(p.pitch, width), 0};
  return take(node, record([&](cudaStream_t stream) {
                return fill_box(target, {p.value, p.elementSize}, {width, p.height, 1}, stream,
                                Returns::at_once);
              }),
              p);
}

cudaError_t runtime::set_function(Node& node, const cudaHostNodeParams& parameters) {
  return take(node, record([&](cudaStream_t stream) {
                return cudaLaunchHostFunc(stream, parameters.fn, parameters.userData);
              }),
              parameters);
}

cudaError_t runtime::set_event(Node& node, cudaEvent_t event) {
  if (!is_event(event)) return cudaErrorInvalidValue;
  node.event = event;
  return cudaSuccess;
}

// -------------------------------------------------------------------------------- nodes of any
// kind

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                             const cudaGraphNode_t* dependencies,
                             const cudaGraphEdgeData* dependencyData, size_t count,
                             cudaGraphNodeParams* parameters) {
  return api_call([&] {
    if (parameters == nullptr || has_reserved(*parameters)) return cudaErrorInvalidValue;
    return add_node(node, graph, dependencies, dependencyData, count, parameters->type,
                    [&](Node& added) { return make(added, *parameters); });
  });
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  return api_call([&] {
    if (parameters == nullptr || has_reserved(*parameters)) return cudaErrorInvalidValue;
    return change(node, parameters->type,
                  [&](Node& one) { return runtime::set_parameters(one, *parameters); });
  });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                       cudaGraphNodeParams* parameters) {
  return api_call([&] {
    if (parameters == nullptr || has_reserved(*parameters)) return cudaErrorInvalidValue;
    return change_in_executable(executable, node, parameters->type, [&](Node& one) {
      return runtime::set_parameters(one, *parameters);
    });
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  return api_call([&] {
    return add_node(node, graph, dependencies, nullptr, count, cudaGraphNodeTypeEmpty,
                    [](Node&) { return cudaSuccess; });
  });
}

// ----------------------------------------------------------------------------------------- kernels

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* parameters) {
  return api_call([&] {
    return add(node, graph, dependencies, count, cudaGraphNodeTypeKernel, parameters,
               runtime::set_kernel);
  });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return api_call([&] {
    if (node == nullptr || parameters == nullptr || node->type != cudaGraphNodeTypeKernel)
      return cudaErrorInvalidValue;
    const std::lock_guard lock(graph_mutex());
    *parameters = given(kernel_of(*node));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams* parameters) {
  return api_call(
      [&] { return change(node, cudaGraphNodeTypeKernel, parameters, runtime::set_kernel); });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return api_call([&] {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    return change_in_executable(executable, node, cudaGraphNodeTypeKernel,
                                [&](Node& one) { return runtime::set_kernel(one, *parameters); });
  });
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue* value) {
  return api_call([&] {
    if (node == nullptr || value == nullptr || node->type != cudaGraphNodeTypeKernel ||
        !is_kernel_attribute(attribute))
      return cudaErrorInvalidValue;
    const std::lock_guard lock(graph_mutex());
    const auto found = node->attributes.find(attribute);
    *value = found == node->attributes.end() ? first_value(attribute) : found->second;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue* value) {
  return api_call([&] {
    const bool is_advice = attribute == cudaLaunchAttributeNvlinkUtilCentricScheduling;
    if (node == nullptr || value == nullptr || node->type != cudaGraphNodeTypeKernel ||
        (!is_kernel_attribute(attribute) && !is_advice))
      return cudaErrorInvalidValue;
    if (is_advice) return cudaSuccess;
    const std::lock_guard lock(graph_mutex());
    if (attribute == cudaLaunchAttributeDeviceUpdatableKernelNode) {
      if (value->deviceUpdatableKernelNode.deviceUpdatable == 0) return cudaSuccess;
      unsupported("cudaLaunchAttributeDeviceUpdatableKernelNode");
    }
    runtime::Attributes attributes = node->attributes;
    attributes[attribute] = *value;
    if (attribute == cudaLaunchAttributePriority) {
      int lowest = 0, highest = 0;
      cudaDeviceGetStreamPriorityRange(&lowest, &highest);
      attributes[attribute].priority = std::clamp(value->priority, highest, lowest);
    }
    return set_attributes(*node, attributes);
  });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t target, cudaGraphNode_t source) {
  return api_call([&] {
    if (target == nullptr || source == nullptr || target->type != cudaGraphNodeTypeKernel ||
        source->type != cudaGraphNodeTypeKernel)
      return cudaErrorInvalidValue;
    const std::lock_guard lock(graph_mutex());
    return set_attributes(*target, source->attributes);
  });
}

// ------------------------------------------------------------------------------------------ copies

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  return api_call([&] {
    return add<cudaMemcpy3DParms>(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
                                  parameters, runtime::set_copy);
  });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     void* target, const void* source, size_t bytes,
                                     cudaMemcpyKind kind) {
  return api_call([&] {
    return add_node(
        node, graph, dependencies, nullptr, count, cudaGraphNodeTypeMemcpy,
        [&](Node& added) { return runtime::set_copy(added, target, source, bytes, kind); });
  });
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t count,
                                           const void* symbol, const void* source, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  return api_call([&] {
    return add_node(
        node, graph, dependencies, nullptr, count, cudaGraphNodeTypeMemcpy, [&](Node& added) {
          return runtime::set_copy_to_symbol(added, symbol, source, bytes, offset, kind);
        });
  });
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             void* target, const void* symbol, size_t bytes,
                                             size_t offset, cudaMemcpyKind kind) {
  return api_call([&] {
    return add_node(
        node, graph, dependencies, nullptr, count, cudaGraphNodeTypeMemcpy, [&](Node& added) {
          return runtime::set_copy_from_symbol(added, target, symbol, bytes, offset, kind);
        });
  });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return api_call([&] { return get(node, cudaGraphNodeTypeMemcpy, parameters); });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms* parameters) {
  return api_call([&] {
    return change<cudaMemcpy3DParms>(node, cudaGraphNodeTypeMemcpy, parameters, runtime::set_copy);
  });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* target, const void* source,
                                           size_t bytes, cudaMemcpyKind kind) {
  return api_call([&] {
    return change(node, cudaGraphNodeTypeMemcpy,
                  [&](Node& one) { return runtime::set_copy(one, target, source, bytes, kind); });
  });
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                                 const void* source, size_t bytes, size_t offset,
                                                 cudaMemcpyKind kind) {
  return api_call([&] {
    return change(node, cudaGraphNodeTypeMemcpy, [&](Node& one) {
      return runtime::set_copy_to_symbol(one, symbol, source, bytes, offset, kind);
    });
  });
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* target,
                                                   const void* symbol, size_t bytes, size_t offset,
                                                   cudaMemcpyKind kind) {
  return api_call([&] {
    return change(node, cudaGraphNodeTypeMemcpy, [&](Node& one) {
      return runtime::set_copy_from_symbol(one, target, symbol, bytes, offset, kind);
    });
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return api_call([&] {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    return change_in_executable(executable, node, cudaGraphNodeTypeMemcpy,
                                [&](Node& one) { return runtime::set_copy(one, *parameters); });
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void* target, const void* source, size_t bytes,
                                               cudaMemcpyKind kind) {
  return api_call([&] {
    return change_in_executable(executable, node, cudaGraphNodeTypeMemcpy, [&](Node& one) {
      return runtime::set_copy(one, target, source, bytes, kind);
    });
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable,
                                                     cudaGraphNode_t node, const void* symbol,
                                                     const void* source, size_t bytes,
                                                     size_t offset, cudaMemcpyKind kind) {
  return api_call([&] {
    return change_in_executable(executable, node, cudaGraphNodeTypeMemcpy, [&](Node& one) {
      return runtime::set_copy_to_symbol(one, symbol, source, bytes, offset, kind);
    });
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable,
                                                       cudaGraphNode_t node, void* target,
                                                       const void* symbol, size_t bytes,
                                                       size_t offset, cudaMemcpyKind kind) {
  return api_call([&] {
    return change_in_executable(executable, node, cudaGraphNodeTypeMemcpy, [&](Node& one) {
      return runtime::set_copy_from_symbol(one, target, symbol, bytes, offset, kind);
    });
  });
}

// ------------------------------------------------------------------------------------------- fills

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters) {
  return api_call([&] {
    return add(node, graph, dependencies, count, cudaGraphNodeTypeMemset, parameters,
               runtime::set_fill);
  });
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return api_call([&] { return get(node, cudaGraphNodeTypeMemset, parameters); });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return api_call(
      [&] { return change(node, cudaGraphNodeTypeMemset, parameters, runtime::set_fill); });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return api_call([&] {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    return change_in_executable(executable, node, cudaGraphNodeTypeMemset,
                                [&](Node& one) { return runtime::set_fill(one, *parameters); });
  });
}

// --------------------------------------------------------------------------- functions of the host

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters) {
  return api_call([&] {
    return add(node, graph, dependencies, count, cudaGraphNodeTypeHost, parameters,
               runtime::set_function);
  });
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return api_call([&] { return get(node, cudaGraphNodeTypeHost, parameters); });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return api_call(
      [&] { return change(node, cudaGraphNodeTypeHost, parameters, runtime::set_function); });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return api_call([&] {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    return change_in_executable(executable, node, cudaGraphNodeTypeHost,
                                [&](Node& one) { return runtime::set_function(one, *parameters); });
  });
}

// ------------------------------------------------------------------------------------ child graphs

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child) {
  return api_call([&] {
    return add_node(
        node, graph, dependencies, nullptr, count, cudaGraphNodeTypeGraph,
        [&](Node& added) { return set_child(added, child, cudaGraphChildGraphOwnershipClone); });
  });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return api_call([&] {
    if (node == nullptr || graph == nullptr || node->type != cudaGraphNodeTypeGraph)
      return cudaErrorInvalidValue;
    *graph = node->child.get();
    return cudaSuccess;
  });
}

// ------------------------------------------------------------------------------------------ events

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t event) {
  return api_call([&] {
    return add_node(node, graph, dependencies, nullptr, count, cudaGraphNodeTypeEventRecord,
                    [&](Node& added) { return runtime::set_event(added, event); });
  });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count,
                                      cudaEvent_t event) {
  return api_call([&] {
    return add_node(node, graph, dependencies, nullptr, count, cudaGraphNodeTypeWaitEvent,
                    [&](Node& added) { return runtime::set_event(added, event); });
  });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return api_call([&] {
    if (node == nullptr || event == nullptr || node->type != cudaGraphNodeTypeEventRecord)
      return cudaErrorInvalidValue;
    *event = node->event;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return api_call([&] {
    if (node == nullptr || event == nullptr || node->type != cudaGraphNodeTypeWaitEvent)
      return cudaErrorInvalidValue;
    *event = node->event;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return api_call([&] {
    return change(node, cudaGraphNodeTypeEventRecord,
                  [&](Node& one) { return runtime::set_event(one, event); });
  });
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return api_call([&] {
    return change(node, cudaGraphNodeTypeWaitEvent,
                  [&](Node& one) { return runtime::set_event(one, event); });
  });
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return api_call([&] {
    return change_in_executable(executable, node, cudaGraphNodeTypeEventRecord,
                                [&](Node& one) { return runtime::set_event(one, event); });
  });
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return api_call([&] {
    return change_in_executable(executable, node, cudaGraphNodeTypeWaitEvent,
                                [&](Node& one) { return runtime::set_event(one, event); });
  });
}
