/// @file
/// Kernels that call the functions of cuda_fp16.h, cuda_bf16.h, cuda_fp8.h, cuda_fp6.h and
/// cuda_fp4.h on many values and keep the bits of what they return.
///
/// The same source runs on a GPU, which recorded its results, and on the emulator, which is
/// compared with the record.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace narrow {

constexpr int kMaxFunctions = 160;  // of one kernel
constexpr int kMaxNameBytes = 64;

struct Name {
  char text[kMaxNameBytes];
};

/// The operands of one thread's functions: `x` takes every 16-bit number in turn, the rest is
/// random.
struct Operands {
  std::uint16_t x, a, b, c;
  float real;
  double wide;
  long long integer;
};

/// Stores the results of one thread; the first thread also records the functions' names.
class Sink {
 public:
  __device__ Sink(std::uint64_t* bits, Name* names, int* count, int thread, int threads)
      : bits_(bits), names_(names), count_(count), thread_(thread), threads_(threads) {}
  __device__ ~Sink() {
    if (thread_ == 0) *count_ = functions_;
  }

  template <class T>
  __device__ void operator()(const char* name, T value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    bits_[static_cast<std::size_t>(functions_) * threads_ + thread_] = bits;
    if (thread_ == 0) {
      int i = 0;
      for (; name[i] != 0 && i + 1 < kMaxNameBytes; ++i) names_[functions_].text[i] = name[i];
      names_[functions_].text[i] = 0;
    }
    ++functions_;
  }

 private:
  std::uint64_t* bits_;
  Name* names_;
  int* count_;
  int thread_, threads_;
  int functions_ = 0;
};

template <class Number>
using PairOf = std::conditional_t<std::is_same_v<Number, __half>, __half2, __nv_bfloat162>;

template <class T, class Word>
__device__ T from_bits(Word word) {
  static_assert(sizeof(T) == sizeof(Word));
  T value;
  std::memcpy(static_cast<void*>(&value), &word, sizeof value);
  return value;
}
template <class Number>
__device__ PairOf<Number> pair(std::uint16_t low, std::uint16_t high) {
  return PairOf<Number>(from_bits<Number>(low), from_bits<Number>(high));
}

/// Functions of one number, and of two packed numbers.
template <class Number>
__device__ void call_unary(const Operands& in, Sink& keep) {
  const auto x = from_bits<Number>(in.x);
  keep("hceil", hceil(x));
  keep("hfloor", hfloor(x));
  keep("htrunc", htrunc(x));
  keep("hrint", hrint(x));
  keep("hsqrt", hsqrt(x));
  keep("hrsqrt", hrsqrt(x));
  keep("hrcp", hrcp(x));
  keep("hlog", hlog(x));
  keep("hlog2", hlog2(x));
  keep("hlog10", hlog10(x));
  keep("hexp", hexp(x));
  keep("hexp2", hexp2(x));
  keep("hexp10", hexp10(x));
  keep("hsin", hsin(x));
  keep("hcos", hcos(x));
  keep("htanh", htanh(x));
  keep("htanh_approx", htanh_approx(x));
  keep("__habs", __habs(x));
  keep("__hneg", __hneg(x));
  keep("__hisnan", __hisnan(x));
  keep("__hisinf", __hisinf(x));
  keep("-x", -x);
  keep("+x", +x);
  auto y = x;
  keep("++x", ++y);
  keep("--x", --y);
  keep("bool(x)", static_cast<bool>(x));
  keep("float(x)", static_cast<float>(x));
  keep("double(x)", static_cast<double>(x));
  keep("signed char(x)", static_cast<signed char>(x));
  keep("unsigned char(x)", static_cast<unsigned char>(x));
  keep("short(x)", static_cast<short>(x));
  keep("unsigned short(x)", static_cast<unsigned short>(x));
  keep("int(x)", static_cast<int>(x));
  keep("unsigned(x)", static_cast<unsigned>(x));
  keep("long(x)", static_cast<long>(x));
  keep("unsigned long(x)", static_cast<unsigned long>(x));
  keep("long long(x)", static_cast<long long>(x));
  keep("unsigned long long(x)", static_cast<unsigned long long>(x));

  constexpr unsigned kOtherOrder = 40503;  // odd: the upper numbers take every value, too
  const auto v = pair<Number>(in.x, static_cast<std::uint16_t>(in.x * kOtherOrder));
  keep("h2ceil", h2ceil(v));
  keep("h2floor", h2floor(v));
  keep("h2trunc", h2trunc(v));
  keep("h2rint", h2rint(v));
  keep("h2sqrt", h2sqrt(v));
  keep("h2rsqrt", h2rsqrt(v));
  keep("h2rcp", h2rcp(v));
  keep("h2log", h2log(v));
  keep("h2log2", h2log2(v));
  keep("h2log10", h2log10(v));
  keep("h2exp", h2exp(v));
  keep("h2exp2", h2exp2(v));
  keep("h2exp10", h2exp10(v));
  keep("h2sin", h2sin(v));
  keep("h2cos", h2cos(v));
  keep("h2tanh", h2tanh(v));
  keep("h2tanh_approx", h2tanh_approx(v));
  keep("__habs2", __habs2(v));
  keep("__hneg2", __hneg2(v));
  keep("__hisnan2", __hisnan2(v));
  keep("__lowhigh2highlow", __lowhigh2highlow(v));
  keep("__low2float", __low2float(v));
  keep("__high2float", __high2float(v));
  keep("-v", -v);
}

