/// @file
/// What a lane may wait for. A kind of meeting is a value here, a line in meetings.cpp, and a file
/// beside it with the functions that the line names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace emu {

class Worker;
struct Block;

enum class Meeting : std::uint8_t {
  warp,         ///< __syncwarp, shuffles, votes: the lanes of a mask
  active_mask,  ///< __activemask: whoever is there
  block,        ///< __syncthreads and the sixteen named barriers
  mbarrier,     ///< a phase of an mbarrier: arrivals, and the bytes of copies
  cluster,      ///< the barrier of a cluster
  grid,         ///< the barrier of a grid whose blocks all run at once
};
constexpr std::size_t kMeetings = 6;

/// What the scheduler asks of a kind of meeting. A function that is null has nothing to do.
struct MeetingKind {
  /// A phase of this warp is over, and lanes of it wait: lets those go on that have all they wait
  /// for.
  void (*after_phase)(Worker& worker, Block& block, unsigned warp);
  /// No lane of the block can go on, and some of it wait here: whether any can now.
  bool (*when_idle)(Worker& worker, Block& block);
  /// Whether somebody outside the block can end the wait.
  bool (*may_be_helped)(const Worker& worker, const Block& block);
  /// Where a lane waits, in words: "__syncthreads (kernel.cu:12)".
  std::string (*place)(const Block& block, unsigned thread);
};

const MeetingKind& kind_of(Meeting meeting);

}  // namespace emu
