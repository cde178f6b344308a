/// @file
/// Inline PTX for communication of threads in a warp, a block or a cluster; fences; and
/// instructions for a single thread. Source for all instructions: PTX ISA 8.8, chapters 9.7.9,
/// 9.7.13 and 9.7.19.
#pragma once

#include <cstdint>
#include <type_traits>

#include "emulator/device.h"
#include "emulator/device_groups.h"
#include "emulator/device_misc.h"
#include "emulator/device_ptx.h"
#include "emulator/device_ptx_memory.h"
#include "emulator/groups.h"
#include "host_defines.h"

namespace emu::ptx {

struct up_ {};
struct down_ {};
struct bfly_ {};
struct idx_ {};
struct all_ {};
struct any_ {};
struct uni_ {};
struct popc_ {};

// A warp.

/// The low bits of c are the last lane of a segment; its bits from 8 on mask the bits of a lane's
/// number that identify the segment.
template <class Mode, class Result, class Inside, class First, class Second, class Third,
          class Fourth>
__forceinline__ void shfl(Result& d, Inside& inside, First a, Second b, Third c, Fourth mask) {
  constexpr unsigned kLaneBits = 31;
  const unsigned self = lane(), by = get<std::uint32_t>(b) & kLaneBits;
  const unsigned clamp = get<std::uint32_t>(c) & kLaneBits;
  const unsigned segment = get<std::uint32_t>(c) >> 8 & kLaneBits;
  const int last = static_cast<int>((self & segment) | (clamp & ~segment));
  const int from = static_cast<int>(is<Mode, up_>     ? self - by
                                    : is<Mode, down_> ? self + by
                                    : is<Mode, bfly_> ? self ^ by
                                                      : (self & segment) | (by & ~segment));
  const bool is_inside = is<Mode, up_> ? from >= last : from <= last;
  set(d, static_cast<std::uint32_t>(::emu::warp_shuffle(
             ::emu::ShuffleMode::index, get<std::uint32_t>(mask), get<std::uint32_t>(a),
             is_inside ? from : static_cast<int>(self), 32)));
  set(inside, is_inside);
}

template <class Kind, class Result, class First, class Second>
__forceinline__ void vote(Result& d, First a, Second mask) {
  if constexpr (is<Kind, all_>)
    set(d, ::emu::warp_all(get<std::uint32_t>(mask), get<bool>(a)));
  else if constexpr (is<Kind, any_>)
    set(d, ::emu::warp_any(get<std::uint32_t>(mask), get<bool>(a)));
  else
    set(d, ::emu::warp_uniform(get<std::uint32_t>(mask), get<bool>(a)));
}

template <class Result, class First, class Second>
__forceinline__ void vote_ballot(Result& d, First a, Second mask) {
  set(d, std::uint32_t{::emu::warp_ballot(get<std::uint32_t>(mask), get<bool>(a))});
}

template <class Type, class Result, class First, class Second>
__forceinline__ void match_any(Result& d, First a, Second mask) {
  set(d, std::uint32_t{::emu::warp_match_any(get<std::uint32_t>(mask), get<Type>(a))});
}

template <class Type, class Result, class Same, class First, class Second>
__forceinline__ void match_all(Result& d, Same& same, First a, Second mask) {
  int is_same = 0;
  set(d, std::uint32_t{::emu::warp_match_all(get<std::uint32_t>(mask), get<Type>(a), &is_same)});
  set(same, is_same != 0);
}

template <class Operation, class Type, class Result, class First, class Second>
__forceinline__ void redux(Result& d, First a, Second mask) {
  constexpr bool kSigned = std::is_signed_v<Type>;
  constexpr ReduceOp kOperation = is<Operation, add_>   ? ReduceOp::add
                                  : is<Operation, and_> ? ReduceOp::and_
                                  : is<Operation, or_>  ? ReduceOp::or_
                                  : is<Operation, xor_> ? ReduceOp::xor_
                                  : is<Operation, min_>
                                      ? (kSigned ? ReduceOp::min_signed : ReduceOp::min_unsigned)
                                      : (kSigned ? ReduceOp::max_signed : ReduceOp::max_unsigned);
  set(d, std::uint32_t{
             ::emu::warp_reduce(kOperation, get<std::uint32_t>(mask), get<std::uint32_t>(a))});
}

/// Elects the lowest active lane.
template <class Result, class IsLeader, class First>
__forceinline__ void elect(Result& d, IsLeader& is_leader, First mask) {
  const unsigned leader =
      static_cast<unsigned>(__builtin_ctz(::emu::warp_ballot(get<std::uint32_t>(mask), true)));
  set(d, std::uint32_t{leader});
  set(is_leader, leader == lane());
}

template <class Result>
__forceinline__ void activemask(Result& d) {
  set(d, std::uint32_t{::emu::active_mask()});
}

template <class First>
__forceinline__ void bar_warp_sync(First mask) {
  ::emu::warp_sync(get<std::uint32_t>(mask));
}

__forceinline__ std::uint32_t warps_of_block() {
  return (blockDim.x * blockDim.y * blockDim.z + emu::kLanesOfWarp - 1) / emu::kLanesOfWarp;
}

/// Returns the multiprocessor that might run the block on a device: blocks are assigned in turn.
__forceinline__ std::uint32_t multiprocessor() {
  const std::uint32_t block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  return block % kMultiprocessors;
}

// Barriers of a block. Without a number of threads, a barrier is for all of them.

__forceinline__ void bar_sync_0() { ::emu::block_sync(); }

template <class First>
__forceinline__ void bar_sync(First id) {
  ::__barrier_sync(get<std::uint32_t>(id));
}
template <class First, class Second>
__forceinline__ void bar_sync(First id, Second threads) {
  ::emu::named_barrier_sync(get<std::uint32_t>(id), get<std::uint32_t>(threads));
}

template <class First, class Second>
__forceinline__ void bar_arrive(First id, Second threads) {
  ::emu::named_barrier_arrive(get<std::uint32_t>(id), get<std::uint32_t>(threads));
}

template <class Operation, class Result, class First, class Second, class Third>
__forceinline__ void bar_red(Result& d, First id, Second threads, Third predicate) {
  const ::emu::BarrierVotes votes = ::emu::named_barrier_votes(
      get<std::uint32_t>(id), get<std::uint32_t>(threads), get<bool>(predicate));
  if constexpr (is<Operation, popc_>)
    set(d, static_cast<std::uint32_t>(votes.yes));
  else
    set(d, is<Operation, and_> ? votes.yes == votes.threads : votes.yes != 0);
}
template <class Operation, class Result, class First, class Third>
__forceinline__ void bar_red(Result& d, First id, Third predicate) {
  bar_red<Operation>(d, id, 0ll, predicate);
}

template <class Scope>
__forceinline__ void memory_fence() {
  order_memory<Scope>();
}
__forceinline__ void no_operation() {}
template <class First>
__forceinline__ void no_operation(First) {}
template <bool kept, class Bits, class First>
__forceinline__ void no_operation(Address<kept, Bits>, First) {}

// A cluster.

__forceinline__ void cluster_barrier_arrive() { ::emu::cluster_arrive(); }
__forceinline__ void cluster_barrier_wait() { ::emu::cluster_wait(); }

template <class Space, class Type, class Result, class First, class Second>
__forceinline__ void mapa(Result& d, First a, Second rank) {
  if constexpr (is<Space, none_>) {
    const void* const place = reinterpret_cast<const void*>(get<std::uint64_t>(a));
    set(d, static_cast<Type>(reinterpret_cast<std::uintptr_t>(
               ::emu::cluster_map(place, get<std::uint32_t>(rank)))));
  } else {
    const void* const place = ::emu::shared_pointer(static_cast<std::uint32_t>(get<Type>(a)));
    set(d, static_cast<Type>(
               ::emu::shared_address(::emu::cluster_map(place, get<std::uint32_t>(rank)))));
  }
}

template <class Space, class Type, class Result, class First>
__forceinline__ void getctarank(Result& d, First a) {
  if constexpr (is<Space, none_>)
    set(d, std::uint32_t{
               ::emu::cluster_rank_of(reinterpret_cast<const void*>(get<std::uint64_t>(a)))});
  else
    set(d, std::uint32_t{::emu::cluster_rank_of(
               ::emu::shared_pointer(static_cast<std::uint32_t>(get<Type>(a))))});
}

// Instructions for a single thread.

template <class First>
__forceinline__ void nanosleep(First duration) {
  ::__nanosleep(get<std::uint32_t>(duration));
}
__forceinline__ void trap() { ::emu::device_trap("trap"); }
__forceinline__ void brkpt() { ::emu::device_trap("brkpt"); }

}  // namespace emu::ptx
