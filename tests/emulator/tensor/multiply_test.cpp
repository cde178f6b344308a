// Tests a tensor core's arithmetic against cases calculated by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <vector>

#include "chapters/11_tensor_cores/exercises/short_sum.hpp"
#include "course/inputs.hpp"
#include "tensor/multiply.hpp"
#include "tensor_cases.hpp"
#include "types.hpp"

namespace {

using emu::tensor::kHopper;
using emu::tensor::Model;
using emu::tensor::Shape;
using emu::tensor::Type;
using emu::tensor::Unit;

constexpr Shape kHalf = {16, 8, 16, Type::f16, Type::f16, Type::f32};
constexpr Shape kHalfToHalf = {16, 8, 16, Type::f16, Type::f16, Type::f16};
constexpr Shape kTf32 = {16, 8, 8, Type::tf32, Type::tf32, Type::f32};
constexpr std::uint32_t kHalfOne = 0x3c00, kHalfInfinity = 0x7c00, kNan = 0x7fffffff;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Returns the bits of 2^exponent as f16, including subnormal numbers.
std::uint32_t half_power(int exponent) {
  return exponent < -14 ? 1u << (exponent + 24) : static_cast<std::uint32_t>(exponent + 15) << 10;
}
std::uint32_t bits(double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); }

struct Product {
  std::uint32_t a, b;
};

/// Returns the bits of c plus the products; the rest of k is zeros.
std::uint32_t sum(const Shape& shape, std::uint32_t c, std::initializer_list<Product> products,
                  const Model& model = kHopper) {
  std::vector<std::uint32_t> a(static_cast<std::size_t>(shape.k)), b = a;
  std::size_t p = 0;
  for (const Product& product : products) {
    a[p] = product.a;
    b[p++] = product.b;
  }
  return emu::tensor::dot(model, shape, a.data(), b.data(), c);
}

}  // namespace

TEST_CASE("exact sums are exact") {
  CHECK(sum(kHalf, bits(0.5), {{0x4000, 0x4200}, {0x3800, 0xbc00}}) == bits(0.5 + 2 * 3 - 0.5));
  CHECK(sum(kTf32, bits(-1), {{bits(1.5), bits(1.25)}}) == bits(0.875));
  CHECK(sum(kHalfToHalf, kHalfOne, {{0x4000, 0x4200}}) == 0x4700);  // 7
}

TEST_CASE("25 bits below the largest exponent are kept, and the rest is cut off") {
  const Product one = {kHalfOne, kHalfOne};
  const Product kept = {half_power(-12), half_power(-13)};     // 2^-25
  const Product cut_off = {half_power(-13), half_power(-13)};  // 2^-26
  CHECK(sum(kHalf, 0, {one, kept, kept, kept, kept}) == bits(1 + 0x1p-23));
  // The result is then rounded towards zero.
  CHECK(sum(kHalf, 0, {one, kept, kept, kept}) == bits(1));
  CHECK(sum(kHalf, 0,
            {one, cut_off, cut_off, cut_off, cut_off, cut_off, cut_off, cut_off, cut_off}) ==
        bits(1));
  CHECK(sum(kHalf, bits(-1), {one, kept}) == bits(0x1p-25));
  CHECK(sum(kHalf, bits(-1), {one, cut_off}) == 0);
  // Bits are cut off towards zero, whatever the sign.
  const Product small = {half_power(-13) | 0x8000, half_power(-13)};
  CHECK(sum(kHalf, bits(-1), {one, small}) == 0);
}

TEST_CASE("a product's exponent is the sum of its factors', not its own") {
  // 1.5 x 1.5 = 2.25 is aligned like a number below 2, so 2^-25 is still kept.
  const Product kept = {half_power(-12), half_power(-13)};
  CHECK(sum(kHalf, bits(-2.25), {{0x3e00, 0x3e00}, kept}) == bits(0));  // c has the exponent 1
  CHECK(sum(kHalf, 0, {{0x3e00, 0x3e00}, {0x3e00, 0xbe00}, kept}) == bits(0x1p-25));
}

TEST_CASE("the accumulator is aligned with the products") {
  CHECK(sum(kHalf, bits(0x1p30), {{kHalfOne, kHalfOne}}) == bits(0x1p30));
  CHECK(sum(kHalf, bits(0x1p26), {{kHalfOne, kHalfOne}, {kHalfOne, kHalfOne}}) == bits(0x1p26));
  const Product eight = {half_power(3), kHalfOne};
  CHECK(sum(kHalf, bits(0x1p26), {eight}) == bits(0x1p26 + 8));
  CHECK(sum(kHalf, bits(0x1.fffffep0), {{half_power(10), half_power(15)}}) == bits(0x1p25 + 0));
}

