// Operations of a warpgroup on its tensor cores: products of matrices that descriptors locate in
// shared memory.
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "device/tensor.hpp"
#include "emulator/device_tensor.h"
#include "emulator/groups.h"
#include "engine/check/checker.hpp"
#include "engine/meet/async.hpp"
#include "engine/meet/kinds.hpp"
#include "engine/meet/warp_together.hpp"
#include "engine/run/worker.hpp"
#include "tensor/multiply.hpp"

namespace emu {
namespace {

constexpr unsigned kWarpsOfGroup = 4;
constexpr unsigned kPieceBytes = 16;  // bytes of a core matrix's row
constexpr int kCoreRows = 8;

/// A matrix descriptor. Source: PTX ISA 8.8, 9.7.15.5.1, "Matrix Descriptor Format"; for the
/// meaning of the strides: CUTLASS, mma_sm90_desc.hpp.
struct Descriptor {
  std::uint32_t start;            ///< an address in the shared address space
  std::uint32_t leading, stride;  ///< in bytes
  unsigned base_offset;
  unsigned swizzle_bytes;  ///< 0, 32, 64 or 128
  bool has_other_bits;     ///< bits are set that have no meaning

  explicit Descriptor(std::uint64_t bits)
      : start(field(bits, 0)),
        leading(field(bits, 16)),
        stride(field(bits, 32)),
        base_offset(static_cast<unsigned>(bits >> 49 & 7)),
        swizzle_bytes(std::array{0u, 128u, 64u, 32u}[bits >> 62]),
        has_other_bits((bits & 0x3ff1'c000'c000'c000u) != 0) {}

 private:
  static std::uint32_t field(std::uint64_t bits, int at) {
    constexpr std::uint64_t kMask = 0x3fff;  // 14 bits, in pieces of 16 bytes
    return static_cast<std::uint32_t>((bits >> at & kMask) * kPieceBytes);
  }
};

/// Returns the address of the piece with the elements from `piece` x 16 bytes on in row `row`, for
/// K-major matrices.
std::uint32_t place_by_rows(const Descriptor& d, int row, int piece) {
  const auto in_core = static_cast<unsigned>(row % kCoreRows);
  const auto core = static_cast<unsigned>(row / kCoreRows), p = static_cast<unsigned>(piece);
  const unsigned row_bytes = d.swizzle_bytes == 0 ? kPieceBytes : d.swizzle_bytes;
  const std::uint32_t along_k = d.swizzle_bytes == 0 ? p * d.leading : p * kPieceBytes;
  return d.start + in_core * row_bytes + core * d.stride + along_k;
}

/// Returns the address of the piece with the elements of eight rows in `column`, for MN-major
/// matrices.
std::uint32_t place_by_columns(const Descriptor& d, int column, int piece) {
  const auto in_core = static_cast<unsigned>(column % kCoreRows);
  const auto core = static_cast<unsigned>(column / kCoreRows), p = static_cast<unsigned>(piece);
  if (d.swizzle_bytes == 0)
    return d.start + in_core * kPieceBytes + core * d.leading + p * d.stride;
  const unsigned pieces = d.swizzle_bytes / kPieceBytes;
  return d.start + p % pieces * kPieceBytes + p / pieces * d.leading + in_core * d.swizzle_bytes +
         core * d.stride;
}

/// Applies the swizzle: bits 7 and up of the address select the piece.
std::uint32_t swizzled(const Descriptor& d, std::uint32_t address) {
  constexpr unsigned kRowBits = 7;
  const unsigned pieces = d.swizzle_bytes / kPieceBytes;
  return pieces == 0 ? address : address ^ (address >> kRowBits & (pieces - 1)) * kPieceBytes;
}

/// The reason why this thread's newest work was refused.
thread_local WarpRefusal refusal;

const WarpRefusal* refuse(cudaError_t error, std::string message, const void* address = nullptr) {
  refusal = {error, std::move(message), address};
  return &refusal;
}

struct Operand {
  const char* name;
  tensor::Type type;
  Descriptor descriptor;
  bool by_columns;
  int first_row, rows;  ///< of A; for B, columns
  int k;
};

constexpr std::uint32_t sign_bit(tensor::Type type) {
  return std::uint32_t{1} << (8 * bytes_of(type) - 1);
}

class Reader {
 public:
  explicit Reader(Worker& worker) : worker_(worker), is_checked_(worker.checker() != nullptr) {}

  /// The addresses that were read, if the launch is checked.
  const std::vector<std::uintptr_t>& addresses() const { return addresses_; }

  /// @param words [rows, k]
  /// @return null, or the error
  const WarpRefusal* read(const Operand& operand, std::uint32_t* words) {
    const Descriptor& d = operand.descriptor;
    if (d.has_other_bits)
      return refuse(cudaErrorIllegalInstruction,
                    fmt::format("the descriptor of {} has bits set that mean nothing: is every "
                                "field 14 bits, the address without its upper ones?",
                                operand.name));
    if (d.base_offset != 0)
      return refuse(cudaErrorIllegalInstruction,
                    fmt::format("the descriptor of {} has a base offset, which the emulator does "
                                "not support: let the swizzle's pattern begin at a multiple of {} "
                                "bytes",
                                operand.name, kCoreRows * d.swizzle_bytes));
    find_window(d);
    const int bytes = bytes_of(operand.type);
    const int in_piece = static_cast<int>(kPieceBytes) / bytes;
    if (!operand.by_columns) {
      for (int row = 0; row < operand.rows; ++row)
        for (int piece = 0; piece < operand.k / in_piece; ++piece)
          if (!take(operand, place_by_rows(d, operand.first_row + row, piece),
                    words + row * operand.k + piece * in_piece, 1))
            return &refusal;
      return nullptr;
    }
    for (int column = 0; column < operand.k; ++column)
      for (int piece = 0; piece < operand.rows / in_piece; ++piece)
        if (!take(operand, place_by_columns(d, column, operand.first_row / in_piece + piece),
                  words + piece * in_piece * operand.k + column, operand.k))
          return &refusal;
    return nullptr;
  }

 private:
  template <class Element>
  static void spread(const char* from, std::uint32_t* to, int step) {
    for (unsigned i = 0; i < kPieceBytes / sizeof(Element); ++i) {
      Element element;
      std::memcpy(&element, from + i * sizeof element, sizeof element);
      to[static_cast<std::ptrdiff_t>(i) * step] = element;
    }
  }

  /// Finds the window of shared memory that a descriptor means. It has only 18 bits of an address,
  /// and the kernels of a program together may have more shared memory. Of the pieces with these
  /// bits that the kernel may touch, the largest is meant.
  void find_window(const Descriptor& d) {
    constexpr std::uint32_t kWindow = 1 << 18, kMostWindows = 64;
    window_ = 0;
    piece_ = {};
    for (std::uint32_t i = 0; i < kMostWindows; ++i) {
      const auto piece = worker_.shared_piece_of(address_of(d.start + i * kWindow));
      if (piece.size() <= piece_.size()) continue;
      piece_ = piece;
      window_ = i * kWindow;
    }
  }

  const char* address_of(std::uint32_t address) const {
    return static_cast<const char*>(worker_.shared_pointer(address - kFirstSharedAddress));
  }
  bool is_in_piece(const char* address) const {
    const auto offset =
        reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(piece_.data());
    return offset < piece_.size() && kPieceBytes <= piece_.size() - offset;
  }

  /// @return whether the piece belongs to the block
  bool take(const Operand& operand, std::uint32_t address, std::uint32_t* to, int step) {
    const std::uint32_t swizzled_address = swizzled(operand.descriptor, address);
    const char* const from = address_of(swizzled_address + window_);
    if (!is_in_piece(from)) piece_ = worker_.shared_piece_of(from);
    if (is_checked_) addresses_.push_back(reinterpret_cast<std::uintptr_t>(from));
    if (!is_in_piece(from)) {
      const Descriptor& d = operand.descriptor;
      refuse(cudaErrorIllegalAddress,
             fmt::format("wgmma reads {} at 0x{:x}, which is not the block's shared memory: its "
                         "descriptor begins at 0x{:x}, with a leading offset of {} and a stride "
                         "offset of {} bytes",
                         operand.name, swizzled_address, d.start, d.leading, d.stride),
             from);
      return false;
    }
    switch (bytes_of(operand.type)) {
      case 1:
        spread<std::uint8_t>(from, to, step);
        break;
      case 2:
        spread<std::uint16_t>(from, to, step);
        break;
      default:
        spread<std::uint32_t>(from, to, step);
    }
    return true;
  }

  Worker& worker_;
  std::uint32_t window_ = 0;
  std::span<const char> piece_;  // the piece that was read last
  bool is_checked_;
  std::vector<std::uintptr_t> addresses_;
};

struct Brought {
  const tensor::Shape& shape;
  const WarpgroupOperands& operands;
  std::uint32_t* d;
  const void* call_site;
};

bool want_the_same(const Brought& x, const Brought& y) {
  const WarpgroupOperands &a = x.operands, &b = y.operands;
  return x.shape == y.shape && (a.a == nullptr) == (b.a == nullptr) && a.adds == b.adds &&
         a.a_sign == b.a_sign && a.b_sign == b.b_sign && a.a_order == b.a_order &&
         a.b_order == b.b_order;
}

/// Calls visit(lane, register's elements, row and column of the first one) for D.
template <class Visit>
void for_pairs(int n, Visit&& visit) {
  for (int lane = 0; lane < kLanes; ++lane)
    for (int pair = 0; pair < n / 4; ++pair)
      visit(lane, pair, lane / 4 + kCoreRows * (pair % 2), 2 * (lane % 4) + kCoreRows * (pair / 2));
}

const WarpRefusal* multiply_for_group(const std::array<void*, kLanes>& lanes) {
  const auto of = [&](int lane) -> const Brought& {
    return *static_cast<const Brought*>(lanes[static_cast<std::size_t>(lane)]);
  };
  const Brought& one = of(0);
  const WarpgroupOperands& in = one.operands;
  for (int lane = 1; lane < kLanes; ++lane) {
    const Brought& other = of(lane);
    if (!want_the_same(one, other)) return &kLanesDiffer;
    if (in.a_descriptor != other.operands.a_descriptor ||
        in.b_descriptor != other.operands.b_descriptor)
      return refuse(
          cudaErrorIllegalInstruction,
          fmt::format("lanes 0 and {} of one warp bring different descriptors to wgmma", lane));
  }
  Worker& worker = *Worker::running();
  const Block& block = worker.block();
  const unsigned warp = block.phase_warp;
  if ((warp / kWarpsOfGroup + 1) * kWarpsOfGroup * kLanes > block.threads)
    return refuse(cudaErrorIllegalInstruction,
                  fmt::format("wgmma takes the four warps of a warpgroup, and a block of {} "
                              "threads does not have them all",
                              block.threads));

  const tensor::Shape& s = one.shape;
  const int n = s.n, k = s.k;
  static thread_local std::vector<std::uint32_t> a, b, c;
  a.resize(static_cast<std::size_t>(s.m * k));
  b.resize(static_cast<std::size_t>(n * k));
  c.assign(static_cast<std::size_t>(s.m * n), 0);

  Reader reader(worker);
  if (in.a == nullptr) {
    const Operand operand = {"A",
                             s.a,
                             Descriptor(in.a_descriptor),
                             in.a_order != 0,
                             static_cast<int>(warp % kWarpsOfGroup) * tensor::kRowsOfWarp,
                             s.m,
                             k};
    if (const WarpRefusal* const wrong = reader.read(operand, a.data())) return wrong;
  } else {
    const int bytes = bytes_of(s.a);
    for (int lane = 0; lane < kLanes; ++lane)
      for (int i = 0; i < s.m * k / kLanes; ++i) {
        const tensor::Place p = place_in_a(s, lane, i);
        std::uint32_t& word = a[static_cast<std::size_t>(p.row * k + p.column)];
        word = 0;
        std::memcpy(&word,
                    reinterpret_cast<const char*>(of(lane).operands.a) + std::ptrdiff_t{i} * bytes,
                    static_cast<std::size_t>(bytes));
      }
  }
  const Operand operand = {"B", s.b, Descriptor(in.b_descriptor), in.b_order != 0, 0, n, k};
  if (const WarpRefusal* const wrong = reader.read(operand, b.data())) return wrong;
  if (in.a_sign < 0)
    for (std::uint32_t& word : a) word ^= sign_bit(s.a);
  if (in.b_sign < 0)
    for (std::uint32_t& word : b) word ^= sign_bit(s.b);

  const bool is_half = s.c == tensor::Type::f16;
  constexpr int kHalfBits = 16;
  constexpr std::uint32_t kHalfMask = 0xffff;
  if (in.adds)
    for_pairs(n, [&](int lane, int pair, int row, int column) {
      const std::uint32_t* const d = of(lane).d;
      std::uint32_t* const to = &c[static_cast<std::size_t>(row * n + column)];
      to[0] = is_half ? d[pair] & kHalfMask : d[2 * pair];
      to[1] = is_half ? d[pair] >> kHalfBits : d[2 * pair + 1];
    });
  tensor::multiply(tensor::kHopper, s, a.data(), b.data(), c.data(), c.data());
  for_pairs(n, [&](int lane, int pair, int row, int column) {
    std::uint32_t* const d = of(lane).d;
    const std::uint32_t* const from = &c[static_cast<std::size_t>(row * n + column)];
    if (is_half) {
      d[pair] = from[0] | from[1] << kHalfBits;
    } else {
      d[2 * pair] = from[0];
      d[2 * pair + 1] = from[1];
    }
  });
  if (Checker* const checker = worker.checker())
    checker->begin_read(AsyncRead::By::tensor_core, warp * kLanes, reader.addresses(),
                        one.call_site);
  // The four warps read B together; it is counted for the first one.
  const auto a_bytes = static_cast<std::uint64_t>(in.a ? 0 : s.m * k * bytes_of(s.a));
  const auto b_bytes =
      static_cast<std::uint64_t>(warp % kWarpsOfGroup == 0 ? n * k * bytes_of(s.b) : 0);
  count_product(s, a_bytes + b_bytes, one.call_site);
  return nullptr;
}

}  // namespace

void warpgroup_multiply(const tensor::Shape& shape, const WarpgroupOperands& operands,
                        std::uint32_t* d) {
  const void* const call_site = __builtin_return_address(0);
  const auto is_sign = [](int sign) { return sign == 1 || sign == -1; };
  const auto is_order = [](int order) { return order == 0 || order == 1; };
  if (!is_sign(operands.a_sign) || !is_sign(operands.b_sign))
    fail_kernel(cudaErrorIllegalInstruction, "wgmma's factors of A and B are 1 or -1", call_site);
  if (!is_order(operands.a_order) || !is_order(operands.b_order))
    fail_kernel(cudaErrorIllegalInstruction, "wgmma's orders of A and B are 0 or 1", call_site);
  Brought mine = {shape, operands, d, call_site};
  warp_together(multiply_for_group, &mine, "wgmma.mma_async", call_site);
}

void set_max_registers(std::uint32_t count) {
  constexpr std::uint32_t kFewest = 24, kMost = 256, kUnit = 8;
  if (count < kFewest || count > kMost || count % kUnit != 0)
    fail_kernel(cudaErrorIllegalInstruction,
                fmt::format("setmaxnreg takes multiples of {} from {} to {}, not {}", kUnit,
                            kFewest, kMost, count),
                __builtin_return_address(0));
}

// Results are available immediately. Only the checks track which thread has waited for what.
void warpgroup_fence() {}

void warpgroup_commit() {
  Worker& worker = worker_of_lane("wgmma in host code");
  if (!worker.is_race_checked()) return;
  const Unrecorded unrecorded;
  worker.checker()->race.commit_reads(AsyncRead::By::tensor_core, worker.thread());
}

void warpgroup_wait(unsigned all_but_newest) {
  wait_for_reads(worker_of_lane("wgmma in host code"), AsyncRead::By::tensor_core, all_but_newest);
}

}  // namespace emu
