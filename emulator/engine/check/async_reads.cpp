#include "engine/check/async_reads.hpp"

#include <algorithm>

namespace emu {

namespace {
constexpr unsigned kBits = 64;  // bits in a word of `pieces`
}

bool AsyncRead::has_ended() const {
  return std::any_of(over.begin(), over.end(), [](std::uint32_t segment) { return segment != 0; });
}

void AsyncRead::set_pieces(const std::vector<std::uintptr_t>& addresses) {
  const auto [first, last] = std::minmax_element(addresses.begin(), addresses.end());
  begin = *first;
  pieces.assign((*last - begin) / kPieceBytes / kBits + 1, 0);
  for (const std::uintptr_t address : addresses) {
    const std::uintptr_t i = (address - begin) / kPieceBytes;
    pieces[i / kBits] |= std::uint64_t{1} << i % kBits;
  }
}

bool AsyncRead::overlaps(std::uintptr_t from, std::uintptr_t to) const {
  if (to <= begin || from >= end()) return false;
  const std::uintptr_t first = (std::max(from, begin) - begin) / kPieceBytes;
  const std::uintptr_t last = (std::min(to, end()) - 1 - begin) / kPieceBytes;
  for (std::uintptr_t i = first; i <= last; ++i) {
    if (i % kBits == 0 && pieces[i / kBits] == 0) {
      i += kBits - 1;
      continue;
    }
    if (pieces[i / kBits] >> i % kBits & 1) return true;
  }
  return false;
}

bool AsyncRead::forget(std::uintptr_t from, std::uintptr_t to) {
  const std::uintptr_t low = std::max(from, begin), high = std::min(to, end());
  const std::uintptr_t first = (low - begin + kPieceBytes - 1) / kPieceBytes;
  const std::uintptr_t last = (high - begin) / kPieceBytes;  // exclusive
  for (std::uintptr_t i = first; i < last; ++i)
    pieces[i / kBits] &= ~(std::uint64_t{1} << i % kBits);
  return std::any_of(pieces.begin(), pieces.end(), [](std::uint64_t word) { return word != 0; });
}

void AsyncReads::begin_block(std::size_t threads) {
  reads_.clear();
  for (auto& groups : committed_) groups.assign(threads, 0);
}

void AsyncReads::add(AsyncRead read) {
  read.group = committed(read.by)[read.thread];
  std::erase_if(reads_, [&](const AsyncRead& other) {
    return is_of(other, read.by, read.thread) && other.begin == read.begin &&
           other.pieces == read.pieces;
  });
  reads_.push_back(std::move(read));
}

bool AsyncReads::is_awaited(AsyncRead::By by, unsigned thread, std::uint64_t all_but_newest) const {
  const std::uint64_t groups = committed(by)[thread];
  return std::any_of(reads_.begin(), reads_.end(), [&](const AsyncRead& read) {
    return is_of(read, by, thread) && read.group + all_but_newest < groups &&
           read.over[thread % kWarpSize] == 0;
  });
}

void AsyncReads::waited(AsyncRead::By by, unsigned thread, std::uint64_t all_but_newest,
                        std::uint32_t segment) {
  const std::uint64_t groups = committed(by)[thread];
  for (AsyncRead& read : reads_) {
    std::uint32_t& over = read.over[thread % kWarpSize];
    if (is_of(read, by, thread) && read.group + all_but_newest < groups && over == 0)
      over = segment;
  }
}

void AsyncReads::forget_ended() {
  std::erase_if(reads_, [](const AsyncRead& read) { return read.has_ended(); });
}

}  // namespace emu