/// Functions of two and three numbers.
template <class Number>
__device__ void call_binary(const Operands& in, Sink& keep) {
  const auto a = from_bits<Number>(in.a), b = from_bits<Number>(in.b), c = from_bits<Number>(in.c);
  keep("__hadd", __hadd(a, b));
  keep("__hsub", __hsub(a, b));
  keep("__hmul", __hmul(a, b));
  keep("__hdiv", __hdiv(a, b));
  keep("__hadd_rn", __hadd_rn(a, b));
  keep("__hsub_rn", __hsub_rn(a, b));
  keep("__hmul_rn", __hmul_rn(a, b));
  keep("__hadd_sat", __hadd_sat(a, b));
  keep("__hsub_sat", __hsub_sat(a, b));
  keep("__hmul_sat", __hmul_sat(a, b));
  keep("__hmax", __hmax(a, b));
  keep("__hmin", __hmin(a, b));
  keep("__hmax_nan", __hmax_nan(a, b));
  keep("__hmin_nan", __hmin_nan(a, b));
  keep("__heq", __heq(a, b));
  keep("__hne", __hne(a, b));
  keep("__hle", __hle(a, b));
  keep("__hge", __hge(a, b));
  keep("__hlt", __hlt(a, b));
  keep("__hgt", __hgt(a, b));
  keep("__hequ", __hequ(a, b));
  keep("__hneu", __hneu(a, b));
  keep("__hleu", __hleu(a, b));
  keep("__hgeu", __hgeu(a, b));
  keep("__hltu", __hltu(a, b));
  keep("__hgtu", __hgtu(a, b));
  keep("__hfma", __hfma(a, b, c));
  keep("__hfma_sat", __hfma_sat(a, b, c));
  keep("__hfma_relu", __hfma_relu(a, b, c));
  keep("a + b", a + b);
  keep("a - b", a - b);
  keep("a * b", a * b);
  keep("a / b", a / b);
  keep("a == b", a == b);
  keep("a != b", a != b);
  keep("a < b", a < b);
  keep("a > b", a > b);
  keep("a <= b", a <= b);
  keep("a >= b", a >= b);
}

/// Functions of two and three pairs of numbers.
template <class Number>
__device__ void call_pairs(const Operands& in, Sink& keep) {
  const auto u = pair<Number>(in.a, in.c), v = pair<Number>(in.b, in.a),
             w = pair<Number>(in.c, in.b);
  keep("__hadd2", __hadd2(u, v));
  keep("__hsub2", __hsub2(u, v));
  keep("__hmul2", __hmul2(u, v));
  keep("__h2div", __h2div(u, v));
  keep("__hadd2_rn", __hadd2_rn(u, v));
  keep("__hsub2_rn", __hsub2_rn(u, v));
  keep("__hmul2_rn", __hmul2_rn(u, v));
  keep("__hadd2_sat", __hadd2_sat(u, v));
  keep("__hsub2_sat", __hsub2_sat(u, v));
  keep("__hmul2_sat", __hmul2_sat(u, v));
  keep("__hmax2", __hmax2(u, v));
  keep("__hmin2", __hmin2(u, v));
  keep("__hmax2_nan", __hmax2_nan(u, v));
  keep("__hmin2_nan", __hmin2_nan(u, v));
  keep("__heq2", __heq2(u, v));
  keep("__hne2", __hne2(u, v));
  keep("__hle2", __hle2(u, v));
  keep("__hge2", __hge2(u, v));
  keep("__hlt2", __hlt2(u, v));
  keep("__hgt2", __hgt2(u, v));
  keep("__hequ2", __hequ2(u, v));
  keep("__hneu2", __hneu2(u, v));
  keep("__hleu2", __hleu2(u, v));
  keep("__hgeu2", __hgeu2(u, v));
  keep("__hltu2", __hltu2(u, v));
  keep("__hgtu2", __hgtu2(u, v));
  keep("__heq2_mask", __heq2_mask(u, v));
  keep("__hne2_mask", __hne2_mask(u, v));
  keep("__hle2_mask", __hle2_mask(u, v));
  keep("__hge2_mask", __hge2_mask(u, v));
  keep("__hlt2_mask", __hlt2_mask(u, v));
  keep("__hgt2_mask", __hgt2_mask(u, v));
  keep("__hequ2_mask", __hequ2_mask(u, v));
  keep("__hneu2_mask", __hneu2_mask(u, v));
  keep("__hleu2_mask", __hleu2_mask(u, v));
  keep("__hgeu2_mask", __hgeu2_mask(u, v));
  keep("__hltu2_mask", __hltu2_mask(u, v));
  keep("__hgtu2_mask", __hgtu2_mask(u, v));
  keep("__hbeq2", __hbeq2(u, v));
  keep("__hbne2", __hbne2(u, v));
  keep("__hble2", __hble2(u, v));
  keep("__hbge2", __hbge2(u, v));
  keep("__hblt2", __hblt2(u, v));
  keep("__hbgt2", __hbgt2(u, v));
  keep("__hbequ2", __hbequ2(u, v));
  keep("__hbneu2", __hbneu2(u, v));
  keep("__hbleu2", __hbleu2(u, v));
  keep("__hbgeu2", __hbgeu2(u, v));
  keep("__hbltu2", __hbltu2(u, v));
  keep("__hbgtu2", __hbgtu2(u, v));
  keep("__hfma2", __hfma2(u, v, w));
  keep("__hfma2_sat", __hfma2_sat(u, v, w));
  keep("__hfma2_relu", __hfma2_relu(u, v, w));
  keep("__hcmadd", __hcmadd(u, v, w));
  keep("u + v", u + v);
  keep("u - v", u - v);
  keep("u * v", u * v);
  keep("u / v", u / v);
  keep("u == v", u == v);
  keep("u != v", u != v);
  keep("u < v", u < v);
  keep("u > v", u > v);
  keep("u <= v", u <= v);
  keep("u >= v", u >= v);
}

