#include "engine/meet/meeting.hpp"

#include <fmt/format.h>

#include "engine/meet/kinds.hpp"

namespace emu {

namespace {

// [Meeting]
constexpr std::array<MeetingKind, kMeetings> kKinds = {{
    {complete_warp_calls, nullptr, nullptr, warp_place},
    {answer_active_mask, answer_active_masks, nullptr, warp_place},
    {complete_counted_barriers, complete_barriers, nullptr, barrier_place},
    {release_mbarrier_waits, make_awaited_copy, has_other_blocks, mbarrier_place},
    {nullptr, end_cluster_phase, has_other_blocks, cluster_place},
    {nullptr, end_grid_phase, has_other_grid_blocks, grid_place},
}};

}  // namespace

const MeetingKind& kind_of(Meeting meeting) { return kKinds[static_cast<std::size_t>(meeting)]; }

std::string place_in_words(const char* name, const void* call_site) {
  const std::string line = source_line(reinterpret_cast<std::uintptr_t>(call_site));
  return line.empty() ? std::string(name) : fmt::format("{} ({})", name, line);
}

}  // namespace emu
