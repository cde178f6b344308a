// Tests that the vector types have the sizes, alignments and members of CUDA's.
#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <iterator>
#include <string>
#include <type_traits>

#include "vector_functions.h"
#include "vector_types.h"

namespace {

struct Layout {
  const char* name;
  std::size_t bytes, alignment;
  std::size_t expected_bytes, expected_alignment;
};

template <class T>
constexpr Layout layout(const char* name, std::size_t bytes, std::size_t alignment) {
  return {name, sizeof(T), alignof(T), bytes, alignment};
}

// The layouts in CUDA 13.0's headers on Linux.
constexpr Layout kLayouts[] = {
    layout<char1>("char1", 1, 1),
    layout<char2>("char2", 2, 2),
    layout<char3>("char3", 3, 1),
    layout<char4>("char4", 4, 4),
    layout<uchar1>("uchar1", 1, 1),
    layout<uchar2>("uchar2", 2, 2),
    layout<uchar3>("uchar3", 3, 1),
    layout<uchar4>("uchar4", 4, 4),
    layout<short1>("short1", 2, 2),
    layout<short2>("short2", 4, 4),
    layout<short3>("short3", 6, 2),
    layout<short4>("short4", 8, 8),
    layout<ushort1>("ushort1", 2, 2),
    layout<ushort2>("ushort2", 4, 4),
    layout<ushort3>("ushort3", 6, 2),
    layout<ushort4>("ushort4", 8, 8),
    layout<int1>("int1", 4, 4),
    layout<int2>("int2", 8, 8),
    layout<int3>("int3", 12, 4),
    layout<int4>("int4", 16, 16),
    layout<uint1>("uint1", 4, 4),
    layout<uint2>("uint2", 8, 8),
    layout<uint3>("uint3", 12, 4),
    layout<uint4>("uint4", 16, 16),
    layout<float1>("float1", 4, 4),
    layout<float2>("float2", 8, 8),
    layout<float3>("float3", 12, 4),
    layout<float4>("float4", 16, 16),
    layout<long1>("long1", 8, 8),
    layout<long2>("long2", 16, 16),
    layout<long3>("long3", 24, 8),
    layout<long4>("long4", 32, 16),
    layout<long4_16a>("long4_16a", 32, 16),
    layout<long4_32a>("long4_32a", 32, 32),
    layout<ulong1>("ulong1", 8, 8),
    layout<ulong2>("ulong2", 16, 16),
    layout<ulong3>("ulong3", 24, 8),
    layout<ulong4>("ulong4", 32, 16),
    layout<ulong4_16a>("ulong4_16a", 32, 16),
    layout<ulong4_32a>("ulong4_32a", 32, 32),
    layout<longlong1>("longlong1", 8, 8),
    layout<longlong2>("longlong2", 16, 16),
    layout<longlong3>("longlong3", 24, 8),
    layout<longlong4>("longlong4", 32, 16),
    layout<longlong4_16a>("longlong4_16a", 32, 16),
    layout<longlong4_32a>("longlong4_32a", 32, 32),
    layout<ulonglong1>("ulonglong1", 8, 8),
    layout<ulonglong2>("ulonglong2", 16, 16),
    layout<ulonglong3>("ulonglong3", 24, 8),
    layout<ulonglong4>("ulonglong4", 32, 16),
    layout<ulonglong4_16a>("ulonglong4_16a", 32, 16),
    layout<ulonglong4_32a>("ulonglong4_32a", 32, 32),
    layout<double1>("double1", 8, 8),
    layout<double2>("double2", 16, 16),
    layout<double3>("double3", 24, 8),
    layout<double4>("double4", 32, 16),
    layout<double4_16a>("double4_16a", 32, 16),
    layout<double4_32a>("double4_32a", 32, 32),
    layout<dim3>("dim3", 12, 4),
};

template <class T>
constexpr bool behaves_like_a_c_struct =
    std::is_trivially_copyable_v<T>&& std::is_trivially_default_constructible_v<T>&&
        std::is_trivially_destructible_v<T>&& std::is_standard_layout_v<T>&& std::is_aggregate_v<T>;

template <class... Types>
constexpr bool all_behave = (behaves_like_a_c_struct<Types> && ...);

static_assert(all_behave<char1, char2, char3, char4, uchar1, uchar2, uchar3, uchar4>);
static_assert(all_behave<short1, short2, short3, short4, ushort1, ushort2, ushort3, ushort4>);
static_assert(all_behave<int1, int2, int3, int4, uint1, uint2, uint3, uint4>);
static_assert(all_behave<long1, long2, long3, long4, ulong1, ulong2, ulong3, ulong4>);
static_assert(all_behave<longlong1, longlong2, longlong3, ulonglong1, ulonglong2, ulonglong3>);
static_assert(all_behave<longlong4, longlong4_16a, longlong4_32a, ulonglong4, ulonglong4_16a>);
static_assert(all_behave<float1, float2, float3, float4, double1, double2, double3, double4>);
static_assert(all_behave<double4_16a, double4_32a, long4_16a, long4_32a, ulong4_32a>);

struct Particle {
  float4 position;
  float2 size;
};
static_assert(behaves_like_a_c_struct<Particle>);

union Components {
  float4 vector;
  float component[4];
};

constexpr float4 swapped(float4 v) {
  float4 result{};
  result = {v.y, v.x, v.w, v.z};
  return result;
}
static_assert(swapped({1, 2, 3, 4}).x == 2 && swapped({1, 2, 3, 4}).z == 4);

}  // namespace

