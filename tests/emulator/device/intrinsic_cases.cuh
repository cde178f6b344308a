/// @file
/// Calls the functions of the device library on many values and stores the results' bits.
///
/// The same source runs on a GPU, which recorded its results, and on the emulator, which is
/// compared with the record.
#pragma once

#include <cstdint>
#include <type_traits>

namespace intrinsics {

constexpr int kMaxResults = 512;
constexpr int kMaxNameBytes = 32;

/// The results of a function, and the allowed error.
struct Result {
  char name[kMaxNameBytes];
  int bytes;  // 4 or 8
  int is_float;
  int max_ulps;  // 0: equal bits
};

/// Collects the results of one thread; thread 0 also records their descriptions.
class Sink {
 public:
  __device__ Sink(Result* results, std::uint64_t* bits, int thread, int threads)
      : results_(results), bits_(bits), thread_(thread), threads_(threads) {}

  template <class T>
  __device__ void operator()(const char* name, T value, int max_ulps = 0) {
    std::uint64_t bits = 0;
    if constexpr (std::is_same_v<T, float>)
      bits = __float_as_uint(value);
    else if constexpr (std::is_same_v<T, double>)
      bits = static_cast<std::uint64_t>(__double_as_longlong(value));
    else if constexpr (sizeof(T) == sizeof(std::uint64_t))
      bits = static_cast<std::uint64_t>(value);
    else
      bits = static_cast<std::uint32_t>(value);
    bits_[count_ * threads_ + thread_] = bits;
    if (thread_ == 0) {
      Result& result = results_[count_];
      int i = 0;
      for (; name[i] != 0 && i + 1 < kMaxNameBytes; ++i) result.name[i] = name[i];
      result.name[i] = 0;
      result.bytes = sizeof(T) == sizeof(std::uint64_t) ? 8 : 4;
      result.is_float = std::is_floating_point_v<T>;
      result.max_ulps = max_ulps;
    }
    ++count_;
  }

  __device__ int count() const { return count_; }

