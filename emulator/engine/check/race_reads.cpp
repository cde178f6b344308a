// racecheck of asynchronous reads by tensor cores and bulk stores: their data must be written
// before they begin, and not be overwritten before they end.
#include <bit>
#include <utility>

#include "engine/check/check_race.hpp"

namespace emu {

namespace {

std::uint32_t lanes_of(const AsyncRead& read) {
  return read.by == AsyncRead::By::tensor_core ? kFullMask : 1u << read.thread % kWarpSize;
}

}  // namespace

void RaceCheck::begin_read(AsyncRead read) {
  ++context_.segment;
  check_written(read);
  context_.now->async_reads.add(std::move(read));
}

/// Checks that each store to the bytes happens before the read, and that a proxy fence lies between
/// an ordinary store and the read.
void RaceCheck::check_written(const AsyncRead& read) {
  const CheckedBlock& now = *context_.now;
  const std::uint32_t lanes = lanes_of(read);
  const auto first_lane = static_cast<unsigned>(std::countr_zero(lanes));
  static constexpr std::array<std::int64_t, kWarpSize> kNoOffsets{};
  WarpAccess access;
  access.key = reinterpret_cast<std::uintptr_t>(read.call_site);
  access.site = read.site;
  access.is_shared = true;
  access.bytes = AsyncRead::kPieceBytes;
  access.lanes = 1u << first_lane;
  access.offsets = kNoOffsets.data();
  access.memory = &context_.now->shared;
  report_.begin_access();
  // The last record found in order; neighbours mostly have the same.
  std::uint64_t last_in_order = 0;
  const auto check = [&](const ShadowPage& page, std::uintptr_t at) {
    const AccessRecord writer{page.writes[at % kPageBytes >> page.shift]};
    if (writer.bits == last_in_order || writer.segment() < now.first) return;
    last_in_order = writer.bits;
    const bool is_of_warp = lanes == kFullMask && context_.is_own(writer.segment()) &&
                            writer.warp() == context_.warp && !is_copy(writer);
    const bool is_known = is_of_warp || any_before(writer, lanes);
    if (is_known && (is_copy(writer) || is_fenced(writer, lanes))) return;
    access.base = at;
    if (is_known)
      report_.add_unfenced(read, writer, at);
    else
      report_.add(
          {&access, first_lane, at, kWordBytes, writer, writer.lane(), true, is_copy(writer)});
  };
  read.each_piece([&](std::uintptr_t piece) {
    const ShadowPage* const page = context_.now->shared.find(piece);
    if (!page || !page->writes) return;
    for (std::uintptr_t at = piece; at < piece + AsyncRead::kPieceBytes;
         at += std::uintptr_t{1} << page->shift)
      check(*page, at);
  });
}

void RaceCheck::commit_reads(AsyncRead::By by, unsigned thread) {
  context_.now->async_reads.commit(by, thread);
}

bool RaceCheck::awaits_reads(AsyncRead::By by, unsigned thread,
                             std::uint64_t all_but_newest) const {
  return context_.now->async_reads.is_awaited(by, thread, all_but_newest);
}

void RaceCheck::waited_for_reads(AsyncRead::By by, unsigned thread, std::uint64_t all_but_newest) {
  // An arrival at a barrier before this wait has an earlier segment, and one after it a later one.
  context_.now->async_reads.waited(by, thread, all_but_newest, ++context_.segment);
  ++context_.segment;
}

/// Returns whether some lane's wait for the read happens before what `lane` of the running warp
/// does now.
bool RaceCheck::is_over(const AsyncRead& read, unsigned lane) const {
  for (unsigned other = 0; other < kWarpSize; ++other) {
    if (read.over[other] == 0) continue;
    const AccessRecord wait{AccessRecord::first_of(read.over[other]) |
                            std::uint64_t{read.warp()} << AccessRecord::kWarpShift |
                            std::uint64_t{other} << AccessRecord::kLaneShift};
    if (before(wait, other, lane)) return true;
  }
  return false;
}

void RaceCheck::check_reads(const WarpAccess& write) {
  for (CheckedBlock* const block : context_.now->cluster->blocks) {
    if (!block || &block->shared != write.memory || block->async_reads.empty()) continue;
    for (std::uint32_t left = write.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      const std::uintptr_t begin = write.address(lane) + write.to_own_address;
      block->async_reads.write(begin, begin + write.bytes, [&](const AsyncRead& read) {
        if (is_over(read, lane)) return true;
        report_.begin_access();
        report_.add_overwritten(read, write, lane, begin);
        return false;
      });
    }
  }
}

}  // namespace emu
