/// @file
/// What the emulator counts, per launch. Not part of CUDA: chapters never include it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace emu {

/// Global-memory traffic of warp-level instructions of one direction.
struct MemoryCounters {
  std::uint64_t requests = 0;       ///< warp-level instructions
  std::uint64_t sectors = 0;        ///< 32-byte sectors touched, summed over requests
  std::uint64_t lines = 0;          ///< 128-byte lines touched, summed over requests
  std::uint64_t bytes = 0;          ///< distinct bytes asked for, summed over requests
  std::uint64_t sectors_ideal = 0;  ///< sectors that as many bytes fill, rounded up per request

  MemoryCounters& operator+=(const MemoryCounters& other);
};

/// Shared-memory traffic of warp-level instructions of one direction.
struct SharedCounters {
  std::uint64_t requests = 0;          ///< warp-level instructions
  std::uint64_t wavefronts = 0;        ///< passes through the 32 banks
  std::uint64_t wavefronts_ideal = 0;  ///< passes the same lanes need without bank conflicts

  SharedCounters& operator+=(const SharedCounters& other);
};

/// Bulk copies into shared memory, which no lane's load or store is part of.
struct BulkCounters {
  std::uint64_t copies = 0;  ///< asked for
  std::uint64_t bytes = 0;   ///< delivered by them, the zeros for what lies outside included

  BulkCounters& operator+=(const BulkCounters& other);
};

/// Everything counted for one launch, or for one instruction of it.
struct Counters {
  MemoryCounters global_load, global_store, global_atomic;
  SharedCounters shared_load, shared_store, shared_atomic;
  BulkCounters bulk;
  std::uint64_t warp_instructions = 0;  ///< counted memory instructions, per warp
  std::uint64_t lane_instructions = 0;  ///< the same, per lane

  Counters& operator+=(const Counters& other);
};

/// Counters of one instruction: the address behind the access in the program's text.
struct SiteCounters {
  std::uintptr_t program_counter = 0;
  Counters counters;
};

/// One completed launch.
struct LaunchRecord {
  std::string kernel;     ///< short name: `read_offset`, `tiled::copy<float>`
  std::string signature;  ///< as the compiler writes it, with parameter types
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  std::size_t dynamic_shared_bytes = 0;
  Counters counters;
  std::vector<SiteCounters> sites;  ///< by program counter, ascending
};

/// The newest completed launch; null before the first. Valid until the next launch.
const LaunchRecord* last_launch() noexcept;

/// The sum over every launch completed so far while counting was on.
Counters total_counters() noexcept;

/// Counting costs time; without it kernels only compute.
void set_counting(bool on) noexcept;
bool counting() noexcept;

/// Orders lanes, warps and phases differently; results of a correct kernel do not change.
void set_schedule_seed(std::uint64_t seed) noexcept;

/// How many blocks run at a time; the default is the number of hardware threads.
/// Counters do not depend on it.
void set_worker_count(unsigned workers) noexcept;

}  // namespace emu
