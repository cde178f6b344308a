/// @file
/// Products of a warpgroup with A and B in all layouts of shared memory: plain CUDA with inline
/// PTX, for the emulator and for a GPU.
///
/// The host lays out the matrices by its own formulas; the kernel copies the image to shared memory
/// unchanged. Source of the layouts: CUTLASS, mma_sm90_desc.hpp, "canonical layouts".
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../device/record.hpp"
#include "wgmma_instructions.cuh"

namespace wgmma {

/// Layout of a matrix [rows, k] in shared memory: A, or B with columns as rows.
struct Layout {
  int swizzle = 0;          ///< bytes: 0, 32, 64 or 128
  bool by_columns = false;  ///< consecutive addresses go down a column
  bool rows_first = false;  ///< without a swizzle: core matrices of one k are adjacent
};

constexpr int kPieceBytes = 16, kCoreBytes = 128;

/// A matrix's image in memory, and its descriptor.
struct Image {
  std::vector<unsigned char> bytes;
  std::uint64_t descriptor = 0;      ///< without the address
  std::vector<std::uint32_t> steps;  ///< offset of each step of k
};

class Placing {
 public:
  Placing(const Layout& layout, int rows, int k, int element_bytes)
      : l_(layout), rows_((rows + 7) / 8 * 8), k_(k), element_(element_bytes) {
    const int pieces = l_.by_columns ? rows_ * element_ / kPieceBytes : k_ * element_ / kPieceBytes;
    const int cores = (l_.by_columns ? k_ : rows_) / 8;
    if (l_.swizzle == 0) {
      along_ = l_.rows_first ? cores * kCoreBytes : kCoreBytes;
      across_ = l_.rows_first ? kCoreBytes : pieces * kCoreBytes;
    } else {
      across_ = 8 * l_.swizzle;
      along_ = cores * across_;
    }
    const int wide = l_.swizzle == 0 ? kPieceBytes : l_.swizzle;
    tiles_ = (pieces * kPieceBytes + wide - 1) / wide;
    bytes_ = tiles_ * cores * 8 * wide;
  }

  int bytes() const { return bytes_; }

  /// Returns the offset of the element's first byte in the image.
  int offset(int row, int p) const {
    const int line = l_.by_columns ? p : row;               // across pieces
    const int byte = (l_.by_columns ? row : p) * element_;  // along them
    const int wide = l_.swizzle == 0 ? kPieceBytes : l_.swizzle;
    const int at = byte / wide * along_ + line / 8 * across_ + line % 8 * wide + byte % wide;
    if (l_.swizzle == 0) return at;
    return at ^ (at >> 7 & (l_.swizzle / kPieceBytes - 1)) << 4;
  }

  std::uint64_t descriptor() const {
    // By columns and without a swizzle, the two exchange their roles.
    const bool swaps = l_.by_columns && l_.swizzle == 0;
    const auto leading = static_cast<std::uint64_t>(swaps ? across_ : along_);
    const auto stride = static_cast<std::uint64_t>(swaps ? along_ : across_);
    const std::uint64_t mode = l_.swizzle == 128  ? 1
                               : l_.swizzle == 64 ? 2
                               : l_.swizzle == 32 ? 3
                                                  : 0;
    return leading / 16 << 16 | stride / 16 << 32 | mode << 62;
  }

  /// Returns the offset of the step that begins with row or column p of k. Offsets inside of a
  /// swizzle are not swizzled.
  std::uint32_t step(int p) const {
    const int byte = p * element_, wide = l_.swizzle == 0 ? kPieceBytes : l_.swizzle;
    if (l_.by_columns) return static_cast<std::uint32_t>(p / 8 * across_);
    return static_cast<std::uint32_t>(byte / wide * along_ + byte % wide);
  }

