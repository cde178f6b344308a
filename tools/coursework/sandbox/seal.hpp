/// The last wall: a process gives up all system calls that it no longer needs.

#pragma once

namespace coursework {

/// Seals the process for good: no thread can open, create or remove a file, start a program or
/// process, or make memory executable. Threads can compute, start threads, and use descriptors that
/// are open. All other calls fail with EPERM.
///
/// The seal needs no library and no privilege, and works where every other wall is missing. A
/// runner calls this function after loading everything it needs, before a submission's code runs.
///
/// @return false if the kernel has no system call filters, or not for this architecture
bool seal_process();

}  // namespace coursework
