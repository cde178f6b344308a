/// Operations for reductions and scans.
#ifndef _COOPERATIVE_GROUPS_FUNCTIONAL_H_
#define _COOPERATIVE_GROUPS_FUNCTIONAL_H_

#include "host_defines.h"

namespace cooperative_groups {

template <class T>
struct plus {
  __forceinline__ constexpr T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  __forceinline__ constexpr T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  __forceinline__ constexpr T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  __forceinline__ constexpr T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  __forceinline__ constexpr T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  __forceinline__ constexpr T operator()(T a, T b) const { return a ^ b; }
};

}  // namespace cooperative_groups

#endif  // _COOPERATIVE_GROUPS_FUNCTIONAL_H_