/// Conversions between a half and other types.
__device__ void convert(__half x, const Operands& in, Sink& keep) {
  const float f = in.real;
  const double d = in.wide;
  const long long i = in.integer;
  keep("__half2float", __half2float(x));
  keep("__half2int_rn", __half2int_rn(x));
  keep("__half2int_rz", __half2int_rz(x));
  keep("__half2int_rd", __half2int_rd(x));
  keep("__half2int_ru", __half2int_ru(x));
  keep("__half2uint_rn", __half2uint_rn(x));
  keep("__half2uint_rz", __half2uint_rz(x));
  keep("__half2uint_rd", __half2uint_rd(x));
  keep("__half2uint_ru", __half2uint_ru(x));
  keep("__half2short_rn", __half2short_rn(x));
  keep("__half2short_rz", __half2short_rz(x));
  keep("__half2short_rd", __half2short_rd(x));
  keep("__half2short_ru", __half2short_ru(x));
  keep("__half2ushort_rn", __half2ushort_rn(x));
  keep("__half2ushort_rz", __half2ushort_rz(x));
  keep("__half2ushort_rd", __half2ushort_rd(x));
  keep("__half2ushort_ru", __half2ushort_ru(x));
  keep("__half2ll_rn", __half2ll_rn(x));
  keep("__half2ll_rz", __half2ll_rz(x));
  keep("__half2ll_rd", __half2ll_rd(x));
  keep("__half2ll_ru", __half2ll_ru(x));
  keep("__half2ull_rn", __half2ull_rn(x));
  keep("__half2ull_rz", __half2ull_rz(x));
  keep("__half2ull_rd", __half2ull_rd(x));
  keep("__half2ull_ru", __half2ull_ru(x));
  keep("__half2char_rz", __half2char_rz(x));
  keep("__half2uchar_rz", __half2uchar_rz(x));
  keep("__float2half", __float2half(f));
  keep("__float2half_rn", __float2half_rn(f));
  keep("__float2half_rz", __float2half_rz(f));
  keep("__float2half_rd", __float2half_rd(f));
  keep("__float2half_ru", __float2half_ru(f));
  keep("__double2half", __double2half(d));
  keep("__int2half_rn", __int2half_rn(static_cast<int>(i)));
  keep("__int2half_rz", __int2half_rz(static_cast<int>(i)));
  keep("__int2half_rd", __int2half_rd(static_cast<int>(i)));
  keep("__int2half_ru", __int2half_ru(static_cast<int>(i)));
  keep("__uint2half_rn", __uint2half_rn(static_cast<unsigned>(i)));
  keep("__uint2half_rz", __uint2half_rz(static_cast<unsigned>(i)));
  keep("__uint2half_rd", __uint2half_rd(static_cast<unsigned>(i)));
  keep("__uint2half_ru", __uint2half_ru(static_cast<unsigned>(i)));
  keep("__short2half_rn", __short2half_rn(static_cast<short>(i)));
  keep("__short2half_rz", __short2half_rz(static_cast<short>(i)));
  keep("__short2half_rd", __short2half_rd(static_cast<short>(i)));
  keep("__short2half_ru", __short2half_ru(static_cast<short>(i)));
  keep("__ushort2half_rn", __ushort2half_rn(static_cast<unsigned short>(i)));
  keep("__ushort2half_rz", __ushort2half_rz(static_cast<unsigned short>(i)));
  keep("__ushort2half_rd", __ushort2half_rd(static_cast<unsigned short>(i)));
  keep("__ushort2half_ru", __ushort2half_ru(static_cast<unsigned short>(i)));
  keep("__ll2half_rn", __ll2half_rn(static_cast<long long>(i)));
  keep("__ll2half_rz", __ll2half_rz(static_cast<long long>(i)));
  keep("__ll2half_rd", __ll2half_rd(static_cast<long long>(i)));
  keep("__ll2half_ru", __ll2half_ru(static_cast<long long>(i)));
  keep("__ull2half_rn", __ull2half_rn(static_cast<unsigned long long>(i)));
  keep("__ull2half_rz", __ull2half_rz(static_cast<unsigned long long>(i)));
  keep("__ull2half_rd", __ull2half_rd(static_cast<unsigned long long>(i)));
  keep("__ull2half_ru", __ull2half_ru(static_cast<unsigned long long>(i)));
  keep("__half(float)", __half(f));
  keep("__half(double)", __half(d));
  keep("__half(short)", __half(static_cast<short>(i)));
  keep("__half(unsigned short)", __half(static_cast<unsigned short>(i)));
  keep("__half(int)", __half(static_cast<int>(i)));
  keep("__half(unsigned)", __half(static_cast<unsigned>(i)));
  keep("__half(long)", __half(static_cast<long>(i)));
  keep("__half(unsigned long)", __half(static_cast<unsigned long>(i)));
  keep("__half(long long)", __half(static_cast<long long>(i)));
  keep("__half(unsigned long long)", __half(static_cast<unsigned long long>(i)));
  keep("__floats2half2_rn", __floats2half2_rn(f, -f));
  keep("__float22half2_rn", __float22half2_rn(make_float2(f, f + 1)));
  keep("__half(bfloat16)", __half(from_bits<__nv_bfloat16>(in.x)));
}