TEST_CASE("sizes and alignments are CUDA's") {
  for (const Layout& one : kLayouts) {
    CAPTURE(one.name);
    CHECK(one.bytes == one.expected_bytes);
    CHECK(one.alignment == one.expected_alignment);
  }
}

TEST_CASE("vectors are initialised like any aggregate") {
  const float4 full{1, 2, 3, 4}, named{.x = 1, .y = 2, .z = 3, .w = 4}, zero{};
  CHECK(full.w == named.w);
  CHECK(zero.z == 0);
  const int2 without_braces[] = {1, 2, 3, 4};
  CHECK(std::size(without_braces) == 2);
  CHECK(without_braces[1].x == 3);
  const auto [x, y] = without_braces[0];
  CHECK(x + y == 3);
}

TEST_CASE("unions, structs and arrays of vectors are copied") {
  Components a{}, b{};
  a.vector = {1, 2, 3, 4};
  b = a;
  CHECK(b.component[2] == 3);
  Components c(b);
  CHECK(c.component[3] == 4);

  Particle p{{1, 2, 3, 4}, {5, 6}};
  Particle q{};
  q = p;
  CHECK(q.size.y == 6);
  q = Particle{{7, 7, 7, 7}, {8, 8}};
  CHECK(q.position.z == 7);
  std::array<double2, 2> pairs{};
  pairs[1] = {1, 2};
  pairs = {{{3, 4}, {5, 6}}};
  CHECK(pairs[1].y == 6);
  CHECK(std::bit_cast<std::array<int, 4>>(int4{1, 2, 3, 4})[3] == 4);
}

TEST_CASE("an assignment yields its left side") {
  float2 a{}, b{};
  CHECK(&(a = float2{1, 2}) == &a);
  b = a = {3, 4};
  CHECK(b.x == 3);
  const float2 constant{5, 6};
  a = constant;
  a = static_cast<const float2&&>(constant);
  CHECK(a.y == 6);
}

TEST_CASE("make functions put each component in its place") {
  const char3 c = make_char3(1, -2, 3);
  CHECK(c.y == -2);
  const uchar4 u = make_uchar4(1, 2, 3, 255);
  CHECK(u.w == 255);
  const ulonglong4_32a wide = make_ulonglong4_32a(1, 2, 3, ~0ull);
  CHECK(wide.w == ~0ull);
  const double3 d = make_double3(1, 2, 3);
  CHECK(d.x * 100 + d.y * 10 + d.z == 123);
  const float4 f = make_float4(1, 2, 3, 4);
  CHECK(f.x * 1000 + f.y * 100 + f.z * 10 + f.w == 1234);
  static_assert(make_int2(3, 4).y == 4);
}

TEST_CASE("dim3 defaults to 1 and converts to and from uint3") {
  constexpr dim3 all_default, one_given = 7, two_given(3, 4);
  CHECK(all_default.x * all_default.y * all_default.z == 1);
  CHECK(one_given.x == 7);
  CHECK(one_given.y == 1);
  CHECK(two_given.z == 1);
  const uint3 indices = two_given;
  const dim3 back = indices;
  CHECK(back.y == 4);
}
