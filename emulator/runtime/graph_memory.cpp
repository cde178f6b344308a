// Memory of graphs: which of it is allocated, and how much of the device it occupies. A device
// keeps what a graph has once allocated, for later launches, until the program trims it; here only
// the numbers are kept.
#include "graph_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "cuda_runtime_api.h"
#include "graph.hpp"
#include "runtime.hpp"
#include "units.hpp"

using namespace emu;
using runtime::add_node;
using runtime::api_call;
using runtime::GraphMemory;
using runtime::Node;

namespace {

/// What a device gives graphs at a time.
constexpr std::size_t kPieceBytes = 32 * kMiB;

/// A piece of the device's memory that graphs have got.
struct Piece {
  std::size_t bytes;
  std::size_t used;         ///< 0: it is free for the next graph
  const CUgraph_st* graph;  ///< whose memory shares it
  StreamKey freed_in;       ///< once all of it is free
};

struct Book {
  std::mutex mutex;
  std::map<const void*, std::weak_ptr<GraphMemory>> by_address;
  /// What is allocated lives on without its graph.
  std::map<const GraphMemory*, std::shared_ptr<GraphMemory>> allocated;
  std::list<Piece> pieces;
  std::map<const GraphMemory*, Piece*> places;
  std::uint64_t bytes = 0;                         ///< of all pieces
  std::uint64_t used_high = 0, reserved_high = 0;  ///< since the program reset them

  /// Finds room in a piece that the graph has, or that the stream may use now, or in a new one.
  void occupy(const GraphMemory* memory, const CUgraph_st* graph, const StreamKey& stream) {
    const std::size_t wanted = memory->bytes();
    const auto is_possible = [&](const Piece& piece) {
      if (piece.used > 0) return piece.graph == graph && piece.bytes - piece.used >= wanted;
      return piece.bytes >= wanted &&
             (piece.freed_in.stream == stream.stream || is_finished(piece.freed_in));
    };
    Piece* best = nullptr;
    for (Piece& piece : pieces)
      if (is_possible(piece) && (!best || piece.bytes < best->bytes)) best = &piece;
    if (!best) {
      const std::size_t size = (wanted + kPieceBytes - 1) / kPieceBytes * kPieceBytes;
      best = &pieces.emplace_back(Piece{size, 0, nullptr, stream});
      bytes += size;
      used_high = std::max(used_high, bytes);
      reserved_high = std::max(reserved_high, bytes);
    }
    best->used += wanted;
    best->graph = graph;
    places[memory] = best;
  }

  void leave(const GraphMemory* memory, const StreamKey& stream) {
    const auto place = places.find(memory);
    if (place == places.end()) return;
    place->second->used -= memory->bytes();
    place->second->freed_in = stream;
    places.erase(place);
  }

