/// @file
/// Races of the host with kernels, over memory that they share.
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

  /// @param first  segment of the launch
  void begin_launch(const Launch& launch, std::uint32_t first);
  /// A copy or fill that the host has not waited for.
  struct Copy {
    HostBox box;
    bool writes = false;  ///< to the box; else it reads there
    const char* call = nullptr;
    std::uintptr_t call_site = 0;
  };
  void begin_copy(const Copy& copy);

  /// Host code is about to access memory that kernels share with it.
  /// @param is_atomic  then it races with no atomic operation of a kernel
  void access(std::uintptr_t address, unsigned bytes, AccessKind kind,
              std::uintptr_t program_counter, bool is_atomic);
  /// The host has waited for all launches so far.
  void waited();

 private:
  struct Contact;  // of the host with a kernel
  void report(const Contact& contact);
  void report(const Copy& copy, std::uintptr_t address, unsigned bytes, bool host_writes,
              std::uintptr_t program_counter);
  std::string kernel_of(std::uint32_t segment) const;

  CheckContext& context_;
  std::uint32_t since_ = 0;  // segments before are over for the host
  // Launches since then: first segment, kernel; one entry for several of a kernel in a row.
  std::vector<std::pair<std::uint32_t, std::string>> running_;
  std::vector<Copy> copies_;
};

}  // namespace emu
