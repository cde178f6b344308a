// Prints what CUDA answers about graphs: conditional nodes.

#include "answers.hpp"

namespace graph_record {

namespace {

__global__ void add(int* to, int value) { *to += value; }
__global__ void count_down(int* left, cudaGraphConditionalHandle handle) {
  *left -= 1;
  cudaGraphSetConditional(handle, *left > 0);
}
__global__ void set(cudaGraphConditionalHandle handle, unsigned value) {
  cudaGraphSetConditional(handle, value);
}

}  // namespace

void conditions() {
  cudaGraph_t graph = new_graph();
  cudaGraphConditionalHandle handle = 0, next_handle = 0;
  ask("cudaGraphConditionalHandleCreate(nullptr, graph, 1, cudaGraphCondAssignDefault)",
      cudaGraphConditionalHandleCreate(nullptr, graph, 1, cudaGraphCondAssignDefault));
  ask("cudaGraphConditionalHandleCreate(&handle, nullptr, 1, cudaGraphCondAssignDefault)",
      cudaGraphConditionalHandleCreate(&handle, nullptr, 1, cudaGraphCondAssignDefault));
  ask("cudaGraphConditionalHandleCreate(&handle, graph, 1, 2)",
      cudaGraphConditionalHandleCreate(&handle, graph, 1, 2));
  ask("cudaGraphConditionalHandleCreate(&handle, graph, 1, 0)",
      cudaGraphConditionalHandleCreate(&handle, graph, 1, 0));
  ask("cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault)",
      cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  ask("cudaGraphConditionalHandleCreate(&next_handle, graph)",
      cudaGraphConditionalHandleCreate(&next_handle, graph));
  say("handles differ %d nonzero %d", handle != next_handle, handle != 0);
  cudaGraphExec_t executable;
  ask("cudaGraphInstantiate(&executable, graph, 0)", cudaGraphInstantiate(&executable, graph, 0));
  cudaGraphInstantiateParams how{};
  ask("cudaGraphInstantiateWithParams(&executable, graph, &how)",
      cudaGraphInstantiateWithParams(&executable, graph, &how));
  say("result %d", static_cast<int>(how.result_out));
  graph = new_graph();
  ask("cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault)",
      cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNode_t node, next_node;
  cudaGraphNodeParams parameters{};
  parameters.type = cudaGraphNodeTypeConditional;
  ask("cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters)",
      cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
  parameters.conditional.handle = handle;
  parameters.conditional.type = cudaGraphCondTypeWhile;
  parameters.conditional.size = 2;
  ask("cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters)",
      cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
  parameters.conditional.size = 0;
  ask("cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters)",
      cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
  parameters.conditional.type = cudaGraphCondTypeIf;
  parameters.conditional.size = 3;
  ask("cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters)",
      cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
  parameters.conditional.type = (cudaGraphConditionalNodeType)7;
  parameters.conditional.size = 1;
  ask("cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters)",
      cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
  parameters.conditional.type = cudaGraphCondTypeSwitch;
  parameters.conditional.size = 0;
  ask("cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters)",
      cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
  parameters.conditional.type = cudaGraphCondTypeWhile;
  parameters.conditional.size = 1;
  cudaGraph_t other = new_graph();
  ask("cudaGraphAddNode(&node, other, nullptr, nullptr, 0, &parameters)",
      cudaGraphAddNode(&node, other, nullptr, nullptr, 0, &parameters));
  parameters.conditional.phGraph_out = nullptr;
  ask("cudaGraphAddNode(nullptr, graph, nullptr, nullptr, 0, &parameters)",
      cudaGraphAddNode(nullptr, graph, nullptr, nullptr, 0, &parameters));
  ask("cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters)",
      cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
  say("out %s, body %s", parameters.conditional.phGraph_out ? "set" : "null",
      parameters.conditional.phGraph_out && parameters.conditional.phGraph_out[0] ? "set" : "null");
  cudaGraph_t body = parameters.conditional.phGraph_out[0];
  cudaGraphNodeParams again{};
  again.type = cudaGraphNodeTypeConditional;
  again.conditional.handle = handle;
  again.conditional.type = cudaGraphCondTypeIf;
  again.conditional.size = 1;
  ask("cudaGraphAddNode(&next_node, graph, nullptr, nullptr, 0, &again)",
      cudaGraphAddNode(&next_node, graph, nullptr, nullptr, 0, &again));
  void* arguments[] = {&device, &handle};
  cudaKernelNodeParams of_kernel = launch_of(reinterpret_cast<void*>(count_down), arguments);
  cudaGraphNode_t kernel;
  ask("cudaGraphAddKernelNode(&kernel, body, nullptr, 0, &of_kernel)",
      cudaGraphAddKernelNode(&kernel, body, nullptr, 0, &of_kernel));
  cudaHostNodeParams of_host{};
  of_host.fn = [](void*) {};
  cudaGraph_t clone;
  ask("cudaGraphClone(&clone, graph)", cudaGraphClone(&clone, graph));
  cudaGraphNode_t child_node;
  cudaGraph_t outer = new_graph();
  ask("cudaGraphAddChildGraphNode(&child_node, outer, nullptr, 0, graph)",
      cudaGraphAddChildGraphNode(&child_node, outer, nullptr, 0, graph));
  ask("cudaGraphDestroy(body)", cudaGraphDestroy(body));
  cudaGraphExec_t second;
  ask("cudaGraphInstantiate(&second, body, 0)", cudaGraphInstantiate(&second, body, 0));
  ask("cudaGraphInstantiate(&executable, graph, 0)", cudaGraphInstantiate(&executable, graph, 0));
  ask("cudaGraphInstantiate(&second, graph, 0)", cudaGraphInstantiate(&second, graph, 0));
  set_value(5);
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  say("while: %d", value());
  set_value(3);
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  say("while again: %d", value());
  set_value(-3);
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  say("while from -3: %d", value());
  cudaGraphNodeParams again_parameters = parameters;
  ask("cudaGraphNodeSetParams(node, &again_parameters)",
      cudaGraphNodeSetParams(node, &again_parameters));
  ask("cudaGraphExecNodeSetParams(executable, node, &again_parameters)",
      cudaGraphExecNodeSetParams(executable, node, &again_parameters));
  say_update(executable, graph, "same graph with a condition");
  cudaGraphNodeType type;
  cudaGraphNodeGetType(node, &type);
  say("type %d", static_cast<int>(type));
  unsigned is_enabled = 7;
  ask("cudaGraphNodeGetEnabled(executable, node, &is_enabled)",
      cudaGraphNodeGetEnabled(executable, node, &is_enabled));
  ask("cudaGraphNodeSetEnabled(executable, node, 0)", cudaGraphNodeSetEnabled(executable, node, 0));
  ask("cudaGraphExecDestroy(executable)", cudaGraphExecDestroy(executable));
  ask("cudaGraphInstantiate(&second, graph, 0)", cudaGraphInstantiate(&second, graph, 0));
  ask("cudaGraphDestroyNode(node)", cudaGraphDestroyNode(node));
  // Which nodes a body takes
  graph = new_graph();
  cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
  parameters.conditional.handle = handle;
  cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters);
  body = parameters.conditional.phGraph_out[0];
  ask("cudaGraphAddHostNode(&kernel, body, nullptr, 0, &of_host)",
      cudaGraphAddHostNode(&kernel, body, nullptr, 0, &of_host));
  ask("cudaGraphInstantiate(&second, graph, 0)", cudaGraphInstantiate(&second, graph, 0));
  graph = new_graph();
  cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
  parameters.conditional.handle = handle;
  cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters);
  body = parameters.conditional.phGraph_out[0];
  cudaMemAllocNodeParams of_allocation = allocation_of(4096);
  ask("cudaGraphAddMemAllocNode(&kernel, body, nullptr, 0, &of_allocation)",
      cudaGraphAddMemAllocNode(&kernel, body, nullptr, 0, &of_allocation));
  ask("cudaGraphInstantiate(&second, graph, 0)", cudaGraphInstantiate(&second, graph, 0));
  cudaEvent_t event;
  cudaEventCreate(&event);
  graph = new_graph();
  cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
  parameters.conditional.handle = handle;
  cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters);
  body = parameters.conditional.phGraph_out[0];
  ask("cudaGraphAddEventRecordNode(&kernel, body, nullptr, 0, event)",
      cudaGraphAddEventRecordNode(&kernel, body, nullptr, 0, event));
  ask("cudaGraphInstantiate(&second, graph, 0)", cudaGraphInstantiate(&second, graph, 0));
}

void conditions_values() {
  // no default: what a handle holds at first and from launch to launch
  for (unsigned flags : {0u, 1u})
    for (unsigned first : {0u, 1u, 2u}) {
      if (!flags && first) continue;
      cudaGraph_t graph = new_graph();
      cudaGraphConditionalHandle handle;
      cudaGraphConditionalHandleCreate(&handle, graph, first, flags);
      cudaGraphNode_t node, kernel, setter;
      cudaGraphNodeParams parameters{};
      parameters.type = cudaGraphNodeTypeConditional;
      parameters.conditional.handle = handle;
      parameters.conditional.type = cudaGraphCondTypeSwitch;
      parameters.conditional.size = 2;
      ask("cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters)",
          cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
      int amounts[] = {10, 100};
      for (int i = 0; i < 2; ++i) {
        void* arguments[] = {&device, &amounts[i]};
        cudaKernelNodeParams of_kernel = launch_of(reinterpret_cast<void*>(add), arguments);
        cudaGraphAddKernelNode(&kernel, parameters.conditional.phGraph_out[i], nullptr, 0,
                               &of_kernel);
      }
      unsigned to = 1;
      void* arguments[] = {&handle, &to};
      cudaKernelNodeParams of_kernel = launch_of(reinterpret_cast<void*>(set), arguments);
      cudaGraphAddKernelNode(&setter, graph, &node, 1, &of_kernel);
      cudaGraphExec_t executable;
      ask("cudaGraphInstantiate(&executable, graph, 0)",
          cudaGraphInstantiate(&executable, graph, 0));
      for (int i = 0; i < 3; ++i) {
        set_value(0);
        ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
        say("flags %u default %u launch %d: %d", flags, first, i, value());
      }
      ask("cudaGraphExecDestroy(executable)", cudaGraphExecDestroy(executable));
      ask("cudaGraphInstantiate(&executable, graph, 0)",
          cudaGraphInstantiate(&executable, graph, 0));
      set_value(0);
      ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
      say("flags %u default %u a new executable: %d", flags, first, value());
    }
  for (unsigned first : {0u, 1u, 5u}) {
    cudaGraph_t graph = new_graph();
    cudaGraphConditionalHandle handle;
    cudaGraphConditionalHandleCreate(&handle, graph, first, 1);
    cudaGraphNode_t node, kernel;
    cudaGraphNodeParams parameters{};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = cudaGraphCondTypeIf;
    parameters.conditional.size = 2;
    cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters);
    int amounts[] = {10, 100};
    for (int i = 0; i < 2; ++i) {
      void* arguments[] = {&device, &amounts[i]};
      cudaKernelNodeParams of_kernel = launch_of(reinterpret_cast<void*>(add), arguments);
      cudaGraphAddKernelNode(&kernel, parameters.conditional.phGraph_out[i], nullptr, 0,
                             &of_kernel);
    }
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, 0);
    set_value(0);
    cudaGraphLaunch(executable, stream);
    say("if else, default %u: %d", first, value());
  }
  // captured into a body
  cudaGraph_t graph = new_graph();
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, graph, 1, 1);
  cudaGraphNode_t node;
  cudaGraphNodeParams parameters{};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = handle;
  parameters.conditional.type = cudaGraphCondTypeIf;
  parameters.conditional.size = 1;
  cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters);
  cudaGraph_t body = parameters.conditional.phGraph_out[0], got;
  ask("cudaStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0, "
      "cudaStreamCaptureModeRelaxed)",
      cudaStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0,
                                    cudaStreamCaptureModeRelaxed));
  ask("cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 1, "
      "cudaStreamCaptureModeRelaxed)",
      cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 1,
                                    cudaStreamCaptureModeRelaxed));
  ask("cudaStreamBeginCaptureToGraph(stream, body, &node, nullptr, 1, "
      "cudaStreamCaptureModeRelaxed)",
      cudaStreamBeginCaptureToGraph(stream, body, &node, nullptr, 1, cudaStreamCaptureModeRelaxed));
  ask("cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, "
      "cudaStreamCaptureModeRelaxed)",
      cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0,
                                    cudaStreamCaptureModeRelaxed));
  add<<<1, 1, 0, stream>>>(device, 7);
  ask("cudaGetLastError()", cudaGetLastError());
  ask("cudaStreamEndCapture(stream, &got)", cudaStreamEndCapture(stream, &got));
  say("same graph %d", got == body);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  set_value(0);
  cudaGraphLaunch(executable, stream);
  say("captured body: %d", value());
}

}  // namespace graph_record
