// A graph as a picture: the text that Graphviz draws, in the form in which CUDA writes it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <unordered_map>
#include <variant>

#include "cuda_runtime_api.h"
#include "emulator/memory.h"
#include "engine/engine.hpp"
#include "graph.hpp"
#include "runtime.hpp"

using namespace emu;
using runtime::api_call;
using runtime::graph_mutex;
using runtime::graph_of;
using runtime::Node;

namespace {

/// How a kind of node is drawn.
struct Look {
  const char* title;
  const char* shape;
  const char* style = "solid";
};

Look look_of(const Node& node) {
  switch (node.type) {
    case cudaGraphNodeTypeKernel:
      return {"KERNEL", "octagon", "bold"};
    case cudaGraphNodeTypeMemcpy:
      return {"MEMCPY", "trapezium"};
    case cudaGraphNodeTypeMemset:
      return {"MEMSET", "invtrapezium"};
    case cudaGraphNodeTypeHost:
      return {"HOST", "rectangle"};
    case cudaGraphNodeTypeGraph:
      return {"CHILD_GRAPH", "rectangle"};
    case cudaGraphNodeTypeEmpty:
      return {"EMPTY", "rectangle"};
    case cudaGraphNodeTypeWaitEvent:
      return {"EVENT_WAIT", "rectangle"};
    case cudaGraphNodeTypeEventRecord:
      return {"EVENT_RECORD", "rectangle"};
    case cudaGraphNodeTypeMemAlloc:
      return {"MEM_ALLOC", "rectangle"};
    case cudaGraphNodeTypeMemFree:
      return {"MEM_FREE", "rectangle"};
    case cudaGraphNodeTypeConditional:
      return {"CONDITIONAL", "rectangle", "bold"};
    default:
      return {"", "rectangle"};
  }
}

std::string name_of(const CUgraph_st& graph) { return fmt::format("graph_{}", graph.number); }

std::string address(const void* pointer) {
  return fmt::format("0x{:016X}", reinterpret_cast<std::uintptr_t>(pointer));
}

char side_of(const void* pointer) {
  const Space space = find_space(pointer);
  return space == Space::none || space == Space::pinned ? 'H' : 'D';
}

/// The lines about one node that a flag asks for.
class Lines {
 public:
  explicit Lines(unsigned flags) : flags_(flags) {}

  bool ask(unsigned flag) const { return (flags_ & (flag | cudaGraphDebugDotFlagsVerbose)) != 0; }
  void add(const std::string& line) { text_ += line + '\n'; }
  void add_if(unsigned flag, const std::string& line) {
    if (ask(flag)) add(line);
  }
  const std::string& text() const { return text_; }