  void trim() {
    std::erase_if(
        pieces, [](const Piece& piece) { return piece.used == 0 && is_finished(piece.freed_in); });
    bytes = 0;
    for (const Piece& piece : pieces) bytes += piece.bytes;
  }
};

Book& book() {
  static Book& all = *new Book;
  return all;
}

/// How often nodes of one kind are about this memory.
std::size_t count_nodes(const CUgraph_st& graph, cudaGraphNodeType type,
                        const std::shared_ptr<GraphMemory>& memory) {
  return static_cast<std::size_t>(std::count_if(
      graph.nodes.begin(), graph.nodes.end(),
      [&](const auto& node) { return node->type == type && node->memory == memory; }));
}

/// The nodes that come before another, at any distance.
std::set<const Node*> nodes_before(const Node& node) {
  std::set<const Node*> before;
  runtime::Nodes open(node.after.begin(), node.after.end());
  while (!open.empty()) {
    const Node* const one = open.back();
    open.pop_back();
    if (before.insert(one).second) open.insert(open.end(), one->after.begin(), one->after.end());
  }
  return before;
}

/// Finds memory of this size that nodes before this one have freed for good; null if there is none.
std::shared_ptr<GraphMemory> find_freed_before(const Node& node, std::size_t bytes) {
  const std::set<const Node*> before = nodes_before(node);
  for (const Node* const one : before) {
    const bool fits = one->type == cudaGraphNodeTypeMemFree && one->memory->bytes() == bytes;
    if (!fits) continue;
    const auto& memory = one->memory;
    const auto frees = static_cast<std::size_t>(
        std::count_if(before.begin(), before.end(), [&](const Node* other) {
          return other->type == cudaGraphNodeTypeMemFree && other->memory == memory;
        }));
    if (frees == count_nodes(*node.graph, cudaGraphNodeTypeMemAlloc, memory)) return memory;
  }
  return nullptr;
}

cudaError_t check_allocation(const cudaMemAllocNodeParams& parameters) {
  const cudaMemPoolProps& properties = parameters.poolProps;
  if (parameters.bytesize == 0 || properties.allocType != cudaMemAllocationTypePinned ||
      (parameters.accessDescCount > 0 && parameters.accessDescs == nullptr))
    return cudaErrorInvalidValue;
  if (properties.location.type != cudaMemLocationTypeDevice ||
      properties.handleTypes != cudaMemHandleTypeNone)
    return cudaErrorNotSupported;
  return runtime::valid_device(properties.location.id) ? cudaSuccess : cudaErrorInvalidValue;
}

/// A graph that has become another one's child takes no more nodes about memory.
bool is_moved(const CUgraph_st& graph) {
  return graph.owner && graph.owner->type == cudaGraphNodeTypeGraph;
}

cudaError_t check_attribute(int device, const void* value) {
  if (!runtime::valid_device(device)) return cudaErrorInvalidDevice;
  return value ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

std::shared_ptr<GraphMemory> GraphMemory::reserve(std::size_t bytes) {
  void* const pointer = runtime::reserve(bytes);
  if (pointer == nullptr) return nullptr;
  auto memory = std::make_shared<GraphMemory>(pointer, bytes);
  const std::lock_guard lock(book().mutex);
  book().by_address[pointer] = memory;
  return memory;
}

std::shared_ptr<GraphMemory> GraphMemory::at(const void* pointer) {
  const std::lock_guard lock(book().mutex);
  const auto found = book().by_address.find(pointer);
  return found == book().by_address.end() ? nullptr : found->second.lock();
}

GraphMemory::~GraphMemory() {
  {
    const std::lock_guard lock(book().mutex);
    const auto found = book().by_address.find(pointer_);
    if (found != book().by_address.end() && found->second.expired()) book().by_address.erase(found);
  }
  runtime::unreserve(pointer_);
}

bool GraphMemory::will_be_there() const {
  const std::lock_guard lock(book().mutex);
  return book().allocated.contains(this);
}

bool GraphMemory::will_be_allocated(const CUgraph_st* graph, const StreamKey& stream) {
  if (bytes_ > free_bytes() && place_of(pointer_).space == Space::none) return false;
  const std::lock_guard lock(book().mutex);
  book().allocated.emplace(this, shared_from_this());
  book().occupy(this, graph, stream);
  return true;
}

bool GraphMemory::will_be_freed(const StreamKey& stream) {
  std::shared_ptr<GraphMemory> kept;  // until the lock is gone
  const std::lock_guard lock(book().mutex);
  const auto found = book().allocated.find(this);
  if (found == book().allocated.end()) return false;
  kept = std::move(found->second);
  book().allocated.erase(found);
  book().leave(this, stream);
  runtime::promise(pointer_, false);
  return true;
}

void GraphMemory::promise() { runtime::promise(pointer_, true); }

void GraphMemory::allocate() {
  if (sticky_error() != cudaSuccess || runtime::commit(pointer_)) return;
  std::fputs("emulator: there is no memory left for a graph's allocation\n", stderr);
  set_sticky_error(cudaErrorMemoryAllocation);
}

void GraphMemory::free() { runtime::release(pointer_); }

cudaError_t runtime::free_graph_memory(const std::shared_ptr<GraphMemory>& memory,
                                       const StreamKey& stream) {
  if (!memory->will_be_freed(stream)) return cudaErrorInvalidValue;
  enqueue(stream, {.run = [memory] { memory->free(); }});
  return cudaSuccess;
}

void runtime::reset_graph_memory() noexcept {
  std::map<const GraphMemory*, std::shared_ptr<GraphMemory>> kept;  // until the lock is gone
  const std::lock_guard lock(book().mutex);
  kept.swap(book().allocated);
  book().places.clear();
  book().pieces.clear();
  book().bytes = book().used_high = book().reserved_high = 0;
}

cudaError_t runtime::set_allocation(Node& node, cudaMemAllocNodeParams& parameters) {
  if (is_moved(*node.graph)) return cudaErrorNotSupported;
  if (const cudaError_t error = check_allocation(parameters); error != cudaSuccess) return error;
  node.memory = find_freed_before(node, parameters.bytesize);
  if (!node.memory) node.memory = GraphMemory::reserve(parameters.bytesize);
  if (!node.memory) return cudaErrorMemoryAllocation;
  parameters.dptr = node.memory->pointer();
  node.allocation = parameters;
  return cudaSuccess;
}

cudaError_t runtime::set_free(Node& node, void* pointer) {
  if (is_moved(*node.graph)) return cudaErrorNotSupported;
  node.memory = GraphMemory::at(pointer);
  if (!node.memory) return cudaErrorInvalidValue;
  // The node itself is one of those that free it.
  const std::size_t allocations = count_nodes(*node.graph, cudaGraphNodeTypeMemAlloc, node.memory);
  const std::size_t frees = count_nodes(*node.graph, cudaGraphNodeTypeMemFree, node.memory);
  return frees <= std::max<std::size_t>(allocations, 1) ? cudaSuccess : cudaErrorInvalidValue;
}

// ------------------------------------------------------------------------------------------- nodes

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* parameters) {
  return api_call([&] {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    return add_node(node, graph, dependencies, nullptr, count, cudaGraphNodeTypeMemAlloc,
                    [&](Node& added) { return runtime::set_allocation(added, *parameters); });
  });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           cudaMemAllocNodeParams* parameters) {
  return api_call([&] {
    if (node == nullptr || parameters == nullptr || node->type != cudaGraphNodeTypeMemAlloc)
      return cudaErrorInvalidValue;
    *parameters = node->allocation;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count,
                                    void* pointer) {
  return api_call([&] {
    return add_node(node, graph, dependencies, nullptr, count, cudaGraphNodeTypeMemFree,
                    [&](Node& added) { return runtime::set_free(added, pointer); });
  });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  return api_call([&] {
    if (node == nullptr || pointer == nullptr || node->type != cudaGraphNodeTypeMemFree)
      return cudaErrorInvalidValue;
    *static_cast<void**>(pointer) = node->memory->pointer();
    return cudaSuccess;
  });
}

// ------------------------------------------------------------------------------- the device's
// share

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return api_call([&] {
    if (!runtime::valid_device(device)) return cudaErrorInvalidDevice;
    if (sticky_error() != cudaSuccess) return sticky_error();
    const std::lock_guard lock(book().mutex);
    book().trim();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return api_call([&] {
    if (const cudaError_t error = check_attribute(device, value); error != cudaSuccess)
      return error;
    if (sticky_error() != cudaSuccess) return sticky_error();
    const std::lock_guard lock(book().mutex);
    switch (attribute) {
      case cudaGraphMemAttrUsedMemCurrent:
      case cudaGraphMemAttrReservedMemCurrent:
        *static_cast<std::uint64_t*>(value) = book().bytes;
        return cudaSuccess;
      case cudaGraphMemAttrUsedMemHigh:
        *static_cast<std::uint64_t*>(value) = book().used_high;
        return cudaSuccess;
      case cudaGraphMemAttrReservedMemHigh:
        *static_cast<std::uint64_t*>(value) = book().reserved_high;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return api_call([&] {
    if (const cudaError_t error = check_attribute(device, value); error != cudaSuccess)
      return error;
    const bool is_high =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    // A high-water mark can only be reset.
    if (!is_high || *static_cast<std::uint64_t*>(value) != 0) return cudaErrorInvalidValue;
    const std::lock_guard lock(book().mutex);
    (attribute == cudaGraphMemAttrUsedMemHigh ? book().used_high : book().reserved_high) =
        book().bytes;
    return cudaSuccess;
  });
}
