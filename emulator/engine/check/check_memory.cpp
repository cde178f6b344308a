#include "engine/check/check_memory.hpp"

#include <fmt/format.h>

#include <bit>

#include "emulator/memory.h"
#include "engine/check/findings.hpp"
#include "engine/check/hazards.hpp"
#include "engine/meet/bulk_copy.hpp"
#include "engine/run/worker.hpp"
#include "engine/settings.hpp"

namespace emu {

namespace {

constexpr std::uintptr_t kNearNull = 4096;

const void* pointer(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }

bool crosses(std::uintptr_t address, unsigned bytes, std::uintptr_t begin, std::size_t size) {
  return address - begin >= size || bytes > size - (address - begin);
}

// Returns whether a device would continue after the access: it touches a mapped page beyond the
// allocation.
bool may_go_on(const void* address, unsigned bytes) {
  return !settings().strict_bounds && in_arena(address) && is_mapped(address, bytes);
}

}  // namespace

/// Makes the object that contains `address` the valid range. Returns false if there is none.
bool MemoryCheck::find_object(std::uintptr_t address) {
  valid_bytes_ = 0;
  if (context_.is_shared(address)) {
    const NamedVariable* variable = context_.shared_variable_at(address);
    if (!variable) variable = context_.guard_at(address);
    if (!variable) return false;
    valid_begin_ = variable->begin;
    valid_bytes_ = variable->bytes;
    return true;
  }
  Allocation allocation{};
  if (find_allocation(pointer(address), &allocation)) {
    valid_begin_ = reinterpret_cast<std::uintptr_t>(allocation.begin);
    valid_bytes_ = allocation.bytes;
    if (!in_arena(pointer(address)))  // a variable, or all variables of one kind
      if (const NamedVariable variable = variable_at(pointer(address)); variable.bytes > 0) {
        valid_begin_ = variable.begin;
        valid_bytes_ = variable.bytes;
      }
    return true;
  }
  return false;
}

void MemoryCheck::check_slowly(std::uintptr_t address, unsigned bytes, AccessKind kind,
                               std::uintptr_t program_counter) {
  const Unrecorded unrecorded;
  if (Worker::running()->window_rank(pointer(address)))
    return check_window(address, bytes, kind, program_counter);
  const bool found = find_object(address);
  if (found && !crosses(address, bytes, valid_begin_, valid_bytes_)) return;
  if (!found && in_program_constants(pointer(address)) && kind == AccessKind::load) {
    valid_bytes_ = 0;
    return;
  }
  report_outside(address, bytes, kind, program_counter);
  valid_bytes_ = 0;
  if (may_go_on(pointer(address), bytes)) {
    context_.went_out_of_bounds = true;
    return;
  }
  stop(program_counter);
}

/// Checks an access to the shared memory of another block in the cluster.
void MemoryCheck::check_window(std::uintptr_t address, unsigned bytes, AccessKind kind,
                               std::uintptr_t program_counter) {
  valid_bytes_ = 0;
  const SharedAddress shared = context_.shared_address(address);
  if (!shared.block || shared.block == context_.now) {
    const std::string why = Worker::running()->window_fault(pointer(address));
    report(Hazard::absent_block, fmt::format("{} of {} bytes: {}", action_of(kind), bytes, why),
           address, bytes, kind, program_counter,
           "cluster.sync() before the first use of another block's memory, and after the last");
    fail_kernel(cudaErrorLaunchFailure, context_.checks.memory ? "" : why,
                pointer(program_counter));
  }
  const NamedVariable* variable = context_.shared_variable_at(shared.address);
  if (!variable) variable = context_.guard_at(shared.address);
  if (!variable || crosses(shared.address, bytes, variable->begin, variable->bytes)) {
    report_outside(address, bytes, kind, program_counter);
    stop(program_counter);
  }
  valid_begin_ = variable->begin + (address - shared.address);
  valid_bytes_ = variable->bytes;
}

bool MemoryCheck::check_copy(const BulkCopy& copy, std::uintptr_t program_counter) {
  return check_box(copy, AccessKind::store, AccessKind::load, program_counter);
}

bool MemoryCheck::check_store(const BulkCopy& copy, std::uintptr_t program_counter) {
  return check_box(copy, AccessKind::load, AccessKind::store, program_counter);
}

bool MemoryCheck::check_box(const BulkCopy& copy, AccessKind of_shared, AccessKind of_global,
                            std::uintptr_t program_counter) {
  const Unrecorded unrecorded;
  const auto is_inside = [&](std::uintptr_t begin, unsigned bytes) {
    return same_object(begin, bytes) || (find_object(begin) && same_object(begin, bytes));
  };
  const auto target = reinterpret_cast<std::uintptr_t>(copy.target);
  if (!is_inside(target, copy.tensor.box_bytes())) {
    report_outside(target, copy.tensor.box_bytes(), of_shared, program_counter);
    stop(program_counter);
  }
  if (copy.staged) return true;
  for (std::uint32_t i = 0; i < copy.tensor.box_rows(); ++i) {
    const BulkCopy::Row row = copy.row(i);
    const auto source = reinterpret_cast<std::uintptr_t>(row.source);
    if (row.bytes == 0 || is_inside(source, row.bytes)) continue;
    valid_bytes_ = 0;
    report_outside(source, row.bytes, of_global, program_counter);
    if (may_go_on(row.source, row.bytes)) return false;
    stop(program_counter);
  }
  return true;
}

/// Ends the kernel; silently if a finding has reported the access.
void MemoryCheck::stop(std::uintptr_t program_counter) {
  fail_kernel(cudaErrorIllegalAddress, context_.checks.memory ? "" : "illegal address",
              pointer(program_counter));
}

void MemoryCheck::report_outside(std::uintptr_t address, unsigned bytes, AccessKind kind,
                                 std::uintptr_t program_counter) {
  const std::string what =
      fmt::format("{} of {} byte{}", action_of(kind), bytes, bytes == 1 ? "" : "s");
  const char* const bounds_hint = "compare index and size: is there a bounds check, with < ?";
  if (address < kNearNull)
    return report(Hazard::null_pointer, what + " through a null pointer", address, bytes, kind,
                  program_counter, "was the allocation checked, and is it the right pointer?");
  if (context_.shared_address(address).block)
    return report(Hazard::out_of_bounds, what + " out of bounds of shared memory", address, bytes,
                  kind, program_counter, bounds_hint);
  if (!in_arena(pointer(address))) {
    if (Worker::running() && Worker::running()->is_lanes_stack(address))
      return report(Hazard::foreign_local, what + " in the local memory of another thread", address,
                    bytes, kind, program_counter,
                    "a thread's local variables are its own: pass values, not addresses");
    // Near a variable, the address is probably an index into it.
    if (variable_before(pointer(address), kNearVariable).bytes > 0 ||
        find_space(pointer(address)) != Space::none)
      return report(Hazard::out_of_bounds, what + " out of bounds", address, bytes, kind,
                    program_counter, bounds_hint);
    return report(Hazard::host_memory, what + " at an address that is not the device's", address,
                  bytes, kind, program_counter,
                  "a kernel cannot touch host memory: copy it, or allocate it with "
                  "cudaMallocManaged or cudaMallocHost");
  }
  if (is_freed(pointer(address)))
    return report(Hazard::use_after_free, what + " in memory that has been freed", address, bytes,
                  kind, program_counter, "free it after the last kernel that uses it");
  report(Hazard::out_of_bounds, what + " out of bounds", address, bytes, kind, program_counter,
         bounds_hint);
}

void MemoryCheck::report(Hazard hazard, const std::string& title, std::uintptr_t address,
                         unsigned bytes, AccessKind access, std::uintptr_t program_counter,
                         const std::string& hint) {
  if (!context_.checks.memory) return;
  const std::string key =
      fmt::format("{}|{}|{}", static_cast<int>(hazard), program_counter, context_.launch->name);
  if (count_finding(key, 1, bytes)) return;
  Finding finding = finding_of(hazard);
  finding.title = title;
  finding.kernel = context_.launch->name;
  finding.first = context_.culprit(action_of(access), program_counter, hot.lane);
  finding.memory = context_.describe(address);
  finding.hint = hint;
  finding.bytes = bytes;
  add_finding(key, std::move(finding));
}

void MemoryCheck::misaligned(std::uintptr_t address, unsigned bytes, AccessKind kind,
                             std::uintptr_t program_counter) {
  report(Hazard::misaligned,
         fmt::format("{} of {} bytes at an address that is no multiple of {}", action_of(kind),
                     bytes, bytes),
         address, bytes, kind, program_counter,
         fmt::format("a device moves {0} bytes only from and to multiples of {0}; look at casts "
                     "of pointers and at offsets into arrays of smaller elements",
                     bytes));
}

void MemoryCheck::refused(std::uintptr_t address, std::uintptr_t program_counter) {
  report_outside(address, 1, AccessKind::load, program_counter);
}

}  // namespace emu
