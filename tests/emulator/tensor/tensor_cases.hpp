/// @file
/// Inputs of tensor cores: tiles of A, B and C, generated from a seed, the same on every machine.
///
/// The program that records a GPU's results (tensor_record.cu) and the tests that compare with the
/// record share these inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tensor {

/// The format of an element in its word. Integers have no exponent.
struct Format {
  std::string_view name;  // name in PTX
  int exponent_bits, mantissa_bits;
  int shift;  // position of the mantissa's last bit: tf32 has 13 bits below it, which are ignored
  int bytes;  // in memory
  bool has_infinity;
  bool is_signed = true;
};
inline constexpr Format kF16 = {"f16", 5, 10, 0, 2, true}, kBf16 = {"bf16", 8, 7, 0, 2, true},
                        kTf32 = {"tf32", 8, 10, 13, 4, true}, kE4m3 = {"e4m3", 4, 3, 0, 1, false},
                        kE5m2 = {"e5m2", 5, 2, 0, 1, true}, kF32 = {"f32", 8, 23, 0, 4, true},
                        kS8 = {"s8", 0, 7, 0, 1, false}, kU8 = {"u8", 0, 8, 0, 1, false, false},
                        kS32 = {"s32", 0, 31, 0, 4, false};

/// An instruction's shape and formats. C and D have the same format.
struct Shape {
  std::string_view name;  // unique: it seeds the tiles
  int m, n, k;
  Format a, b, c;
};

inline constexpr int kKinds = 16;  // kinds of tiles, used in turn
inline constexpr int kTilesPerKind = 80;
// For m16n8; instructions with m64 have a quarter.
inline constexpr int kTiles = kKinds * kTilesPerKind;

/// The bits of every element, one word each.
struct Tile {
  std::vector<std::uint32_t> a;  // [m, k]
  std::vector<std::uint32_t> b;  // [k, n]
  std::vector<std::uint32_t> c;  // [m, n]
};

