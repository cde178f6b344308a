/// @file
/// The state of the running launch that all checks share: the block, the time, the names of memory.
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

/// A request of a warp: the accesses of its lanes by one instruction.
struct WarpAccess {
  std::uintptr_t key = 0;  ///< key of the instruction, as in the access log
  unsigned site = 0;       ///< the instruction's number in records
  AccessKind kind = AccessKind::load;
  Shape shape = Shape::scattered;
  bool is_shared = false;
  bool is_strong = false;   ///< atomic or volatile
  bool is_atomic = false;   ///< an atomic load or store
  bool overwrites = false;  ///< an atomic operation that ignores the old value
  bool is_swap = false;     ///< a compare-and-swap
  bool is_extreme = false;  ///< an atomic minimum or maximum
  bool is_copy = false;     ///< the write of an asynchronous copy, recorded when the copy is issued
  bool is_late = false;     ///< the write of a store that is made later than it is issued
  unsigned bytes = 0;       ///< bytes per lane
  unsigned struct_bytes = 0;  ///< size of the struct that this access is a piece of; 0: no struct
  unsigned part = 0;          ///< number of the piece in the struct
  unsigned padding = 0;       ///< of a small struct: bit i is set if byte i is padding
  std::uint32_t lanes = 0;
  std::uintptr_t base = 0;
  const std::int64_t* offsets = nullptr;  ///< [lane], relative to base
  Shadow* memory = nullptr;               ///< the shadow memory with its records
  /// Added to an address, gives the address in its block's own shared memory.
  std::uintptr_t to_own_address = 0;
  const StoreImage* found = nullptr;  ///< the values that stores overwrote; null: unknown

  std::uintptr_t address(unsigned lane) const {
    return base + static_cast<std::uintptr_t>(offsets[lane]);
  }
};

/// An address at most this far from a variable is probably an index into it.
constexpr std::size_t kNearVariable = std::size_t{64} << 10;

/// An address in the shared memory of a block; `block` is null if it is not in shared memory.
struct SharedAddress {
  CheckedBlock* block = nullptr;
  std::uintptr_t address = 0;  ///< as the block itself addresses it
};

struct CheckContext {
  const Launch* launch = nullptr;
  Checks checks;
  const std::vector<uint3>* thread_index = nullptr;
  CheckedBlock* now = nullptr;             ///< the block on the stage
  const SharedWindows* windows = nullptr;  ///< windows of its cluster; null: no cluster
  unsigned warp = 0;
  std::uint32_t segment = 1;      ///< segment (logical time) of the phase that runs or has just run
  std::uint32_t stage_since = 1;  ///< first segment since `now` came to the stage
  /// First segment since this launch began or its grid met; earlier ones happen before everything.
  std::uint32_t all_since = 1;

  /// In this phase a lane continued after an access out of bounds.
  bool went_out_of_bounds = false;

  CheckedMemory* global = nullptr;
  const StoreImages* images = nullptr;  ///< the values that stores of this phase overwrote
  /// Shared variables that the kernel may touch, by address.
  std::vector<NamedVariable> shared_variables;

  std::vector<NamedVariable> guards;  ///< guards of their constructors, which are not checked
  std::uintptr_t shared_begin = 0;    ///< the block's shared memory while it is on the stage
  std::size_t shared_bytes = 0;
  bool is_shared(std::uintptr_t address) const { return address - shared_begin < shared_bytes; }

  /// Returns the page of `memory` that contains `address`, and makes it if necessary. Where
  /// `memory` is the arena's, `address` may also lie outside the arena.
  ShadowPage& page_of(Shadow& memory, std::uintptr_t address) {
    if (&memory == &global->arena()) return global->page_of(address);
    ShadowPage* const page = memory.find(address);
    return page ? *page : memory.make(address);
  }

  Culprit culprit(std::string action, std::uintptr_t program_counter, std::uint64_t in_block,
                  unsigned thread) const;
  Culprit culprit(std::string action, std::uintptr_t program_counter, unsigned lane) const {
    return culprit(std::move(action), program_counter, block(), warp * kWarpSize + lane);
  }
  std::uint64_t block() const;  ///< number of the block on the stage

  /// Called when another block comes to the stage.
  void enter(CheckedBlock& block);
  void forget_blocks() { stays_.clear(); }
  /// Returns the number of the block that a segment of this launch belongs to.
  std::uint64_t block_of(std::uint32_t of_segment) const { return stay_of(of_segment).block; }
  /// Returns whether the segment belongs to the block on the stage.
  bool is_own(std::uint32_t of_segment) const {
    return of_segment >= stage_since || is_own_of_earlier_stay(of_segment);
  }
  SharedAddress shared_address(std::uintptr_t address) const;

  // Layout of vector clocks in this launch: the blocks of a cluster, then their threads, then
  // mbarriers.
  unsigned ranks = 1, threads_of_block = kWarpSize;  ///< threads rounded up to whole warps
  std::size_t clock_of_thread(unsigned rank, unsigned thread) const {
    return ranks + std::size_t{rank} * threads_of_block + thread;
  }
  std::size_t clock_of_copies(unsigned mbarrier) const {
    return clock_of_thread(ranks, 0) + mbarrier;
  }
  /// Returns the address with what is known of it: "0x100000200, byte 512 of 4096 allocated".
  std::string describe(std::uintptr_t address) const;
  const NamedVariable* shared_variable_at(std::uintptr_t address) const;
  const NamedVariable* guard_at(std::uintptr_t address) const;

  /// A period that a block was on the stage without interruption.
  struct Stay {
    std::uint32_t first;  // first segment
    std::uint64_t block, cluster;
    unsigned rank;
  };
  const Stay& stay_of(std::uint32_t of_segment) const;

 private:
  bool is_own_of_earlier_stay(std::uint32_t of_segment) const;
  std::string describe_shared(std::uintptr_t address) const;

  std::vector<Stay> stays_;
};

/// Returns the address with what is known of it outside a launch: "0x100000200, byte 512 of 4096
/// allocated".
std::string address_in_words(const void* address);

/// Returns "read", "write" or "atomic".
const char* action_of(AccessKind kind);

}  // namespace emu