 private:
  unsigned flags_;
  std::string text_;
};

void add_kernel(Lines& lines, const Node& node) {
  const auto* const kernel = std::get_if<KernelParameters>(node.task.parameters.get());
  if (!kernel) return;
  const cudaKernelNodeParams& launch = kernel->launch;
  lines.add("_Z" + encoding_of(launch.func));
  lines.add_if(cudaGraphDebugDotFlagsHandles, "func handle: " + address(launch.func));
  const auto count = [](dim3 size) { return std::size_t{size.x} * size.y * size.z; };
  lines.add_if(cudaGraphDebugDotFlagsKernelNodeParams,
               fmt::format(R"(\<\<\<{},{},{}\>\>\>)", count(launch.gridDim), count(launch.blockDim),
                           launch.sharedMemBytes));
  const auto priority = node.attributes.find(cudaLaunchAttributePriority);
  const auto cooperative = node.attributes.find(cudaLaunchAttributeCooperative);
  lines.add_if(
      cudaGraphDebugDotFlagsKernelNodeAttributes,
      fmt::format("cooperative: {}\npriority: {}",
                  cooperative == node.attributes.end() ? 0 : cooperative->second.cooperative,
                  priority == node.attributes.end() ? 0 : priority->second.priority));
}

void add_copy(Lines& lines, const cudaMemcpy3DParms& copy) {
  lines.add(fmt::format("({}to{},{})", side_of(copy.srcPtr.ptr), side_of(copy.dstPtr.ptr),
                        copy.extent.width * copy.extent.height * copy.extent.depth));
  lines.add_if(cudaGraphDebugDotFlagsMemcpyNodeParams,
               fmt::format("srcPtr: {}\ndstPtr: {}\nextent: {} x {} x {}", address(copy.srcPtr.ptr),
                           address(copy.dstPtr.ptr), copy.extent.width, copy.extent.height,
                           copy.extent.depth));
}

void add_fill(Lines& lines, const cudaMemsetParams& fill) {
  lines.add(fmt::format("({},{})", fill.value, fill.elementSize * fill.width * fill.height));
  lines.add_if(
      cudaGraphDebugDotFlagsMemsetNodeParams,
      fmt::format("dptr: {}\npitch: {}\nelementSize: {}\nwidth: {}\nheight: {}", address(fill.dst),
                  fill.pitch, fill.elementSize, fill.width, fill.height));
}

void add_branches(Lines& lines, const runtime::Branches& branches) {
  const bool is_if = branches.type == cudaGraphCondTypeIf;
  lines.add_if(cudaGraphDebugDotFlagsConditionalNodeParams,
               fmt::format("handle: {}\ntype: {}", branches.condition->handle,
                           is_if                                     ? "IF"
                           : branches.type == cudaGraphCondTypeWhile ? "WHILE"
                                                                     : "SWITCH"));
  for (std::size_t i = 0; i < branches.graphs.size(); ++i)
    lines.add(fmt::format("{}: {}",
                          !is_if   ? std::to_string(i)
                          : i == 0 ? "true"
                                   : "false",
                          name_of(*branches.graphs[i])));
}

std::string label_of(const Node& node, std::size_t number, unsigned flags) {
  Lines lines(flags);
  lines.add(std::to_string(number));
  if (node.child)
    lines.add(name_of(*node.child));
  else if (node.type != cudaGraphNodeTypeKernel)
    lines.add(look_of(node).title);
  else
    add_kernel(lines, node);
  lines.add_if(cudaGraphDebugDotFlagsHandles, "node handle: " + address(&node));
  const TaskParameters* const parameters = node.task.parameters.get();
  if (const auto* const copy = std::get_if<cudaMemcpy3DParms>(parameters)) add_copy(lines, *copy);
  if (const auto* const fill = std::get_if<cudaMemsetParams>(parameters)) add_fill(lines, *fill);
  if (const auto* const host = std::get_if<cudaHostNodeParams>(parameters))
    lines.add_if(
        cudaGraphDebugDotFlagsHostNodeParams,
        fmt::format("fn: {}\nuserData: {}", address(reinterpret_cast<const void*>(host->fn)),
                    address(host->userData)));
  if (node.event)
    lines.add_if(cudaGraphDebugDotFlagsEventNodeParams, "event: " + address(node.event));
  if (node.memory)
    lines.add_if(0, fmt::format("bytesize: {}\ndptr: {}", node.memory->bytes(),
                                address(node.memory->pointer())));
  if (node.branches) add_branches(lines, *node.branches);
  return lines.text();
}

/// Writes a graph and, behind it, those within it.
void write(std::ofstream& file, const CUgraph_st& graph, unsigned flags) {
  const std::string name = name_of(graph);
  std::unordered_map<const Node*, std::string> names;
  file << "subgraph cluster_" << graph.number << " {\nlabel=\"" << name
       << "\" graph[style=\"dashed\"];\n";
  for (const auto& node : graph.nodes) {
    const std::size_t number = names.size();
    const std::string& own = names[node.get()] = fmt::format("\"{}_node_{}\"", name, number);
    const Look look = look_of(*node);
    file << fmt::format("{}[style=\"{}\" shape=\"{}\" label=\"{}\"];\n\n", own, look.style,
                        look.shape, label_of(*node, number, flags));
  }
  for (const auto& from : graph.nodes)
    for (const auto& to : graph.nodes)
      if (std::find(to->after.begin(), to->after.end(), from.get()) != to->after.end())
        file << names[from.get()] << " -> " << names[to.get()] << ";\n";
  file << "}\n";
  for (const auto& node : graph.nodes) {
    if (node->child) write(file, *node->child, flags);
    if (!node->branches) continue;
    for (const auto& branch : node->branches->graphs) write(file, *branch, flags);
  }
}

}  // namespace

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char* path, unsigned int flags) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex());
    const CUgraph_st* const graph = graph_of(handle);
    if (graph == nullptr || path == nullptr) return cudaErrorInvalidValue;
    std::ofstream file(path);
    if (!file) return cudaErrorOperatingSystem;
    file << "digraph dot {\n";
    write(file, *graph, flags);
    file << "}\n";
    return file.flush() ? cudaSuccess : cudaErrorOperatingSystem;
  });
}
