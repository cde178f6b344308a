/// @file
/// Communication between lanes: barriers, fences, votes, shuffles, matches and reductions.
#pragma once

#include <cstdint>
#include <type_traits>

#include "emulator/device.h"
#include "host_defines.h"

namespace emu::detail {

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

template <class T>
__forceinline__ std::uint64_t to_bits(T value) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);
  return __builtin_bit_cast(BitsOf<T>, value);
}

template <class T>
__forceinline__ T from_bits(std::uint64_t bits) {
  return __builtin_bit_cast(T, static_cast<BitsOf<T>>(bits));
}

/// Shuffles. A device uses only the low five bits of the lane or distance.
template <ShuffleMode mode, class T>
__forceinline__ T shuffle(unsigned mask, T value, unsigned lane_or_delta, int width) {
  constexpr unsigned kLaneBits = 31;
  return from_bits<T>(emu::warp_shuffle(mode, mask, to_bits(value),
                                        static_cast<int>(lane_or_delta & kLaneBits), width));
}

}  // namespace emu::detail

__forceinline__ void __syncthreads() { emu::block_sync(); }
__forceinline__ int __syncthreads_count(int predicate) { return emu::block_sync_count(predicate); }
__forceinline__ int __syncthreads_and(int predicate) { return emu::block_sync_and(predicate); }
__forceinline__ int __syncthreads_or(int predicate) { return emu::block_sync_or(predicate); }
__forceinline__ void __syncwarp(unsigned mask = 0xffffffffu) { emu::warp_sync(mask); }

__forceinline__ void __threadfence() { emu::fence(true); }
__forceinline__ void __threadfence_block() { emu::fence(false); }
__forceinline__ void __threadfence_system() { emu::fence(true); }

__forceinline__ unsigned __activemask() { return emu::active_mask(); }
__forceinline__ int __all_sync(unsigned mask, int predicate) {
  return emu::warp_all(mask, predicate != 0);
}
__forceinline__ int __any_sync(unsigned mask, int predicate) {
  return emu::warp_any(mask, predicate != 0);
}
__forceinline__ int __uni_sync(unsigned mask, int predicate) {
  return emu::warp_uniform(mask, predicate != 0);
}
__forceinline__ unsigned __ballot_sync(unsigned mask, int predicate) {
  return emu::warp_ballot(mask, predicate != 0);
}

__forceinline__ int __shfl_sync(unsigned mask, int value, int source_lane,
                                int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::index>(mask, value,
                                                       static_cast<unsigned>(source_lane), width);
}
__forceinline__ unsigned __shfl_sync(unsigned mask, unsigned value, int source_lane,
                                     int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::index>(mask, value,
                                                       static_cast<unsigned>(source_lane), width);
}
__forceinline__ long __shfl_sync(unsigned mask, long value, int source_lane,
                                 int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::index>(mask, value,
                                                       static_cast<unsigned>(source_lane), width);
}
__forceinline__ unsigned long __shfl_sync(unsigned mask, unsigned long value, int source_lane,
                                          int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::index>(mask, value,
                                                       static_cast<unsigned>(source_lane), width);
}
__forceinline__ long long __shfl_sync(unsigned mask, long long value, int source_lane,
                                      int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::index>(mask, value,
                                                       static_cast<unsigned>(source_lane), width);
}
__forceinline__ unsigned long long __shfl_sync(unsigned mask, unsigned long long value,
                                               int source_lane, int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::index>(mask, value,
                                                       static_cast<unsigned>(source_lane), width);
}
__forceinline__ float __shfl_sync(unsigned mask, float value, int source_lane,
                                  int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::index>(mask, value,
                                                       static_cast<unsigned>(source_lane), width);
}
__forceinline__ double __shfl_sync(unsigned mask, double value, int source_lane,
                                   int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::index>(mask, value,
                                                       static_cast<unsigned>(source_lane), width);
}

__forceinline__ int __shfl_up_sync(unsigned mask, int value, unsigned delta,
                                   int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::up>(mask, value, delta, width);
}
__forceinline__ unsigned __shfl_up_sync(unsigned mask, unsigned value, unsigned delta,
                                        int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::up>(mask, value, delta, width);
}
__forceinline__ long __shfl_up_sync(unsigned mask, long value, unsigned delta,
                                    int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::up>(mask, value, delta, width);
}
__forceinline__ unsigned long __shfl_up_sync(unsigned mask, unsigned long value, unsigned delta,
                                             int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::up>(mask, value, delta, width);
}
__forceinline__ long long __shfl_up_sync(unsigned mask, long long value, unsigned delta,
                                         int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::up>(mask, value, delta, width);
}
__forceinline__ unsigned long long __shfl_up_sync(unsigned mask, unsigned long long value,
                                                  unsigned delta, int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::up>(mask, value, delta, width);
}
__forceinline__ float __shfl_up_sync(unsigned mask, float value, unsigned delta,
                                     int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::up>(mask, value, delta, width);
}
__forceinline__ double __shfl_up_sync(unsigned mask, double value, unsigned delta,
                                      int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::up>(mask, value, delta, width);
}

