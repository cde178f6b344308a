/// Copies that all threads of a group make together.
#ifndef _COOPERATIVE_GROUPS_MEMCPY_ASYNC_H_
#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC_H_

#include <stddef.h>

#include <cstdint>
#include <type_traits>

#include "cooperative_groups.h"
#include "cuda_pipeline_primitives.h"

namespace cooperative_groups {

namespace details {

template <class Group>
__forceinline__ void copy_bytes(const Group& group, char* target, const char* source,
                                size_t bytes) {
  for (size_t i = group.thread_rank(); i < bytes; i += group.num_threads()) target[i] = source[i];
}

/// The largest piece, 16 bytes or a smaller power of 2, whose boundaries agree in both.
__forceinline__ size_t common_piece(const void* target, const void* source) {
  const auto difference =
      (reinterpret_cast<std::uintptr_t>(target) ^ reinterpret_cast<std::uintptr_t>(source)) |
      emu::detail::kPipelineMaxBytes;
  return difference & (0 - difference);
}

template <size_t alignment, class Group>
__forceinline__ void copy(const Group& group, char* target, const char* source, size_t bytes) {
  constexpr size_t kSmallestPiece = 4;
  constexpr size_t kKnown =
      alignment < emu::detail::kPipelineMaxBytes ? alignment : emu::detail::kPipelineMaxBytes;
  const size_t piece = kKnown >= kSmallestPiece ? kKnown : common_piece(target, source);
  if (piece < kSmallestPiece || bytes < piece) return copy_bytes(group, target, source, bytes);

  const size_t head = (0 - reinterpret_cast<std::uintptr_t>(source)) & (piece - 1);
  copy_bytes(group, target, source, head);
  const size_t end = head + (bytes - head) / piece * piece;
  for (size_t i = head + group.thread_rank() * piece; i < end; i += group.num_threads() * piece)
    __pipeline_memcpy_async(target + i, source + i, piece);
  copy_bytes(group, target + end, source + end, bytes - end);
}

template <class T>
constexpr size_t alignment_of = alignof(T);
template <>
inline constexpr size_t alignment_of<void> = 1;

}  // namespace details

/// Copies `bytes` bytes; the type of the pointers tells their alignment.
template <class Group, class T, class Size>
__forceinline__ void memcpy_async(const Group& group, T* __restrict__ target,
                                  const T* __restrict__ source, const Size& bytes) {
  details::copy<details::alignment_of<T>>(group, reinterpret_cast<char*>(target),
                                          reinterpret_cast<const char*>(source),
                                          static_cast<size_t>(bytes));
  __pipeline_commit();
}

/// Copies as many elements as both sides have.
template <class Group, class T, class TargetSize, class SourceSize>
__forceinline__ void memcpy_async(const Group& group, T* __restrict__ target,
                                  const TargetSize& target_count, const T* __restrict__ source,
                                  const SourceSize& source_count) {
  const auto to = static_cast<size_t>(target_count), from = static_cast<size_t>(source_count);
  memcpy_async(group, target, source, sizeof(T) * (to < from ? to : from));
}

/// Waits for all but the newest `Stage` copies, and for the group.
template <unsigned Stage, class Group>
__forceinline__ void wait_prior(const Group& group) {
  __pipeline_wait_prior(Stage);
  group.sync();
}

template <class Group>
__forceinline__ void wait(const Group& group) {
  wait_prior<0>(group);
}

}  // namespace cooperative_groups

#endif  // _COOPERATIVE_GROUPS_MEMCPY_ASYNC_H_