TEST_CASE("tf32 has 10 bits of mantissa, and does not see the others") {
  CHECK(sum(kTf32, 0, {{bits(1 + 0x1p-10), bits(1)}}) == bits(1 + 0x1p-10));
  CHECK(sum(kTf32, 0, {{bits(1 + 0x1.ffcp-11), bits(1)}}) == bits(1));
}

TEST_CASE("subnormal numbers count") {
  CHECK(sum(kHalf, 0, {{1, half_power(-14)}}) == bits(0x1p-38));
  CHECK(sum(kHalf, 1, {}) == 1);
  CHECK(sum(kTf32, 0, {{bits(0x1p-100), bits(0x1p-49)}}) == 1);
  CHECK(sum(kTf32, 0, {{bits(0x1p-100), bits(0x1p-50)}}) == 0);
}

TEST_CASE("infinities and NaN") {
  const Product infinite = {kHalfInfinity, kHalfOne}, negative = {kHalfInfinity, 0xbc00};
  CHECK(sum(kHalf, bits(1), {infinite}) == bits(kInfinity));
  CHECK(sum(kHalf, bits(1), {negative}) == bits(-kInfinity));
  CHECK(sum(kHalf, bits(1), {infinite, negative}) == kNan);
  CHECK(sum(kHalf, bits(-kInfinity), {infinite}) == kNan);
  CHECK(sum(kHalf, bits(1), {{kHalfInfinity, 0}}) == kNan);
  CHECK(sum(kHalf, bits(1), {{0x7c01, kHalfOne}}) == kNan);
  CHECK(sum(kHalf, 0x7f800001, {}) == kNan);
  CHECK(sum(kHalfToHalf, kHalfOne, {negative}) == 0xfc00);
  CHECK(sum(kHalfToHalf, 0xfc00, {infinite}) == 0x7fff);
}

TEST_CASE("a half result is rounded to the nearest half") {
  CHECK(sum(kHalfToHalf, kHalfOne, {{half_power(-11), kHalfOne}}) == kHalfOne);  // a tie, to even
  CHECK(sum(kHalfToHalf, kHalfOne, {{half_power(-11), 0x3c01}}) == kHalfOne + 1);
  CHECK(sum(kHalfToHalf, 0x7bff, {{0x7bff, kHalfOne}}) == kHalfInfinity);
}

TEST_CASE("a negative half sum that is rounded to nothing is a positive zero") {
  CHECK(sum(kHalfToHalf, 0, {{half_power(-13) | 0x8000, half_power(-13)}}) == 0);
  CHECK(sum(kHalfToHalf, 0, {{half_power(-12) | 0x8000, half_power(-12)}}) == 0x8001);
}

TEST_CASE("mma.sync adds 8-bit floats in two steps of pairs, and C at the end") {
  const Shape shape = {16, 8, 32, Type::e4m3, Type::e4m3, Type::f32};
  Shape warpgroup = shape;
  warpgroup.unit = Unit::warpgroup;
  constexpr std::uint32_t kOne = 0x38, kMinusOne = 0xb8, kSmallest = 1;  // 2^-9
  const Product large = {0x78, 0x78};                                    // 2^8 x 2^8
  const Product opposite = {0x78, 0xf8};
  const Product small = {kSmallest, kSmallest};                     // 2^-18
  CHECK(sum(shape, 0, {large, opposite, small}) == bits(0x1p-18));  // in the second step
  CHECK(sum(shape, 0, {large, small, opposite}) == 0);
  CHECK(sum(shape, bits(1 + 0x1p-23), {large, opposite}) == bits(1 + 0x1p-23));
  CHECK(sum(shape, bits(0x1p24), {{kOne, kOne}, {kOne, 0x40}}) == bits(0x1p24 + 4));  // a tie
  // A warpgroup's instruction keeps 13 bits, and aligns C with the products.
  CHECK(sum(warpgroup, 0, {large, opposite, small}) == 0);
  CHECK(sum(warpgroup, bits(1 + 0x1p-13), {{kOne, kOne}, {kOne, kMinusOne}}) == bits(1 + 0x1p-13));
  CHECK(sum(warpgroup, bits(1 + 0x1p-14), {}) == bits(1));
}

TEST_CASE("exercise 11.7 asks for the sums of a warpgroup's 8-bit floats") {
  Shape shape = {64, 8, 32, Type::e4m3, Type::e4m3, Type::f32};
  shape.unit = Unit::warpgroup;
  constexpr int kSums = 500, kTerms = 3 * 32, kNumbers = 0x7f;  // 0x7f is NaN
  const std::vector<std::uint32_t> ones(32, 0x38);
  course::Random random(1);
  int cut_off = 0;
  for (int one = 0; one < kSums; ++one) {
    std::vector<std::uint32_t> a(kTerms);
    std::vector<float> products;
    double exact = 0.0;
    for (std::uint32_t& number : a) {
      number = static_cast<std::uint32_t>(random.below(kNumbers) | random.below(2) << 7);
      const int exponent = number >> 3 & 15, mantissa = number & 7;
      const float size =
          std::ldexp(exponent == 0 ? mantissa : 8.0f + mantissa, std::max(exponent, 1) - 10);
      products.push_back(number >> 7 ? -size : size);
      exact += products.back();
    }
    std::uint32_t sum = 0;
    for (int p = 0; p < kTerms; p += 32)
      sum = emu::tensor::dot(kHopper, shape, a.data() + p, ones.data(), sum);
    CHECK(bits(short_sum::sum(kTerms, products.data())) == sum);
    cut_off += bits(exact) != sum;
  }
  CHECK(cut_off > kSums / 2);
}