/// SplitMix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  int below(int end) { return static_cast<int>((next() >> 32) % static_cast<unsigned>(end)); }
  int between(int first, int last) { return first + below(last - first + 1); }
  bool one_in(int n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

/// FNV-1a of words.
inline std::uint32_t digest(const std::uint32_t* words, std::size_t count) {
  std::uint32_t hash = 0x811c9dc5u;
  for (std::size_t i = 0; i < count; ++i)
    for (int byte = 0; byte < 4; ++byte)
      hash = (hash ^ (words[i] >> (8 * byte) & 0xff)) * 0x01000193u;
  return hash;
}

namespace detail {

constexpr int bias(const Format& f) { return (1 << (f.exponent_bits - 1)) - 1; }
constexpr int fields(const Format& f) { return 1 << f.exponent_bits; }  // number of exponents
constexpr int last_field(const Format& f) {  // largest exponent of finite numbers with any mantissa
  return f.has_infinity ? fields(f) - 2 : fields(f) - 1;
}
constexpr std::uint32_t sign_bit(const Format& f) {
  return 1u << (f.exponent_bits + f.mantissa_bits + f.shift);
}

class Maker {
 public:
  Maker(const Shape& shape, int tile) : shape_(shape), random_(seed(shape, tile)) {}

  Tile make(int kind) {
    Tile t;
    t.a = elements(shape_.a, kind, shape_.m * shape_.k);
    t.b = elements(shape_.b, kind, shape_.k * shape_.n);
    t.c = accumulators(kind);
    if (kind == 3 || kind == 4) cancel(t);
    if (kind == 8 || kind == 12) lone(t, kind);
    return t;
  }

 private:
  static std::uint64_t seed(const Shape& shape, int tile) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : shape.name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash + static_cast<std::uint64_t>(tile) * 0xd1342543de82ef95u;
  }

  /// Returns a number with magnitude 2^exponent, or the nearest in the format.
  std::uint32_t number(const Format& f, bool negative, int exponent, bool power_of_two = false) {
    int field = exponent + bias(f);
    if (field < 1) field = 0;
    if (field > last_field(f)) field = last_field(f);
    const int kept = f.mantissa_bits + f.shift;  // ignored bits are random, too
    std::uint32_t mantissa =
        power_of_two ? 0 : static_cast<std::uint32_t>(random_.next() >> 40) & ((1u << kept) - 1);
    if (!f.has_infinity && field == fields(f) - 1) mantissa &= ~1u;  // all ones are NaN
    return (negative ? sign_bit(f) : 0) | static_cast<std::uint32_t>(field) << kept | mantissa;
  }

  std::uint32_t special(const Format& f) {
    const std::uint32_t sign = random_.one_in(2) ? sign_bit(f) : 0;
    const int kept = f.mantissa_bits + f.shift;
    const std::uint32_t top = static_cast<std::uint32_t>(fields(f) - 1) << kept;
    if (!f.has_infinity) return sign | top | ((1u << kept) - 1);
    switch (random_.below(4)) {
      case 0:
        return sign | top | 1u << random_.below(kept);
      default:
        return sign | top;
    }
  }

  std::uint32_t element(const Format& f, int kind) {
    if (f.exponent_bits == 0) return integer(f, kind);
    const bool negative = random_.one_in(2);
    const int low = 1 - bias(f), high = last_field(f) - bias(f);
    switch (kind) {
      case 0:  // every finite number
        return number(f, negative, random_.between(low - 1, high));
      case 2:  // all positive
        return number(f, false, random_.between(-2, 1));
      case 5:  // wide exponents, and zeros
        if (random_.one_in(4)) return negative ? sign_bit(f) : 0;
        return number(f, negative, random_.between(low / 2 - 1, high / 2 + 1));
      case 6:  // subnormal numbers
        return number(f, negative, random_.one_in(2) ? low - 1 : random_.between(low - 1, low + 8));
      case 7:  // infinities and NaN here and there
        if (random_.one_in(24)) return special(f);
        if (random_.one_in(8)) return negative ? sign_bit(f) : 0;
        return number(f, negative, random_.between(-2, 2));
      case 8:
      case 14:  // powers of two
        return number(f, negative, random_.between(low / 2, high / 2), true);
      case 10:  // large products
        return number(f, negative, random_.between(high / 4, high / 3));
      case 11:  // products near the largest number
        return number(f, negative, random_.between(high / 2 - 1, high / 2 + 1));
      case 12:
        return 0;
      case 13:  // zeros
        return negative ? sign_bit(f) : 0;
      case 15:  // spread over eight binary orders
        return number(f, negative, random_.between(-4, 4));
      default:
        return number(f, negative, random_.between(-2, 1));
    }
  }

  std::uint32_t integer(const Format& f, int kind) {
    const std::uint32_t mask = f.bytes == 4 ? ~0u : (1u << (8 * f.bytes)) - 1;
    const std::uint32_t top = sign_bit(f) & mask;
    const auto drawn = static_cast<std::uint32_t>(random_.next() >> 32) & mask;
    switch (kind % 4) {
      case 0:
        return drawn;
      case 1:
        return random_.one_in(2) ? top : (top - 1) & mask;
      case 2:
        return random_.one_in(8) ? drawn : 0;
      default:
        return drawn & 7;
    }
  }

  std::vector<std::uint32_t> elements(const Format& f, int kind, int count) {
    std::vector<std::uint32_t> all(static_cast<std::size_t>(count));
    for (std::uint32_t& word : all) word = element(f, kind);
    return all;
  }

  std::uint32_t accumulator(int kind) {
    const Format& f = shape_.c;
    if (f.exponent_bits == 0) {
      const auto drawn = static_cast<std::uint32_t>(random_.next() >> 32);
      // Near the ends, where sums wrap or saturate.
      if (random_.one_in(2)) return drawn;
      return (random_.one_in(2) ? 0x7fffffffu : 0x80000000u) ^ (drawn & 0xffff);
    }
    const bool negative = random_.one_in(2);
    const int low = 1 - bias(f), high = last_field(f) - bias(f);
    switch (kind) {
      case 0:
      case 5:
        return number(f, negative, random_.between(low - 1, high));
      case 2:
        return number(f, false, random_.between(-2, 12));
      case 6:
        return number(f, negative, random_.one_in(2) ? low - 1 : random_.between(low, low + 8));
      case 7:
        return random_.one_in(16) ? special(f) : number(f, negative, random_.between(-2, 2));
      case 8:
      case 12:
        return random_.one_in(3) ? 0 : number(f, negative, random_.between(-40, 8));
      case 9:
        return number(f, negative, random_.between(3, 34));
      case 10:
        return number(f, negative, random_.between(-30, 0));
      case 11:
        return number(f, negative, random_.between(high - 2, high));
      case 13:
        return negative ? sign_bit(f) : 0;
      case 14:
        return number(f, negative, random_.between(low / 3, high / 3), true);
      default:
        return number(f, negative, random_.between(-4, 4));
    }
  }

  std::vector<std::uint32_t> accumulators(int kind) {
    std::vector<std::uint32_t> all(static_cast<std::size_t>(shape_.m) * shape_.n);
    for (std::uint32_t& word : all) word = accumulator(kind);
    return all;
  }

  std::uint32_t& a(Tile& t, int i, int p) const { return t.a[std::size_t(i) * shape_.k + p]; }
  std::uint32_t& b(Tile& t, int p, int j) const { return t.b[std::size_t(p) * shape_.n + j]; }

  /// Adds pairs of opposite products at any two positions of k; one product may remain.
  void cancel(Tile& t) {
    if (shape_.a.exponent_bits == 0) return;
    std::vector<int> order(static_cast<std::size_t>(shape_.k));
    for (int p = 0; p < shape_.k; ++p) order[p] = p;
    for (int p = shape_.k - 1; p > 0; --p) std::swap(order[p], order[random_.below(p + 1)]);
    const int pairs = random_.between(1, shape_.k / 2);
    for (int pair = 0; pair < pairs; ++pair) {
      const int p = order[2 * pair], q = order[2 * pair + 1];
      const int up = random_.between(0, 6);
      for (int i = 0; i < shape_.m; ++i) {
        a(t, i, p) = number(shape_.a, random_.one_in(2), up);
        a(t, i, q) = a(t, i, p);
      }
      for (int j = 0; j < shape_.n; ++j) b(t, q, j) = b(t, p, j) ^ sign_bit(shape_.b);
    }
    // The remaining sum is small or zero.
    const bool nothing = random_.one_in(2);
    for (int rest = 2 * pairs; rest < shape_.k; ++rest)
      for (int i = 0; i < shape_.m; ++i)
        a(t, i, order[rest]) =
            nothing ? 0 : number(shape_.a, random_.one_in(2), random_.between(-24, -3));
    if (random_.one_in(2))
      for (std::uint32_t& word : t.c)
        word = number(shape_.c, random_.one_in(2), random_.between(-26, -10));
  }

  /// Makes few products whose exponents differ by about an accumulator's bits, to find which bits
  /// are cut off and between which positions of k.
  void lone(Tile& t, int kind) {
    if (shape_.a.exponent_bits == 0) return;
    const int count = random_.between(1, kind == 8 ? shape_.k : 3);
    for (std::uint32_t& word : t.a) word = 0;
    for (int part = 0; part < count; ++part) {
      const int p = random_.below(shape_.k);
      const int low = 1 - bias(shape_.a);
      const int up = part == 0 ? 4 : random_.between(low > -26 ? low : -26, 4);
      for (int i = 0; i < shape_.m; ++i)
        a(t, i, p) = number(shape_.a, random_.one_in(2), up + random_.below(2), kind == 8);
      for (int j = 0; j < shape_.n; ++j)
        b(t, p, j) = number(shape_.b, random_.one_in(2), random_.between(-6, 6), kind == 8);
    }
  }

  const Shape& shape_;
  Random random_;
};

}  // namespace detail

