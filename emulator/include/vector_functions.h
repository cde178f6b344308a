/// make_float4 and its kin: a vector from its components.
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

// Undefined again below.
#ifdef __cplusplus
#define EMU_MAKER __forceinline__ constexpr
#define EMU_LITERAL(Vector)
#else
#define EMU_MAKER static __forceinline__
#define EMU_LITERAL(Vector) (Vector)
#endif

EMU_MAKER char1 make_char1(signed char x) { return EMU_LITERAL(char1){x}; }
EMU_MAKER char2 make_char2(signed char x, signed char y) { return EMU_LITERAL(char2){x, y}; }
EMU_MAKER char3 make_char3(signed char x, signed char y, signed char z) {
  return EMU_LITERAL(char3){x, y, z};
}
EMU_MAKER char4 make_char4(signed char x, signed char y, signed char z, signed char w) {
  return EMU_LITERAL(char4){x, y, z, w};
}

EMU_MAKER uchar1 make_uchar1(unsigned char x) { return EMU_LITERAL(uchar1){x}; }
EMU_MAKER uchar2 make_uchar2(unsigned char x, unsigned char y) { return EMU_LITERAL(uchar2){x, y}; }
EMU_MAKER uchar3 make_uchar3(unsigned char x, unsigned char y, unsigned char z) {
  return EMU_LITERAL(uchar3){x, y, z};
}
EMU_MAKER uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) {
  return EMU_LITERAL(uchar4){x, y, z, w};
}

EMU_MAKER short1 make_short1(short x) { return EMU_LITERAL(short1){x}; }
EMU_MAKER short2 make_short2(short x, short y) { return EMU_LITERAL(short2){x, y}; }
EMU_MAKER short3 make_short3(short x, short y, short z) { return EMU_LITERAL(short3){x, y, z}; }
EMU_MAKER short4 make_short4(short x, short y, short z, short w) {
  return EMU_LITERAL(short4){x, y, z, w};
}

EMU_MAKER ushort1 make_ushort1(unsigned short x) { return EMU_LITERAL(ushort1){x}; }
EMU_MAKER ushort2 make_ushort2(unsigned short x, unsigned short y) {
  return EMU_LITERAL(ushort2){x, y};
}
EMU_MAKER ushort3 make_ushort3(unsigned short x, unsigned short y, unsigned short z) {
  return EMU_LITERAL(ushort3){x, y, z};
}
EMU_MAKER ushort4 make_ushort4(unsigned short x, unsigned short y, unsigned short z,
                               unsigned short w) {
  return EMU_LITERAL(ushort4){x, y, z, w};
}

EMU_MAKER int1 make_int1(int x) { return EMU_LITERAL(int1){x}; }
EMU_MAKER int2 make_int2(int x, int y) { return EMU_LITERAL(int2){x, y}; }
EMU_MAKER int3 make_int3(int x, int y, int z) { return EMU_LITERAL(int3){x, y, z}; }
EMU_MAKER int4 make_int4(int x, int y, int z, int w) { return EMU_LITERAL(int4){x, y, z, w}; }

EMU_MAKER uint1 make_uint1(unsigned int x) { return EMU_LITERAL(uint1){x}; }
EMU_MAKER uint2 make_uint2(unsigned int x, unsigned int y) { return EMU_LITERAL(uint2){x, y}; }
EMU_MAKER uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z) {
  return EMU_LITERAL(uint3){x, y, z};
}
EMU_MAKER uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z, unsigned int w) {
  return EMU_LITERAL(uint4){x, y, z, w};
}

EMU_MAKER long1 make_long1(long int x) { return EMU_LITERAL(long1){x}; }
EMU_MAKER long2 make_long2(long int x, long int y) { return EMU_LITERAL(long2){x, y}; }
EMU_MAKER long3 make_long3(long int x, long int y, long int z) {
  return EMU_LITERAL(long3){x, y, z};
}
EMU_MAKER long4 make_long4(long int x, long int y, long int z, long int w) {
  return EMU_LITERAL(long4){x, y, z, w};
}
EMU_MAKER long4_16a make_long4_16a(long int x, long int y, long int z, long int w) {
  return EMU_LITERAL(long4_16a){x, y, z, w};
}
EMU_MAKER long4_32a make_long4_32a(long int x, long int y, long int z, long int w) {
  return EMU_LITERAL(long4_32a){x, y, z, w};
}