__forceinline__ int __shfl_down_sync(unsigned mask, int value, unsigned delta,
                                     int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::down>(mask, value, delta, width);
}
__forceinline__ unsigned __shfl_down_sync(unsigned mask, unsigned value, unsigned delta,
                                          int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::down>(mask, value, delta, width);
}
__forceinline__ long __shfl_down_sync(unsigned mask, long value, unsigned delta,
                                      int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::down>(mask, value, delta, width);
}
__forceinline__ unsigned long __shfl_down_sync(unsigned mask, unsigned long value, unsigned delta,
                                               int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::down>(mask, value, delta, width);
}
__forceinline__ long long __shfl_down_sync(unsigned mask, long long value, unsigned delta,
                                           int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::down>(mask, value, delta, width);
}
__forceinline__ unsigned long long __shfl_down_sync(unsigned mask, unsigned long long value,
                                                    unsigned delta, int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::down>(mask, value, delta, width);
}
__forceinline__ float __shfl_down_sync(unsigned mask, float value, unsigned delta,
                                       int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::down>(mask, value, delta, width);
}
__forceinline__ double __shfl_down_sync(unsigned mask, double value, unsigned delta,
                                        int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::down>(mask, value, delta, width);
}

__forceinline__ int __shfl_xor_sync(unsigned mask, int value, int lane_mask,
                                    int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::xor_>(mask, value, static_cast<unsigned>(lane_mask),
                                                      width);
}
__forceinline__ unsigned __shfl_xor_sync(unsigned mask, unsigned value, int lane_mask,
                                         int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::xor_>(mask, value, static_cast<unsigned>(lane_mask),
                                                      width);
}
__forceinline__ long __shfl_xor_sync(unsigned mask, long value, int lane_mask,
                                     int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::xor_>(mask, value, static_cast<unsigned>(lane_mask),
                                                      width);
}
__forceinline__ unsigned long __shfl_xor_sync(unsigned mask, unsigned long value, int lane_mask,
                                              int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::xor_>(mask, value, static_cast<unsigned>(lane_mask),
                                                      width);
}
__forceinline__ long long __shfl_xor_sync(unsigned mask, long long value, int lane_mask,
                                          int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::xor_>(mask, value, static_cast<unsigned>(lane_mask),
                                                      width);
}
__forceinline__ unsigned long long __shfl_xor_sync(unsigned mask, unsigned long long value,
                                                   int lane_mask, int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::xor_>(mask, value, static_cast<unsigned>(lane_mask),
                                                      width);
}
__forceinline__ float __shfl_xor_sync(unsigned mask, float value, int lane_mask,
                                      int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::xor_>(mask, value, static_cast<unsigned>(lane_mask),
                                                      width);
}
__forceinline__ double __shfl_xor_sync(unsigned mask, double value, int lane_mask,
                                       int width = emu::kLanesOfWarp) {
  return emu::detail::shuffle<emu::ShuffleMode::xor_>(mask, value, static_cast<unsigned>(lane_mask),
                                                      width);
}

__forceinline__ unsigned __match_any_sync(unsigned mask, int value) {
  return emu::warp_match_any(mask, emu::detail::to_bits(value));
}
__forceinline__ unsigned __match_any_sync(unsigned mask, unsigned value) {
  return emu::warp_match_any(mask, emu::detail::to_bits(value));
}
__forceinline__ unsigned __match_any_sync(unsigned mask, long value) {
  return emu::warp_match_any(mask, emu::detail::to_bits(value));
}
__forceinline__ unsigned __match_any_sync(unsigned mask, unsigned long value) {
  return emu::warp_match_any(mask, emu::detail::to_bits(value));
}
__forceinline__ unsigned __match_any_sync(unsigned mask, long long value) {
  return emu::warp_match_any(mask, emu::detail::to_bits(value));
}
__forceinline__ unsigned __match_any_sync(unsigned mask, unsigned long long value) {
  return emu::warp_match_any(mask, emu::detail::to_bits(value));
}
__forceinline__ unsigned __match_any_sync(unsigned mask, float value) {
  return emu::warp_match_any(mask, emu::detail::to_bits(value));
}
__forceinline__ unsigned __match_any_sync(unsigned mask, double value) {
  return emu::warp_match_any(mask, emu::detail::to_bits(value));
}