 private:
  Layout l_;
  int rows_, k_, element_;
  int along_ = 0, across_ = 0;  // bytes from core matrix to core matrix, or from tile to tile
  int tiles_ = 0, bytes_ = 0;
};

/// @param elements  [rows, k]
inline Image image_of(const std::vector<std::uint32_t>& elements, const Layout& layout, int rows,
                      int k, int k_of_step, int element_bytes) {
  const Placing placing(layout, rows, k, element_bytes);
  Image image;
  image.bytes.resize(static_cast<std::size_t>(placing.bytes()));
  for (int row = 0; row < rows; ++row)
    for (int p = 0; p < k; ++p)
      for (int byte = 0; byte < element_bytes; ++byte)
        image.bytes[static_cast<std::size_t>(placing.offset(row, p) + byte)] =
            static_cast<unsigned char>(elements[static_cast<std::size_t>(row * k + p)] >> 8 * byte);
  image.descriptor = placing.descriptor();
  for (int p = 0; p < k; p += k_of_step) image.steps.push_back(placing.step(p));
  return image;
}

/// Moves an image by `base_offset` swizzled rows.
inline void move_by(Image& image, int base_offset) {
  const auto bytes = static_cast<std::uint32_t>(kCoreBytes * base_offset);
  image.bytes.insert(image.bytes.begin(), bytes, 0);
  image.descriptor |= static_cast<std::uint64_t>(base_offset) << 49;
  for (std::uint32_t& step : image.steps) step += bytes;
}

constexpr int kThreads = 128, kRows = 64;
constexpr int kMostSteps = 4;

struct Arguments {
  const uint4* image;  // A's if it is in shared memory, then B's
  unsigned pieces;     // number of 16-byte pieces
  unsigned b_begins;   // offset in bytes
  std::uint64_t a_descriptor, b_descriptor;
  std::uint32_t a_steps[kMostSteps], b_steps[kMostSteps];
  int steps;
  const std::uint32_t* a;  // if A is in registers: [steps, thread, 4]
  std::uint32_t* d;        // [thread, registers]
  int adds;                // whether the first step adds
};

template <int a_sign, int b_sign>
struct Signs {
  static constexpr int a = a_sign, b = b_sign;
};

template <class It, class TheSigns, int a_order, int b_order, bool in_registers>
__global__ void multiply(const __grid_constant__ Arguments x) {
  extern __shared__ __align__(1024) uint4 staged[];
  for (unsigned i = threadIdx.x; i < x.pieces; i += kThreads) staged[i] = x.image[i];
  typename It::Register d[It::kRegisters];
  std::uint32_t* const mine = x.d + threadIdx.x * It::kRegisters;
  for (int i = 0; i < It::kRegisters; ++i) memcpy(&d[i], &mine[i], 4);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const auto start = static_cast<unsigned>(__cvta_generic_to_shared(staged));
  const auto field = [](unsigned address) {
    return static_cast<std::uint64_t>(address & 0x3ffff) >> 4;
  };
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int step = 0; step < x.steps; ++step) {
    const std::uint64_t b = x.b_descriptor | field(start + x.b_begins + x.b_steps[step]);
    const int adds = step == 0 ? x.adds : 1;
    if constexpr (in_registers) {
      std::uint32_t a[4];
      for (int i = 0; i < 4; ++i) a[i] = x.a[(step * kThreads + threadIdx.x) * 4 + i];
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
      It::template multiply_registers<TheSigns, a_order, b_order>(d, a, b, adds);
      asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    } else {
      const std::uint64_t a = x.a_descriptor | field(start + x.a_steps[step]);
      It::template multiply<TheSigns, a_order, b_order>(d, a, b, adds);
    }
  }
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < It::kRegisters; ++i) memcpy(&mine[i], &d[i], 4);
}

/// Elements' bits.
struct Matrices {
  std::vector<std::uint32_t> a;  // [64, k]
  std::vector<std::uint32_t> b;  // [n, k]: the columns of B
  std::vector<std::uint32_t> c;  // [64, n]
};

