/// @file
/// Traces the requests of one block, with the address of every lane (COURSE_TRACE).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/count/access_observer.hpp"
#include "engine/engine.hpp"

namespace emu {

/// A request of a warp.
struct TracedRequest {
  std::uintptr_t program_counter = 0;
  AccessKind kind = AccessKind::load;
  AccessSpace space = AccessSpace::global;
  unsigned access_bytes = 0;  ///< bytes per lane
  std::uint32_t lanes = 0;
  LaneAddresses addresses{};  ///< [lane], in bytes
};

/// Keeps the requests of one block of a launch: the first few of each instruction and warp.
class RequestTrace : public AccessObserver {
 public:
  explicit RequestTrace(const Launch& launch) : launch_(launch) {}

  /// Returns the number of the traced block in the grid, which may have fewer blocks.
  static std::uint64_t block();

  /// Called in the thread that runs the block. `threads` are the indices of its threads; `windows`
  /// has the shared memory of its cluster's other blocks, null without clusters.
  void begin_block(uint3 index, const std::vector<uint3>& threads, const SharedWindows* windows);
  void begin_phase(unsigned warp, unsigned first_lane) override;
  /// Adds the phase's requests, in program order.
  void end_phase(const PhaseRows& rows) override;

  /// Adds the launch, after it has completed, to the document that is written at exit.
  void finish();

 private:
  /// An allocation or a variable. The trace gives addresses relative to these, because they differ
  /// from run to run.
  struct Object {
    AccessSpace space = AccessSpace::global;
    std::string name;  // empty for an allocation
    // Rank of the block whose shared memory it is, unless it is the traced block.
    std::optional<unsigned> rank;
    std::uintptr_t begin = 0;
    std::size_t bytes = 0;
  };
  struct Kept {
    unsigned phase = 0;
    TracedRequest request;
    std::array<const Object*, kWarpSize> objects{};  // [lane]; null outside all objects
  };
  struct TracedWarp {
    unsigned phases = 0;
    std::vector<Kept> requests;
    std::map<std::uintptr_t, unsigned> times;  // number of requests by instruction
  };
  void add(const TracedRequest& request);
  const Object* object_at(std::uintptr_t address, AccessSpace space);

  const Launch& launch_;
  uint3 block_index_{};
  std::vector<uint3> threads_;
  const SharedWindows* windows_ = nullptr;
  std::vector<NamedVariable> shared_variables_;
  std::vector<TracedWarp> warps_;
  unsigned warp_ = 0;
  std::map<std::uintptr_t, Object> objects_;  // by address
};

/// Returns whether the next launch of this kernel should be traced. A program may launch a kernel
/// very often.
bool trace_wanted(const std::string& signature);

}  // namespace emu