__forceinline__ unsigned __match_all_sync(unsigned mask, int value, int* predicate) {
  return emu::warp_match_all(mask, emu::detail::to_bits(value), predicate);
}
__forceinline__ unsigned __match_all_sync(unsigned mask, unsigned value, int* predicate) {
  return emu::warp_match_all(mask, emu::detail::to_bits(value), predicate);
}
__forceinline__ unsigned __match_all_sync(unsigned mask, long value, int* predicate) {
  return emu::warp_match_all(mask, emu::detail::to_bits(value), predicate);
}
__forceinline__ unsigned __match_all_sync(unsigned mask, unsigned long value, int* predicate) {
  return emu::warp_match_all(mask, emu::detail::to_bits(value), predicate);
}
__forceinline__ unsigned __match_all_sync(unsigned mask, long long value, int* predicate) {
  return emu::warp_match_all(mask, emu::detail::to_bits(value), predicate);
}
__forceinline__ unsigned __match_all_sync(unsigned mask, unsigned long long value, int* predicate) {
  return emu::warp_match_all(mask, emu::detail::to_bits(value), predicate);
}
__forceinline__ unsigned __match_all_sync(unsigned mask, float value, int* predicate) {
  return emu::warp_match_all(mask, emu::detail::to_bits(value), predicate);
}
__forceinline__ unsigned __match_all_sync(unsigned mask, double value, int* predicate) {
  return emu::warp_match_all(mask, emu::detail::to_bits(value), predicate);
}

__forceinline__ int __reduce_add_sync(unsigned mask, int value) {
  return static_cast<int>(emu::warp_reduce(emu::ReduceOp::add, mask, static_cast<unsigned>(value)));
}
__forceinline__ unsigned __reduce_add_sync(unsigned mask, unsigned value) {
  return emu::warp_reduce(emu::ReduceOp::add, mask, value);
}
__forceinline__ int __reduce_min_sync(unsigned mask, int value) {
  return static_cast<int>(
      emu::warp_reduce(emu::ReduceOp::min_signed, mask, static_cast<unsigned>(value)));
}
__forceinline__ unsigned __reduce_min_sync(unsigned mask, unsigned value) {
  return emu::warp_reduce(emu::ReduceOp::min_unsigned, mask, value);
}
__forceinline__ int __reduce_max_sync(unsigned mask, int value) {
  return static_cast<int>(
      emu::warp_reduce(emu::ReduceOp::max_signed, mask, static_cast<unsigned>(value)));
}
__forceinline__ unsigned __reduce_max_sync(unsigned mask, unsigned value) {
  return emu::warp_reduce(emu::ReduceOp::max_unsigned, mask, value);
}
__forceinline__ unsigned __reduce_and_sync(unsigned mask, unsigned value) {
  return emu::warp_reduce(emu::ReduceOp::and_, mask, value);
}
__forceinline__ unsigned __reduce_or_sync(unsigned mask, unsigned value) {
  return emu::warp_reduce(emu::ReduceOp::or_, mask, value);
}
__forceinline__ unsigned __reduce_xor_sync(unsigned mask, unsigned value) {
  return emu::warp_reduce(emu::ReduceOp::xor_, mask, value);
}

// The versions without _sync, which devices with independently scheduled lanes no longer have.
// Calling one stops the build with the text in its attribute. Programs may define shuffles of these
// names for their own types: g++ chooses an ellipsis last.
template <class T>
[[gnu::error("CUDA no longer has __shfl: write __shfl_sync(mask, value, lane)")]] T __shfl(T value,
                                                                                           ...);
template <class T>
[[gnu::error("CUDA no longer has __shfl_up: write __shfl_up_sync(mask, value, delta)")]] T
__shfl_up(T value, ...);
template <class T>
[[gnu::error("CUDA no longer has __shfl_down: write __shfl_down_sync(mask, value, delta)")]] T
__shfl_down(T value, ...);
template <class T>
[[gnu::error("CUDA no longer has __shfl_xor: write __shfl_xor_sync(mask, value, lane_mask)")]] T
__shfl_xor(T value, ...);
[[gnu::error("CUDA no longer has __all: write __all_sync(mask, predicate)")]] int __all(
    int predicate);
[[gnu::error("CUDA no longer has __any: write __any_sync(mask, predicate)")]] int __any(
    int predicate);
[[gnu::error("CUDA no longer has __ballot: write __ballot_sync(mask, predicate)")]] unsigned
__ballot(int predicate);
