// What the lanes of a warp do together with its tensor core: whoever comes last does it for all.
#include "emulator/device_tensor.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "emulator/device.h"
#include "emulator/device_misc.h"
#include "emulator/groups.h"
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

bool multiply_for_all(const std::array<void*, kLanes>& lanes) {
  const auto product = [&](int lane) {
    return *static_cast<const Product*>(lanes[static_cast<std::size_t>(lane)]);
  };
  const tensor::Shape& s = product(0).shape;
  for (int lane = 1; lane < kLanes; ++lane)
    if (!(product(lane).shape == s)) return false;
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
  tensor::multiply(tensor::kHopper, s, a.data(), b.data(), c.data(), c.data());
  const int bytes = bytes_of(s.c);
  for (int lane = 0; lane < kLanes; ++lane)
    for (int i = 0; i < s.m * n / kLanes; ++i) {
      const tensor::Place p = place_in_c(s, lane, i);
      std::memcpy(static_cast<char*>(product(lane).d) + std::ptrdiff_t{i} * bytes,
                  &c[static_cast<std::size_t>(p.row * n + p.column)],
                  static_cast<std::size_t>(bytes));
    }
  return true;
}

/// Where a descriptor says that a matrix lies, [rows, k], along k.
class Described {
 public:
  explicit Described(std::uint64_t descriptor)
      : begin_(static_cast<std::uint32_t>(field(descriptor, 0))),
        leading_(static_cast<std::uint32_t>(field(descriptor, 16))),
        stride_(static_cast<std::uint32_t>(field(descriptor, 32))),
        swizzle_(static_cast<int>(descriptor >> 62)) {}

  /// The address of a byte of a row, in shared memory.
  std::uint32_t at(int row, int byte) const {
    constexpr std::uint32_t kRowsOfCore = 8, kCoreRow = 16;
    const auto r = static_cast<std::uint32_t>(row), k = static_cast<std::uint32_t>(byte);
    const std::uint32_t core = begin_ + r / kRowsOfCore * stride_;
    if (swizzle_ == kNone)
      return core + k / kCoreRow * leading_ + r % kRowsOfCore * kCoreRow + k % kCoreRow;
    // Rows of 128, 64 or 32 bytes; their 16-byte pieces change places with the row's number.
    const std::uint32_t row_bytes = 256u >> swizzle_;
    const std::uint32_t address = core + r % kRowsOfCore * row_bytes + k;
    return address ^ (address >> 7 & (row_bytes / kCoreRow - 1)) << 4;
  }

 private:
  static constexpr int kNone = 0;
  static std::uint64_t field(std::uint64_t descriptor, int bit) {
    constexpr std::uint64_t kMask = 0x3fff;
    constexpr int kUnit = 16;  // bytes
    return (descriptor >> bit & kMask) * kUnit;
  }

  std::uint32_t begin_, leading_, stride_;
  int swizzle_;
};

/// A product, and where address 0 would be of the shared memory that a descriptor leads to.
struct SharedProduct {
  GroupProduct product;
  const char *shared_a, *shared_b;
  int first_row;  // of A, that the warp has
};

/// The elements of a described matrix, from its row `first` on.
std::vector<std::uint32_t> elements_of(std::uint64_t descriptor, const char* shared, int first,
                                       int rows, int k, tensor::Type type, bool negates) {
  const Described matrix(descriptor);
  const int bytes = bytes_of(type);
  std::vector<std::uint32_t> words(static_cast<std::size_t>(rows * k));
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < k; ++i) {
      std::uint32_t& word = words[static_cast<std::size_t>(row * k + i)];
      word = element(shared + matrix.at(first + row, i * bytes), bytes, 0);
      if (negates) word ^= 1u << (8 * bytes - 1);
    }
  return words;
}

/// Refuses a described matrix that is not all in the block's shared memory.
void require_inside(std::uint64_t descriptor, const char* shared, int first, int rows,
                    int row_bytes) {
  const Described matrix(descriptor);
  for (int row = first; row < first + rows; ++row)
    for (const int byte : {0, row_bytes - 1})
      if (!is_shared(shared + matrix.at(row, byte)))
        device_trap("a descriptor of wgmma leads out of the block's shared memory");
}

