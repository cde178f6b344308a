/// @file
/// Atomic operations. Each returns the value before it.
///
/// The suffixes _block and _system name a scope; here every atomic holds for the whole machine.
#pragma once

#include <cstdint>
#include <type_traits>

#include "host_defines.h"
#include "vector_types.h"

namespace emu::detail {

// Defined in the library, for the types below: not instrumented, and each notes who called it.
template <class T>
T atomic_load(const T* address);
template <class T>
void atomic_store(T* address, T value);
template <class T>
T atomic_add(T* address, T value);
template <class T>
T atomic_subtract(T* address, T value);
template <class T>
T atomic_exchange(T* address, T value);
template <class T>
T atomic_min(T* address, T value);
template <class T>
T atomic_max(T* address, T value);
template <class T>
T atomic_and(T* address, T value);
template <class T>
T atomic_or(T* address, T value);
template <class T>
T atomic_xor(T* address, T value);
template <class T>
T atomic_compare_and_swap(T* address, T expected, T value);
float2 atomic_add(float2* address, float2 value);
float4 atomic_add(float4* address, float4 value);
// Of 16-bit floats, by their bits: inline PTX needs no header for them.
std::uint16_t atomic_add_f16(std::uint16_t* address, std::uint16_t value);
std::uint16_t atomic_add_bf16(std::uint16_t* address, std::uint16_t value);
std::uint32_t atomic_add_f16x2(std::uint32_t* address, std::uint32_t value);
std::uint32_t atomic_add_bf16x2(std::uint32_t* address, std::uint32_t value);
unsigned atomic_increment(unsigned* address, unsigned limit);
unsigned atomic_decrement(unsigned* address, unsigned limit);
void atomic_load_16(const void* address, void* value);
void atomic_store_16(void* address, const void* value);
void atomic_exchange_16(void* address, const void* value, void* old);
void atomic_compare_and_swap_16(void* address, const void* expected, const void* value, void* old);

/// Keeps the call that made `value` from becoming a jump, which would hide its caller.
template <class T>
__forceinline__ T called(T value) {
  __asm__ volatile("");
  return value;
}

template <class T>
using If16Bytes =
    std::enable_if_t<sizeof(T) == 16 && alignof(T) == 16 && __is_trivially_copyable(T), int>;

}  // namespace emu::detail

