/// @file
/// Reads of shared memory that continue after the instruction that starts them: operands of tensor
/// cores (wgmma) and sources of bulk stores.
///
/// Such a read begins when it is issued. For a thread it has ended if the thread that issued it has
/// waited for its group, and that wait happens before what the thread does.
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
  /// The thread that issued the read; of a tensor core, the first of its warp.
  unsigned thread = 0;
  unsigned site = 0;
  const void* call_site = nullptr;
  std::uint64_t group = 0;
  std::uintptr_t begin = 0;  ///< address of the first piece in the block's own shared memory
  std::vector<std::uint64_t> pieces;  ///< bit i: the 16 bytes at begin + 16 i are read
  /// [lane]: the segment in which the lane has waited for the read; 0: it has not
  std::array<std::uint32_t, kWarpSize> over{};

  unsigned warp() const { return thread / kWarpSize; }
  bool has_ended() const;
  std::uintptr_t end() const { return begin + 64 * kPieceBytes * pieces.size(); }

  /// Sets the pieces that are read.
  /// @param addresses the addresses of all pieces
  void set_pieces(const std::vector<std::uintptr_t>& addresses);
  /// Calls visit(address) for each piece.
  template <class Visit>
  void each_piece(Visit&& visit) const {
    for (std::size_t i = 0; i < 64 * pieces.size(); ++i)
      if (pieces[i / 64] >> i % 64 & 1) visit(begin + i * kPieceBytes);
  }
  /// Returns whether a piece overlaps [from, to).
  bool overlaps(std::uintptr_t from, std::uintptr_t to) const;
  /// Drops the pieces that lie entirely in [from, to).
  /// @return whether any piece is left
  bool forget(std::uintptr_t from, std::uintptr_t to);
};

/// The asynchronous reads of one block.
class AsyncReads {
 public:
  void begin_block(std::size_t threads);
  bool empty() const { return reads_.empty(); }
  const std::vector<AsyncRead>& all() const { return reads_; }

  /// Adds a read to the open group of its thread. It replaces an earlier read of the same bytes by
  /// the same warp, which ends before this one.
  void add(AsyncRead read);
  void commit(AsyncRead::By by, unsigned thread) { ++committed(by)[thread]; }
  /// Returns whether the thread has reads that a wait for all but its `all_but_newest` newest
  /// groups covers, and that it has not waited for.
  bool is_awaited(AsyncRead::By by, unsigned thread, std::uint64_t all_but_newest) const;
  /// Records that the thread has waited, in segment `segment`, for all but its newest groups.
  void waited(AsyncRead::By by, unsigned thread, std::uint64_t all_but_newest,
              std::uint32_t segment);
  /// Drops the reads that any lane has waited for. For a barrier after which all threads know of
  /// these waits.
  void forget_ended();

  /// Calls visit(read) for each read that overlaps [from, to), which a thread writes. `visit`
  /// returns whether the read happens before the write; then the overwritten pieces are dropped.
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
  std::array<std::vector<std::uint64_t>, 2> committed_;  // [By][thread], number of committed groups
};

}  // namespace emu