/// Conversions between a bfloat16 and other types.
__device__ void convert(__nv_bfloat16 x, const Operands& in, Sink& keep) {
  const float f = in.real;
  const double d = in.wide;
  const long long i = in.integer;
  keep("__bfloat162float", __bfloat162float(x));
  keep("__bfloat162int_rn", __bfloat162int_rn(x));
  keep("__bfloat162int_rz", __bfloat162int_rz(x));
  keep("__bfloat162int_rd", __bfloat162int_rd(x));
  keep("__bfloat162int_ru", __bfloat162int_ru(x));
  keep("__bfloat162uint_rn", __bfloat162uint_rn(x));
  keep("__bfloat162uint_rz", __bfloat162uint_rz(x));
  keep("__bfloat162uint_rd", __bfloat162uint_rd(x));
  keep("__bfloat162uint_ru", __bfloat162uint_ru(x));
  keep("__bfloat162short_rn", __bfloat162short_rn(x));
  keep("__bfloat162short_rz", __bfloat162short_rz(x));
  keep("__bfloat162short_rd", __bfloat162short_rd(x));
  keep("__bfloat162short_ru", __bfloat162short_ru(x));
  keep("__bfloat162ushort_rn", __bfloat162ushort_rn(x));
  keep("__bfloat162ushort_rz", __bfloat162ushort_rz(x));
  keep("__bfloat162ushort_rd", __bfloat162ushort_rd(x));
  keep("__bfloat162ushort_ru", __bfloat162ushort_ru(x));
  keep("__bfloat162ll_rn", __bfloat162ll_rn(x));
  keep("__bfloat162ll_rz", __bfloat162ll_rz(x));
  keep("__bfloat162ll_rd", __bfloat162ll_rd(x));
  keep("__bfloat162ll_ru", __bfloat162ll_ru(x));
  keep("__bfloat162ull_rn", __bfloat162ull_rn(x));
  keep("__bfloat162ull_rz", __bfloat162ull_rz(x));
  keep("__bfloat162ull_rd", __bfloat162ull_rd(x));
  keep("__bfloat162ull_ru", __bfloat162ull_ru(x));
  keep("__bfloat162char_rz", __bfloat162char_rz(x));
  keep("__bfloat162uchar_rz", __bfloat162uchar_rz(x));
  keep("__float2bfloat16", __float2bfloat16(f));
  keep("__float2bfloat16_rn", __float2bfloat16_rn(f));
  keep("__float2bfloat16_rz", __float2bfloat16_rz(f));
  keep("__float2bfloat16_rd", __float2bfloat16_rd(f));
  keep("__float2bfloat16_ru", __float2bfloat16_ru(f));
  keep("__double2bfloat16", __double2bfloat16(d));
  keep("__int2bfloat16_rn", __int2bfloat16_rn(static_cast<int>(i)));
  keep("__int2bfloat16_rz", __int2bfloat16_rz(static_cast<int>(i)));
  keep("__int2bfloat16_rd", __int2bfloat16_rd(static_cast<int>(i)));
  keep("__int2bfloat16_ru", __int2bfloat16_ru(static_cast<int>(i)));
  keep("__uint2bfloat16_rn", __uint2bfloat16_rn(static_cast<unsigned>(i)));
  keep("__uint2bfloat16_rz", __uint2bfloat16_rz(static_cast<unsigned>(i)));
  keep("__uint2bfloat16_rd", __uint2bfloat16_rd(static_cast<unsigned>(i)));
  keep("__uint2bfloat16_ru", __uint2bfloat16_ru(static_cast<unsigned>(i)));
  keep("__short2bfloat16_rn", __short2bfloat16_rn(static_cast<short>(i)));
  keep("__short2bfloat16_rz", __short2bfloat16_rz(static_cast<short>(i)));
  keep("__short2bfloat16_rd", __short2bfloat16_rd(static_cast<short>(i)));
  keep("__short2bfloat16_ru", __short2bfloat16_ru(static_cast<short>(i)));
  keep("__ushort2bfloat16_rn", __ushort2bfloat16_rn(static_cast<unsigned short>(i)));
  keep("__ushort2bfloat16_rz", __ushort2bfloat16_rz(static_cast<unsigned short>(i)));
  keep("__ushort2bfloat16_rd", __ushort2bfloat16_rd(static_cast<unsigned short>(i)));
  keep("__ushort2bfloat16_ru", __ushort2bfloat16_ru(static_cast<unsigned short>(i)));
  keep("__ll2bfloat16_rn", __ll2bfloat16_rn(static_cast<long long>(i)));
  keep("__ll2bfloat16_rz", __ll2bfloat16_rz(static_cast<long long>(i)));
  keep("__ll2bfloat16_rd", __ll2bfloat16_rd(static_cast<long long>(i)));
  keep("__ll2bfloat16_ru", __ll2bfloat16_ru(static_cast<long long>(i)));
  keep("__ull2bfloat16_rn", __ull2bfloat16_rn(static_cast<unsigned long long>(i)));
  keep("__ull2bfloat16_rz", __ull2bfloat16_rz(static_cast<unsigned long long>(i)));
  keep("__ull2bfloat16_rd", __ull2bfloat16_rd(static_cast<unsigned long long>(i)));
  keep("__ull2bfloat16_ru", __ull2bfloat16_ru(static_cast<unsigned long long>(i)));
  keep("__nv_bfloat16(float)", __nv_bfloat16(f));
  keep("__nv_bfloat16(double)", __nv_bfloat16(d));
  keep("__nv_bfloat16(short)", __nv_bfloat16(static_cast<short>(i)));
  keep("__nv_bfloat16(unsigned short)", __nv_bfloat16(static_cast<unsigned short>(i)));
  keep("__nv_bfloat16(int)", __nv_bfloat16(static_cast<int>(i)));
  keep("__nv_bfloat16(unsigned)", __nv_bfloat16(static_cast<unsigned>(i)));
  keep("__nv_bfloat16(long)", __nv_bfloat16(static_cast<long>(i)));
  keep("__nv_bfloat16(unsigned long)", __nv_bfloat16(static_cast<unsigned long>(i)));
  keep("__nv_bfloat16(long long)", __nv_bfloat16(static_cast<long long>(i)));
  keep("__nv_bfloat16(unsigned long long)", __nv_bfloat16(static_cast<unsigned long long>(i)));
  keep("__floats2bfloat162_rn", __floats2bfloat162_rn(f, -f));
  keep("__float22bfloat162_rn", __float22bfloat162_rn(make_float2(f, f + 1)));
  keep("__nv_bfloat16(half)", __nv_bfloat16(from_bits<__half>(in.x)));
}

