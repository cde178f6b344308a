#pragma once

#include <map>
#include <string>

namespace coursework {

/// Adds to the counters the sums that requirements want as one figure, so that nothing is free for
/// being done otherwise: atomics read and write, bulk copies read or write, and so for shared
/// memory. They are read_ and written_ requests, sectors and lines, written_bytes, and shared_read_
/// and shared_written_ requests, wavefronts and wavefronts_ideal, where other blocks' shared memory
/// counts in sectors. `meetings` are those of a block and of a cluster, and what is done to
/// mbarriers.
///
/// A thread that asks for a bulk copy or a bulk store leaves the work to the copy engine. So
/// `busiest_warp_global_requests` counts them as if the busiest warp had made them all: a request
/// for each line, at least one. `busiest_warp_lane_requests` is without them, for exercises that
/// are about bulk copies. A counter that is not there is 0.
void add_sums(std::map<std::string, double>& values);

}  // namespace coursework