TEST_CASE("a model with shorter steps rounds between them") {
  Model shorter = kHopper;
  shorter.sixteen_bits = {8, 24, 23};
  const std::vector<std::uint32_t> ones(16, kHalfOne);
  std::vector<std::uint32_t> a(16);
  a[0] = half_power(13);
  a[8] = half_power(13) | 0x8000;
  a[15] = half_power(-13);
  // In one step of 16, 2^-13 is 26 bits below 2^13, and also in the second of two steps. At the
  // first position of a step without large numbers, it is kept.
  CHECK(emu::tensor::dot(kHopper, kHalf, a.data(), ones.data(), 0) == 0);
  CHECK(emu::tensor::dot(shorter, kHalf, a.data(), ones.data(), 0) == 0);
  a[7] = half_power(13) | 0x8000;
  a[8] = 0;
  CHECK(emu::tensor::dot(kHopper, kHalf, a.data(), ones.data(), 0) == 0);
  CHECK(emu::tensor::dot(shorter, kHalf, a.data(), ones.data(), 0) == bits(0x1p-13));
}

TEST_CASE("integers wrap, or stay at the ends") {
  Shape shape = {16, 8, 32, Type::s8, Type::u8, Type::s32};
  CHECK(sum(shape, 5, {{0x80, 0xff}, {3, 4}}) == static_cast<std::uint32_t>(5 - 128 * 255 + 12));
  CHECK(sum(shape, 0x7fffffff, {{1, 1}}) == 0x80000000);
  shape.saturates = true;
  CHECK(sum(shape, 0x7fffffff, {{1, 1}}) == 0x7fffffff);
  CHECK(sum(shape, 0x80000000, {{0xff, 1}}) == 0x80000000);
}

TEST_CASE("a matrix is what its elements are") {
  const Shape shape = {2, 3, 4, Type::s8, Type::s8, Type::s32};
  const std::vector<std::uint32_t> a = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<std::uint32_t> b = {1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1};  // columns
  std::vector<std::uint32_t> c = {100, 200, 300, 400, 500, 600};
  emu::tensor::multiply(kHopper, shape, a.data(), b.data(), c.data(), c.data());
  CHECK(c == std::vector<std::uint32_t>{101, 202, 310, 405, 506, 626});
}

namespace {

/// Returns the number of tiles for which the fast and the slow sums differ.
int differing(const tensor::Shape& shape, const Model& model) {
  constexpr int kTilesTried = 4 * tensor::kKinds;
  int count = 0;
  for (int index = 0; index < kTilesTried; ++index) {
    const tensor::Tile tile = tensor::make_tile(shape, index);
    std::vector<std::uint32_t> columns, fast(tile.c.size()), slow(tile.c.size());
    for (int j = 0; j < shape.n; ++j)
      for (int p = 0; p < shape.k; ++p)
        columns.push_back(tile.b[static_cast<std::size_t>(p * shape.n + j)]);
    const Shape its = tensor::shape_of(shape);
    emu::tensor::multiply(model, its, tile.a.data(), columns.data(), tile.c.data(), fast.data());
    emu::tensor::multiply_one_by_one(model, its, tile.a.data(), columns.data(), tile.c.data(),
                                     slow.data());
    count += fast != slow;
  }
  return count;
}

}  // namespace

TEST_CASE("sums of many columns at a time have the bits of those that are added one by one") {
  for (const tensor::Shape& recorded : tensor::kShapes)
    for (const int n : {1, 8, 40}) {
      CAPTURE(recorded.name);
      CAPTURE(n);
      tensor::Shape shape = recorded;
      shape.n = n;
      CHECK(differing(shape, kHopper) == 0);
    }
}

TEST_CASE("so have sums of models with other steps, for which vectors may have no room") {
  for (const emu::tensor::Step step :
       {emu::tensor::Step{4, 23, 23}, {8, 24, 23}, {16, 26, 23}, {16, 30, 23}}) {
    Model model = kHopper;
    model.sixteen_bits = model.tf32 = step;
    for (const int shape : {1, 3, 5, 7}) CHECK(differing(tensor::kShapes[shape], model) == 0);
  }
}
