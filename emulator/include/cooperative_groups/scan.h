/// Running totals over a group: what the threads up to (inclusive) or before (exclusive) hold.
#ifndef _COOPERATIVE_GROUPS_SCAN_H_
#define _COOPERATIVE_GROUPS_SCAN_H_

#include <type_traits>

#include "cooperative_groups.h"
#include "cooperative_groups/functional.h"

namespace cooperative_groups {

/// Combines in the order of CUDA's own scan, so that rounding agrees with it.
template <class Group, class T, class Operation, details::IfLanes<Group> = 0>
__forceinline__ std::decay_t<T> inclusive_scan(const Group& group, T&& value,
                                               Operation&& operation) {
  std::decay_t<T> total = value;
  for (unsigned distance = 1; distance < group.num_threads(); distance *= 2) {
    const auto before = group.shfl_up(total, distance);
    if (group.thread_rank() >= distance) total = operation(total, before);
  }
  return total;
}

template <class Group, class T, details::IfLanes<Group> = 0>
__forceinline__ std::decay_t<T> inclusive_scan(const Group& group, T&& value) {
  return inclusive_scan(group, value, plus<std::decay_t<T>>());
}

/// The first thread gets a value-initialised result.
template <class Group, class T, class Operation, details::IfLanes<Group> = 0>
__forceinline__ std::decay_t<T> exclusive_scan(const Group& group, T&& value,
                                               Operation&& operation) {
  const auto before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? std::decay_t<T>{} : before;
}

template <class Group, class T, details::IfLanes<Group> = 0>
__forceinline__ std::decay_t<T> exclusive_scan(const Group& group, T&& value) {
  return exclusive_scan(group, value, plus<std::decay_t<T>>());
}

}  // namespace cooperative_groups

#endif  // _COOPERATIVE_GROUPS_SCAN_H_
