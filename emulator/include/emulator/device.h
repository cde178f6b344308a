/// @file
/// What device code needs from the engine: built-in variables and everything that makes lanes meet.
/// The CUDA names (`__shfl_sync`, `__syncthreads`, ...) are thin wrappers in device_library.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vector_types.h"

// Constant thread-local data: the compiler does not instrument it, and a lane never sees it change.
extern "C" {
extern __thread const uint3 threadIdx;
extern __thread const uint3 blockIdx;
extern __thread const uint3 blockDim;
extern __thread const uint3 gridDim;
}
constexpr int warpSize = 32;

namespace emu {

constexpr unsigned kMultiprocessors = 132;  ///< of the device

enum class ShuffleMode : std::uint8_t { index, up, down, xor_ };
enum class ReduceOp : std::uint8_t {
  add,
  min_signed,
  min_unsigned,
  max_signed,
  max_unsigned,
  and_,
  or_,
  xor_
};

unsigned lane_id() noexcept;  ///< 0..31; 0 on the host
unsigned warp_id() noexcept;  ///< in the block

/// Each waits until every lane of `mask` that has not exited arrives with the same mask.
/// `value` carries the bits of a type of at most 8 bytes, zero-extended.
std::uint64_t warp_shuffle(ShuffleMode mode, unsigned mask, std::uint64_t value, int lane_or_delta,
                           int width);
unsigned warp_ballot(unsigned mask, bool predicate);
bool warp_all(unsigned mask, bool predicate);
bool warp_any(unsigned mask, bool predicate);
bool warp_uniform(unsigned mask, bool predicate);
unsigned warp_match_any(unsigned mask, std::uint64_t bits);
unsigned warp_match_all(unsigned mask, std::uint64_t bits, int* predicate);
unsigned warp_reduce(ReduceOp operation, unsigned mask, unsigned value);
void warp_sync(unsigned mask);

/// The lanes that arrive at the same call together: all that reach it before the warp must wait.
unsigned active_mask();

/// Each waits until every thread of the block that has not exited arrives.
void block_sync();
int block_sync_count(int predicate);
int block_sync_and(int predicate);
int block_sync_or(int predicate);

/// What an atomic operation makes of what it finds: an exchange does not look at it, and a
/// compare-and-swap may leave it as it is.
enum class AtomicKind : unsigned char { update, exchange, compare_and_swap };

/// Counts one atomic access, attributed to `call_site`; does nothing on the host.
void record_atomic(const void* address, unsigned bytes, const void* call_site,
                   AtomicKind kind = AtomicKind::update) noexcept;
/// The same for an atomic load or store, which counts as a load or a store.
void record_atomic_access(const void* address, unsigned bytes, const void* call_site,
                          bool writes) noexcept;
/// A thread is about to compare and swap there: what it read there before was only a guess.
void note_compare_and_swap(const void* address) noexcept;
/// The thread has compared, and swapped if it found what it expected.
void note_compared(const void* address, bool has_swapped) noexcept;

/// What the thread wrote before is seen before what it writes after: by its block or by all.
void fence(bool of_device) noexcept;

/// The lane's carry flag, which instructions of inline PTX leave for the next ones.
bool ptx_carry() noexcept;
void set_ptx_carry(bool carry) noexcept;

void yield();  ///< lets other lanes run
bool in_kernel() noexcept;
std::uint64_t clock() noexcept;  ///< nanoseconds that only grow; no measure of performance

constexpr int kClockMegahertz = 1980;   ///< of an H100's multiprocessors
std::uint64_t clock_cycles() noexcept;  ///< the same in cycles of such a multiprocessor

/// Ends the running lane, from whatever function.
[[noreturn]] void exit_lane();

/// Ends the kernel: every later call returns cudaErrorLaunchFailure.
[[noreturn]] void device_trap(const char* what);

/// One line on stderr that names the feature; exit status 2.
/// @param name   a `call`, `code` or `case` of emulator/unsupported/features.txt; if it is none,
///               it is what is misused: "a shuffle in host code"
/// @param shown  stands for the name where there is a better word
[[noreturn]] void unsupported(const char* name, const char* shown = nullptr);

}  // namespace emu
