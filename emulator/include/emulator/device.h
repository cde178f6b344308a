/// @file
/// The engine's functions for device code: built-in variables and communication between lanes.
/// device_library.h wraps them under CUDA's names (`__shfl_sync`, `__syncthreads`, ...).
#pragma once

#include <cstddef>
#include <cstdint>

#include "vector_types.h"

// Constant thread-local data: the compiler does not instrument reads, and a lane never sees
// changes.
extern "C" {
extern __thread const uint3 threadIdx;
extern __thread const uint3 blockIdx;
extern __thread const uint3 blockDim;
extern __thread const uint3 gridDim;
}
// A number that no constant expression may use, as with nvcc; the plugin knows its value
// (compiler/plugin.cpp).
extern const int warpSize;

namespace emu {

constexpr int kLanesOfWarp = 32;

constexpr unsigned kMultiprocessors = 132;  ///< multiprocessors of the device

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
unsigned warp_id() noexcept;  ///< index in the block

/// Waits, like the next functions, until each lane of `mask` that has not exited arrives with it.
/// `value` contains the bits of a type of at most 8 bytes, zero-extended.
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

/// Returns the lanes that arrive at the same call together: all that reach it before the warp has
/// to wait.
unsigned active_mask();

/// Waits, like the next functions, until each thread of the block that has not exited arrives.
void block_sync();
int block_sync_count(int predicate);
int block_sync_and(int predicate);
int block_sync_or(int predicate);

/// How an atomic operation uses the old value: an exchange ignores it, and a compare-and-swap may
/// leave it unchanged.
enum class AtomicKind : unsigned char { update, extreme, exchange, compare_and_swap };

/// Counts one atomic access for `call_site`; does nothing on the host.
void record_atomic(const void* address, unsigned bytes, const void* call_site,
                   AtomicKind kind = AtomicKind::update) noexcept;
/// The same for an atomic load or store, which counts as a load or a store.
void record_atomic_access(const void* address, unsigned bytes, const void* call_site,
                          bool writes) noexcept;
/// A thread is about to compare and swap there: what it read there before was only a guess.
void note_compare_and_swap(const void* address) noexcept;
/// Reports the result of a compare-and-swap.
void note_compared(const void* address, bool has_swapped) noexcept;

/// Orders the thread's earlier writes before its later ones, for its block or for the whole device.
void fence(bool of_device) noexcept;

/// Access the lane's carry flag, which connects instructions of inline PTX.
bool ptx_carry() noexcept;
void set_ptx_carry(bool carry) noexcept;

void yield();  ///< lets other lanes run
bool in_kernel() noexcept;
std::uint64_t clock() noexcept;  ///< in nanoseconds, monotonic; not a measure of performance

constexpr int kClockMegahertz = 1980;   ///< clock rate of an H100's multiprocessors
std::uint64_t clock_cycles() noexcept;  ///< clock() in cycles of such a multiprocessor

/// Ends the running lane from within any function.
[[noreturn]] void exit_lane();

/// Ends the kernel: every later call returns cudaErrorLaunchFailure.
[[noreturn]] void device_trap(const char* what);

/// Prints a line on stderr that names the unsupported feature, and exits with status 2.
/// @param name   a `call`, `code` or `case` of emulator/unsupported/features.txt; any other text
///         describes the misuse: "a shuffle in host code"
/// @param shown  printed instead of the name if it is clearer
[[noreturn]] void unsupported(const char* name, const char* shown = nullptr);

}  // namespace emu