/// Returns -value; NaN is unchanged, because its sign depends on the machine.
__device__ inline double negative(double value) { return value == value ? -value : value; }

/// What a type of 8 bits or less becomes, and what becomes of it. `kOne` has the bits that one
/// number may have, and `kAll` those of several.
template <class Eight, class EightPair, class EightFour, unsigned kOne = 0xff, unsigned kAll = ~0u>
__device__ void convert_eight(const Operands& in, Sink& keep) {
  const auto h = from_bits<__half>(in.x);
  const auto n = from_bits<__nv_bfloat16>(in.x);
  const float f = in.real;
  const double d = in.wide;
  const long long i = in.integer;
  keep("eight(half)", Eight(h));
  keep("eight(bfloat16)", Eight(n));
  keep("eight(float)", Eight(f));
  keep("eight(double)", Eight(d));
  keep("eight(short)", Eight(static_cast<short>(i)));
  keep("eight(unsigned short)", Eight(static_cast<unsigned short>(i)));
  keep("eight(int)", Eight(static_cast<int>(i)));
  keep("eight(unsigned)", Eight(static_cast<unsigned>(i)));
  keep("eight(long)", Eight(static_cast<long>(i)));
  keep("eight(unsigned long)", Eight(static_cast<unsigned long>(i)));
  keep("eight(long long)", Eight(static_cast<long long>(i)));
  keep("eight(unsigned long long)", Eight(static_cast<unsigned long long>(i)));
  keep("two(half2)", EightPair(__half2(h, -h)));
  keep("two(bfloat162)", EightPair(__nv_bfloat162(n, -n)));
  keep("two(float2)", EightPair(make_float2(f, -f)));
  keep("two(double2)", EightPair(make_double2(d, negative(d))));
  keep("four(half2, half2)", EightFour(__half2(h, -h), __half2(-h, h)));
  keep("four(bfloat162, bfloat162)", EightFour(__nv_bfloat162(n, -n), __nv_bfloat162(-n, n)));
  keep("four(float4)", EightFour(make_float4(f, -f, f + 1, 1 - f)));

  Eight eight;
  eight.__x = static_cast<__nv_fp8_storage_t>(in.x & kOne);
  keep("half(eight)", static_cast<__half>(eight));
  keep("bfloat16(eight)", static_cast<__nv_bfloat16>(eight));
  keep("float(eight)", static_cast<float>(eight));
  keep("double(eight)", static_cast<double>(eight));
  keep("signed char(eight)", static_cast<signed char>(eight));
  keep("unsigned char(eight)", static_cast<unsigned char>(eight));
  keep("char(eight)", static_cast<char>(eight));
  keep("short(eight)", static_cast<short>(eight));
  keep("unsigned short(eight)", static_cast<unsigned short>(eight));
  keep("int(eight)", static_cast<int>(eight));
  keep("unsigned(eight)", static_cast<unsigned>(eight));
  keep("long(eight)", static_cast<long>(eight));
  keep("unsigned long(eight)", static_cast<unsigned long>(eight));
  keep("long long(eight)", static_cast<long long>(eight));
  keep("unsigned long long(eight)", static_cast<unsigned long long>(eight));
  keep("bool(eight)", static_cast<bool>(eight));
  EightPair two;
  two.__x = static_cast<decltype(two.__x)>(in.x & kAll);
  keep("half2(two)", static_cast<__half2>(two));
  keep("float2(two)", static_cast<float2>(two));
  EightFour four;
  four.__x = static_cast<decltype(four.__x)>(in.x * 0x10001u & kAll);
  const float4 all = static_cast<float4>(four);
  keep("float4(four).x", all.x);
  keep("float4(four).w", all.w);
}

