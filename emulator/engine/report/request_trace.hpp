/// @file
/// The requests of one block, one by one, with the address of every lane (COURSE_TRACE).
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

/// What the lanes of a warp asked for in one instruction.
struct TracedRequest {
  std::uintptr_t program_counter = 0;
  AccessKind kind = AccessKind::load;
  AccessSpace space = AccessSpace::global;
  unsigned access_bytes = 0;  ///< of a lane
  std::uint32_t lanes = 0;
  LaneAddresses addresses{};  ///< [lane], bytes
};

/// Keeps the requests of one block of a launch: of every instruction and warp the first few.
class RequestTrace : public AccessObserver {
 public:
  explicit RequestTrace(const Launch& launch) : launch_(launch) {}

  /// In the grid, by number; there may be fewer.
  static std::uint64_t block();

  /// In the thread that runs the block, whose threads have these indices; `windows`: where the
  /// other blocks of its cluster have their shared memory; null without clusters.
  void begin_block(uint3 index, const std::vector<uint3>& threads, const SharedWindows* windows);
  void begin_phase(unsigned warp, unsigned first_lane) override;
  /// Takes down the phase's requests, in the order of the warp's program.
  void end_phase(const PhaseRows& rows) override;

  /// Adds the launch, which has completed, to what is written when the program ends.
  void finish();

 private:
  /// An allocation or a variable, and how addresses are told: no run has the same ones.
  struct Object {
    AccessSpace space = AccessSpace::global;
    std::string name;              // empty for an allocation
    std::optional<unsigned> rank;  // of the block whose shared memory it is, if it is another's
    std::uintptr_t begin = 0;
    std::size_t bytes = 0;
  };
  struct Kept {
    unsigned phase = 0;
    TracedRequest request;
    std::array<const Object*, kWarpSize> objects{};  // [lane]; null outside of all
  };
  struct TracedWarp {
    unsigned phases = 0;
    std::vector<Kept> requests;
    std::map<std::uintptr_t, unsigned> times;  // by instruction
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

/// Whether a launch of this kernel is to be traced: programs may launch one very often.
bool trace_wanted(const std::string& signature);

}  // namespace emu
