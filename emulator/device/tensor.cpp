// What the lanes of a warp do together with its tensor core: whoever comes last does it for all.
#include "emulator/device_tensor.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "engine/meet/warp_together.hpp"
#include "engine/run/worker.hpp"
#include "tensor/multiply.hpp"

namespace emu {
namespace {

constexpr int kLanes = 32;

std::uint32_t element(const void* elements, int bytes, int i) {
  std::uint32_t word = 0;
  std::memcpy(&word, static_cast<const char*>(elements) + std::ptrdiff_t{i} * bytes,
              static_cast<std::size_t>(bytes));
  return word;
}

struct Product {
  const tensor::Shape& shape;
  const void *a, *b, *c;
  void* d;
};

const WarpRefusal* multiply_for_all(const std::array<void*, kLanes>& lanes) {
  const auto product = [&](int lane) {
    return *static_cast<const Product*>(lanes[static_cast<std::size_t>(lane)]);
  };
  const tensor::Shape& s = product(0).shape;
  for (int lane = 1; lane < kLanes; ++lane)
    if (!(product(lane).shape == s)) return &kLanesDiffer;
  const int k = s.k, n = s.n;
  std::vector<std::uint32_t> a(static_cast<std::size_t>(s.m * k));
  std::vector<std::uint32_t> b(static_cast<std::size_t>(n * k));
  std::vector<std::uint32_t> c(static_cast<std::size_t>(s.m * n));
  for (int lane = 0; lane < kLanes; ++lane) {
    const Product mine = product(lane);
    for (int i = 0; i < s.m * k / kLanes; ++i) {
      const tensor::Place p = place_in_a(s, lane, i);
      a[static_cast<std::size_t>(p.row * k + p.column)] = element(mine.a, bytes_of(s.a), i);
    }
    for (int i = 0; i < n * k / kLanes; ++i) {
      const tensor::Place p = place_in_b(s, lane, i);
      b[static_cast<std::size_t>(p.column * k + p.row)] = element(mine.b, bytes_of(s.b), i);
    }
    for (int i = 0; i < s.m * n / kLanes; ++i) {
      const tensor::Place p = place_in_c(s, lane, i);
      c[static_cast<std::size_t>(p.row * n + p.column)] = element(mine.c, bytes_of(s.c), i);
    }
  }
  Worker::running()->log().count_product(2ull * s.m * s.n * s.k);
  tensor::multiply(tensor::kHopper, s, a.data(), b.data(), c.data(), c.data());
  const int bytes = bytes_of(s.c);
  for (int lane = 0; lane < kLanes; ++lane)
    for (int i = 0; i < s.m * n / kLanes; ++i) {
      const tensor::Place p = place_in_c(s, lane, i);
      std::memcpy(static_cast<char*>(product(lane).d) + std::ptrdiff_t{i} * bytes,
                  &c[static_cast<std::size_t>(p.row * n + p.column)],
                  static_cast<std::size_t>(bytes));
    }
  return nullptr;
}

constexpr int kRows = 8;  // of a matrix, and halves of a row

struct Matrices {
  std::uint32_t* row;        // [4]
  std::uint32_t* registers;  // [count]
  int count;
  bool transposed;
};

/// Half `h` of the words.
std::uint32_t half(const std::uint32_t* words, int h) {
  return words[h / 2] >> (16 * (h % 2)) & 0xffff;
}
void set_half(std::uint32_t* words, int h, std::uint32_t value) {
  const int shift = 16 * (h % 2);
  words[h / 2] = (words[h / 2] & ~(0xffffu << shift)) | value << shift;
}

/// Calls body(row's lane, half of the row, lane, half of the register) for each element of each
/// matrix.
template <class Body>
void for_each_element(const Matrices& m, int matrix, Body&& body) {
  for (int lane = 0; lane < kLanes; ++lane)
    for (int h = 0; h < 2; ++h) {
      const int far = lane / 4, near = 2 * (lane % 4) + h;
      const int row = m.transposed ? near : far, column = m.transposed ? far : near;
      body(kRows * matrix + row, column, lane, h);
    }
}

template <bool deals>
const WarpRefusal* move_for_all(const std::array<void*, kLanes>& lanes) {
  const auto of = [&](int lane) {
    return *static_cast<const Matrices*>(lanes[static_cast<std::size_t>(lane)]);
  };
  const Matrices m = of(0);
  for (int lane = 1; lane < kLanes; ++lane)
    if (of(lane).count != m.count || of(lane).transposed != m.transposed) return &kLanesDiffer;
  for (int matrix = 0; matrix < m.count; ++matrix)
    for_each_element(m, matrix, [&](int row_lane, int column, int lane, int h) {
      if constexpr (deals)
        set_half(of(lane).registers + matrix, h, half(of(row_lane).row, column));
      else
        set_half(of(row_lane).row, column, half(of(lane).registers + matrix, h));
    });
  return nullptr;
}

}  // namespace

void warp_multiply(const tensor::Shape& shape, const void* a, const void* b, const void* c,
                   void* d) {
  Product mine = {shape, a, b, c, d};
  warp_together(multiply_for_all, &mine, "a tensor core's product", __builtin_return_address(0));
}

void warp_deal_matrices(const std::uint32_t* row, std::uint32_t* registers, int count,
                        bool transposed) {
  Matrices mine = {const_cast<std::uint32_t*>(row), registers, count, transposed};
  warp_together(move_for_all<true>, &mine, "ldmatrix", __builtin_return_address(0));
}

void warp_gather_matrices(const std::uint32_t* registers, std::uint32_t* row, int count,
                          bool transposed) {
  Matrices mine = {row, const_cast<std::uint32_t*>(registers), count, transposed};
  warp_together(move_for_all<false>, &mine, "stmatrix", __builtin_return_address(0));
}

}  // namespace emu