/// Conversions to and from 8-bit types by functions.
__device__ void convert_storage(const Operands& in, Sink& keep) {
  const __half_raw h = from_bits<__half>(in.x);
  const __nv_bfloat16_raw n = from_bits<__nv_bfloat16>(in.x);
  const __half2_raw h2 = pair<__half>(in.x, in.a);
  const __nv_bfloat162_raw n2 = pair<__nv_bfloat16>(in.x, in.a);
  const float2 f2 = make_float2(in.real, -in.real);
  const double2 d2 = make_double2(in.wide, negative(in.wide));
  const auto eight = static_cast<__nv_fp8_storage_t>(in.x);
  keep("__nv_cvt_halfraw_to_fp8 e4m3 nosat", __nv_cvt_halfraw_to_fp8(h, __NV_NOSAT, __NV_E4M3));
  keep("__nv_cvt_halfraw_to_fp8 e4m3 satfinite",
       __nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, __NV_E4M3));
  keep("__nv_cvt_halfraw_to_fp8 e5m2 nosat", __nv_cvt_halfraw_to_fp8(h, __NV_NOSAT, __NV_E5M2));
  keep("__nv_cvt_halfraw_to_fp8 e5m2 satfinite",
       __nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, __NV_E5M2));
  keep("__nv_cvt_bfloat16raw_to_fp8 e4m3 nosat",
       __nv_cvt_bfloat16raw_to_fp8(n, __NV_NOSAT, __NV_E4M3));
  keep("__nv_cvt_bfloat16raw_to_fp8 e4m3 satfinite",
       __nv_cvt_bfloat16raw_to_fp8(n, __NV_SATFINITE, __NV_E4M3));
  keep("__nv_cvt_bfloat16raw_to_fp8 e5m2 nosat",
       __nv_cvt_bfloat16raw_to_fp8(n, __NV_NOSAT, __NV_E5M2));
  keep("__nv_cvt_bfloat16raw_to_fp8 e5m2 satfinite",
       __nv_cvt_bfloat16raw_to_fp8(n, __NV_SATFINITE, __NV_E5M2));
  keep("__nv_cvt_float_to_fp8 e4m3 nosat", __nv_cvt_float_to_fp8(in.real, __NV_NOSAT, __NV_E4M3));
  keep("__nv_cvt_float_to_fp8 e4m3 satfinite",
       __nv_cvt_float_to_fp8(in.real, __NV_SATFINITE, __NV_E4M3));
  keep("__nv_cvt_float_to_fp8 e5m2 nosat", __nv_cvt_float_to_fp8(in.real, __NV_NOSAT, __NV_E5M2));
  keep("__nv_cvt_float_to_fp8 e5m2 satfinite",
       __nv_cvt_float_to_fp8(in.real, __NV_SATFINITE, __NV_E5M2));
  keep("__nv_cvt_double_to_fp8 e4m3 nosat", __nv_cvt_double_to_fp8(in.wide, __NV_NOSAT, __NV_E4M3));
  keep("__nv_cvt_double_to_fp8 e4m3 satfinite",
       __nv_cvt_double_to_fp8(in.wide, __NV_SATFINITE, __NV_E4M3));
  keep("__nv_cvt_double_to_fp8 e5m2 nosat", __nv_cvt_double_to_fp8(in.wide, __NV_NOSAT, __NV_E5M2));
  keep("__nv_cvt_double_to_fp8 e5m2 satfinite",
       __nv_cvt_double_to_fp8(in.wide, __NV_SATFINITE, __NV_E5M2));
  keep("__nv_cvt_halfraw2_to_fp8x2 e4m3 nosat",
       __nv_cvt_halfraw2_to_fp8x2(h2, __NV_NOSAT, __NV_E4M3));
  keep("__nv_cvt_halfraw2_to_fp8x2 e4m3 satfinite",
       __nv_cvt_halfraw2_to_fp8x2(h2, __NV_SATFINITE, __NV_E4M3));
  keep("__nv_cvt_halfraw2_to_fp8x2 e5m2 nosat",
       __nv_cvt_halfraw2_to_fp8x2(h2, __NV_NOSAT, __NV_E5M2));
  keep("__nv_cvt_halfraw2_to_fp8x2 e5m2 satfinite",
       __nv_cvt_halfraw2_to_fp8x2(h2, __NV_SATFINITE, __NV_E5M2));
  keep("__nv_cvt_bfloat16raw2_to_fp8x2 e4m3 nosat",
       __nv_cvt_bfloat16raw2_to_fp8x2(n2, __NV_NOSAT, __NV_E4M3));
  keep("__nv_cvt_bfloat16raw2_to_fp8x2 e4m3 satfinite",
       __nv_cvt_bfloat16raw2_to_fp8x2(n2, __NV_SATFINITE, __NV_E4M3));
  keep("__nv_cvt_bfloat16raw2_to_fp8x2 e5m2 nosat",
       __nv_cvt_bfloat16raw2_to_fp8x2(n2, __NV_NOSAT, __NV_E5M2));
  keep("__nv_cvt_bfloat16raw2_to_fp8x2 e5m2 satfinite",
       __nv_cvt_bfloat16raw2_to_fp8x2(n2, __NV_SATFINITE, __NV_E5M2));
  keep("__nv_cvt_float2_to_fp8x2 e4m3 nosat", __nv_cvt_float2_to_fp8x2(f2, __NV_NOSAT, __NV_E4M3));
  keep("__nv_cvt_float2_to_fp8x2 e4m3 satfinite",
       __nv_cvt_float2_to_fp8x2(f2, __NV_SATFINITE, __NV_E4M3));
  keep("__nv_cvt_float2_to_fp8x2 e5m2 nosat", __nv_cvt_float2_to_fp8x2(f2, __NV_NOSAT, __NV_E5M2));
  keep("__nv_cvt_float2_to_fp8x2 e5m2 satfinite",
       __nv_cvt_float2_to_fp8x2(f2, __NV_SATFINITE, __NV_E5M2));
  keep("__nv_cvt_double2_to_fp8x2 e4m3 nosat",
       __nv_cvt_double2_to_fp8x2(d2, __NV_NOSAT, __NV_E4M3));
  keep("__nv_cvt_double2_to_fp8x2 e4m3 satfinite",
       __nv_cvt_double2_to_fp8x2(d2, __NV_SATFINITE, __NV_E4M3));
  keep("__nv_cvt_double2_to_fp8x2 e5m2 nosat",
       __nv_cvt_double2_to_fp8x2(d2, __NV_NOSAT, __NV_E5M2));
  keep("__nv_cvt_double2_to_fp8x2 e5m2 satfinite",
       __nv_cvt_double2_to_fp8x2(d2, __NV_SATFINITE, __NV_E5M2));
  keep("__nv_cvt_fp8_to_halfraw e4m3", __nv_cvt_fp8_to_halfraw(eight, __NV_E4M3));
  keep("__nv_cvt_fp8x2_to_halfraw2 e4m3", __nv_cvt_fp8x2_to_halfraw2(in.x, __NV_E4M3));
  keep("__nv_cvt_fp8_to_halfraw e5m2", __nv_cvt_fp8_to_halfraw(eight, __NV_E5M2));
  keep("__nv_cvt_fp8x2_to_halfraw2 e5m2", __nv_cvt_fp8x2_to_halfraw2(in.x, __NV_E5M2));
}

