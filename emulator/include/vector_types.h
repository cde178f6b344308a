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

// Undefined again below.
#ifdef __cplusplus
namespace emu::detail {
template <class T>
struct Identity {
  using type = T;
};
}  // namespace emu::detail

#define EMU_ALIGNED(bytes) alignas(bytes)
#define EMU_COPIED_WHOLE(Vector)                            \
  Vector& operator=(const Vector&) = default;               \
  template <class Same = Vector>                            \
  __forceinline__ constexpr Vector& operator=(              \
      typename emu::detail::Identity<Same>::type&& value) { \
    return *this = static_cast<const Vector&>(value);       \
  }
#else
#define EMU_ALIGNED(bytes) __align__(bytes)
#define EMU_COPIED_WHOLE(Vector)
#endif

struct char1 {
  signed char x;
};
struct EMU_ALIGNED(2) char2 {
  signed char x, y;
  EMU_COPIED_WHOLE(char2)
};
struct char3 {
  signed char x, y, z;
};
struct EMU_ALIGNED(4) char4 {
  signed char x, y, z, w;
  EMU_COPIED_WHOLE(char4)
};

struct uchar1 {
  unsigned char x;
};
struct EMU_ALIGNED(2) uchar2 {
  unsigned char x, y;
  EMU_COPIED_WHOLE(uchar2)
};
struct uchar3 {
  unsigned char x, y, z;
};
struct EMU_ALIGNED(4) uchar4 {
  unsigned char x, y, z, w;
  EMU_COPIED_WHOLE(uchar4)
};

struct short1 {
  short x;
};
struct EMU_ALIGNED(4) short2 {
  short x, y;
  EMU_COPIED_WHOLE(short2)
};
struct short3 {
  short x, y, z;
};
struct EMU_ALIGNED(8) short4 {
  short x, y, z, w;
  EMU_COPIED_WHOLE(short4)
};

struct ushort1 {
  unsigned short x;
};
struct EMU_ALIGNED(4) ushort2 {
  unsigned short x, y;
  EMU_COPIED_WHOLE(ushort2)
};
struct ushort3 {
  unsigned short x, y, z;
};
struct EMU_ALIGNED(8) ushort4 {
  unsigned short x, y, z, w;
  EMU_COPIED_WHOLE(ushort4)
};

struct int1 {
  int x;
};
struct EMU_ALIGNED(8) int2 {
  int x, y;
  EMU_COPIED_WHOLE(int2)
};
struct int3 {
  int x, y, z;
};
struct EMU_ALIGNED(16) int4 {
  int x, y, z, w;
  EMU_COPIED_WHOLE(int4)
};

struct uint1 {
  unsigned int x;
};
struct EMU_ALIGNED(8) uint2 {
  unsigned int x, y;
  EMU_COPIED_WHOLE(uint2)
};
struct uint3 {
  unsigned int x, y, z;
};
struct EMU_ALIGNED(16) uint4 {
  unsigned int x, y, z, w;
  EMU_COPIED_WHOLE(uint4)
};

struct long1 {
  long int x;
};
struct EMU_ALIGNED(16) long2 {
  long int x, y;
  EMU_COPIED_WHOLE(long2)
};
struct long3 {
  long int x, y, z;
};
struct EMU_ALIGNED(16) long4 {
  long int x, y, z, w;
  EMU_COPIED_WHOLE(long4)
};
struct EMU_ALIGNED(16) long4_16a {
  long int x, y, z, w;
  EMU_COPIED_WHOLE(long4_16a)
};
struct EMU_ALIGNED(32) long4_32a {
  long int x, y, z, w;
  EMU_COPIED_WHOLE(long4_32a)
};

struct ulong1 {
  unsigned long int x;
};
struct EMU_ALIGNED(16) ulong2 {
  unsigned long int x, y;
  EMU_COPIED_WHOLE(ulong2)
};
struct ulong3 {
  unsigned long int x, y, z;
};
struct EMU_ALIGNED(16) ulong4 {
  unsigned long int x, y, z, w;
  EMU_COPIED_WHOLE(ulong4)
};
struct EMU_ALIGNED(16) ulong4_16a {
  unsigned long int x, y, z, w;
  EMU_COPIED_WHOLE(ulong4_16a)
};
struct EMU_ALIGNED(32) ulong4_32a {
  unsigned long int x, y, z, w;
  EMU_COPIED_WHOLE(ulong4_32a)
};

struct longlong1 {
  long long int x;
};
struct EMU_ALIGNED(16) longlong2 {
  long long int x, y;
  EMU_COPIED_WHOLE(longlong2)
};
struct longlong3 {
  long long int x, y, z;
};
struct EMU_ALIGNED(16) longlong4 {
  long long int x, y, z, w;
  EMU_COPIED_WHOLE(longlong4)
};
struct EMU_ALIGNED(16) longlong4_16a {
  long long int x, y, z, w;
  EMU_COPIED_WHOLE(longlong4_16a)
};
struct EMU_ALIGNED(32) longlong4_32a {
  long long int x, y, z, w;
  EMU_COPIED_WHOLE(longlong4_32a)
};