 private:
  Result* results_;
  std::uint64_t* bits_;
  int thread_, threads_;
  int count_ = 0;
};

/// The arguments of one thread: integers of any bits, and numbers of all sizes and kinds.
struct Arguments {
  unsigned a, b, c;
  unsigned long long wide_a, wide_b;
  float x, y, z;
  double dx, dy, dz;
  float moderate;  // for functions that are interesting or accurate only near 0
  double wide_moderate;
};

__device__ inline void conversions(Sink& keep, const Arguments& v) {
  keep("__float2int_rn", __float2int_rn(v.x));
  keep("__double2int_rn", __double2int_rn(v.dx));
  keep("__float2uint_rn", __float2uint_rn(v.x));
  keep("__double2uint_rn", __double2uint_rn(v.dx));
  keep("__float2ll_rn", __float2ll_rn(v.x));
  keep("__double2ll_rn", __double2ll_rn(v.dx));
  keep("__float2ull_rn", __float2ull_rn(v.x));
  keep("__double2ull_rn", __double2ull_rn(v.dx));
  keep("__double2float_rn", __double2float_rn(v.dx));
  keep("__int2float_rn", __int2float_rn(static_cast<int>(v.a)));
  keep("__uint2float_rn", __uint2float_rn(v.a));
  keep("__ll2float_rn", __ll2float_rn(static_cast<long long>(v.wide_a)));
  keep("__ull2float_rn", __ull2float_rn(v.wide_a));
  keep("__ll2double_rn", __ll2double_rn(static_cast<long long>(v.wide_a)));
  keep("__ull2double_rn", __ull2double_rn(v.wide_a));
  keep("__float2int_rz", __float2int_rz(v.x));
  keep("__double2int_rz", __double2int_rz(v.dx));
  keep("__float2uint_rz", __float2uint_rz(v.x));
  keep("__double2uint_rz", __double2uint_rz(v.dx));
  keep("__float2ll_rz", __float2ll_rz(v.x));
  keep("__double2ll_rz", __double2ll_rz(v.dx));
  keep("__float2ull_rz", __float2ull_rz(v.x));
  keep("__double2ull_rz", __double2ull_rz(v.dx));
  keep("__double2float_rz", __double2float_rz(v.dx));
  keep("__int2float_rz", __int2float_rz(static_cast<int>(v.a)));
  keep("__uint2float_rz", __uint2float_rz(v.a));
  keep("__ll2float_rz", __ll2float_rz(static_cast<long long>(v.wide_a)));
  keep("__ull2float_rz", __ull2float_rz(v.wide_a));
  keep("__ll2double_rz", __ll2double_rz(static_cast<long long>(v.wide_a)));
  keep("__ull2double_rz", __ull2double_rz(v.wide_a));
  keep("__float2int_ru", __float2int_ru(v.x));
  keep("__double2int_ru", __double2int_ru(v.dx));
  keep("__float2uint_ru", __float2uint_ru(v.x));
  keep("__double2uint_ru", __double2uint_ru(v.dx));
  keep("__float2ll_ru", __float2ll_ru(v.x));
  keep("__double2ll_ru", __double2ll_ru(v.dx));
  keep("__float2ull_ru", __float2ull_ru(v.x));
  keep("__double2ull_ru", __double2ull_ru(v.dx));
  keep("__double2float_ru", __double2float_ru(v.dx));
  keep("__int2float_ru", __int2float_ru(static_cast<int>(v.a)));
  keep("__uint2float_ru", __uint2float_ru(v.a));
  keep("__ll2float_ru", __ll2float_ru(static_cast<long long>(v.wide_a)));
  keep("__ull2float_ru", __ull2float_ru(v.wide_a));
  keep("__ll2double_ru", __ll2double_ru(static_cast<long long>(v.wide_a)));
  keep("__ull2double_ru", __ull2double_ru(v.wide_a));
  keep("__float2int_rd", __float2int_rd(v.x));
  keep("__double2int_rd", __double2int_rd(v.dx));
  keep("__float2uint_rd", __float2uint_rd(v.x));
  keep("__double2uint_rd", __double2uint_rd(v.dx));
  keep("__float2ll_rd", __float2ll_rd(v.x));
  keep("__double2ll_rd", __double2ll_rd(v.dx));
  keep("__float2ull_rd", __float2ull_rd(v.x));
  keep("__double2ull_rd", __double2ull_rd(v.dx));
  keep("__double2float_rd", __double2float_rd(v.dx));
  keep("__int2float_rd", __int2float_rd(static_cast<int>(v.a)));
  keep("__uint2float_rd", __uint2float_rd(v.a));
  keep("__ll2float_rd", __ll2float_rd(static_cast<long long>(v.wide_a)));
  keep("__ull2float_rd", __ull2float_rd(v.wide_a));
  keep("__ll2double_rd", __ll2double_rd(static_cast<long long>(v.wide_a)));
  keep("__ull2double_rd", __ull2double_rd(v.wide_a));
  keep("__int2double_rn", __int2double_rn(static_cast<int>(v.a)));
  keep("__uint2double_rn", __uint2double_rn(v.a));
  keep("__float_as_int", __float_as_int(v.x));
  keep("__double2hiint", __double2hiint(v.dx));
  keep("__double2loint", __double2loint(v.dx));
  keep("__hiloint2double", __hiloint2double(static_cast<int>(v.a), static_cast<int>(v.b)));
  keep("__int_as_float", __int_as_float(static_cast<int>(v.a)));
}

__device__ inline void arithmetic(Sink& keep, const Arguments& v) {
  keep("__fadd_rn", __fadd_rn(v.x, v.y));
  keep("__fsub_rn", __fsub_rn(v.x, v.y));
  keep("__fmul_rn", __fmul_rn(v.x, v.y));
  keep("__fdiv_rn", __fdiv_rn(v.x, v.y));
  keep("__frcp_rn", __frcp_rn(v.x));
  keep("__fsqrt_rn", __fsqrt_rn(v.x));
  keep("__dadd_rn", __dadd_rn(v.dx, v.dy));
  keep("__dsub_rn", __dsub_rn(v.dx, v.dy));
  keep("__dmul_rn", __dmul_rn(v.dx, v.dy));
  keep("__ddiv_rn", __ddiv_rn(v.dx, v.dy));
  keep("__drcp_rn", __drcp_rn(v.dx));
  keep("__dsqrt_rn", __dsqrt_rn(v.dx));
  keep("__fmaf_rn", __fmaf_rn(v.x, v.y, v.z));
  keep("__fmaf_ieee_rn", __fmaf_ieee_rn(v.x, v.y, v.z));
  keep("__fma_rn", __fma_rn(v.dx, v.dy, v.dz));
  keep("__fadd_rz", __fadd_rz(v.x, v.y));
  keep("__fsub_rz", __fsub_rz(v.x, v.y));
  keep("__fmul_rz", __fmul_rz(v.x, v.y));
  keep("__fdiv_rz", __fdiv_rz(v.x, v.y));
  keep("__frcp_rz", __frcp_rz(v.x));
  keep("__fsqrt_rz", __fsqrt_rz(v.x));
  keep("__dadd_rz", __dadd_rz(v.dx, v.dy));
  keep("__dsub_rz", __dsub_rz(v.dx, v.dy));
  keep("__dmul_rz", __dmul_rz(v.dx, v.dy));
  keep("__ddiv_rz", __ddiv_rz(v.dx, v.dy));
  keep("__drcp_rz", __drcp_rz(v.dx));
  keep("__dsqrt_rz", __dsqrt_rz(v.dx));
  keep("__fmaf_rz", __fmaf_rz(v.x, v.y, v.z));
  keep("__fmaf_ieee_rz", __fmaf_ieee_rz(v.x, v.y, v.z));
  keep("__fma_rz", __fma_rz(v.dx, v.dy, v.dz));
  keep("__fadd_ru", __fadd_ru(v.x, v.y));
  keep("__fsub_ru", __fsub_ru(v.x, v.y));
  keep("__fmul_ru", __fmul_ru(v.x, v.y));
  keep("__fdiv_ru", __fdiv_ru(v.x, v.y));
  keep("__frcp_ru", __frcp_ru(v.x));
  keep("__fsqrt_ru", __fsqrt_ru(v.x));
  keep("__dadd_ru", __dadd_ru(v.dx, v.dy));
  keep("__dsub_ru", __dsub_ru(v.dx, v.dy));
  keep("__dmul_ru", __dmul_ru(v.dx, v.dy));
  keep("__ddiv_ru", __ddiv_ru(v.dx, v.dy));
  keep("__drcp_ru", __drcp_ru(v.dx));
  keep("__dsqrt_ru", __dsqrt_ru(v.dx));
  keep("__fmaf_ru", __fmaf_ru(v.x, v.y, v.z));
  keep("__fmaf_ieee_ru", __fmaf_ieee_ru(v.x, v.y, v.z));
  keep("__fma_ru", __fma_ru(v.dx, v.dy, v.dz));
  keep("__fadd_rd", __fadd_rd(v.x, v.y));
  keep("__fsub_rd", __fsub_rd(v.x, v.y));
  keep("__fmul_rd", __fmul_rd(v.x, v.y));
  keep("__fdiv_rd", __fdiv_rd(v.x, v.y));
  keep("__frcp_rd", __frcp_rd(v.x));
  keep("__fsqrt_rd", __fsqrt_rd(v.x));
  keep("__dadd_rd", __dadd_rd(v.dx, v.dy));
  keep("__dsub_rd", __dsub_rd(v.dx, v.dy));
  keep("__dmul_rd", __dmul_rd(v.dx, v.dy));
  keep("__ddiv_rd", __ddiv_rd(v.dx, v.dy));
  keep("__drcp_rd", __drcp_rd(v.dx));
  keep("__dsqrt_rd", __dsqrt_rd(v.dx));
  keep("__fmaf_rd", __fmaf_rd(v.x, v.y, v.z));
  keep("__fmaf_ieee_rd", __fmaf_ieee_rd(v.x, v.y, v.z));
  keep("__fma_rd", __fma_rd(v.dx, v.dy, v.dz));
  keep("__frsqrt_rn", __frsqrt_rn(v.x));
  keep("__saturatef", __saturatef(v.x));
  keep("__fdividef", __fdividef(v.x, v.y), 2);
  keep("fdividef", fdividef(v.x, v.y));
  keep("fminf", fminf(v.x, v.y) + 0.0f);  // of -0 and 0, either is allowed
  keep("fmax", fmax(v.dx, v.dy));
  keep("min(float)", min(v.x, v.y));
  keep("max(float)", max(v.x, v.y));
  keep("min(double)", min(v.dx, v.dy));
  keep("max(float, double)", max(v.x, v.dy));
  keep("min(int, unsigned)", min(static_cast<int>(v.a), v.b));
  keep("max(int)", max(static_cast<int>(v.a), static_cast<int>(v.b)));
  keep("max(long long)", max(static_cast<long long>(v.wide_a), static_cast<long long>(v.wide_b)));
  keep("min(unsigned long)",
       min(static_cast<unsigned long>(v.wide_a), static_cast<unsigned long>(v.wide_b)));
  keep("umin", umin(v.a, v.b));
  keep("llmax", llmax(static_cast<long long>(v.wide_a), static_cast<long long>(v.wide_b)));
}

__device__ inline void integers(Sink& keep, const Arguments& v) {
  keep("__popc", __popc(v.a));
  keep("__popcll", __popcll(v.wide_a));
  keep("__clz", __clz(static_cast<int>(v.a)));
  keep("__clzll", __clzll(static_cast<long long>(v.wide_a)));
  keep("__ffs", __ffs(static_cast<int>(v.a)));
  keep("__ffsll", __ffsll(static_cast<long long>(v.wide_a)));
  keep("__brev", __brev(v.a));
  keep("__brevll", __brevll(v.wide_a));
  keep("__fns up", __fns(v.a, v.b & 31, static_cast<int>(v.c & 7)));
  keep("__fns down", __fns(v.a, v.b & 31, -static_cast<int>(v.c & 7)));
  keep("__byte_perm", __byte_perm(v.a, v.b, v.c));
  keep("__funnelshift_l", __funnelshift_l(v.a, v.b, v.c));
  keep("__funnelshift_l short", __funnelshift_l(v.a, v.b, v.c & 63));
  keep("__funnelshift_r", __funnelshift_r(v.a, v.b, v.c));
  keep("__funnelshift_r short", __funnelshift_r(v.a, v.b, v.c & 63));
  keep("__funnelshift_lc", __funnelshift_lc(v.a, v.b, v.c));
  keep("__funnelshift_lc short", __funnelshift_lc(v.a, v.b, v.c & 63));
  keep("__funnelshift_rc", __funnelshift_rc(v.a, v.b, v.c));
  keep("__funnelshift_rc short", __funnelshift_rc(v.a, v.b, v.c & 63));
  keep("__mul24", __mul24(static_cast<int>(v.a), static_cast<int>(v.b)));
  keep("__umul24", __umul24(v.a, v.b));
  keep("__mulhi", __mulhi(static_cast<int>(v.a), static_cast<int>(v.b)));
  keep("__umulhi", __umulhi(v.a, v.b));
  keep("__mul64hi", __mul64hi(static_cast<long long>(v.wide_a), static_cast<long long>(v.wide_b)));
  keep("__umul64hi", __umul64hi(v.wide_a, v.wide_b));
  keep("__sad", __sad(static_cast<int>(v.a), static_cast<int>(v.b), v.c));
  keep("__usad", __usad(v.a, v.b, v.c));
  keep("__hadd", __hadd(static_cast<int>(v.a), static_cast<int>(v.b)));
  keep("__rhadd", __rhadd(static_cast<int>(v.a), static_cast<int>(v.b)));
  keep("__uhadd", __uhadd(v.a, v.b));
  keep("__urhadd", __urhadd(v.a, v.b));
  keep("__dp4a", __dp4a(static_cast<int>(v.a), static_cast<int>(v.b), static_cast<int>(v.c)));
  keep("__dp4a unsigned", __dp4a(v.a, v.b, v.c));
  keep("__dp2a_lo", __dp2a_lo(static_cast<int>(v.a), static_cast<int>(v.b), static_cast<int>(v.c)));
  keep("__dp2a_lo unsigned", __dp2a_lo(v.a, v.b, v.c));
  keep("__dp2a_hi", __dp2a_hi(static_cast<int>(v.a), static_cast<int>(v.b), static_cast<int>(v.c)));
  keep("__dp2a_hi unsigned", __dp2a_hi(v.a, v.b, v.c));
}

__device__ inline void simd(Sink& keep, const Arguments& v) {
  keep("__vadd2", __vadd2(v.a, v.b));
  keep("__vaddss2", __vaddss2(v.a, v.b));
  keep("__vaddus2", __vaddus2(v.a, v.b));
  keep("__vsub2", __vsub2(v.a, v.b));
  keep("__vsubss2", __vsubss2(v.a, v.b));
  keep("__vsubus2", __vsubus2(v.a, v.b));
  keep("__vabsdiffs2", __vabsdiffs2(v.a, v.b));
  keep("__vabsdiffu2", __vabsdiffu2(v.a, v.b));
  keep("__vavgs2", __vavgs2(v.a, v.b));
  keep("__vavgu2", __vavgu2(v.a, v.b));
  keep("__vhaddu2", __vhaddu2(v.a, v.b));
  keep("__vmaxs2", __vmaxs2(v.a, v.b));
  keep("__vmaxu2", __vmaxu2(v.a, v.b));
  keep("__vmins2", __vmins2(v.a, v.b));
  keep("__vminu2", __vminu2(v.a, v.b));
  keep("__vsads2", __vsads2(v.a, v.b));
  keep("__vsadu2", __vsadu2(v.a, v.b));
  keep("__vabs2", __vabs2(v.a));
  keep("__vabsss2", __vabsss2(v.a));
  keep("__vneg2", __vneg2(v.a));
  keep("__vnegss2", __vnegss2(v.a));
  keep("__vcmpeq2", __vcmpeq2(v.a, v.b));
  keep("__vcmpne2", __vcmpne2(v.a, v.b));
  keep("__vcmpges2", __vcmpges2(v.a, v.b));
  keep("__vcmpgeu2", __vcmpgeu2(v.a, v.b));
  keep("__vcmpgts2", __vcmpgts2(v.a, v.b));
  keep("__vcmpgtu2", __vcmpgtu2(v.a, v.b));
  keep("__vcmples2", __vcmples2(v.a, v.b));
  keep("__vcmpleu2", __vcmpleu2(v.a, v.b));
  keep("__vcmplts2", __vcmplts2(v.a, v.b));
  keep("__vcmpltu2", __vcmpltu2(v.a, v.b));
  keep("__vseteq2", __vseteq2(v.a, v.b));
  keep("__vsetne2", __vsetne2(v.a, v.b));
  keep("__vsetges2", __vsetges2(v.a, v.b));
  keep("__vsetgeu2", __vsetgeu2(v.a, v.b));
  keep("__vsetgts2", __vsetgts2(v.a, v.b));
  keep("__vsetgtu2", __vsetgtu2(v.a, v.b));
  keep("__vsetles2", __vsetles2(v.a, v.b));
  keep("__vsetleu2", __vsetleu2(v.a, v.b));
  keep("__vsetlts2", __vsetlts2(v.a, v.b));
  keep("__vsetltu2", __vsetltu2(v.a, v.b));
  keep("__vadd4", __vadd4(v.a, v.b));
  keep("__vaddss4", __vaddss4(v.a, v.b));
  keep("__vaddus4", __vaddus4(v.a, v.b));
  keep("__vsub4", __vsub4(v.a, v.b));
  keep("__vsubss4", __vsubss4(v.a, v.b));
  keep("__vsubus4", __vsubus4(v.a, v.b));
  keep("__vabsdiffs4", __vabsdiffs4(v.a, v.b));
  keep("__vabsdiffu4", __vabsdiffu4(v.a, v.b));
  keep("__vavgs4", __vavgs4(v.a, v.b));
  keep("__vavgu4", __vavgu4(v.a, v.b));
  keep("__vhaddu4", __vhaddu4(v.a, v.b));
  keep("__vmaxs4", __vmaxs4(v.a, v.b));
  keep("__vmaxu4", __vmaxu4(v.a, v.b));
  keep("__vmins4", __vmins4(v.a, v.b));
  keep("__vminu4", __vminu4(v.a, v.b));
  keep("__vsads4", __vsads4(v.a, v.b));
  keep("__vsadu4", __vsadu4(v.a, v.b));
  keep("__vabs4", __vabs4(v.a));
  keep("__vabsss4", __vabsss4(v.a));
  keep("__vneg4", __vneg4(v.a));
  keep("__vnegss4", __vnegss4(v.a));
  keep("__vcmpeq4", __vcmpeq4(v.a, v.b));
  keep("__vcmpne4", __vcmpne4(v.a, v.b));
  keep("__vcmpges4", __vcmpges4(v.a, v.b));
  keep("__vcmpgeu4", __vcmpgeu4(v.a, v.b));
  keep("__vcmpgts4", __vcmpgts4(v.a, v.b));
  keep("__vcmpgtu4", __vcmpgtu4(v.a, v.b));
  keep("__vcmples4", __vcmples4(v.a, v.b));
  keep("__vcmpleu4", __vcmpleu4(v.a, v.b));
  keep("__vcmplts4", __vcmplts4(v.a, v.b));
  keep("__vcmpltu4", __vcmpltu4(v.a, v.b));
  keep("__vseteq4", __vseteq4(v.a, v.b));
  keep("__vsetne4", __vsetne4(v.a, v.b));
  keep("__vsetges4", __vsetges4(v.a, v.b));
  keep("__vsetgeu4", __vsetgeu4(v.a, v.b));
  keep("__vsetgts4", __vsetgts4(v.a, v.b));
  keep("__vsetgtu4", __vsetgtu4(v.a, v.b));
  keep("__vsetles4", __vsetles4(v.a, v.b));
  keep("__vsetleu4", __vsetleu4(v.a, v.b));
  keep("__vsetlts4", __vsetlts4(v.a, v.b));
  keep("__vsetltu4", __vsetltu4(v.a, v.b));
  keep("__vimax3_s32",
       __vimax3_s32(static_cast<int>(v.a), static_cast<int>(v.b), static_cast<int>(v.c)));
  keep("__vimax3_u32", __vimax3_u32(v.a, v.b, v.c));
  keep("__vimax3_s32_relu",
       __vimax3_s32_relu(static_cast<int>(v.a), static_cast<int>(v.b), static_cast<int>(v.c)));
  keep("__vimax_s32_relu", __vimax_s32_relu(static_cast<int>(v.a), static_cast<int>(v.b)));
  keep("__viaddmax_s32",
       __viaddmax_s32(static_cast<int>(v.a), static_cast<int>(v.b), static_cast<int>(v.c)));
  keep("__viaddmax_u32", __viaddmax_u32(v.a, v.b, v.c));
  keep("__viaddmax_s32_relu",
       __viaddmax_s32_relu(static_cast<int>(v.a), static_cast<int>(v.b), static_cast<int>(v.c)));
  keep("__vimax3_s16x2", __vimax3_s16x2(v.a, v.b, v.c));
  keep("__viaddmax_s16x2", __viaddmax_s16x2(v.a, v.b, v.c));
  keep("__vimax3_u16x2", __vimax3_u16x2(v.a, v.b, v.c));
  keep("__viaddmax_u16x2", __viaddmax_u16x2(v.a, v.b, v.c));
  keep("__vimax3_s16x2_relu", __vimax3_s16x2_relu(v.a, v.b, v.c));
  keep("__viaddmax_s16x2_relu", __viaddmax_s16x2_relu(v.a, v.b, v.c));
  keep("__vimax_s16x2_relu", __vimax_s16x2_relu(v.a, v.b));
  keep("__vimin3_s32",
       __vimin3_s32(static_cast<int>(v.a), static_cast<int>(v.b), static_cast<int>(v.c)));
  keep("__vimin3_u32", __vimin3_u32(v.a, v.b, v.c));
  keep("__vimin3_s32_relu",
       __vimin3_s32_relu(static_cast<int>(v.a), static_cast<int>(v.b), static_cast<int>(v.c)));
  keep("__vimin_s32_relu", __vimin_s32_relu(static_cast<int>(v.a), static_cast<int>(v.b)));
  keep("__viaddmin_s32",
       __viaddmin_s32(static_cast<int>(v.a), static_cast<int>(v.b), static_cast<int>(v.c)));
  keep("__viaddmin_u32", __viaddmin_u32(v.a, v.b, v.c));
  keep("__viaddmin_s32_relu",
       __viaddmin_s32_relu(static_cast<int>(v.a), static_cast<int>(v.b), static_cast<int>(v.c)));
  keep("__vimin3_s16x2", __vimin3_s16x2(v.a, v.b, v.c));
  keep("__viaddmin_s16x2", __viaddmin_s16x2(v.a, v.b, v.c));
  keep("__vimin3_u16x2", __vimin3_u16x2(v.a, v.b, v.c));
  keep("__viaddmin_u16x2", __viaddmin_u16x2(v.a, v.b, v.c));
  keep("__vimin3_s16x2_relu", __vimin3_s16x2_relu(v.a, v.b, v.c));
  keep("__viaddmin_s16x2_relu", __viaddmin_s16x2_relu(v.a, v.b, v.c));
  keep("__vimin_s16x2_relu", __vimin_s16x2_relu(v.a, v.b));
  bool high = false, low = false;
  keep("__vibmax_s32", __vibmax_s32(static_cast<int>(v.a), static_cast<int>(v.b), &high));
  keep("__vibmax_s32 chosen", static_cast<int>(high));
  keep("__vibmax_u32", __vibmax_u32(v.a, v.b, &high));
  keep("__vibmax_u32 chosen", static_cast<int>(high));
  keep("__vibmax_s16x2", __vibmax_s16x2(v.a, v.b, &high, &low));
  keep("__vibmax_s16x2 chosen", 2 * high + low);
  keep("__vibmax_u16x2", __vibmax_u16x2(v.a, v.b, &high, &low));
  keep("__vibmax_u16x2 chosen", 2 * high + low);
  keep("__vibmin_s32", __vibmin_s32(static_cast<int>(v.a), static_cast<int>(v.b), &high));
  keep("__vibmin_s32 chosen", static_cast<int>(high));
  keep("__vibmin_u32", __vibmin_u32(v.a, v.b, &high));
  keep("__vibmin_u32 chosen", static_cast<int>(high));
  keep("__vibmin_s16x2", __vibmin_s16x2(v.a, v.b, &high, &low));
  keep("__vibmin_s16x2 chosen", 2 * high + low);
  keep("__vibmin_u16x2", __vibmin_u16x2(v.a, v.b, &high, &low));
  keep("__vibmin_u16x2 chosen", 2 * high + low);
}

__device__ inline void single_precision(Sink& keep, const Arguments& v) {
  keep("sqrtf", sqrtf(v.moderate));
  keep("rsqrtf", rsqrtf(v.moderate), 2);
  keep("cbrtf", cbrtf(v.moderate), 2);
  keep("rcbrtf", rcbrtf(v.moderate), 2);
  keep("expf", expf(v.moderate), 2);
  keep("exp2f", exp2f(v.moderate), 2);
  keep("exp10f", exp10f(v.moderate), 2);
  keep("expm1f", expm1f(v.moderate), 2);
  keep("logf", logf(v.moderate), 2);
  keep("log2f", log2f(v.moderate), 2);
  keep("log10f", log10f(v.moderate), 2);
  keep("log1pf", log1pf(v.moderate), 2);
  keep("sinf", sinf(v.moderate), 2);
  keep("cosf", cosf(v.moderate), 2);
  keep("tanf", tanf(v.moderate), 4);
  keep("sinpif", sinpif(v.moderate), 2);
  keep("cospif", cospif(v.moderate), 2);
  keep("asinf", asinf(v.moderate), 3);
  keep("acosf", acosf(v.moderate), 3);
  keep("atanf", atanf(v.moderate), 3);
  keep("sinhf", sinhf(v.moderate), 3);
  keep("coshf", coshf(v.moderate), 2);
  keep("tanhf", tanhf(v.moderate), 3);
  keep("asinhf", asinhf(v.moderate), 3);
  keep("acoshf", acoshf(v.moderate), 4);
  keep("atanhf", atanhf(v.moderate), 3);
  keep("erff", erff(v.moderate), 3);
  keep("erfcf", erfcf(v.moderate), 5);
  keep("erfinvf", erfinvf(v.moderate), 3);
  keep("erfcinvf", erfcinvf(v.moderate), 5);
  keep("erfcxf", erfcxf(v.moderate), 5);
  keep("normcdff", normcdff(v.moderate), 6);
  keep("normcdfinvf", normcdfinvf(v.moderate), 6);
  keep("tgammaf", tgammaf(v.moderate), 7);
  keep("cyl_bessel_i0f", cyl_bessel_i0f(v.moderate), 7);
  keep("cyl_bessel_i1f", cyl_bessel_i1f(v.moderate), 7);
  keep("floorf", floorf(v.moderate));
  keep("ceilf", ceilf(v.moderate));
  keep("truncf", truncf(v.moderate));
  keep("roundf", roundf(v.moderate));
  keep("rintf", rintf(v.moderate));
  keep("nearbyintf", nearbyintf(v.moderate));
  keep("fabsf", fabsf(v.moderate));
  keep("logbf", logbf(v.moderate));
  keep("sinf large", sinf(v.x), 2);
  keep("expf any", expf(v.x), 2);
  keep("logf any", logf(v.x), 2);
  keep("sinpif any", sinpif(v.x), 2);
  keep("cospif any", cospif(v.x), 2);
  keep("rsqrtf any", rsqrtf(v.x), 2);
  keep("erfinvf any", erfinvf(v.x), 3);
  keep("normcdff any", normcdff(v.x), 6);
  keep("erfcxf any", erfcxf(v.x), 7);
  keep("cyl_bessel_i0f any", cyl_bessel_i0f(v.x), 8);
  keep("powf", powf(v.moderate, v.y), 4);
  keep("powf small", powf(v.moderate, 3.5f), 4);
  keep("fmodf", fmodf(v.x, v.y));
  keep("remainderf", remainderf(v.x, v.y));
  keep("hypotf", hypotf(v.x, v.y), 3);
  keep("rhypotf", rhypotf(v.x, v.y), 3);
  keep("norm3df", norm3df(v.x, v.y, v.z), 4);
  keep("rnorm3df", rnorm3df(v.x, v.y, v.z), 4);
  keep("norm4df", norm4df(v.x, v.y, v.z, v.moderate), 4);
  keep("rnorm4df", rnorm4df(v.x, v.y, v.z, v.moderate), 4);
  keep("fdimf", fdimf(v.x, v.y));
  keep("copysignf", copysignf(v.x, v.y));
  keep("nextafterf", nextafterf(v.x, v.y));
  keep("ldexpf", ldexpf(v.x, static_cast<int>(v.a & 63) - 32));
  keep("atan2f", atan2f(v.x, v.y), 4);
  keep("ilogbf", ilogbf(v.x));
  keep("lroundf", static_cast<long long>(lroundf(v.moderate)));
  keep("fmaf", fmaf(v.x, v.y, v.z));
  keep("isnan", static_cast<int>(isnan(v.x)));
  keep("isinf", static_cast<int>(isinf(v.x)));
  keep("isfinite", static_cast<int>(isfinite(v.x)));
  keep("signbit", static_cast<int>(signbit(v.x) != 0));
  float sine = 0, cosine = 0;
  sincospif(v.moderate, &sine, &cosine);
  keep("sincospif sine", sine, 2);
  keep("sincospif cosine", cosine, 2);
  sincosf(v.moderate, &sine, &cosine);
  keep("sincosf sine", sine, 2);
  keep("sincosf cosine", cosine, 2);
  const float all[] = {v.x, v.y, v.z, v.moderate, 3.0f};
  keep("normf", normf(5, all), 4);
  keep("rnormf", rnormf(5, all), 4);
}

__device__ inline void double_precision(Sink& keep, const Arguments& v) {
  keep("sqrt", sqrt(v.wide_moderate));
  keep("rsqrt", rsqrt(v.wide_moderate), 2);
  keep("cbrt", cbrt(v.wide_moderate), 2);
  keep("rcbrt", rcbrt(v.wide_moderate), 2);
  keep("exp", exp(v.wide_moderate), 2);
  keep("exp2", exp2(v.wide_moderate), 2);
  keep("exp10", exp10(v.wide_moderate), 2);
  keep("expm1", expm1(v.wide_moderate), 2);
  keep("log", log(v.wide_moderate), 2);
  keep("log2", log2(v.wide_moderate), 2);
  keep("log10", log10(v.wide_moderate), 2);
  keep("log1p", log1p(v.wide_moderate), 2);
  keep("sin", sin(v.wide_moderate), 3);
  keep("cos", cos(v.wide_moderate), 3);
  keep("tan", tan(v.wide_moderate), 4);
  keep("sinpi", sinpi(v.wide_moderate), 3);
  keep("cospi", cospi(v.wide_moderate), 3);
  keep("asin", asin(v.wide_moderate), 4);
  keep("acos", acos(v.wide_moderate), 4);
  keep("atan", atan(v.wide_moderate), 4);
  keep("sinh", sinh(v.wide_moderate), 3);
  keep("cosh", cosh(v.wide_moderate), 2);
  keep("tanh", tanh(v.wide_moderate), 3);
  keep("asinh", asinh(v.wide_moderate), 5);
  keep("acosh", acosh(v.wide_moderate), 5);
  keep("atanh", atanh(v.wide_moderate), 4);
  keep("erf", erf(v.wide_moderate), 3);
  keep("erfc", erfc(v.wide_moderate), 7);
  keep("erfinv", erfinv(v.wide_moderate), 7);
  keep("erfcinv", erfcinv(v.wide_moderate), 8);
  keep("erfcx", erfcx(v.wide_moderate), 6);
  keep("normcdf", normcdf(v.wide_moderate), 7);
  keep("normcdfinv", normcdfinv(v.wide_moderate), 9);
  keep("tgamma", tgamma(v.wide_moderate), 12);
  keep("cyl_bessel_i0", cyl_bessel_i0(v.wide_moderate), 9);
  keep("cyl_bessel_i1", cyl_bessel_i1(v.wide_moderate), 9);
  keep("rint", rint(v.wide_moderate));
  keep("round", round(v.wide_moderate));
  keep("floor", floor(v.wide_moderate));
  keep("sinpi any", sinpi(v.dx), 3);
  keep("cospi any", cospi(v.dx), 3);
  keep("erfcx any", erfcx(v.dx), 7);
  keep("normcdfinv any", normcdfinv(v.dx), 9);
  keep("pow", pow(v.wide_moderate, v.dy), 4);
  keep("fmod", fmod(v.dx, v.dy));
  keep("hypot", hypot(v.dx, v.dy), 3);
  keep("rhypot", rhypot(v.dx, v.dy), 3);
  keep("norm3d", norm3d(v.dx, v.dy, v.dz), 3);
  keep("rnorm3d", rnorm3d(v.dx, v.dy, v.dz), 3);
  keep("norm4d", norm4d(v.dx, v.dy, v.dz, v.wide_moderate), 3);
  keep("rnorm4d", rnorm4d(v.dx, v.dy, v.dz, v.wide_moderate), 3);
  keep("fma", fma(v.dx, v.dy, v.dz));
  keep("fdim", fdim(v.dx, v.dy));
  double sine = 0, cosine = 0;
  sincospi(v.wide_moderate, &sine, &cosine);
  keep("sincospi sine", sine, 3);
  keep("sincospi cosine", cosine, 3);
}

/// A number in steps of 2^-`bits`, above 0: for functions whose absolute error is bounded.
__device__ inline unsigned in_steps(double value, int bits) {
  constexpr double kAboveZero = 64;
  return static_cast<unsigned>(rint(ldexp(value + kAboveZero, bits)));
}

__device__ inline void fast_and_rare(Sink& keep, const Arguments& v) {
  const float angle = fmodf(v.moderate, 3.0f), positive = fabsf(v.moderate) + 0.01f;
  keep("__sinf in 2^-20", in_steps(__sinf(angle), 20), 1);
  keep("__cosf in 2^-20", in_steps(__cosf(angle), 20), 1);
  keep("__logf in 2^-19", in_steps(__logf(positive), 19), 1);
  keep("__log10f in 2^-19", in_steps(__log10f(positive), 19), 1);
  keep("__exp10f", __exp10f(v.moderate), 2 + 59);
  keep("__tanhf", __tanhf(v.moderate), 1 << 13);
  keep("fdivide", fdivide(v.dx, v.dy));
  keep("j1 in 2^-25", in_steps(j1(v.wide_moderate), 25), 1);
  keep("jn in 2^-25", in_steps(jn(3, v.wide_moderate), 25), 1);
  keep("yn in 2^-25", in_steps(yn(2, 4 + fabs(v.wide_moderate)), 25), 1);
  keep("llmin", llmin(static_cast<long long>(v.wide_a), static_cast<long long>(v.wide_b)));
  keep("ullmax", ullmax(v.wide_a, v.wide_b));
  keep("__nv_bswap32", __nv_bswap32(v.a));
  keep("__nv_bswap64", __nv_bswap64(v.wide_a));
}

/// Calls everything on every thread's arguments.
__global__ void call_all(int threads, const Arguments* arguments, Result* results,
                         std::uint64_t* bits, int* count) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (thread >= threads) return;
  Sink keep(results, bits, thread, threads);
  conversions(keep, arguments[thread]);
  arithmetic(keep, arguments[thread]);
  integers(keep, arguments[thread]);
  simd(keep, arguments[thread]);
  single_precision(keep, arguments[thread]);
  double_precision(keep, arguments[thread]);
  fast_and_rare(keep, arguments[thread]);
  if (thread == 0) *count = keep.count();
}

}  // namespace intrinsics
