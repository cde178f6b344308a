/// @file
/// Loads and stores with cache hints. Each is a single access; hints have no effect here.
#pragma once

#include <type_traits>

#include "host_defines.h"
#include "vector_types.h"

namespace emu::detail {

template <class T, class... Types>
constexpr bool is_one_of = (std::is_same_v<T, Types> || ...);

/// The types for which CUDA has these functions; cuda_fp16.h and cuda_bf16.h add theirs.
template <class T>
inline constexpr bool takes_cache_hint =
    is_one_of<T, char, signed char, short, int, long, long long, unsigned char, unsigned short,
              unsigned, unsigned long, unsigned long long, float, double> ||
    is_one_of<T, char2, char4, short2, short4, int2, int4, longlong2, uchar2, uchar4, ushort2,
              ushort4, uint2, uint4, ulonglong2, float2, float4, double2>;

template <class T>
using IfHinted = std::enable_if_t<takes_cache_hint<T>, int>;

}  // namespace emu::detail

template <class T, emu::detail::IfHinted<T> = 0>
__forceinline__ T __ldg(const T* address) {
  return *address;  // read-only cache
}
template <class T, emu::detail::IfHinted<T> = 0>
__forceinline__ T __ldca(const T* address) {
  return *address;  // all levels
}
template <class T, emu::detail::IfHinted<T> = 0>
__forceinline__ T __ldcg(const T* address) {
  return *address;  // second level only
}
template <class T, emu::detail::IfHinted<T> = 0>
__forceinline__ T __ldcs(const T* address) {
  return *address;  // read once
}
template <class T, emu::detail::IfHinted<T> = 0>
__forceinline__ T __ldlu(const T* address) {
  return *address;  // last use
}
template <class T, emu::detail::IfHinted<T> = 0>
__forceinline__ T __ldcv(const T* address) {
  return *address;  // never from a cache
}

template <class T, emu::detail::IfHinted<T> = 0>
__forceinline__ void __stwb(T* address, typename emu::detail::Identity<T>::type value) {
  *address = value;  // write back
}
template <class T, emu::detail::IfHinted<T> = 0>
__forceinline__ void __stcg(T* address, typename emu::detail::Identity<T>::type value) {
  *address = value;  // second level only
}
template <class T, emu::detail::IfHinted<T> = 0>
__forceinline__ void __stcs(T* address, typename emu::detail::Identity<T>::type value) {
  *address = value;  // written once
}
template <class T, emu::detail::IfHinted<T> = 0>
__forceinline__ void __stwt(T* address, typename emu::detail::Identity<T>::type value) {
  *address = value;  // write through
}
