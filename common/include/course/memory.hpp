#pragma once

/// @file
/// Memory limits: a request for too much is one clear line, not a crash.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace course {

/// Returns the size as "12 bytes", "1.5 KiB", "3.0 GiB".
std::string format_bytes(std::uint64_t bytes);

/// Returns `count * element_bytes`; throws UsageError, naming `what`, if that overflows.
std::size_t checked_bytes(std::size_t count, std::size_t element_bytes, std::string_view what);

/// Returns how many bytes this process can still fill: the machine's free memory within the
/// process's limits.
std::uint64_t available_host_bytes();

/// Throws UsageError, naming `what`, if `bytes` exceed the host's free memory.
void require_host_memory(std::uint64_t bytes, std::string_view what);

}  // namespace course