EMU_MAKER ulong1 make_ulong1(unsigned long int x) { return EMU_LITERAL(ulong1){x}; }
EMU_MAKER ulong2 make_ulong2(unsigned long int x, unsigned long int y) {
  return EMU_LITERAL(ulong2){x, y};
}
EMU_MAKER ulong3 make_ulong3(unsigned long int x, unsigned long int y, unsigned long int z) {
  return EMU_LITERAL(ulong3){x, y, z};
}
EMU_MAKER ulong4 make_ulong4(unsigned long int x, unsigned long int y, unsigned long int z,
                             unsigned long int w) {
  return EMU_LITERAL(ulong4){x, y, z, w};
}
EMU_MAKER ulong4_16a make_ulong4_16a(unsigned long int x, unsigned long int y, unsigned long int z,
                                     unsigned long int w) {
  return EMU_LITERAL(ulong4_16a){x, y, z, w};
}
EMU_MAKER ulong4_32a make_ulong4_32a(unsigned long int x, unsigned long int y, unsigned long int z,
                                     unsigned long int w) {
  return EMU_LITERAL(ulong4_32a){x, y, z, w};
}

EMU_MAKER longlong1 make_longlong1(long long int x) { return EMU_LITERAL(longlong1){x}; }
EMU_MAKER longlong2 make_longlong2(long long int x, long long int y) {
  return EMU_LITERAL(longlong2){x, y};
}
EMU_MAKER longlong3 make_longlong3(long long int x, long long int y, long long int z) {
  return EMU_LITERAL(longlong3){x, y, z};
}
EMU_MAKER longlong4 make_longlong4(long long int x, long long int y, long long int z,
                                   long long int w) {
  return EMU_LITERAL(longlong4){x, y, z, w};
}
EMU_MAKER longlong4_16a make_longlong4_16a(long long int x, long long int y, long long int z,
                                           long long int w) {
  return EMU_LITERAL(longlong4_16a){x, y, z, w};
}
EMU_MAKER longlong4_32a make_longlong4_32a(long long int x, long long int y, long long int z,
                                           long long int w) {
  return EMU_LITERAL(longlong4_32a){x, y, z, w};
}

EMU_MAKER ulonglong1 make_ulonglong1(unsigned long long int x) {
  return EMU_LITERAL(ulonglong1){x};
}
EMU_MAKER ulonglong2 make_ulonglong2(unsigned long long int x, unsigned long long int y) {
  return EMU_LITERAL(ulonglong2){x, y};
}
EMU_MAKER ulonglong3 make_ulonglong3(unsigned long long int x, unsigned long long int y,
                                     unsigned long long int z) {
  return EMU_LITERAL(ulonglong3){x, y, z};
}
EMU_MAKER ulonglong4 make_ulonglong4(unsigned long long int x, unsigned long long int y,
                                     unsigned long long int z, unsigned long long int w) {
  return EMU_LITERAL(ulonglong4){x, y, z, w};
}
EMU_MAKER ulonglong4_16a make_ulonglong4_16a(unsigned long long int x, unsigned long long int y,
                                             unsigned long long int z, unsigned long long int w) {
  return EMU_LITERAL(ulonglong4_16a){x, y, z, w};
}
EMU_MAKER ulonglong4_32a make_ulonglong4_32a(unsigned long long int x, unsigned long long int y,
                                             unsigned long long int z, unsigned long long int w) {
  return EMU_LITERAL(ulonglong4_32a){x, y, z, w};
}

EMU_MAKER float1 make_float1(float x) { return EMU_LITERAL(float1){x}; }
EMU_MAKER float2 make_float2(float x, float y) { return EMU_LITERAL(float2){x, y}; }
EMU_MAKER float3 make_float3(float x, float y, float z) { return EMU_LITERAL(float3){x, y, z}; }
EMU_MAKER float4 make_float4(float x, float y, float z, float w) {
  return EMU_LITERAL(float4){x, y, z, w};
}

EMU_MAKER double1 make_double1(double x) { return EMU_LITERAL(double1){x}; }
EMU_MAKER double2 make_double2(double x, double y) { return EMU_LITERAL(double2){x, y}; }
EMU_MAKER double3 make_double3(double x, double y, double z) {
  return EMU_LITERAL(double3){x, y, z};
}
EMU_MAKER double4 make_double4(double x, double y, double z, double w) {
  return EMU_LITERAL(double4){x, y, z, w};
}
EMU_MAKER double4_16a make_double4_16a(double x, double y, double z, double w) {
  return EMU_LITERAL(double4_16a){x, y, z, w};
}
EMU_MAKER double4_32a make_double4_32a(double x, double y, double z, double w) {
  return EMU_LITERAL(double4_32a){x, y, z, w};
}

#undef EMU_MAKER
#undef EMU_LITERAL

#endif  // __VECTOR_FUNCTIONS_H__
