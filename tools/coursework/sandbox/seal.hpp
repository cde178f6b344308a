/// The last door: a process gives up every system call that it will not need any more.

#pragma once

namespace coursework {

/// From now on, no thread of this process can open, create or remove a file, start a program or a
/// process, or make memory executable. It can compute, start threads, and use the descriptors that
/// it has. Whatever else it asks for fails with EPERM.
///
/// It needs no library and no right, and works where every other wall is missing. A runner calls it
/// once it has loaded all it needs, before the first line of a submission runs.
///
/// @return false where the kernel has no system call filters, or not for this architecture
bool seal_process();

}  // namespace coursework
