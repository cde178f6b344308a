#pragma once

#include <map>
#include <string>

namespace coursework {

/// Adds sums of counters that requirements use as one figure, so that doing the same work by other
/// instructions is not free. Atomics count as reads and writes, bulk copies as reads or writes, for
/// global and for shared memory. The names are read_ and written_ requests, sectors and lines,
/// written_bytes, and shared_read_ and shared_written_ requests, wavefronts and wavefronts_ideal;
/// accesses to other blocks' shared memory count in sectors. `meetings` are barriers of a block and
/// of a cluster, and operations on mbarriers.
/// mbarriers.
/// A thread that starts a bulk copy or bulk store leaves the work to the copy engine. So
/// `busiest_warp_global_requests` counts bulk copies as requests of the busiest warp: one for each
/// line, at least one. `busiest_warp_lane_requests` leaves them out, for exercises about bulk
/// copies. Missing counters count as 0.
void add_sums(std::map<std::string, double>& values);

}  // namespace coursework
