#include "call.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <new>

#include "emulator/device.h"
#include "engine/check/check_context.hpp"
#include "engine/check/check_host.hpp"
#include "engine/check/check_init.hpp"
#include "engine/check/check_library.hpp"
#include "engine/check/findings.hpp"
#include "engine/engine.hpp"
#include "engine/report/library_calls.hpp"
#include "engine/run/queue.hpp"
#include "runtime/runtime.hpp"

namespace emu::cublas {

namespace {

/// Thrown where a kernel of cuBLAS's would have failed: the call itself has succeeded by then.
struct DeviceFailed {};

/// Where something is, in the words of a report.
struct Fault {
  Hazard hazard;
  std::string what;
  const char* hint;
};

/// What is wrong with an operand of these bytes; none where all is well.
std::optional<Fault> find_fault(const char* begin, std::size_t bytes) {
  constexpr std::uintptr_t kNearNull = 65536;
  if (reinterpret_cast<std::uintptr_t>(begin) < kNearNull)
    return Fault{Hazard::null_pointer, "is a null pointer",
                 "was the allocation checked, and is it the right pointer?"};
  const runtime::Place place = runtime::place_of(begin);
  if (place.space == Space::none) {
    if (is_freed(begin))
      return Fault{Hazard::use_after_free, "has been freed", "free it after the last use"};
    if (in_arena(begin))
      return Fault{Hazard::out_of_bounds, "is not in an allocation",
                   "is an offset added to the right pointer?"};
    return Fault{Hazard::host_memory, "is host memory",
                 "cuBLAS works on device memory: copy it there first"};
  }
  const auto left = place.bytes - static_cast<std::size_t>(begin - place.begin);
  if (bytes <= left) return std::nullopt;
  return Fault{
      Hazard::out_of_bounds,
      fmt::format("ends {} bytes beyond its allocation of {}", bytes - left, place.bytes),
      "compare the sizes, the leading dimension and the increment with what was allocated"};
}

}  // namespace

CBLAS_TRANSPOSE Call::read(cublasOperation_t operation) {
  switch (operation) {
    case CUBLAS_OP_N:
      return CblasNoTrans;
    case CUBLAS_OP_T:
      return CblasTrans;
    case CUBLAS_OP_C:
      return CblasConjTrans;
    default:
      throw Refusal{CUBLAS_STATUS_INVALID_VALUE};
  }
}

CBLAS_UPLO Call::read(cublasFillMode_t fill) {
  require(fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER);
  return fill == CUBLAS_FILL_MODE_LOWER ? CblasLower : CblasUpper;
}

CBLAS_DIAG Call::read(cublasDiagType_t diagonal) {
  require(diagonal == CUBLAS_DIAG_UNIT || diagonal == CUBLAS_DIAG_NON_UNIT);
  return diagonal == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit;
}

CBLAS_SIDE Call::read(cublasSideMode_t side) {
  require(side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT);
  return side == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight;
}

void Call::reach(const char* name, const void* begin, std::size_t bytes) {
  if (!access_) access_.emplace();
  const char* const first = static_cast<const char*>(begin);
  const std::optional<Fault> fault = find_fault(first, bytes);
  if (!fault) return;
  const std::string message = fmt::format("{} of {} {}", name, name_, fault->what);
  const bool goes_on = is_mapped(first, bytes);
  if (checking().memory) {
    add_fault(fault->hazard, message, first, fault->hint);
  } else if (!goes_on) {
    const std::string where = place();
    fmt::print(stderr, "emulator: {}{}{}: illegal address\n", where, where.empty() ? "" : ": ",
               message);
  }
  if (goes_on) return;
  set_sticky_error(cudaErrorIllegalAddress);
  throw DeviceFailed{};
}

void Call::touch(const char* name, const void* begin, std::size_t bytes, Use use) const {
  if (use != Use::write && !was_written(begin, bytes))
    add_fault(Hazard::uninitialized_read,
              fmt::format("{} of {} has elements that nothing wrote", name, name_), begin,
              "cudaMalloc does not clear memory: fill it first, with cudaMemset, cudaMemcpy or a "
              "kernel");
  if (use != Use::read) note_written(begin, bytes);
}

void Call::add_fault(Hazard hazard, const std::string& title, const void* address,
                     const char* hint) const {
  Finding finding = finding_of(hazard);
  finding.title = title;
  finding.memory = address_in_words(address);
  finding.first = {name_, place(), "", ""};
  finding.hint = hint;
  add_finding(fmt::format("{}|{}|{}", finding.kind, call_site_, title), std::move(finding));
  print_new_findings();
}

std::string Call::place() const {
  return source_line(reinterpret_cast<std::uintptr_t>(call_site_));
}

void Call::host_waits() { note_host_waited(); }

cublasStatus_t run(const char* name, cublasHandle_t handle, const void* call_site, Work work) {
  if (in_kernel()) unsupported("a call inside a kernel");
  if (!is_alive(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid_stream(handle->stream)) return CUBLAS_STATUS_EXECUTION_FAILED;
  const StreamKey stream = key_of(handle->stream);
  if (is_captured(stream)) unsupported("cuBLAS in a stream that is captured");
  finish_before_next_in(stream);
  if (sticky_error() != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
  note_library_call(name);
  try {
    Call call(name, *handle, call_site);
    work(call);
    return CUBLAS_STATUS_SUCCESS;
  } catch (const Refusal& refusal) {
    return refusal.status;
  } catch (const DeviceFailed&) {
    return CUBLAS_STATUS_SUCCESS;
  } catch (const std::bad_alloc&) {
    return CUBLAS_STATUS_ALLOC_FAILED;
  }
}

}  // namespace emu::cublas