/// Returns tile `index` of a shape, of kind `index % kKinds`.
inline Tile make_tile(const Shape& shape, int index) {
  return detail::Maker(shape, index).make(index % kKinds);
}
inline int tiles_of(const Shape& shape) { return kTiles * 16 / shape.m; }

/// The recorded instructions, in the record's order. A name ends with PTX's suffix.
inline constexpr Shape kShapes[] = {
    {"mma.m16n8k8.f32.f16.f16.f32", 16, 8, 8, kF16, kF16, kF32},
    {"mma.m16n8k16.f32.f16.f16.f32", 16, 8, 16, kF16, kF16, kF32},
    {"mma.m16n8k8.f16.f16.f16.f16", 16, 8, 8, kF16, kF16, kF16},
    {"mma.m16n8k16.f16.f16.f16.f16", 16, 8, 16, kF16, kF16, kF16},
    {"mma.m16n8k8.f32.bf16.bf16.f32", 16, 8, 8, kBf16, kBf16, kF32},
    {"mma.m16n8k16.f32.bf16.bf16.f32", 16, 8, 16, kBf16, kBf16, kF32},
    {"mma.m16n8k4.f32.tf32.tf32.f32", 16, 8, 4, kTf32, kTf32, kF32},
    {"mma.m16n8k8.f32.tf32.tf32.f32", 16, 8, 8, kTf32, kTf32, kF32},
    {"mma.m16n8k32.f32.e4m3.e4m3.f32", 16, 8, 32, kE4m3, kE4m3, kF32},
    {"mma.m16n8k32.f32.e5m2.e5m2.f32", 16, 8, 32, kE5m2, kE5m2, kF32},
    {"mma.m16n8k32.f32.e4m3.e5m2.f32", 16, 8, 32, kE4m3, kE5m2, kF32},
    {"mma.m16n8k16.s32.s8.s8.s32", 16, 8, 16, kS8, kS8, kS32},
    {"mma.m16n8k32.s32.s8.s8.s32", 16, 8, 32, kS8, kS8, kS32},
    {"mma.m16n8k32.s32.u8.u8.s32", 16, 8, 32, kU8, kU8, kS32},
    {"mma.m16n8k32.s32.s8.u8.s32", 16, 8, 32, kS8, kU8, kS32},
    {"mma.m16n8k32.satfinite.s32.s8.s8.s32", 16, 8, 32, kS8, kS8, kS32},
    {"wgmma.m64n8k16.f32.f16.f16", 64, 8, 16, kF16, kF16, kF32},
    {"wgmma.m64n8k16.f16.f16.f16", 64, 8, 16, kF16, kF16, kF16},
    {"wgmma.m64n8k16.f32.bf16.bf16", 64, 8, 16, kBf16, kBf16, kF32},
    {"wgmma.m64n8k8.f32.tf32.tf32", 64, 8, 8, kTf32, kTf32, kF32},
    {"wgmma.m64n8k32.f32.e4m3.e4m3", 64, 8, 32, kE4m3, kE4m3, kF32},
    {"wgmma.m64n8k32.f32.e5m2.e5m2", 64, 8, 32, kE5m2, kE5m2, kF32},
    {"wgmma.m64n8k32.f32.e4m3.e5m2", 64, 8, 32, kE4m3, kE5m2, kF32},
    {"wgmma.m64n8k32.f16.e4m3.e4m3", 64, 8, 32, kE4m3, kE4m3, kF16},
    {"wgmma.m64n8k32.f16.e5m2.e5m2", 64, 8, 32, kE5m2, kE5m2, kF16},
    {"wgmma.m64n8k32.s32.s8.s8", 64, 8, 32, kS8, kS8, kS32},
    {"wgmma.m64n8k32.satfinite.s32.u8.s8", 64, 8, 32, kU8, kS8, kS32},
};

}  // namespace tensor
