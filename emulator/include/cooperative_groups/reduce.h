/// One value from those of all threads of a group, for all of them.
#ifndef _COOPERATIVE_GROUPS_REDUCE_H_
#define _COOPERATIVE_GROUPS_REDUCE_H_

#include <type_traits>

#include "cooperative_groups.h"
#include "cooperative_groups/functional.h"
#include "cooperative_groups/scan.h"

namespace cooperative_groups {

/// Combines in the order of CUDA's own reduction, so that rounding agrees with it.
template <unsigned Size, class ParentT, class T, class Operation>
__forceinline__ std::decay_t<T> reduce(const thread_block_tile<Size, ParentT>& group, T&& value,
                                       Operation&& operation) {
  std::decay_t<T> total = value;
  for (unsigned distance = Size / 2; distance > 0; distance /= 2)
    total = operation(total, group.shfl_xor(total, distance));
  return total;
}

template <class T, class Operation>
__forceinline__ std::decay_t<T> reduce(const coalesced_group& group, T&& value,
                                       Operation&& operation) {
  if (group.num_threads() == warpSize) {
    std::decay_t<T> total = value;
    for (unsigned distance = warpSize / 2; distance > 0; distance /= 2)
      total = operation(total, details::shuffle<emu::ShuffleMode::xor_>(details::kAllLanes, total,
                                                                        distance, warpSize));
    return total;
  }
  return group.shfl(inclusive_scan(group, value, operation), group.num_threads() - 1);
}

}  // namespace cooperative_groups

#endif  // _COOPERATIVE_GROUPS_REDUCE_H_
