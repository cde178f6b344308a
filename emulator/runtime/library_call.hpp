/// @file
/// Calls of the libraries that stand in for CUDA's (cuBLAS, cuFFT, cuRAND): when they may run, and
/// whether the device can reach their operands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "driver_types.h"
#include "emulator/check.h"
#include "emulator/memory.h"
#include "engine/check/hazards.hpp"

namespace emu {

/// What a call does to an operand.
enum class Use : std::uint8_t { read, write, update };

/// Thrown where a kernel of the library would have failed. The call itself has succeeded by then.
struct DeviceFailed {};

/// Whether a call can do its work.
enum class Readiness : std::uint8_t { ready, no_such_stream, device_failed };

/// Waits for what is before the call in its stream, and counts the call as one of a library.
/// @param name  the call's name, a literal
Readiness begin_library_call(const char* name, cudaStream_t stream);

/// A library in the words of reports; all texts are literals.
struct LibraryInWords {
  const char* name;             ///< as its manual spells it
  const char* what_to_compare;  ///< what decides how much memory an operand takes
};

/// The operands of one call. Where the device cannot reach one, the call ends as a kernel that has
/// touched it would; where it should not, memcheck and initcheck say so.
class LibraryOperands {
 public:
  /// @param call       the call's name, a literal
  /// @param call_site  where the program makes the call
  LibraryOperands(const LibraryInWords& library, const char* call, const void* call_site)
      : library_(library), call_(call), call_site_(call_site) {}

  /// Checks that the bytes are the device's. From the first operand on, the host can reach device
  /// memory, as long as this object lives.
  /// @param name  what the operand is called: "A", "the result"
  /// @throws DeviceFailed
  void reach(const char* name, const void* begin, std::size_t bytes);
  /// Checks that bytes which are read were written, and takes note of those that are.
  void touch(const char* name, const void* begin, std::size_t bytes, Use use) const;

  /// Ends the call because of what an operand holds, with which a kernel would have touched other
  /// memory.
  /// @param what  what it holds, after the name of the call: "has an index of ..."
  /// @throws DeviceFailed
  [[noreturn]] void refuse(const std::string& what, const void* address, const char* hint) const;

  /// Returns the line of the call: "program.cu:12".
  std::string call_in_words() const;

 private:
  void add_fault(Hazard hazard, const std::string& title, const void* address,
                 const std::string& hint) const;

  LibraryInWords library_;
  const char* call_;
  const void* call_site_;
  std::optional<DeviceAccess> access_;
};

}  // namespace emu
