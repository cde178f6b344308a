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

namespace details {

/// What the warps of a tile before the calling lane's add up to. `of_warp` is the lane's own
/// running total in its warp, the first of which has none before.
template <unsigned Size, class T, class Operation>
__forceinline__ T total_of_warps_before(unsigned warp, T of_warp, Operation& operation) {
  warp_values<Size, T> totals(emu::lane_id() == emu::kLanesOfWarp - 1, of_warp);
  for (unsigned distance = 1; distance < totals.kWarps; distance *= 2)
    for (unsigned w = totals.kWarps; w-- > distance;)
      totals.set(w, operation(totals[w], totals[w - distance]));
  return warp == 0 ? T{} : totals[warp - 1];
}

template <unsigned Size>
using IfSeveralWarps = std::enable_if_t<(Size > emu::kLanesOfWarp), int>;

}  // namespace details

/// Of several warps, each by itself first.
template <unsigned Size, class ParentT, class T, class Operation, details::IfSeveralWarps<Size> = 0>
__forceinline__ std::decay_t<T> inclusive_scan(const thread_block_tile<Size, ParentT>& group,
                                               T&& value, Operation&& operation) {
  const unsigned warp = group.thread_rank() / emu::kLanesOfWarp;
  const auto lanes = details::group_access::make_coalesced(details::kAllLanes);
  const std::decay_t<T> total = inclusive_scan(lanes, value, operation);
  const auto before = details::total_of_warps_before<Size>(warp, total, operation);
  return warp == 0 ? total : operation(total, before);
}

template <class Group, class T, details::IfTile<Group> = 0>
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

template <unsigned Size, class ParentT, class T, class Operation, details::IfSeveralWarps<Size> = 0>
__forceinline__ std::decay_t<T> exclusive_scan(const thread_block_tile<Size, ParentT>& group,
                                               T&& value, Operation&& operation) {
  const unsigned warp = group.thread_rank() / emu::kLanesOfWarp;
  const auto lanes = details::group_access::make_coalesced(details::kAllLanes);
  const std::decay_t<T> total = inclusive_scan(lanes, value, operation);
  const auto below = lanes.shfl_up(total, 1);
  const auto before = details::total_of_warps_before<Size>(warp, total, operation);
  if (emu::lane_id() == 0) return before;
  return warp == 0 ? below : operation(below, before);
}

template <class Group, class T, details::IfTile<Group> = 0>
__forceinline__ std::decay_t<T> exclusive_scan(const Group& group, T&& value) {
  return exclusive_scan(group, value, plus<std::decay_t<T>>());
}

}  // namespace cooperative_groups

#endif  // _COOPERATIVE_GROUPS_SCAN_H_
