/// CUDA's vector types: the sizes and alignments of the real ones, and each copy one access.
///
/// A vector of 2, 4, 8 or 16 bytes travels as one load or store on a device. g++ copies such a
/// struct in one piece too, except where the source is a temporary that it can take apart: `a[i] =
/// {s, s}` would become two stores. So every such type has a second assignment for temporaries that
/// copies them whole. It is a template, and a template is never the copy assignment: the types stay
/// aggregates that are trivial to copy, and unions and arrays of them behave as usual.
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include "host_defines.h"

namespace emu::detail {
template <class T>
struct Identity {
  using type = T;
};
}  // namespace emu::detail

// Undefined again below.
#define EMU_COPIED_WHOLE(Vector)                            \
  Vector& operator=(const Vector&) = default;               \
  template <class Same = Vector>                            \
  __forceinline__ constexpr Vector& operator=(              \
      typename emu::detail::Identity<Same>::type&& value) { \
    return *this = static_cast<const Vector&>(value);       \
  }

struct char1 {
  signed char x;
};
struct alignas(2) char2 {
  signed char x, y;
  EMU_COPIED_WHOLE(char2)
};
struct char3 {
  signed char x, y, z;
};
struct alignas(4) char4 {
  signed char x, y, z, w;
  EMU_COPIED_WHOLE(char4)
};

struct uchar1 {
  unsigned char x;
};
struct alignas(2) uchar2 {
  unsigned char x, y;
  EMU_COPIED_WHOLE(uchar2)
};
struct uchar3 {
  unsigned char x, y, z;
};
struct alignas(4) uchar4 {
  unsigned char x, y, z, w;
  EMU_COPIED_WHOLE(uchar4)
};

struct short1 {
  short x;
};
struct alignas(4) short2 {
  short x, y;
  EMU_COPIED_WHOLE(short2)
};
struct short3 {
  short x, y, z;
};
struct alignas(8) short4 {
  short x, y, z, w;
  EMU_COPIED_WHOLE(short4)
};

struct ushort1 {
  unsigned short x;
};
struct alignas(4) ushort2 {
  unsigned short x, y;
  EMU_COPIED_WHOLE(ushort2)
};
struct ushort3 {
  unsigned short x, y, z;
};
struct alignas(8) ushort4 {
  unsigned short x, y, z, w;
  EMU_COPIED_WHOLE(ushort4)
};

struct int1 {
  int x;
};
struct alignas(8) int2 {
  int x, y;
  EMU_COPIED_WHOLE(int2)
};
struct int3 {
  int x, y, z;
};
struct alignas(16) int4 {
  int x, y, z, w;
  EMU_COPIED_WHOLE(int4)
};

struct uint1 {
  unsigned int x;
};
struct alignas(8) uint2 {
  unsigned int x, y;
  EMU_COPIED_WHOLE(uint2)
};
struct uint3 {
  unsigned int x, y, z;
};
struct alignas(16) uint4 {
  unsigned int x, y, z, w;
  EMU_COPIED_WHOLE(uint4)
};

struct long1 {
  long int x;
};
struct alignas(16) long2 {
  long int x, y;
  EMU_COPIED_WHOLE(long2)
};
struct long3 {
  long int x, y, z;
};
struct alignas(16) long4 {
  long int x, y, z, w;
  EMU_COPIED_WHOLE(long4)
};
struct alignas(16) long4_16a {
  long int x, y, z, w;
  EMU_COPIED_WHOLE(long4_16a)
};
struct alignas(32) long4_32a {
  long int x, y, z, w;
  EMU_COPIED_WHOLE(long4_32a)
};

struct ulong1 {
  unsigned long int x;
};
struct alignas(16) ulong2 {
  unsigned long int x, y;
  EMU_COPIED_WHOLE(ulong2)
};
struct ulong3 {
  unsigned long int x, y, z;
};
struct alignas(16) ulong4 {
  unsigned long int x, y, z, w;
  EMU_COPIED_WHOLE(ulong4)
};
struct alignas(16) ulong4_16a {
  unsigned long int x, y, z, w;
  EMU_COPIED_WHOLE(ulong4_16a)
};
struct alignas(32) ulong4_32a {
  unsigned long int x, y, z, w;
  EMU_COPIED_WHOLE(ulong4_32a)
};

struct longlong1 {
  long long int x;
};
struct alignas(16) longlong2 {
  long long int x, y;
  EMU_COPIED_WHOLE(longlong2)
};
struct longlong3 {
  long long int x, y, z;
};
struct alignas(16) longlong4 {
  long long int x, y, z, w;
  EMU_COPIED_WHOLE(longlong4)
};
struct alignas(16) longlong4_16a {
  long long int x, y, z, w;
  EMU_COPIED_WHOLE(longlong4_16a)
};
struct alignas(32) longlong4_32a {
  long long int x, y, z, w;
  EMU_COPIED_WHOLE(longlong4_32a)
};

struct ulonglong1 {
  unsigned long long int x;
};
struct alignas(16) ulonglong2 {
  unsigned long long int x, y;
  EMU_COPIED_WHOLE(ulonglong2)
};
struct ulonglong3 {
  unsigned long long int x, y, z;
};
struct alignas(16) ulonglong4 {
  unsigned long long int x, y, z, w;
  EMU_COPIED_WHOLE(ulonglong4)
};
struct alignas(16) ulonglong4_16a {
  unsigned long long int x, y, z, w;
  EMU_COPIED_WHOLE(ulonglong4_16a)
};
struct alignas(32) ulonglong4_32a {
  unsigned long long int x, y, z, w;
  EMU_COPIED_WHOLE(ulonglong4_32a)
};

struct float1 {
  float x;
};
struct alignas(8) float2 {
  float x, y;
  EMU_COPIED_WHOLE(float2)
};
struct float3 {
  float x, y, z;
};
struct alignas(16) float4 {
  float x, y, z, w;
  EMU_COPIED_WHOLE(float4)
};

struct double1 {
  double x;
};
struct alignas(16) double2 {
  double x, y;
  EMU_COPIED_WHOLE(double2)
};
struct double3 {
  double x, y, z;
};
struct alignas(16) double4 {
  double x, y, z, w;
  EMU_COPIED_WHOLE(double4)
};
struct alignas(16) double4_16a {
  double x, y, z, w;
  EMU_COPIED_WHOLE(double4_16a)
};
struct alignas(32) double4_32a {
  double x, y, z, w;
  EMU_COPIED_WHOLE(double4_32a)
};

#undef EMU_COPIED_WHOLE

/// Extents of a grid or block; what is not given is 1.
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_extent = 1, unsigned int y_extent = 1, unsigned int z_extent = 1)
      : x(x_extent), y(y_extent), z(z_extent) {}
  constexpr dim3(uint3 extents) : x(extents.x), y(extents.y), z(extents.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};

#endif  // __VECTOR_TYPES_H__