inline std::vector<std::uint32_t> draw(const tensor::Format& f, int count, tensor::Random& random) {
  std::vector<std::uint32_t> all(static_cast<std::size_t>(count));
  for (std::uint32_t& word : all) {
    const auto drawn = static_cast<std::uint32_t>(random.next() >> 32);
    if (f.exponent_bits == 0) {
      word = f.bytes == 4 ? drawn : drawn & 0xff;
      continue;
    }
    const int bias = (1 << (f.exponent_bits - 1)) - 1;
    const auto exponent = static_cast<std::uint32_t>(bias + random.between(-3, 2));
    word = (drawn & 1) << (f.exponent_bits + f.mantissa_bits) | exponent << f.mantissa_bits |
           (drawn >> 1 & ((1u << f.mantissa_bits) - 1));
    word <<= f.shift;
    if (random.one_in(16)) word = 0;
  }
  return all;
}

inline Matrices matrices(const tensor::Shape& s, int k, std::uint64_t seed) {
  tensor::Random random(seed);
  Matrices m;
  m.a = draw(s.a, s.m * k, random);
  m.b = draw(s.b, s.n * k, random);
  m.c = draw(s.c, s.m * s.n, random);
  return m;
}

/// A product to test.
struct Case {
  std::string name;
  tensor::Shape shape;
  bool saturates;
  int k;  ///< sum of all steps
  bool adds;
  int a_sign, b_sign;
  std::vector<std::uint32_t> (*run)(const Case& one, const Matrices& m);  ///< D's bits, [64, n]
  Layout a, b;
  /// Both matrices, with their swizzles, begin this many times 128 bytes later.
  int base_offset = 0;
  std::uint64_t seed() const { return 10 * shape.n + static_cast<std::uint64_t>(k); }
};

/// Returns the position of a lane's element i. Source: PTX ISA 8.8, 9.7.15.5, "Register Fragments".
inline std::pair<int, int> place_in_d(int thread, int i) {
  const int lane = thread % 32;
  return {16 * (thread / 32) + lane / 4 + 8 * (i / 2 % 2), 8 * (i / 4) + 2 * (lane % 4) + i % 2};
}
inline std::pair<int, int> place_in_a(int thread, int i, int element_bytes) {
  const int lane = thread % 32, in_register = 4 / element_bytes, r = i / in_register;
  return {16 * (thread / 32) + lane / 4 + 8 * (r % 2),
          in_register * (lane % 4 + 4 * (r / 2)) + i % in_register};
}

template <class Word>
Word* on_device(const std::vector<Word>& words) {
  void* memory = nullptr;
  const std::size_t bytes = words.size() * sizeof(Word);
  record::require(cudaMalloc(&memory, bytes == 0 ? 1 : bytes));
  record::require(cudaMemcpy(memory, words.data(), bytes, cudaMemcpyHostToDevice));
  return static_cast<Word*>(memory);
}

