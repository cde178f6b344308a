/// @file
/// What all checks know of the running launch: the block, the time, the names of things.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "emulator/check.h"
#include "engine/check/checked_memory.hpp"
#include "engine/check/shadow.hpp"
#include "engine/check/sites.hpp"
#include "engine/check/store_images.hpp"
#include "engine/count/cost.hpp"
#include "engine/count/pattern.hpp"
#include "engine/engine.hpp"

namespace emu {

class SharedWindows;
struct CheckedBlock;

/// An instruction of a warp, when its phase is over: which lanes accessed what.
struct WarpAccess {
  std::uintptr_t key = 0;  ///< the instruction, as the log knows it
  unsigned site = 0;       ///< its number, for records
  AccessKind kind = AccessKind::load;
  Shape shape = Shape::scattered;
  bool is_shared = false;
  bool is_strong = false;     ///< atomic or volatile
  bool overwrites = false;    ///< an atomic that does not look at what was there
  bool is_swap = false;       ///< a compare-and-swap
  bool is_copy = false;       ///< the write of an asynchronous copy, when it is asked for
  bool is_late = false;       ///< the write of a bulk store, which has not been made yet
  unsigned bytes = 0;         ///< of a lane
  unsigned struct_bytes = 0;  ///< of the struct that this is a piece of; 0: all of it
  unsigned part = 0;          ///< which piece
  unsigned padding = 0;       ///< bit i: byte i of a small struct holds nothing
  std::uint32_t lanes = 0;
  std::uintptr_t base = 0;
  const std::int64_t* offsets = nullptr;  ///< [lane], to be added to base
  Shadow* memory = nullptr;               ///< that remembers it
  std::uintptr_t to_place = 0;  ///< added to an address: where that is in its block's shared memory
  const StoreImage* found = nullptr;  ///< what stores found; null: not known

  std::uintptr_t address(unsigned lane) const {
    return base + static_cast<std::uintptr_t>(offsets[lane]);
  }
};

/// An address that is no further from a variable is probably an index into it.
constexpr std::size_t kNearVariable = std::size_t{64} << 10;

/// Where in whose shared memory something is; no block: it is elsewhere.
struct SharedPlace {
  CheckedBlock* block = nullptr;
  std::uintptr_t address = 0;  ///< as that block itself sees it
};

struct CheckContext {
  const Launch* launch = nullptr;
  Checks checks;
  const std::vector<uint3>* thread_index = nullptr;
  CheckedBlock* now = nullptr;             ///< on the stage
  const SharedWindows* windows = nullptr;  ///< its cluster's; null: it has none
  unsigned warp = 0;
  std::uint32_t segment = 1;      ///< of the phase that runs or has just run
  std::uint32_t stage_since = 1;  ///< segments since `now` came to the stage begin here
  std::uint32_t all_since = 1;    ///< ... since this launch began, or its grid met: for everybody,
                                  ///< what came before is over

  bool outside_seen = false;  ///< in this phase a lane went on after an access out of bounds

  CheckedMemory* global = nullptr;
  const StoreImages* images = nullptr;          ///< what the stores of the phase found
  std::vector<NamedVariable> shared_variables;  ///< that the kernel may touch, by address

  std::vector<NamedVariable> guards;  ///< beside them, of no interest
  std::uintptr_t shared_begin = 0;    ///< of what a block has in place on the stage
  std::size_t shared_bytes = 0;
  bool is_shared(std::uintptr_t address) const { return address - shared_begin < shared_bytes; }

  /// The page of `memory` that a place is in, made if need be; where that is the arena's, pages of
  /// other addresses as well.
  ShadowPage& page_of(Shadow& memory, std::uintptr_t place) {
    if (&memory == &global->arena()) return global->page_of(place);
    ShadowPage* const page = memory.find(place);
    return page ? *page : memory.make(place);
  }

  Culprit culprit(std::string action, std::uintptr_t program_counter, std::uint64_t in_block,
                  unsigned thread) const;
  Culprit culprit(std::string action, std::uintptr_t program_counter, unsigned lane) const {
    return culprit(std::move(action), program_counter, block(), warp * kWarpSize + lane);
  }
  std::uint64_t block() const;  ///< the number of the one on the stage

  /// Another block comes to the stage.
  void enter(CheckedBlock& block);
  void forget_blocks() { stays_.clear(); }
  /// Whose a segment of this launch is.
  std::uint64_t block_of(std::uint32_t of_segment) const { return stay_of(of_segment).block; }
  /// Whether it is one of the block's on the stage.
  bool is_own(std::uint32_t of_segment) const {
    return of_segment >= stage_since || is_own_of_earlier_stay(of_segment);
  }
  SharedPlace shared_place(std::uintptr_t address) const;

  // How clocks are laid out in this launch: blocks of a cluster, then their threads, then
  // mbarriers.
  unsigned ranks = 1, threads_of_block = kWarpSize;  ///< whole warps
  std::size_t clock_of_thread(unsigned rank, unsigned thread) const {
    return ranks + std::size_t{rank} * threads_of_block + thread;
  }
  std::size_t clock_of_copies(unsigned mbarrier) const {
    return clock_of_thread(ranks, 0) + mbarrier;
  }
  /// "0x100000200, byte 512 of 4096 allocated".
  std::string describe(std::uintptr_t address) const;
  const NamedVariable* shared_variable_at(std::uintptr_t address) const;
  const NamedVariable* guard_at(std::uintptr_t address) const;

  /// A time that a block was on the stage.
  struct Stay {
    std::uint32_t first;  // segment
    std::uint64_t block, cluster;
    unsigned rank;
  };
  const Stay& stay_of(std::uint32_t of_segment) const;

 private:
  bool is_own_of_earlier_stay(std::uint32_t of_segment) const;
  std::string describe_shared(std::uintptr_t place) const;

  std::vector<Stay> stays_;
};

/// "0x100000200, byte 512 of 4096 allocated": what is known of an address without a launch.
std::string address_in_words(const void* address);

/// "read", "write" or "atomic operation".
const char* action_of(AccessKind kind);

}  // namespace emu
