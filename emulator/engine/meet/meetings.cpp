#include "engine/meet/meeting.hpp"

#include <fmt/format.h>

#include "engine/meet/kinds.hpp"

namespace emu {

namespace {

// [Meeting]
constexpr std::array<MeetingKind, kMeetings> kKinds = {{
    {complete_warp_calls, nullptr, nullptr, describe_warp_wait},
    {answer_active_mask, answer_active_masks, nullptr, describe_warp_wait},
    {complete_counted_barriers, complete_barriers, nullptr, describe_barrier_wait},
    {release_mbarrier_waits, make_awaited_copy, has_other_blocks, describe_mbarrier_wait},
    {nullptr, end_cluster_phase, has_other_blocks, describe_cluster_wait},
    {nullptr, end_grid_phase, has_other_grid_blocks, describe_grid_wait},
}};

}  // namespace

const MeetingKind& kind_of(Meeting meeting) { return kKinds[static_cast<std::size_t>(meeting)]; }

std::string call_in_words(const char* name, const void* call_site) {
  const std::string line = source_line(reinterpret_cast<std::uintptr_t>(call_site));
  return line.empty() ? std::string(name) : fmt::format("{} ({})", name, line);
}

}  // namespace emu
