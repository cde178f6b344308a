/// Copies the writable folder into the sandbox and back, and measures it.
///
/// Makes only system calls, because it runs after a fork. A hostile program may have filled the
/// folder, so links are not followed, and anything but folders and regular files is skipped.

#pragma once

#include <sys/types.h>

#include <cstdint>

namespace coursework::inner {

/// Limits for walking through a folder. Whatever exceeds them is left out.
constexpr int kDeepestFolder = 16;
constexpr int kMostEntries = 16'384;

/// Copies folders and files, keeping holes, until `most_bytes` are copied. Entries of the same name
/// in `to` are replaced.
///
/// @param owner  owner of the copies, or -1
void copy_folder(int from, int to, std::uint64_t most_bytes, uid_t owner);

/// Returns the disk space of the files in a folder. A folder that cannot be read counts as full.
std::uint64_t bytes_in(int folder);

/// Gives the owner access to all folders, and removes set-user and set-group bits from files. No
/// other process may use the folder meanwhile.
void open_up(int folder);

}  // namespace coursework::inner