struct ulonglong1 {
  unsigned long long int x;
};
struct EMU_ALIGNED(16) ulonglong2 {
  unsigned long long int x, y;
  EMU_COPIED_WHOLE(ulonglong2)
};
struct ulonglong3 {
  unsigned long long int x, y, z;
};
struct EMU_ALIGNED(16) ulonglong4 {
  unsigned long long int x, y, z, w;
  EMU_COPIED_WHOLE(ulonglong4)
};
struct EMU_ALIGNED(16) ulonglong4_16a {
  unsigned long long int x, y, z, w;
  EMU_COPIED_WHOLE(ulonglong4_16a)
};
struct EMU_ALIGNED(32) ulonglong4_32a {
  unsigned long long int x, y, z, w;
  EMU_COPIED_WHOLE(ulonglong4_32a)
};

struct float1 {
  float x;
};
struct EMU_ALIGNED(8) float2 {
  float x, y;
  EMU_COPIED_WHOLE(float2)
};
struct float3 {
  float x, y, z;
};
struct EMU_ALIGNED(16) float4 {
  float x, y, z, w;
  EMU_COPIED_WHOLE(float4)
};

struct double1 {
  double x;
};
struct EMU_ALIGNED(16) double2 {
  double x, y;
  EMU_COPIED_WHOLE(double2)
};
struct double3 {
  double x, y, z;
};
struct EMU_ALIGNED(16) double4 {
  double x, y, z, w;
  EMU_COPIED_WHOLE(double4)
};
struct EMU_ALIGNED(16) double4_16a {
  double x, y, z, w;
  EMU_COPIED_WHOLE(double4_16a)
};
struct EMU_ALIGNED(32) double4_32a {
  double x, y, z, w;
  EMU_COPIED_WHOLE(double4_32a)
};

#undef EMU_COPIED_WHOLE
#undef EMU_ALIGNED

/// Extents of a grid or block; what is not given is 1.
struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  constexpr dim3(unsigned int x_extent = 1, unsigned int y_extent = 1, unsigned int z_extent = 1)
      : x(x_extent), y(y_extent), z(z_extent) {}
  constexpr dim3(uint3 extents) : x(extents.x), y(extents.y), z(extents.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};

#ifndef __cplusplus
typedef struct char1 char1;
typedef struct char2 char2;
typedef struct char3 char3;
typedef struct char4 char4;
typedef struct uchar1 uchar1;
typedef struct uchar2 uchar2;
typedef struct uchar3 uchar3;
typedef struct uchar4 uchar4;
typedef struct short1 short1;
typedef struct short2 short2;
typedef struct short3 short3;
typedef struct short4 short4;
typedef struct ushort1 ushort1;
typedef struct ushort2 ushort2;
typedef struct ushort3 ushort3;
typedef struct ushort4 ushort4;
typedef struct int1 int1;
typedef struct int2 int2;
typedef struct int3 int3;
typedef struct int4 int4;
typedef struct uint1 uint1;
typedef struct uint2 uint2;
typedef struct uint3 uint3;
typedef struct uint4 uint4;
typedef struct long1 long1;
typedef struct long2 long2;
typedef struct long3 long3;
typedef struct long4 long4;
typedef struct long4_16a long4_16a;
typedef struct long4_32a long4_32a;
typedef struct ulong1 ulong1;
typedef struct ulong2 ulong2;
typedef struct ulong3 ulong3;
typedef struct ulong4 ulong4;
typedef struct ulong4_16a ulong4_16a;
typedef struct ulong4_32a ulong4_32a;
typedef struct longlong1 longlong1;
typedef struct longlong2 longlong2;
typedef struct longlong3 longlong3;
typedef struct longlong4 longlong4;
typedef struct longlong4_16a longlong4_16a;
typedef struct longlong4_32a longlong4_32a;
typedef struct ulonglong1 ulonglong1;
typedef struct ulonglong2 ulonglong2;
typedef struct ulonglong3 ulonglong3;
typedef struct ulonglong4 ulonglong4;
typedef struct ulonglong4_16a ulonglong4_16a;
typedef struct ulonglong4_32a ulonglong4_32a;
typedef struct float1 float1;
typedef struct float2 float2;
typedef struct float3 float3;
typedef struct float4 float4;
typedef struct double1 double1;
typedef struct double2 double2;
typedef struct double3 double3;
typedef struct double4 double4;
typedef struct double4_16a double4_16a;
typedef struct double4_32a double4_32a;
typedef struct dim3 dim3;
#endif

#endif  // __VECTOR_TYPES_H__
