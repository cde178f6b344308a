/// The writable folder: what is in it, brought in and out, and how much that is.
///
/// Only system calls: it runs after a fork. It follows no link, and of what a hostile program may
/// have left it takes folders and regular files only.

#pragma once

#include <sys/types.h>

#include <cstdint>

namespace coursework::inner {

/// Limits on walking through a folder; what goes beyond them is left out.
constexpr int kDeepestFolder = 16;
constexpr int kMostEntries = 16'384;

/// Copies folders and files, holes left as holes, until `most_bytes` are copied. What has the same
/// name in `to` is replaced.
///
/// @param owner  of the copies, or -1
void copy_folder(int from, int to, std::uint64_t most_bytes, uid_t owner);

/// Bytes that the files in a folder take up. A folder that cannot be looked at counts as full.
std::uint64_t bytes_in(int folder);

/// Lets the owner into all folders, and takes the bits from files that would make programs run as
/// another user. Nothing else may be at work there.
void open_up(int folder);

}  // namespace coursework::inner
