/// One value from those of all threads of a group, for all of them.
#ifndef _COOPERATIVE_GROUPS_REDUCE_H_
#define _COOPERATIVE_GROUPS_REDUCE_H_

#include <type_traits>

#include "cooperative_groups.h"
#include "cooperative_groups/functional.h"
#include "cooperative_groups/scan.h"

namespace cooperative_groups {

namespace details {

template <class T, class Operation>
__forceinline__ T reduce_warp(T total, Operation& operation) {
  for (unsigned distance = emu::kLanesOfWarp / 2; distance > 0; distance /= 2)
    total = operation(
        total, shuffle<emu::ShuffleMode::xor_>(kAllLanes, total, distance, emu::kLanesOfWarp));
  return total;
}

}  // namespace details

/// Combines in the order of CUDA's own reduction, so that rounding agrees with it: of several
/// warps, each by itself first.
template <unsigned Size, class ParentT, class T, class Operation>
__forceinline__ std::decay_t<T> reduce(const thread_block_tile<Size, ParentT>& group, T&& value,
                                       Operation&& operation) {
  std::decay_t<T> total = value;
  if constexpr (Size > emu::kLanesOfWarp) {
    total = details::reduce_warp(total, operation);
    details::warp_values<Size, std::decay_t<T>> totals(emu::lane_id() == 0, total);
    for (unsigned distance = totals.kWarps / 2; distance > 0; distance /= 2)
      for (unsigned warp = 0; warp < distance; ++warp)
        totals.set(warp, operation(totals[warp], totals[warp + distance]));
    return totals[0];
  } else {
    for (unsigned distance = Size / 2; distance > 0; distance /= 2)
      total = operation(total, group.shfl_xor(total, distance));
    return total;
  }
}

template <class T, class Operation>
__forceinline__ std::decay_t<T> reduce(const coalesced_group& group, T&& value,
                                       Operation&& operation) {
  if (group.num_threads() == emu::kLanesOfWarp)
    return details::reduce_warp(static_cast<std::decay_t<T>>(value), operation);
  return group.shfl(inclusive_scan(group, value, operation), group.num_threads() - 1);
}

}  // namespace cooperative_groups

#endif  // _COOPERATIVE_GROUPS_REDUCE_H_