__forceinline__ int atomicAdd(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ unsigned atomicAdd(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ unsigned long long atomicAdd(unsigned long long* address,
                                             unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ float atomicAdd(float* address, float value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
// A template, because programs that also ran on old devices define this one themselves, under an
// #if that holds here.
template <class T, std::enable_if_t<std::is_same_v<T, double>, int> = 0>
__forceinline__ T atomicAdd(T* address, typename emu::detail::Identity<T>::type value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ float2 atomicAdd(float2* address, float2 value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ float4 atomicAdd(float4* address, float4 value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ int atomicSub(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_subtract(address, value));
}
__forceinline__ unsigned atomicSub(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_subtract(address, value));
}
__forceinline__ int atomicExch(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_exchange(address, value));
}
__forceinline__ unsigned atomicExch(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_exchange(address, value));
}
__forceinline__ unsigned long long atomicExch(unsigned long long* address,
                                              unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_exchange(address, value));
}
__forceinline__ float atomicExch(float* address, float value) {
  return emu::detail::called(emu::detail::atomic_exchange(address, value));
}
__forceinline__ int atomicMin(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_min(address, value));
}
__forceinline__ unsigned atomicMin(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_min(address, value));
}
__forceinline__ long long atomicMin(long long* address, long long value) {
  return emu::detail::called(emu::detail::atomic_min(address, value));
}
__forceinline__ unsigned long long atomicMin(unsigned long long* address,
                                             unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_min(address, value));
}
__forceinline__ int atomicMax(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_max(address, value));
}
__forceinline__ unsigned atomicMax(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_max(address, value));
}
__forceinline__ long long atomicMax(long long* address, long long value) {
  return emu::detail::called(emu::detail::atomic_max(address, value));
}
__forceinline__ unsigned long long atomicMax(unsigned long long* address,
                                             unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_max(address, value));
}
__forceinline__ int atomicAnd(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_and(address, value));
}
__forceinline__ unsigned atomicAnd(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_and(address, value));
}
__forceinline__ long long atomicAnd(long long* address, long long value) {
  return emu::detail::called(emu::detail::atomic_and(address, value));
}
__forceinline__ unsigned long long atomicAnd(unsigned long long* address,
                                             unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_and(address, value));
}
__forceinline__ int atomicOr(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_or(address, value));
}
__forceinline__ unsigned atomicOr(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_or(address, value));
}
__forceinline__ long long atomicOr(long long* address, long long value) {
  return emu::detail::called(emu::detail::atomic_or(address, value));
}
__forceinline__ unsigned long long atomicOr(unsigned long long* address, unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_or(address, value));
}
__forceinline__ int atomicXor(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_xor(address, value));
}
__forceinline__ unsigned atomicXor(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_xor(address, value));
}
__forceinline__ long long atomicXor(long long* address, long long value) {
  return emu::detail::called(emu::detail::atomic_xor(address, value));
}
__forceinline__ unsigned long long atomicXor(unsigned long long* address,
                                             unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_xor(address, value));
}
__forceinline__ unsigned atomicInc(unsigned* address, unsigned limit) {
  return emu::detail::called(emu::detail::atomic_increment(address, limit));
}
__forceinline__ unsigned atomicDec(unsigned* address, unsigned limit) {
  return emu::detail::called(emu::detail::atomic_decrement(address, limit));
}
__forceinline__ int atomicCAS(int* address, int expected, int value) {
  return emu::detail::called(emu::detail::atomic_compare_and_swap(address, expected, value));
}
__forceinline__ unsigned atomicCAS(unsigned* address, unsigned expected, unsigned value) {
  return emu::detail::called(emu::detail::atomic_compare_and_swap(address, expected, value));
}
__forceinline__ unsigned long long atomicCAS(unsigned long long* address,
                                             unsigned long long expected,
                                             unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_compare_and_swap(address, expected, value));
}
__forceinline__ unsigned short atomicCAS(unsigned short* address, unsigned short expected,
                                         unsigned short value) {
  return emu::detail::called(emu::detail::atomic_compare_and_swap(address, expected, value));
}
template <class T, emu::detail::If16Bytes<T> = 0>
__forceinline__ T atomicExch(T* address, T value) {
  T old;
  emu::detail::atomic_exchange_16(address, &value, &old);
  return old;
}
template <class T, emu::detail::If16Bytes<T> = 0>
__forceinline__ T atomicCAS(T* address, T expected, T value) {
  T old;
  emu::detail::atomic_compare_and_swap_16(address, &expected, &value, &old);
  return old;
}