/// Conversions to and from one kind of 6 or 4 bits by their functions.
template <bool has_six, class Kind>
__device__ void convert_small(const Operands& in, Kind kind, Sink& keep) {
  const __half_raw h = from_bits<__half>(in.x);
  const __nv_bfloat16_raw n = from_bits<__nv_bfloat16>(in.x);
  const __half2_raw h2 = pair<__half>(in.x, in.a);
  const __nv_bfloat162_raw n2 = pair<__nv_bfloat16>(in.x, in.a);
  const float2 f2 = make_float2(in.real, -in.real);
  const double2 d2 = make_double2(in.wide, negative(in.wide));
  for (const cudaRoundMode rounding : {cudaRoundNearest, cudaRoundZero}) {
    if constexpr (has_six) {
      keep("halfraw", __nv_cvt_halfraw_to_fp6(h, kind, rounding));
      keep("bfloat16raw", __nv_cvt_bfloat16raw_to_fp6(n, kind, rounding));
      keep("float", __nv_cvt_float_to_fp6(in.real, kind, rounding));
      keep("double", __nv_cvt_double_to_fp6(in.wide, kind, rounding));
      keep("halfraw2", __nv_cvt_halfraw2_to_fp6x2(h2, kind, rounding));
      keep("bfloat16raw2", __nv_cvt_bfloat16raw2_to_fp6x2(n2, kind, rounding));
      keep("float2", __nv_cvt_float2_to_fp6x2(f2, kind, rounding));
      keep("double2", __nv_cvt_double2_to_fp6x2(d2, kind, rounding));
    } else {
      keep("halfraw", __nv_cvt_halfraw_to_fp4(h, kind, rounding));
      keep("bfloat16raw", __nv_cvt_bfloat16raw_to_fp4(n, kind, rounding));
      keep("float", __nv_cvt_float_to_fp4(in.real, kind, rounding));
      keep("double", __nv_cvt_double_to_fp4(in.wide, kind, rounding));
      keep("halfraw2", __nv_cvt_halfraw2_to_fp4x2(h2, kind, rounding));
      keep("bfloat16raw2", __nv_cvt_bfloat16raw2_to_fp4x2(n2, kind, rounding));
      keep("float2", __nv_cvt_float2_to_fp4x2(f2, kind, rounding));
      keep("double2", __nv_cvt_double2_to_fp4x2(d2, kind, rounding));
    }
  }
  if constexpr (has_six) {
    keep("to halfraw", __nv_cvt_fp6_to_halfraw(static_cast<__nv_fp6_storage_t>(in.x & 0x3f), kind));
    keep("to halfraw2", __nv_cvt_fp6x2_to_halfraw2(in.x & 0x3f3f, kind));
  } else {
    keep("to halfraw", __nv_cvt_fp4_to_halfraw(static_cast<__nv_fp4_storage_t>(in.x & 0xf), kind));
    keep("to halfraw2",
         __nv_cvt_fp4x2_to_halfraw2(static_cast<__nv_fp4x2_storage_t>(in.x & 0xff), kind));
  }
}

