/// @file
/// All kinds of hazards that the checks find. Findings and their schema follow from this table.
#pragma once

#include <cstdint>

#include "emulator/check.h"

namespace emu {

enum class Hazard : std::uint8_t {
  out_of_bounds,
  null_pointer,
  host_memory,
  foreign_local,
  absent_block,
  use_after_free,
  misaligned,
  double_free,
  invalid_free,
  host_access,
  failed_call,
  leak,
  uninitialized_read,
  race_raw,
  race_war,
  race_waw,
  host_race,
  missing_proxy_fence,
  early_end,
  divergent_barrier,
  exited_threads,
  mask_lacks_caller,
  undefined_source,
  unfinished_copy,
  unfinished_read,
  hang,
  lanes_missing,
  output_differs,
  schedule_fails,
};

struct HazardKind {
  Hazard hazard;
  const char* tool;     ///< the tool of compute-sanitizer that finds it
  const char* name;     ///< Finding::kind, for programs
  Severity severity;    ///< default severity
  const char* meaning;  ///< a sentence for the schema
};

/// In the order of the enumeration.
inline constexpr HazardKind kHazardKinds[] = {
    {Hazard::out_of_bounds, "memcheck", "out_of_bounds", Severity::error,
     "An access outside every allocation and variable."},
    {Hazard::null_pointer, "memcheck", "null_pointer", Severity::error,
     "An access at or near address 0."},
    {Hazard::host_memory, "memcheck", "host_memory", Severity::error,
     "A kernel's access to memory that is not the device's."},
    {Hazard::foreign_local, "memcheck", "foreign_local", Severity::error,
     "An access to a local variable of another thread."},
    {Hazard::absent_block, "memcheck", "absent_block", Severity::error,
     "An access to shared memory of a block of the cluster that has not begun, or has ended."},
    {Hazard::use_after_free, "memcheck", "use_after_free", Severity::error,
     "An access to device memory that has been freed."},
    {Hazard::misaligned, "memcheck", "misaligned", Severity::error,
     "An access at an address that is no multiple of its size."},
    {Hazard::double_free, "memcheck", "double_free", Severity::error,
     "Device memory is freed twice."},
    {Hazard::invalid_free, "memcheck", "invalid_free", Severity::error,
     "cudaFree of an address that cudaMalloc did not return."},
    {Hazard::host_access, "memcheck", "host_access", Severity::error,
     "Host code touches device memory."},
    {Hazard::failed_call, "memcheck", "failed_call", Severity::error,
     "A call of the runtime failed, or a launch was refused."},
    {Hazard::leak, "memcheck", "leak", Severity::error,
     "Device or managed memory is never freed; only looked for by leakcheck."},
    {Hazard::uninitialized_read, "initcheck", "uninitialized_read", Severity::error,
     "A read of memory that nothing wrote."},
    {Hazard::race_raw, "racecheck", "race_raw", Severity::error,
     "A read that nothing puts after another thread's write; a warning between lanes of one warp."},
    {Hazard::race_war, "racecheck", "race_war", Severity::error,
     "A write that nothing puts after another thread's read; a warning between lanes of one warp."},
    {Hazard::race_waw, "racecheck", "race_waw", Severity::error,
     "A write that nothing puts after another thread's write; a warning between lanes of one "
     "warp."},
    {Hazard::host_race, "racecheck", "host_race", Severity::error,
     "Host code touches memory that a kernel may still be using."},
    {Hazard::missing_proxy_fence, "racecheck", "missing_proxy_fence", Severity::error,
     "A tensor core or a bulk store reads what an ordinary store has written, without "
     "fence.proxy.async in between."},
    {Hazard::early_end, "racecheck", "early_end", Severity::error,
     "A block of a cluster ends, and nothing puts another block's use of its shared memory "
     "before."},
    {Hazard::divergent_barrier, "synccheck", "divergent_barrier", Severity::error,
     "Threads of one block wait at different __syncthreads(), or some went past one that others "
     "wait at."},
    {Hazard::exited_threads, "synccheck", "exited_threads", Severity::warning,
     "Threads have returned before a __syncthreads() that the others wait at."},
    {Hazard::mask_lacks_caller, "synccheck", "mask_lacks_caller", Severity::error,
     "A lane calls with a mask that it is not in."},
    {Hazard::undefined_source, "synccheck", "undefined_source", Severity::warning,
     "A shuffle reads from a lane that takes no part in it."},
    {Hazard::unfinished_copy, "synccheck", "unfinished_copy", Severity::error,
     "A block ends while a copy into its shared memory is on its way."},
    {Hazard::unfinished_read, "synccheck", "unfinished_read", Severity::error,
     "A block ends, and nobody has waited for a tensor core or a bulk store that reads its shared "
     "memory."},
    {Hazard::hang, "synccheck", "hang", Severity::error, "Threads wait for what never comes."},
    {Hazard::lanes_missing, "synccheck", "lanes_missing", Severity::error,
     "A lane waits for lanes of its mask that wait elsewhere or run on."},
    {Hazard::output_differs, "schedules", "output_differs", Severity::error,
     "The result depends on the order in which threads run."},
    {Hazard::schedule_fails, "schedules", "schedule_fails", Severity::error,
     "The kernel fails in one order of its threads, though not in every order."},
};

/// Returns a finding of this kind that has occurred once, with tool, kind and severity.
Finding finding_of(Hazard hazard);
/// Returns whether the finding is of this kind.
bool is_of(Hazard hazard, const Finding& finding);

}  // namespace emu
