// Tests tensor cores of a warp by inline PTX: mma.sync adds like the model, ldmatrix and stmatrix
// assign elements to lanes as in the PTX ISA, and cvt rounds to tf32.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <utility>

#include "../device/device_array.hpp"
#include "ptx_cases.cuh"
#include "tensor/multiply.hpp"
#include "types.hpp"

namespace {

using tensor_ptx::kLanes;

/// Fragments packed in words, by lanes.
struct Fragments {
  std::uint32_t *a, *b, *c;
};

template <int shape, int a_count, int c_count>
__global__ void multiply(Fragments x) {
  std::uint32_t a[a_count], b[a_count / 2], c[c_count];
  for (int i = 0; i < a_count; ++i) a[i] = x.a[threadIdx.x * a_count + i];
  for (int i = 0; i < a_count / 2; ++i) b[i] = x.b[threadIdx.x * (a_count / 2) + i];
  for (int i = 0; i < c_count; ++i) c[i] = x.c[threadIdx.x * c_count + i];
  tensor_ptx::multiply<shape>(a, b, c);
  for (int i = 0; i < c_count; ++i) x.c[threadIdx.x * c_count + i] = c[i];
}

/// Returns the position of a lane's element. Source: PTX ISA 8.8, 9.7.14.5, the figures of m16n8.
std::pair<int, int> place_in_a(int lane, int i, int bytes) {
  const int in_register = 4 / bytes, r = i / in_register;
  return {lane / 4 + 8 * (r % 2), in_register * (lane % 4 + 4 * (r / 2)) + i % in_register};
}
std::pair<int, int> place_in_b(int lane, int i, int bytes) {
  const int in_register = 4 / bytes, r = i / in_register;
  return {in_register * (lane % 4 + 4 * r) + i % in_register, lane / 4};
}
std::pair<int, int> place_in_c(int lane, int i) {
  return {lane / 4 + 8 * (i / 2), 2 * (lane % 4) + i % 2};
}

/// Visits each element of a lane's registers: its word, its shift, and its position in the matrix.
template <class Words, class Place, class Visit>
void for_elements(Words& words, int registers, int bytes, int width, Place&& place, Visit&& visit) {
  const int in_register = 4 / bytes;
  for (int lane = 0; lane < kLanes; ++lane)
    for (int i = 0; i < registers * in_register; ++i) {
      const auto [row, column] = place(lane, i);
      visit(words[static_cast<std::size_t>(lane * registers + i / in_register)],
            8 * bytes * (i % in_register), static_cast<std::size_t>(row * width + column));
    }
}

template <int shape>
void compare_with_model() {
  constexpr const tensor::Shape& s = tensor::kShapes[shape];
  CAPTURE(s.name);
  constexpr int kA = s.m * s.k * s.a.bytes / 128, kC = s.m * s.n * s.c.bytes / 128;
  constexpr int kTilesTried = 3 * tensor::kKinds;
  for (int tile = 0; tile < kTilesTried; ++tile) {
    const tensor::Tile t = tensor::make_tile(s, tile);
    std::vector<std::uint32_t> columns, expected(t.c.size()), found(t.c.size());
    for (int j = 0; j < s.n; ++j)
      for (int p = 0; p < s.k; ++p) columns.push_back(t.b[static_cast<std::size_t>(p * s.n + j)]);
    emu::tensor::multiply(emu::tensor::kHopper, tensor::shape_of(s), t.a.data(), columns.data(),
                          t.c.data(), expected.data());
    DeviceArray<std::uint32_t> a(kLanes * kA), b(kLanes * kA / 2), c(kLanes * kC);
    for (auto* const words : {&a, &b, &c})
      for (std::size_t i = 0; i < words->size(); ++i) (*words)[i] = 0;
    const auto in_a = [](int lane, int i) { return place_in_a(lane, i, s.a.bytes); };
    const auto in_b = [](int lane, int i) { return place_in_b(lane, i, s.b.bytes); };
    for_elements(a, kA, s.a.bytes, s.k, in_a,
                 [&](std::uint32_t& word, int shift, std::size_t at) { word |= t.a[at] << shift; });
    for_elements(b, kA / 2, s.b.bytes, s.n, in_b,
                 [&](std::uint32_t& word, int shift, std::size_t at) { word |= t.b[at] << shift; });
    for_elements(c, kC, s.c.bytes, s.n, place_in_c,
                 [&](std::uint32_t& word, int shift, std::size_t at) { word |= t.c[at] << shift; });
    multiply<shape, kA, kC><<<1, kLanes>>>({a.data(), b.data(), c.data()});
    require_finished();
    const std::uint32_t mask = s.c.bytes == 4 ? ~0u : 0xffffu;
    for_elements(
        c, kC, s.c.bytes, s.n, place_in_c,
        [&](std::uint32_t& word, int shift, std::size_t at) { found[at] = word >> shift & mask; });
    CHECK(found == expected);
  }
}

template <int... shapes>
void compare_all(std::integer_sequence<int, shapes...>) {
  (compare_with_model<shapes>(), ...);
}

constexpr int kMmaShapes = 16;  // the first of tensor::kShapes

}  // namespace

