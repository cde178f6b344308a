/// @file
/// Races between host code and kernels, in memory that both may access.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/check/check_context.hpp"
#include "engine/check/check_host.hpp"

namespace emu {

class HostRaceCheck {
 public:
  explicit HostRaceCheck(CheckContext& context) : context_(context) {}

  /// @param first first segment of the launch
  void begin_launch(const Launch& launch, std::uint32_t first);
  /// A copy or fill that the host has not waited for.
  struct Copy {
    HostBox box;
    bool writes = false;  ///< it writes to the box; false: it reads the box
    const char* call = nullptr;
    std::uintptr_t call_site = 0;
  };
  void begin_copy(const Copy& copy);

  /// Checks an access of host code to memory that kernels may access.
  /// @param is_atomic an atomic operation, which does not race with atomic operations of kernels
  void access(std::uintptr_t address, unsigned bytes, AccessKind kind,
              std::uintptr_t program_counter, bool is_atomic);
  /// Called when the host has waited for all launches so far.
  void waited();

 private:
  struct Contact;  // a pair of conflicting accesses, of the host and of a kernel
  void report(const Contact& contact);
  void report(const Copy& copy, std::uintptr_t address, unsigned bytes, bool host_writes,
              std::uintptr_t program_counter);
  std::string kernel_of(std::uint32_t segment) const;

  CheckContext& context_;
  std::uint32_t since_ = 0;  // earlier segments happen before the host's accesses
  // Launches that may still run: first segment and kernel. Consecutive launches of one kernel share
  // an entry.
  std::vector<std::pair<std::uint32_t, std::string>> running_;
  std::vector<Copy> copies_;
};

}  // namespace emu