__forceinline__ int atomicAdd_block(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ unsigned atomicAdd_block(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ unsigned long long atomicAdd_block(unsigned long long* address,
                                                   unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ float atomicAdd_block(float* address, float value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ double atomicAdd_block(double* address, double value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ float2 atomicAdd_block(float2* address, float2 value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ float4 atomicAdd_block(float4* address, float4 value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ int atomicSub_block(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_subtract(address, value));
}
__forceinline__ unsigned atomicSub_block(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_subtract(address, value));
}
__forceinline__ int atomicExch_block(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_exchange(address, value));
}
__forceinline__ unsigned atomicExch_block(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_exchange(address, value));
}
__forceinline__ unsigned long long atomicExch_block(unsigned long long* address,
                                                    unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_exchange(address, value));
}
__forceinline__ float atomicExch_block(float* address, float value) {
  return emu::detail::called(emu::detail::atomic_exchange(address, value));
}
__forceinline__ int atomicMin_block(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_min(address, value));
}
__forceinline__ unsigned atomicMin_block(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_min(address, value));
}
__forceinline__ long long atomicMin_block(long long* address, long long value) {
  return emu::detail::called(emu::detail::atomic_min(address, value));
}
__forceinline__ unsigned long long atomicMin_block(unsigned long long* address,
                                                   unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_min(address, value));
}
__forceinline__ int atomicMax_block(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_max(address, value));
}
__forceinline__ unsigned atomicMax_block(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_max(address, value));
}
__forceinline__ long long atomicMax_block(long long* address, long long value) {
  return emu::detail::called(emu::detail::atomic_max(address, value));
}
__forceinline__ unsigned long long atomicMax_block(unsigned long long* address,
                                                   unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_max(address, value));
}
__forceinline__ int atomicAnd_block(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_and(address, value));
}
__forceinline__ unsigned atomicAnd_block(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_and(address, value));
}
__forceinline__ long long atomicAnd_block(long long* address, long long value) {
  return emu::detail::called(emu::detail::atomic_and(address, value));
}
__forceinline__ unsigned long long atomicAnd_block(unsigned long long* address,
                                                   unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_and(address, value));
}
__forceinline__ int atomicOr_block(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_or(address, value));
}
__forceinline__ unsigned atomicOr_block(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_or(address, value));
}
__forceinline__ long long atomicOr_block(long long* address, long long value) {
  return emu::detail::called(emu::detail::atomic_or(address, value));
}
__forceinline__ unsigned long long atomicOr_block(unsigned long long* address,
                                                  unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_or(address, value));
}
__forceinline__ int atomicXor_block(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_xor(address, value));
}
__forceinline__ unsigned atomicXor_block(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_xor(address, value));
}
__forceinline__ long long atomicXor_block(long long* address, long long value) {
  return emu::detail::called(emu::detail::atomic_xor(address, value));
}
__forceinline__ unsigned long long atomicXor_block(unsigned long long* address,
                                                   unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_xor(address, value));
}
__forceinline__ unsigned atomicInc_block(unsigned* address, unsigned limit) {
  return emu::detail::called(emu::detail::atomic_increment(address, limit));
}
__forceinline__ unsigned atomicDec_block(unsigned* address, unsigned limit) {
  return emu::detail::called(emu::detail::atomic_decrement(address, limit));
}
__forceinline__ int atomicCAS_block(int* address, int expected, int value) {
  return emu::detail::called(emu::detail::atomic_compare_and_swap(address, expected, value));
}
__forceinline__ unsigned atomicCAS_block(unsigned* address, unsigned expected, unsigned value) {
  return emu::detail::called(emu::detail::atomic_compare_and_swap(address, expected, value));
}
__forceinline__ unsigned long long atomicCAS_block(unsigned long long* address,
                                                   unsigned long long expected,
                                                   unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_compare_and_swap(address, expected, value));
}
__forceinline__ unsigned short atomicCAS_block(unsigned short* address, unsigned short expected,
                                               unsigned short value) {
  return emu::detail::called(emu::detail::atomic_compare_and_swap(address, expected, value));
}
template <class T, emu::detail::If16Bytes<T> = 0>
__forceinline__ T atomicExch_block(T* address, T value) {
  T old;
  emu::detail::atomic_exchange_16(address, &value, &old);
  return old;
}
template <class T, emu::detail::If16Bytes<T> = 0>
__forceinline__ T atomicCAS_block(T* address, T expected, T value) {
  T old;
  emu::detail::atomic_compare_and_swap_16(address, &expected, &value, &old);
  return old;
}

