/// @file
/// Support for guards that supervise a kernel from outside its code: a pointer per lane, and ways
/// to end the kernel. Not part of CUDA.
#pragma once

#include <cstddef>

namespace emu {

/// The guard of the running lane. The engine saves and restores the pointer when it switches lanes.
extern __thread void* lane_guard __asm__("emu_lane_guard");

/// Returns the lowest usable address of the running lane's stack.
void* lane_stack_begin() noexcept;

/// Returns the bytes of dynamic shared memory in the running launch.
std::size_t dynamic_shared_bytes() noexcept;

/// Ends the kernel because of an access of the running lane that is not allowed anywhere. If
/// memcheck is on, it reports what is wrong.
[[noreturn]] void end_at_bad_address(const void* address, std::size_t bytes, bool is_store,
                                     const void* program_counter);

/// Ends the kernel with cudaErrorIllegalAddress; prints a line on stderr with the message and the
/// source line of `program_counter`.
[[noreturn]] void end_at_illegal_access(const char* message, const void* program_counter);

/// Ends the kernel with cudaErrorLaunchFailure and prints such a line.
[[noreturn]] void end_kernel(const char* message, const void* program_counter);

/// Writes the source line of `program_counter`, "file.cu:12", or an empty text if unknown. Writes
/// at most `capacity` bytes, including the final zero.
void describe_place(const void* program_counter, char* text, std::size_t capacity);

}  // namespace emu