/// Conversions to and from scales by their functions.
__device__ void convert_scales(const Operands& in, Sink& keep) {
  const __nv_bfloat16_raw n = from_bits<__nv_bfloat16>(in.x);
  const __nv_bfloat162_raw n2 = pair<__nv_bfloat16>(in.x, in.a);
  const float2 f2 = make_float2(in.real, -in.real);
  const double2 d2 = make_double2(in.wide, negative(in.wide));
  for (const cudaRoundMode rounding : {cudaRoundZero, cudaRoundPosInf})
    for (const __nv_saturation_t saturate : {__NV_NOSAT, __NV_SATFINITE}) {
      keep("bfloat16raw", __nv_cvt_bfloat16raw_to_e8m0(n, saturate, rounding));
      keep("float", __nv_cvt_float_to_e8m0(in.real, saturate, rounding));
      keep("double", __nv_cvt_double_to_e8m0(in.wide, saturate, rounding));
      keep("bfloat162raw", __nv_cvt_bfloat162raw_to_e8m0x2(n2, saturate, rounding));
      keep("float2", __nv_cvt_float2_to_e8m0x2(f2, saturate, rounding));
      keep("double2", __nv_cvt_double2_to_e8m0x2(d2, saturate, rounding));
    }
  keep("to bf16raw", __nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(in.x)));
  keep("to bf162raw", __nv_cvt_e8m0x2_to_bf162raw(in.x));
}

/// The groups of functions; each is one launch.
enum class Group : std::uint8_t {
  unary_half,
  unary_bfloat16,
  binary_half,
  binary_bfloat16,
  pairs_half,
  pairs_bfloat16,
  convert_half,
  convert_bfloat16,
  e4m3,
  e5m2,
  storage,
  e2m3,
  e3m2,
  e2m1,
  e8m0,
  storage_e2m3,
  storage_e3m2,
  storage_e2m1,
  storage_e8m0,
  count
};
constexpr const char* kGroupNames[] = {"half",
                                       "bfloat16",
                                       "half, two numbers",
                                       "bfloat16, two numbers",
                                       "half2",
                                       "bfloat162",
                                       "half, conversions",
                                       "bfloat16, conversions",
                                       "e4m3",
                                       "e5m2",
                                       "8 bits, functions",
                                       "e2m3",
                                       "e3m2",
                                       "e2m1",
                                       "e8m0",
                                       "e2m3, functions",
                                       "e3m2, functions",
                                       "e2m1, functions",
                                       "e8m0, functions"};

template <Group group>
__global__ void call_all(int threads, const Operands* operands, std::uint64_t* bits, Name* names,
                         int* count) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (thread >= threads) return;
  const Operands in = operands[thread];
  Sink keep(bits, names, count, thread, threads);
  if constexpr (group == Group::unary_half) call_unary<__half>(in, keep);
  if constexpr (group == Group::unary_bfloat16) call_unary<__nv_bfloat16>(in, keep);
  if constexpr (group == Group::binary_half) call_binary<__half>(in, keep);
  if constexpr (group == Group::binary_bfloat16) call_binary<__nv_bfloat16>(in, keep);
  if constexpr (group == Group::pairs_half) call_pairs<__half>(in, keep);
  if constexpr (group == Group::pairs_bfloat16) call_pairs<__nv_bfloat16>(in, keep);
  if constexpr (group == Group::convert_half) convert(from_bits<__half>(in.x), in, keep);
  if constexpr (group == Group::convert_bfloat16) convert(from_bits<__nv_bfloat16>(in.x), in, keep);
  if constexpr (group == Group::e4m3)
    convert_eight<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(in, keep);
  if constexpr (group == Group::e5m2)
    convert_eight<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(in, keep);
  if constexpr (group == Group::storage) convert_storage(in, keep);
  if constexpr (group == Group::e2m3)
    convert_eight<__nv_fp6_e2m3, __nv_fp6x2_e2m3, __nv_fp6x4_e2m3, 0x3f, 0x3f3f3f3f>(in, keep);
  if constexpr (group == Group::e3m2)
    convert_eight<__nv_fp6_e3m2, __nv_fp6x2_e3m2, __nv_fp6x4_e3m2, 0x3f, 0x3f3f3f3f>(in, keep);
  if constexpr (group == Group::e2m1)
    convert_eight<__nv_fp4_e2m1, __nv_fp4x2_e2m1, __nv_fp4x4_e2m1, 0xf>(in, keep);
  if constexpr (group == Group::e8m0)
    convert_eight<__nv_fp8_e8m0, __nv_fp8x2_e8m0, __nv_fp8x4_e8m0>(in, keep);
  if constexpr (group == Group::storage_e2m3) convert_small<true>(in, __NV_E2M3, keep);
  if constexpr (group == Group::storage_e3m2) convert_small<true>(in, __NV_E3M2, keep);
  if constexpr (group == Group::storage_e2m1) convert_small<false>(in, __NV_E2M1, keep);
  if constexpr (group == Group::storage_e8m0) convert_scales(in, keep);
}

}  // namespace narrow