__forceinline__ int atomicAdd_system(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ unsigned atomicAdd_system(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ unsigned long long atomicAdd_system(unsigned long long* address,
                                                    unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ float atomicAdd_system(float* address, float value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ double atomicAdd_system(double* address, double value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ float2 atomicAdd_system(float2* address, float2 value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ float4 atomicAdd_system(float4* address, float4 value) {
  return emu::detail::called(emu::detail::atomic_add(address, value));
}
__forceinline__ int atomicSub_system(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_subtract(address, value));
}
__forceinline__ unsigned atomicSub_system(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_subtract(address, value));
}
__forceinline__ int atomicExch_system(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_exchange(address, value));
}
__forceinline__ unsigned atomicExch_system(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_exchange(address, value));
}
__forceinline__ unsigned long long atomicExch_system(unsigned long long* address,
                                                     unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_exchange(address, value));
}
__forceinline__ float atomicExch_system(float* address, float value) {
  return emu::detail::called(emu::detail::atomic_exchange(address, value));
}
__forceinline__ int atomicMin_system(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_min(address, value));
}
__forceinline__ unsigned atomicMin_system(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_min(address, value));
}
__forceinline__ long long atomicMin_system(long long* address, long long value) {
  return emu::detail::called(emu::detail::atomic_min(address, value));
}
__forceinline__ unsigned long long atomicMin_system(unsigned long long* address,
                                                    unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_min(address, value));
}
__forceinline__ int atomicMax_system(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_max(address, value));
}
__forceinline__ unsigned atomicMax_system(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_max(address, value));
}
__forceinline__ long long atomicMax_system(long long* address, long long value) {
  return emu::detail::called(emu::detail::atomic_max(address, value));
}
__forceinline__ unsigned long long atomicMax_system(unsigned long long* address,
                                                    unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_max(address, value));
}
__forceinline__ int atomicAnd_system(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_and(address, value));
}
__forceinline__ unsigned atomicAnd_system(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_and(address, value));
}
__forceinline__ long long atomicAnd_system(long long* address, long long value) {
  return emu::detail::called(emu::detail::atomic_and(address, value));
}
__forceinline__ unsigned long long atomicAnd_system(unsigned long long* address,
                                                    unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_and(address, value));
}
__forceinline__ int atomicOr_system(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_or(address, value));
}
__forceinline__ unsigned atomicOr_system(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_or(address, value));
}
__forceinline__ long long atomicOr_system(long long* address, long long value) {
  return emu::detail::called(emu::detail::atomic_or(address, value));
}
__forceinline__ unsigned long long atomicOr_system(unsigned long long* address,
                                                   unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_or(address, value));
}
__forceinline__ int atomicXor_system(int* address, int value) {
  return emu::detail::called(emu::detail::atomic_xor(address, value));
}
__forceinline__ unsigned atomicXor_system(unsigned* address, unsigned value) {
  return emu::detail::called(emu::detail::atomic_xor(address, value));
}
__forceinline__ long long atomicXor_system(long long* address, long long value) {
  return emu::detail::called(emu::detail::atomic_xor(address, value));
}
__forceinline__ unsigned long long atomicXor_system(unsigned long long* address,
                                                    unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_xor(address, value));
}
__forceinline__ unsigned atomicInc_system(unsigned* address, unsigned limit) {
  return emu::detail::called(emu::detail::atomic_increment(address, limit));
}
__forceinline__ unsigned atomicDec_system(unsigned* address, unsigned limit) {
  return emu::detail::called(emu::detail::atomic_decrement(address, limit));
}
__forceinline__ int atomicCAS_system(int* address, int expected, int value) {
  return emu::detail::called(emu::detail::atomic_compare_and_swap(address, expected, value));
}
__forceinline__ unsigned atomicCAS_system(unsigned* address, unsigned expected, unsigned value) {
  return emu::detail::called(emu::detail::atomic_compare_and_swap(address, expected, value));
}
__forceinline__ unsigned long long atomicCAS_system(unsigned long long* address,
                                                    unsigned long long expected,
                                                    unsigned long long value) {
  return emu::detail::called(emu::detail::atomic_compare_and_swap(address, expected, value));
}
__forceinline__ unsigned short atomicCAS_system(unsigned short* address, unsigned short expected,
                                                unsigned short value) {
  return emu::detail::called(emu::detail::atomic_compare_and_swap(address, expected, value));
}
template <class T, emu::detail::If16Bytes<T> = 0>
__forceinline__ T atomicExch_system(T* address, T value) {
  T old;
  emu::detail::atomic_exchange_16(address, &value, &old);
  return old;
}
template <class T, emu::detail::If16Bytes<T> = 0>
__forceinline__ T atomicCAS_system(T* address, T expected, T value) {
  T old;
  emu::detail::atomic_compare_and_swap_16(address, &expected, &value, &old);
  return old;
}
