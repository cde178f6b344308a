/// @file
/// Inline PTX of asynchronous copies and of the barriers that count them: the operations of
/// cuda::ptx and cuda_pipeline_primitives.h under the instructions' names.
/// Source for all instructions: PTX ISA 8.8, chapters 9.7.9.25 and 9.7.13.15.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "emulator/async.h"
#include "emulator/device_ptx.h"
#include "emulator/device_ptx_memory.h"
#include "emulator/pipeline_copy.h"
#include "host_defines.h"

namespace emu::ptx {

struct noinc_ {};
struct multicast_cluster_ {};

// A thread's own copies.

/// Copies `source_bytes` bytes; the rest of `bytes` becomes zeros.
template <bool kept, class Target, class Source>
__forceinline__ void copy_later(Address<kept, Target> to, Address<kept, Source> from,
                                std::uint32_t bytes, std::uint32_t source_bytes) {
  void* const target = pointer<shared_>(to);
  const void* const source = pointer_of_access<global_>(from);
  if (source_bytes > bytes) ::emu::device_trap("cp.async: more bytes to read than to copy");
  if (bytes == 4)
    detail::pipeline_copy<detail::Piece4>(target, source, source_bytes);
  else if (bytes == 8)
    detail::pipeline_copy<detail::Piece8>(target, source, source_bytes);
  else if (bytes == detail::kPipelineMaxBytes)
    detail::pipeline_copy<detail::Piece16>(target, source, source_bytes);
  else
    ::emu::device_trap("cp.async: the size must be 4, 8 or 16 bytes");
}

template <bool kept, class Target, class Source, class Size>
__forceinline__ void cp_async(Address<kept, Target> to, Address<kept, Source> from, Size size) {
  const auto bytes = get<std::uint32_t>(size);
  copy_later(to, from, bytes, bytes);
}
/// @param given  the number of bytes to read, or a predicate: if true, none
template <bool kept, class Target, class Source, class Size, class Given>
__forceinline__ void cp_async(Address<kept, Target> to, Address<kept, Source> from, Size size,
                              Given given) {
  const auto bytes = get<std::uint32_t>(size);
  if constexpr (is<Given, bool>)
    copy_later(to, from, bytes, given ? 0 : bytes);
  else
    copy_later(to, from, bytes, get<std::uint32_t>(given));
}

__forceinline__ void cp_async_commit_group() { ::emu::close_late_batch(); }
template <class First>
__forceinline__ void cp_async_wait_group(First all_but_newest) {
  ::emu::make_late_stores(get<std::uint32_t>(all_but_newest));
}
__forceinline__ void cp_async_wait_all() {
  ::emu::close_late_batch();
  ::emu::make_late_stores(0);
}

// Barriers that count arrivals and bytes.

template <class Space, bool kept, class Bits>
__forceinline__ std::uint64_t* mbarrier_at(Address<kept, Bits> address) {
  return static_cast<std::uint64_t*>(pointer<Space>(address));
}

template <class Increments, class Space, bool kept, class Bits>
__forceinline__ void cp_async_mbarrier_arrive(Address<kept, Bits> address) {
  std::uint64_t* const barrier = mbarrier_at<Space>(address);
  if constexpr (!is<Increments, noinc_>) ::emu::mbarrier_add_arrival(barrier);
  ::emu::mbarrier_arrive_after_late_stores(barrier);
}

template <class Space, bool kept, class Bits, class First>
__forceinline__ void mbarrier_init(Address<kept, Bits> address, First count) {
  ::emu::mbarrier_init(mbarrier_at<Space>(address), get<std::uint32_t>(count));
}
template <class Space, bool kept, class Bits>
__forceinline__ void mbarrier_inval(Address<kept, Bits> address) {
  ::emu::mbarrier_invalidate(mbarrier_at<Space>(address));
}

template <class Space, class Result, bool kept, class Bits, class First>
__forceinline__ void mbarrier_arrive(Result& d, Address<kept, Bits> address, First count) {
  std::uint64_t* const barrier = mbarrier_at<Space>(address);
  if constexpr (is<Space, shared_cluster_>) {
    static_assert(is<Result, Nowhere>, "asm: an arrival in a cluster has no state");
    ::emu::cluster_mbarrier_arrive(barrier, get<std::uint32_t>(count));
  } else {
    set(d, ::emu::mbarrier_arrive(barrier, get<std::uint32_t>(count)));
  }
}
template <class Space, class Result, bool kept, class Bits>
__forceinline__ void mbarrier_arrive(Result& d, Address<kept, Bits> address) {
  mbarrier_arrive<Space>(d, address, 1ll);
}

template <class Space, class Result, bool kept, class Bits, class First>
__forceinline__ void mbarrier_arrive_drop(Result& d, Address<kept, Bits> address, First count) {
  std::uint64_t* const barrier = mbarrier_at<Space>(address);
  if constexpr (is<Space, shared_cluster_>) {
    static_assert(is<Result, Nowhere>, "asm: an arrival in a cluster has no state");
    ::emu::cluster_mbarrier_arrive_drop(barrier, get<std::uint32_t>(count));
  } else {
    set(d, ::emu::mbarrier_arrive_drop(barrier, get<std::uint32_t>(count)));
  }
}
template <class Space, class Result, bool kept, class Bits>
__forceinline__ void mbarrier_arrive_drop(Result& d, Address<kept, Bits> address) {
  mbarrier_arrive_drop<Space>(d, address, 1ll);
}

template <class Space, bool kept, class Bits, class First>
__forceinline__ void mbarrier_expect_tx(Address<kept, Bits> address, First bytes) {
  if constexpr (is<Space, shared_cluster_>)
    ::emu::cluster_mbarrier_expect(mbarrier_at<Space>(address), get<std::uint32_t>(bytes));
  else
    ::emu::mbarrier_expect(mbarrier_at<Space>(address), get<std::uint32_t>(bytes));
}
template <class Space, class Result, bool kept, class Bits, class First>
__forceinline__ void mbarrier_arrive_expect_tx(Result& d, Address<kept, Bits> address,
                                               First bytes) {
  mbarrier_expect_tx<Space>(address, bytes);
  mbarrier_arrive<Space>(d, address);
}

template <class Space, class Result, bool kept, class Bits, class First>
__forceinline__ void mbarrier_arrive_drop_expect_tx(Result& d, Address<kept, Bits> address,
                                                    First bytes) {
  mbarrier_expect_tx<Space>(address, bytes);
  mbarrier_arrive_drop<Space>(d, address);
}

// The suggested duration of a try_wait is ignored.
template <class Space, class Result, bool kept, class Bits, class First, class... Hint>
__forceinline__ void mbarrier_try_wait_parity(Result& d, Address<kept, Bits> address, First parity,
                                              Hint...) {
  set(d, ::emu::mbarrier_try_wait(mbarrier_at<Space>(address), get<std::uint32_t>(parity)));
}
template <class Space, class Result, bool kept, class Bits, class First, class... Hint>
__forceinline__ void mbarrier_try_wait(Result& d, Address<kept, Bits> address, First state,
                                       Hint...) {
  set(d, ::emu::mbarrier_try_wait(mbarrier_at<Space>(address),
                                  ::emu::mbarrier_parity(get<std::uint64_t>(state))));
}
template <class Space, class Result, bool kept, class Bits, class First>
__forceinline__ void mbarrier_test_wait_parity(Result& d, Address<kept, Bits> address,
                                               First parity) {
  set(d, ::emu::mbarrier_test_wait(mbarrier_at<Space>(address), get<std::uint32_t>(parity)));
}
template <class Space, class Result, bool kept, class Bits, class First>
__forceinline__ void mbarrier_test_wait(Result& d, Address<kept, Bits> address, First state) {
  set(d, ::emu::mbarrier_test_wait(mbarrier_at<Space>(address),
                                   ::emu::mbarrier_parity(get<std::uint64_t>(state))));
}

// Bulk copies, which arrive at such a barrier.

template <bool kept, class Target, class Source, class Size, class Barrier>
__forceinline__ void bulk_copy(Address<kept, Target> to, Address<kept, Source> from, Size bytes,
                               Address<kept, Barrier> barrier) {
  ::emu::copy_bulk(pointer<shared_>(to), pointer<global_>(from), get<std::uint32_t>(bytes),
                   mbarrier_at<shared_>(barrier));
}
template <bool kept, class Target, class Source, class Size, class Barrier, class Blocks>
__forceinline__ void bulk_copy_multicast(Address<kept, Target> to, Address<kept, Source> from,
                                         Size bytes, Address<kept, Barrier> barrier,
                                         Blocks blocks) {
  ::emu::copy_bulk_multicast(pointer<shared_>(to), pointer<global_>(from),
                             get<std::uint32_t>(bytes), mbarrier_at<shared_>(barrier),
                             get<std::uint16_t>(blocks));
}
template <bool kept, class Target, class Source, class Size, class Barrier>
__forceinline__ void bulk_copy_shared(Address<kept, Target> to, Address<kept, Source> from,
                                      Size bytes, Address<kept, Barrier> barrier) {
  ::emu::copy_bulk_shared(pointer<shared_>(to), pointer<shared_>(from), get<std::uint32_t>(bytes),
                          mbarrier_at<shared_>(barrier));
}

template <bool kept, class Target, class Tensor, class Barrier, class... Coordinates>
__forceinline__ void box_copy(Address<kept, Target> to, Address<kept, Tensor> tensor,
                              Address<kept, Barrier> barrier, Coordinates... coordinates) {
  const std::int32_t at[] = {static_cast<std::int32_t>(get<std::uint32_t>(coordinates))...};
  ::emu::copy_box(pointer<shared_>(to), pointer<global_>(tensor), at, sizeof...(coordinates),
                  mbarrier_at<shared_>(barrier));
}
template <bool kept, class Target, class Tensor, class Barrier, class Blocks, class... Coordinates>
__forceinline__ void box_copy_multicast(Address<kept, Target> to, Address<kept, Tensor> tensor,
                                        Address<kept, Barrier> barrier, Blocks blocks,
                                        Coordinates... coordinates) {
  const std::int32_t at[] = {static_cast<std::int32_t>(get<std::uint32_t>(coordinates))...};
  ::emu::copy_box_multicast(pointer<shared_>(to), pointer<global_>(tensor), at,
                            sizeof...(coordinates), mbarrier_at<shared_>(barrier),
                            get<std::uint16_t>(blocks));
}

template <bool kept, class Tensor, class... Coordinates>
__forceinline__ void prefetch_box(Address<kept, Tensor>, Coordinates...) {}

// Out of shared memory.

template <bool kept, class Target, class Source, class Size>
__forceinline__ void bulk_store(Address<kept, Target> to, Address<kept, Source> from, Size bytes) {
  ::emu::store_bulk(pointer<global_>(to), pointer<shared_>(from), get<std::uint32_t>(bytes));
}
template <bool kept, class Tensor, class Source, class... Coordinates>
__forceinline__ void box_store(Address<kept, Tensor> tensor, Address<kept, Source> from,
                               Coordinates... coordinates) {
  const std::int32_t at[] = {static_cast<std::int32_t>(get<std::uint32_t>(coordinates))...};
  ::emu::store_box(pointer<global_>(tensor), at, sizeof...(coordinates), pointer<shared_>(from));
}
__forceinline__ void bulk_commit_group() { ::emu::commit_bulk_stores(); }
struct read_ {};
template <class Read, class First>
__forceinline__ void bulk_wait_group(First all_but_newest) {
  ::emu::wait_for_bulk_stores(get<std::uint32_t>(all_but_newest), is<Read, read_>);
}

__forceinline__ void fence_proxy_async() { ::emu::fence_async_proxy(); }

}  // namespace emu::ptx
