/// @file
/// What tensor cores and bulk stores read of a block's shared memory after they were asked for it.
///
/// Such a read begins when it is asked for. It is over for a thread that has waited for its group,
/// and for all who know of that wait.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/count/cost.hpp"

namespace emu {

struct AsyncRead {
  enum class By : std::uint8_t { tensor_core, bulk_store };
  static constexpr std::uintptr_t kPieceBytes = 16;

  By by = By::tensor_core;
  unsigned thread = 0;  ///< that asked; of a tensor core, the first of its warp
  unsigned site = 0;
  const void* call_site = nullptr;
  std::uint64_t group = 0;
  std::uintptr_t begin = 0;           ///< of the first piece, as the block itself sees it
  std::vector<std::uint64_t> pieces;  ///< a bit for each 16 bytes from there on
  /// [lane]: the segment in which it has waited; 0: it has not
  std::array<std::uint32_t, kWarpSize> over{};

  unsigned warp() const { return thread / kWarpSize; }
  bool has_ended() const;
  std::uintptr_t end() const { return begin + 64 * kPieceBytes * pieces.size(); }

  /// @param places  of all pieces
  void set_pieces(const std::vector<std::uintptr_t>& places);
  /// Calls visit(address) for each piece.
  template <class Visit>
  void each_piece(Visit&& visit) const {
    for (std::size_t i = 0; i < 64 * pieces.size(); ++i)
      if (pieces[i / 64] >> i % 64 & 1) visit(begin + i * kPieceBytes);
  }
  /// Whether a piece has bytes there.
  bool overlaps(std::uintptr_t from, std::uintptr_t to) const;
  /// Those pieces that have no bytes elsewhere no longer matter; whether any other is left.
  bool forget(std::uintptr_t from, std::uintptr_t to);
};

/// Of one block.
class AsyncReads {
 public:
  void begin_block(std::size_t threads);
  bool empty() const { return reads_.empty(); }
  const std::vector<AsyncRead>& all() const { return reads_; }

  /// In the open group of its thread. A later read of the same bytes by the same warp stands for
  /// the earlier one, which is over before.
  void add(AsyncRead read);
  void commit(AsyncRead::By by, unsigned thread) { ++committed(by)[thread]; }
  /// Whether the thread waits for anything that it has not waited for.
  bool is_awaited(AsyncRead::By by, unsigned thread, std::uint64_t all_but_newest) const;
  /// The thread has waited, in this segment.
  void waited(AsyncRead::By by, unsigned thread, std::uint64_t all_but_newest,
              std::uint32_t segment);
  /// Everybody knows what anybody has waited for.
  void forget_ended();

  /// Calls visit(read) for those that have bytes there; it returns whether the read is over for who
  /// writes them.
  template <class Visit>
  void write(std::uintptr_t from, std::uintptr_t to, Visit&& visit) {
    for (std::size_t i = 0; i < reads_.size();) {
      const bool is_gone =
          reads_[i].overlaps(from, to) && visit(reads_[i]) && !reads_[i].forget(from, to);
      if (is_gone) {
        reads_[i] = std::move(reads_.back());
        reads_.pop_back();
      } else {
        ++i;
      }
    }
  }

 private:
  static bool is_of(const AsyncRead& read, AsyncRead::By by, unsigned thread) {
    return read.by == by && (by == AsyncRead::By::tensor_core ? read.warp() == thread / kWarpSize
                                                              : read.thread == thread);
  }
  std::vector<std::uint64_t>& committed(AsyncRead::By by) {
    return committed_[static_cast<std::size_t>(by)];
  }
  const std::vector<std::uint64_t>& committed(AsyncRead::By by) const {
    return committed_[static_cast<std::size_t>(by)];
  }

  std::vector<AsyncRead> reads_;
  std::array<std::vector<std::uint64_t>, 2> committed_;  // [By][thread]: groups
};

}  // namespace emu
