/// @file
/// Memory that graphs allocate and free. Its addresses are known from the time when the node is
/// added. What the program's calls may count on runs ahead of what the streams have done, so each
/// has its functions here.
#pragma once

#include <cstddef>
#include <memory>

#include "driver_types.h"
#include "engine/run/queue.hpp"

namespace emu::runtime {

class GraphMemory : public std::enable_shared_from_this<GraphMemory> {
 public:
  /// Reserves addresses; null if there are none.
  static std::shared_ptr<GraphMemory> reserve(std::size_t bytes);
  /// Returns the memory that begins at `pointer`; null if no graph allocates there.
  static std::shared_ptr<GraphMemory> at(const void* pointer);

  GraphMemory(void* pointer, std::size_t bytes) : pointer_(pointer), bytes_(bytes) {}
  ~GraphMemory();
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;

  void* pointer() const { return pointer_; }
  std::size_t bytes() const { return bytes_; }

  // In the order of the program's calls.

  /// Returns whether the memory is allocated once the streams have come so far.
  bool will_be_there() const;
  /// Notes that a launch of the graph in the stream allocates the memory.
  /// @return false if the device has no room for it
  bool will_be_allocated(const CUgraph_st* graph, const StreamKey& stream);
  /// Notes that something in the stream frees the memory.
  /// @return false if it is not allocated
  bool will_be_freed(const StreamKey& stream);
  /// Lets calls use the memory, which a launch has allocated and not freed.
  void promise();

  // In the order of the work.

  void allocate();
  void free();

 private:
  void* const pointer_;
  const std::size_t bytes_;
};

/// Frees memory of a graph when it is the stream's turn.
cudaError_t free_graph_memory(const std::shared_ptr<GraphMemory>& memory, const StreamKey& stream);

/// Forgets which memory graphs have allocated: the device has been reset.
void reset_graph_memory() noexcept;

}  // namespace emu::runtime
