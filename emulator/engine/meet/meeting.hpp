/// @file
/// The kinds of meetings that a lane can wait for. A kind is a value here, a row in meetings.cpp,
/// and a file in this folder with the functions of that row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace emu {

class Worker;
struct Block;

enum class Meeting : std::uint8_t {
  warp,         ///< the lanes of a mask: __syncwarp, shuffles, votes
  active_mask,  ///< the lanes at the same call: __activemask
  block,        ///< __syncthreads and the 16 named barriers
  mbarrier,     ///< a phase of an mbarrier: arrivals, and bytes of copies
  cluster,      ///< the barrier of a cluster
  grid,         ///< the barrier of a cooperative grid
};
constexpr std::size_t kMeetings = 6;

/// The functions that the scheduler calls for a kind of meeting. Null: nothing to do.
struct MeetingKind {
  /// Called when a phase of the warp has ended and some of its lanes wait. Releases the lanes whose
  /// meeting is complete.
  void (*after_phase)(Worker& worker, Block& block, unsigned warp);
  /// Called when no lane of the block can go on and some wait in a meeting of this kind. Returns
  /// whether a lane can go on now.
  bool (*when_idle)(Worker& worker, Block& block);
  /// Returns whether another block can end the wait.
  bool (*may_be_helped)(const Worker& worker, const Block& block);
  /// Returns where the thread waits: "__syncthreads (kernel.cu:12)".
  std::string (*describe_wait)(const Block& block, unsigned thread);
};

const MeetingKind& kind_of(Meeting meeting);

}  // namespace emu