bool group_multiply_for_all(const std::array<void*, kLanes>& lanes) {
  const auto product = [&](int lane) -> const GroupProduct& {
    return static_cast<const SharedProduct*>(lanes[static_cast<std::size_t>(lane)])->product;
  };
  const GroupProduct& p = product(0);
  const auto& [_, shared_a, shared_b, first] = *static_cast<const SharedProduct*>(lanes[0]);
  for (int lane = 1; lane < kLanes; ++lane) {
    const GroupProduct& other = product(lane);
    if (!(other.shape == p.shape) || other.a != p.a || other.b != p.b || other.adds != p.adds)
      return false;
  }
  const tensor::Shape& s = p.shape;
  const auto a = elements_of(p.a, shared_a, first, s.m, s.k, s.a, p.negates_a);
  const auto b = elements_of(p.b, shared_b, 0, s.n, s.k, s.b, p.negates_b);
  std::vector<std::uint32_t> c(static_cast<std::size_t>(s.m * s.n));
  const auto for_each_sum = [&](auto&& body) {
    for (int lane = 0; lane < kLanes; ++lane)
      for (int i = 0; i < s.m * s.n / kLanes; ++i) {
        const tensor::Place place = place_in_c(s, lane, i);
        body(c[static_cast<std::size_t>(place.row * s.n + place.column)], *product(lane).sums[i]);
      }
  };
  if (p.adds) for_each_sum([](std::uint32_t& sum, std::uint32_t mine) { sum = mine; });
  tensor::multiply(tensor::kHopper, s, a.data(), b.data(), c.data(), c.data());
  for_each_sum([](std::uint32_t sum, std::uint32_t& mine) { mine = sum; });
  return true;
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
bool move_for_all(const std::array<void*, kLanes>& lanes) {
  const auto of = [&](int lane) {
    return *static_cast<const Matrices*>(lanes[static_cast<std::size_t>(lane)]);
  };
  const Matrices m = of(0);
  for (int lane = 1; lane < kLanes; ++lane)
    if (of(lane).count != m.count || of(lane).transposed != m.transposed) return false;
  for (int matrix = 0; matrix < m.count; ++matrix)
    for_each_element(m, matrix, [&](int row_lane, int column, int lane, int h) {
      if constexpr (deals)
        set_half(of(lane).registers + matrix, h, half(of(row_lane).row, column));
      else
        set_half(of(row_lane).row, column, half(of(lane).registers + matrix, h));
    });
  return true;
}

/// Counts the running lane's warp once.
void count_product(const tensor::Shape& s) {
  if (lane_id() == 0) Worker::running()->log().count_product(2ull * s.m * s.n * s.k);
}

}  // namespace

void warp_multiply(const tensor::Shape& shape, const void* a, const void* b, const void* c,
                   void* d) {
  count_product(shape);
  Product mine = {shape, a, b, c, d};
  warp_together(multiply_for_all, &mine, "a tensor core's product", __builtin_return_address(0));
}

void group_multiply(const GroupProduct& product) {
  if (product.transposes_a || product.transposes_b)
    device_trap("the emulator's wgmma reads matrices that lie along k");
  constexpr unsigned kWarpsOfGroup = 4;
  const tensor::Shape& s = product.shape;
  const auto address_0 = [](std::uint64_t descriptor) {
    const std::uint32_t first = Described(descriptor).at(0, 0);
    const std::uint32_t window = Worker::running()->block().rank << SharedWindows::kRankShift;
    return static_cast<const char*>(shared_pointer(window | first)) - first;
  };
  SharedProduct mine = {product, address_0(product.a), address_0(product.b),
                        static_cast<int>(warp_id() % kWarpsOfGroup) * s.m};
  count_product(s);
  if (lane_id() == 0) {
    require_inside(product.a, mine.shared_a, mine.first_row, s.m, s.k * bytes_of(s.a));
    require_inside(product.b, mine.shared_b, 0, s.n, s.k * bytes_of(s.b));
  }
  warp_together(group_multiply_for_all, &mine, "wgmma", __builtin_return_address(0));
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