template <class It, class TheSigns, int a_order, int b_order, bool in_registers>
std::vector<std::uint32_t> run(const Case& one, const Matrices& m) {
  const tensor::Shape& s = It::kShape;
  Arguments x{};
  x.steps = one.k / s.k;
  x.adds = one.adds;
  Image image;
  std::vector<std::uint32_t> registers;
  if constexpr (in_registers) {
    const int in_register = 4 / s.a.bytes;
    for (int step = 0; step < x.steps; ++step)
      for (int thread = 0; thread < kThreads; ++thread)
        for (int r = 0; r < 4; ++r) {
          std::uint32_t word = 0;
          for (int i = 0; i < in_register; ++i) {
            const auto [row, p] = place_in_a(thread, r * in_register + i, s.a.bytes);
            word |= m.a[static_cast<std::size_t>(row * one.k + step * s.k + p)]
                    << 8 * s.a.bytes * i;
          }
          registers.push_back(word);
        }
  } else {
    image = image_of(m.a, one.a, kRows, one.k, s.k, s.a.bytes);
    move_by(image, one.base_offset);
    x.a_descriptor = image.descriptor;
    for (int step = 0; step < x.steps; ++step) x.a_steps[step] = image.steps[step];
    image.bytes.resize((image.bytes.size() + 1023) / 1024 * 1024);
  }
  Image b = image_of(m.b, one.b, s.n, one.k, s.k, s.b.bytes);
  move_by(b, one.base_offset);
  x.b_begins = static_cast<unsigned>(image.bytes.size());
  x.b_descriptor = b.descriptor;
  for (int step = 0; step < x.steps; ++step) x.b_steps[step] = b.steps[step];
  image.bytes.insert(image.bytes.end(), b.bytes.begin(), b.bytes.end());
  x.pieces = static_cast<unsigned>(image.bytes.size() / kPieceBytes);

  const int per_register = 4 / s.c.bytes;
  std::vector<std::uint32_t> d(static_cast<std::size_t>(kThreads) * It::kRegisters);
  std::vector<std::uint32_t> result(static_cast<std::size_t>(s.m * s.n));
  const auto each = [&](auto&& visit) {
    for (int thread = 0; thread < kThreads; ++thread)
      for (int i = 0; i < It::kRegisters * per_register; ++i) {
        const auto [row, column] = place_in_d(thread, i);
        visit(d[static_cast<std::size_t>(thread * It::kRegisters + i / per_register)],
              8 * s.c.bytes * (i % per_register), static_cast<std::size_t>(row * s.n + column));
      }
  };
  each([&](std::uint32_t& word, int shift, std::size_t at) { word |= m.c[at] << shift; });
  uint4* const on_device_image = reinterpret_cast<uint4*>(on_device(image.bytes));
  std::uint32_t* const a = on_device(registers);
  x.image = on_device_image;
  x.a = a;
  x.d = on_device(d);
  const auto kernel = multiply<It, TheSigns, a_order, b_order, in_registers>;
  record::require(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(image.bytes.size())));
  kernel<<<1, kThreads, image.bytes.size()>>>(x);
  record::require(cudaGetLastError());
  record::require(cudaMemcpy(d.data(), x.d, d.size() * sizeof d[0], cudaMemcpyDeviceToHost));
  record::require(cudaFree(on_device_image));
  record::require(cudaFree(a));
  record::require(cudaFree(x.d));
  const std::uint32_t mask = s.c.bytes == 4 ? ~0u : 0xffffu;
  each([&](std::uint32_t& word, int shift, std::size_t at) { result[at] = word >> shift & mask; });
  return result;
}

/// @param k  sum of all steps
template <class It, int a_sign = 1, int b_sign = 1>
Case in_shared(std::string name, int k, Layout a, Layout b, bool adds = true) {
  Case one = {It::kShape.name.data() + (" " + std::move(name)),
              It::kShape,
              It::kSaturates,
              k,
              adds,
              a_sign,
              b_sign,
              nullptr,
              a,
              b};
  using TheSigns = Signs<a_sign, b_sign>;
  one.run = run<It, TheSigns, 0, 0, false>;
  if constexpr (It::kShape.a.bytes == 2) {
    if (a.by_columns && b.by_columns) one.run = run<It, TheSigns, 1, 1, false>;
    if (a.by_columns && !b.by_columns) one.run = run<It, TheSigns, 1, 0, false>;
    if (!a.by_columns && b.by_columns) one.run = run<It, TheSigns, 0, 1, false>;
  }
  return one;
}
template <class It>
Case in_registers(std::string name, int k, Layout b, bool adds = true) {
  Case one = {It::kShape.name.data() + (" " + std::move(name)),
              It::kShape,
              It::kSaturates,
              k,
              adds,
              1,
              1,
              nullptr,
              {},
              b};
  one.run = run<It, Signs<1, 1>, 0, 0, true>;
  if constexpr (It::kShape.a.bytes == 2)
    if (b.by_columns) one.run = run<It, Signs<1, 1>, 0, 1, true>;
  return one;
}

