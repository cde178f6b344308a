/// @file
/// What guards need that watch over a kernel from outside its code: something that belongs to a
/// lane wherever it runs, and a way to end it. Not part of CUDA.
#pragma once

#include <cstddef>

namespace emu {

/// The guard of the running lane: each lane finds here what it left here before it waited. The
/// engine only keeps it.
extern __thread void* lane_guard __asm__("emu_lane_guard");

/// Lowest usable address of the stack that the running lane is on.
void* lane_stack_begin() noexcept;

/// Bytes of dynamic shared memory of the running launch.
std::size_t dynamic_shared_bytes() noexcept;

/// Ends the kernel because of an access of the running lane that is nowhere allowed; memcheck, if
/// it is on, tells what is wrong with it.
[[noreturn]] void end_at_bad_address(const void* address, std::size_t bytes, bool is_store,
                                     const void* program_counter);

/// Ends the kernel with cudaErrorIllegalAddress; one line on stderr has the message and the source
/// line behind `program_counter`.
[[noreturn]] void end_at_illegal_access(const char* message, const void* program_counter);

/// Ends the kernel with cudaErrorLaunchFailure; likewise.
[[noreturn]] void end_kernel(const char* message, const void* program_counter);

/// The source line behind `program_counter`: "file.cu:12", empty if it is not known. Writes at most
/// `capacity` bytes, the final zero included.
void describe_place(const void* program_counter, char* text, std::size_t capacity);

}  // namespace emu
