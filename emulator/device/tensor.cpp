// Operations of a warp on its tensor core. The last lane to arrive does the work for all.
#include "emulator/device_tensor.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <deque>
#include <vector>

#include "device/tensor.hpp"
#include "engine/meet/warp_together.hpp"
#include "engine/run/worker.hpp"
#include "tensor/multiply.hpp"

namespace emu {

void count_product(const tensor::Shape& shape, std::uint64_t shared_bytes, const void* call_site) {
  Worker& worker = *Worker::running();
  if (!worker.counts()) return;
  const auto operations = std::uint64_t{2} * static_cast<unsigned>(shape.m * shape.n * shape.k);
  worker.log().count_product(reinterpret_cast<std::uintptr_t>(call_site), operations, shared_bytes);
}

namespace {

/// The positions in a matrix of the elements that each lane holds: [lane, element of the lane].
struct Fragment {
  std::vector<std::uint16_t> at;
  int of_lane = 0;

  template <class Place>
  Fragment(int elements, int width, Place&& place) : of_lane(elements / kLanes) {
    for (int lane = 0; lane < kLanes; ++lane)
      for (int i = 0; i < of_lane; ++i) {
        const tensor::Place p = place(lane, i);
        at.push_back(static_cast<std::uint16_t>(p.row * width + p.column));
      }
  }

  const std::uint16_t* of(int lane) const { return at.data() + lane * of_lane; }
};

/// The fragments of a shape, computed once.
struct Fragments {
  tensor::Shape shape;
  Fragment a, b, c;

  explicit Fragments(const tensor::Shape& s)
      : shape(s),
        a(s.m * s.k, s.k, [&](int lane, int i) { return place_in_a(s, lane, i); }),
        b(s.n * s.k, s.k,
          [&](int lane, int i) {
            const tensor::Place p = place_in_b(s, lane, i);
            return tensor::Place{p.column, p.row};
          }),
        c(s.m * s.n, s.n, [&](int lane, int i) { return place_in_c(s, lane, i); }) {}
};

const Fragments& fragments_of(const tensor::Shape& shape) {
  static thread_local std::deque<Fragments> known;
  for (const Fragments& one : known)
    if (one.shape == shape) return one;
  return known.emplace_back(shape);
}

template <class Element>
void gather(const void* elements, const Fragment& fragment, int lane, std::uint32_t* matrix) {
  const std::uint16_t* const at = fragment.of(lane);
  for (int i = 0; i < fragment.of_lane; ++i) {
    Element element;
    std::memcpy(&element, static_cast<const Element*>(elements) + i, sizeof element);
    matrix[at[i]] = element;
  }
}
void gather(int bytes, const void* elements, const Fragment& fragment, int lane,
            std::uint32_t* matrix) {
  if (bytes == 1) return gather<std::uint8_t>(elements, fragment, lane, matrix);
  if (bytes == 2) return gather<std::uint16_t>(elements, fragment, lane, matrix);
  gather<std::uint32_t>(elements, fragment, lane, matrix);
}

template <class Element>
void scatter(const std::uint32_t* matrix, const Fragment& fragment, int lane, void* elements) {
  const std::uint16_t* const at = fragment.of(lane);
  for (int i = 0; i < fragment.of_lane; ++i) {
    const auto element = static_cast<Element>(matrix[at[i]]);
    std::memcpy(static_cast<Element*>(elements) + i, &element, sizeof element);
  }
}

struct Product {
  const tensor::Shape& shape;
  const void *a, *b, *c;
  void* d;
  const void* call_site;
};

const WarpRefusal* multiply_for_warp(const std::array<void*, kLanes>& lanes) {
  const auto product = [&](int lane) -> const Product& {
    return *static_cast<const Product*>(lanes[static_cast<std::size_t>(lane)]);
  };
  const tensor::Shape& s = product(0).shape;
  for (int lane = 1; lane < kLanes; ++lane)
    if (&product(lane).shape != &s && !(product(lane).shape == s)) return &kLanesDiffer;
  const Fragments& fragments = fragments_of(s);
  static thread_local std::vector<std::uint32_t> a, b, c;
  a.resize(static_cast<std::size_t>(s.m * s.k));
  b.resize(static_cast<std::size_t>(s.n * s.k));
  c.resize(static_cast<std::size_t>(s.m * s.n));
  for (int lane = 0; lane < kLanes; ++lane) {
    const Product& mine = product(lane);
    gather(bytes_of(s.a), mine.a, fragments.a, lane, a.data());
    gather(bytes_of(s.b), mine.b, fragments.b, lane, b.data());
    gather(bytes_of(s.c), mine.c, fragments.c, lane, c.data());
  }
  tensor::multiply(tensor::kHopper, s, a.data(), b.data(), c.data(), c.data());
  for (int lane = 0; lane < kLanes; ++lane) {
    if (bytes_of(s.c) == 2)
      scatter<std::uint16_t>(c.data(), fragments.c, lane, product(lane).d);
    else
      scatter<std::uint32_t>(c.data(), fragments.c, lane, product(lane).d);
  }
  count_product(s, 0, product(0).call_site);
  return nullptr;
}

constexpr int kRows = 8;  // rows of a matrix, and halves of a row

struct Matrices {
  std::uint32_t* row;        // [4]
  std::uint32_t* registers;  // [count]
  int count;
  bool transposed;
};

/// Returns 16-bit half `h` of the words.
std::uint32_t half(const std::uint32_t* words, int h) {
  return words[h / 2] >> (16 * (h % 2)) & 0xffff;
}
void set_half(std::uint32_t* words, int h, std::uint32_t value) {
  const int shift = 16 * (h % 2);
  words[h / 2] = (words[h / 2] & ~(0xffffu << shift)) | value << shift;
}

/// Calls body(lane with the row's address, half of the row, lane, half of the register) for each
/// element of the matrix.
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
const WarpRefusal* move_for_warp(const std::array<void*, kLanes>& lanes) {
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
  Product mine = {shape, a, b, c, d, __builtin_return_address(0)};
  warp_together(multiply_for_warp, &mine, "a tensor core's product", mine.call_site);
}

void warp_deal_matrices(const std::uint32_t* row, std::uint32_t* registers, int count,
                        bool transposed) {
  Matrices mine = {const_cast<std::uint32_t*>(row), registers, count, transposed};
  warp_together(move_for_warp<true>, &mine, "ldmatrix", __builtin_return_address(0));
}

void warp_gather_matrices(const std::uint32_t* registers, std::uint32_t* row, int count,
                          bool transposed) {
  Matrices mine = {row, const_cast<std::uint32_t*>(registers), count, transposed};
  warp_together(move_for_warp<false>, &mine, "stmatrix", __builtin_return_address(0));
}

}  // namespace emu