TEST_CASE("mma.sync by inline PTX adds up what the model does, in every shape and format") {
  compare_all(std::make_integer_sequence<int, kMmaShapes>());
}

TEST_CASE("ldmatrix and stmatrix by inline PTX, in all their forms") {
  constexpr unsigned kWords = 4 * tensor_ptx::kMatrixWords, kTests = 10;
  DeviceArray<std::uint32_t> in(kWords), out(kTests * kWords);
  // Half h of row r of matrix x is 64 x + 8 r + h.
  for (unsigned i = 0; i < kWords; ++i) in[i] = 2 * i | (2 * i + 1) << 16;
  tensor_ptx::move_matrices<<<1, kLanes>>>(in.data(), out.data());
  require_finished();
  const auto half_in = [](unsigned matrix, unsigned row, unsigned column) {
    const unsigned place = (8 * matrix + row) ^ 5;  // the row to which lane 8 x + row points
    return 8 * place + column;
  };
  const struct {
    unsigned count;
    bool transposed;
  } loads[] = {{1, false}, {2, false}, {4, false}, {2, true}, {4, true}};
  for (unsigned test = 0; test < 5; ++test)
    for (unsigned x = 0; x < loads[test].count; ++x)
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        CAPTURE(test);
        const unsigned far = lane / 4, near = 2 * (lane % 4);
        const unsigned low = loads[test].transposed ? half_in(x, near, far) : half_in(x, far, near);
        const unsigned high =
            loads[test].transposed ? half_in(x, near + 1, far) : half_in(x, far, near + 1);
        CHECK(out[(test * 4 + x) * kLanes + lane] == (low | high << 16));
      }
  const struct {
    unsigned count, first;
    bool transposed;
  } stores[] = {{1, 0, false}, {2, 0, false}, {4, 0, false}, {4, 0, true}, {2, 2, true}};
  // The memory of `to`, which each store continues with.
  std::array<std::uint32_t, kWords> memory{};
  for (unsigned test = 0; test < 5; ++test) {
    CAPTURE(test);
    auto* const halves = reinterpret_cast<unsigned short*>(memory.data());
    for (unsigned x = 0; x < stores[test].count; ++x)
      for (unsigned lane = 0; lane < kLanes; ++lane)
        for (unsigned h = 0; h < 2; ++h) {
          const std::uint32_t word = in[(stores[test].first + x) * kLanes + lane * 7 % kLanes];
          const unsigned far = lane / 4, near = 2 * (lane % 4) + h;
          const unsigned row = stores[test].transposed ? near : far;
          const unsigned column = stores[test].transposed ? far : near;
          halves[half_in(x, row, column)] = static_cast<unsigned short>(word >> 16 * h);
        }
    for (unsigned i = 0; i < kWords; ++i) CHECK(out[(5 + test) * kWords + i] == memory[i]);
  }
}

TEST_CASE("cvt to tf32 keeps ten bits of mantissa, rounded as it says") {
  const std::vector<std::uint32_t> bits = tensor_ptx::floats();
  const auto count = static_cast<unsigned>(bits.size());
  REQUIRE(count % kLanes == 0);
  DeviceArray<float> in(count);
  DeviceArray<std::uint32_t> out(count * tensor_ptx::kRoundings);
  for (unsigned i = 0; i < count; ++i) std::memcpy(&in[i], &bits[i], sizeof bits[i]);
  tensor_ptx::round_to_tf32<<<count / kLanes, kLanes>>>(in.data(), out.data());
  require_finished();
  for (unsigned i = 0; i < count; ++i) {
    CAPTURE(bits[i]);
    const std::uint32_t size = bits[i] & 0x7fffffff, sign = bits[i] & 0x80000000;
    const std::uint32_t* const found = &out[i * tensor_ptx::kRoundings];
    if (size > 0x7f800000) {
      CHECK(found[0] == (bits[i] & ~0x1fffu));
      for (int r = 1; r < tensor_ptx::kRoundings; ++r) CHECK(found[r] == 0x7fffe000);
      continue;
    }
    // Neighbouring numbers as multiples of the last kept bit: infinity is one more.
    const std::uint32_t below = size >> 13, rest = size & 0x1fff;
    const std::uint32_t away = below + (rest >= 0x1000);
    const std::uint32_t even = below + (rest > 0x1000 || (rest == 0x1000 && below % 2 != 0));
    CHECK(found[0] == (sign | away << 13));
    CHECK(found[1] == (sign | even << 13));
    CHECK(found[2] == (sign | below << 13));
    CHECK(found[3] == (sign ? 0 : even << 13));
    CHECK(found[4] == (sign ? 0 : below << 13));
  }
}