/// Returns a layout in words: "128-byte swizzle by columns".
inline std::string words(const Layout& l) {
  return (l.swizzle == 0 ? "no" : std::to_string(l.swizzle) + "-byte") + std::string(" swizzle") +
         (l.by_columns ? " by columns" : "") + (l.rows_first ? ", rows first" : "");
}

inline std::vector<Case> all_cases() {
  std::vector<Case> all;
  const Layout plain;
  // Every layout of A and of B, four steps of k.
  for (const int swizzle : {0, 32, 64, 128})
    for (const bool by_columns : {false, true})
      for (const bool rows_first : {false, true}) {
        if (swizzle != 0 && rows_first) continue;
        const Layout l = {swizzle, by_columns, rows_first};
        all.push_back(in_shared<F16N64>("A: " + words(l), 64, l, {128}));
        all.push_back(in_shared<F16N64>("B: " + words(l), 64, {128}, l));
        all.push_back(in_registers<F16N64>("A in registers, B: " + words(l), 64, l));
        all.push_back(in_shared<F16ToF16N64>("A: " + words(l), 64, l, l));
        all.push_back(in_shared<Bf16N64>("A, B: " + words(l), 64, l, l));
        all.push_back(in_shared<F16N128>("A, B: " + words(l), 64, l, l));
        if (by_columns) continue;
        all.push_back(in_shared<Tf32N64>("A, B: " + words(l), 32, l, l));
        all.push_back(in_registers<Tf32N64>("A in registers, B: " + words(l), 32, l));
        all.push_back(in_shared<E4m3N16>("A, B: " + words(l), 128, l, l));
        all.push_back(in_shared<S8N24>("A, B: " + words(l), 128, l, l));
      }
  // Other numbers of columns, one step and several; nothing added; other signs.
  for (const int k : {16, 48}) {
    all.push_back(in_shared<F16N8>("k " + std::to_string(k), k, plain, plain));
    all.push_back(in_shared<F16N16>("k " + std::to_string(k), k, {128}, {32}));
    all.push_back(in_shared<F16N24>("k " + std::to_string(k), k, {64}, {64}));
    all.push_back(in_shared<F16N256>("k " + std::to_string(k), k, {128}, {128}));
    all.push_back(
        in_shared<F16N256>("by columns, k " + std::to_string(k), k, {128, true}, {128, true}));
  }
  all.push_back(in_shared<F16N24>("32-byte swizzle by columns", 32, {64}, {32, true}));
  all.push_back(in_shared<F16N64>("nothing added", 64, {128}, {128}, false));
  all.push_back(in_shared<F16ToF16N16>("nothing added", 32, {32}, plain, false));
  all.push_back(in_registers<F16N64>("A in registers, nothing added", 32, {64}, false));
  all.push_back(in_shared<F16N64, -1, 1>("-A", 32, {128}, {128}));
  all.push_back(in_shared<F16N64, 1, -1>("-B", 32, {128}, {128}));
  all.push_back(in_shared<F16N64, -1, -1>("-A -B", 32, {128}, {128}));
  all.push_back(in_shared<Tf32N8>("k 8", 8, plain, plain));
  all.push_back(in_shared<Tf32N8, -1, 1>("-A", 32, {128}, {128}));
  all.push_back(in_shared<E4m3E5m2ToF16N16>("k 64", 64, {64}, {32}));
  all.push_back(in_registers<E4m3N16>("A in registers", 64, {64}));
  all.push_back(in_registers<F16N16>("A in registers", 32, {32, true}));
  all.push_back(in_registers<Bf16N64>("A in registers", 64, {128, true}));
  all.push_back(in_registers<S8N24>("A in registers", 64, {64}));
  all.push_back(in_shared<U8S8SaturatingN32>("k 64", 64, {64}, {64}));
  return all;
}

}  // namespace wgmma
