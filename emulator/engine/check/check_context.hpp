/// @file
/// What all checks know of the running launch: the block, the time, the names of things.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/check.h"
#include "engine/check/shadow.hpp"
#include "engine/check/store_images.hpp"
#include "engine/count/cost.hpp"
#include "engine/count/pattern.hpp"
#include "engine/engine.hpp"

namespace emu {

/// An instruction of a warp, when its phase is over: which lanes accessed what.
struct WarpAccess {
  std::uintptr_t key = 0;  ///< the instruction, as the log knows it
  unsigned site = 0;       ///< its number, for records
  AccessKind kind = AccessKind::load;
  Shape shape = Shape::scattered;
  bool is_shared = false;
  bool is_strong = false;     ///< atomic or volatile
  bool overwrites = false;    ///< an atomic that does not look at what was there
  bool is_copy = false;       ///< the write of an asynchronous copy, when it is asked for
  unsigned bytes = 0;         ///< of a lane
  unsigned struct_bytes = 0;  ///< of the struct that this is a piece of; 0: all of it
  unsigned part = 0;          ///< which piece
  std::uint32_t lanes = 0;
  std::uintptr_t base = 0;
  const std::int64_t* offsets = nullptr;  ///< [lane], to be added to base
  const StoreImage* found = nullptr;      ///< what stores found; null: not known

  std::uintptr_t address(unsigned lane) const {
    return base + static_cast<std::uintptr_t>(offsets[lane]);
  }
};

/// An address that is no further from a variable is probably an index into it.
constexpr std::size_t kNearVariable = std::size_t{64} << 10;

struct CheckContext {
  const Launch* launch = nullptr;
  Checks checks;
  const std::vector<uint3>* thread_index = nullptr;
  std::uint64_t block = 0;
  unsigned warp = 0;
  std::uint32_t segment = 1;       ///< of the phase that runs or has just run
  std::uint32_t launch_first = 1;  ///< segments of this launch begin here
  std::uint32_t block_first = 1;   ///< ... of this block
  std::uint32_t block_since = 1;   ///< ... after this block's newest barrier
  std::vector<std::pair<std::uint32_t, std::uint64_t>> blocks;  ///< first segment, block
  std::vector<std::uintptr_t> sites;  ///< by number: the program counter behind the access

  bool outside_seen = false;  ///< in this phase a lane went on after an access out of bounds

  Shadow global, shared;
  std::unordered_map<std::uintptr_t, ShadowPage*> elsewhere;  ///< by number: variables, host memory
  std::vector<NamedVariable> shared_variables;  ///< that the kernel may touch, by address

  std::vector<NamedVariable> guards;  ///< beside them, of no interest

  /// The shadow page of an address that the kernel may touch; null if there is none.
  ShadowPage* find_page(std::uintptr_t address, bool is_shared) const;
  /// A new one; memory that initcheck does not follow counts as written.
  ShadowPage& make_page(std::uintptr_t address, bool is_shared);
  /// Device memory allocated while initcheck was on: begin and bytes.
  std::map<std::uintptr_t, std::size_t> tracked;

  Culprit culprit(std::string action, std::uintptr_t program_counter, std::uint64_t in_block,
                  unsigned thread) const;
  Culprit culprit(std::string action, std::uintptr_t program_counter, unsigned lane) const {
    return culprit(std::move(action), program_counter, block, warp * kWarpSize + lane);
  }
  std::uint64_t block_of(std::uint32_t of_segment) const;
  /// The place in the text behind a site of a record; 0 if it is not known.
  std::uintptr_t program_counter_of_site(unsigned site) const {
    return site < sites.size() ? sites[site] : 0;
  }
  /// "0x100000200, byte 512 of 4096 allocated".
  std::string describe(std::uintptr_t address) const;
  const NamedVariable* shared_variable_at(std::uintptr_t address) const;
  const NamedVariable* guard_at(std::uintptr_t address) const;
};

/// "0x100000200, byte 512 of 4096 allocated": what is known of an address without a launch.
std::string address_in_words(const void* address);

/// "read", "write" or "atomic operation".
const char* action_of(AccessKind kind);

}  // namespace emu
