/// @file
/// The data that every access of a kernel reads: the row that its lane is expected at, and little
/// else.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/rounds.h"
#include "engine/count/cost.hpp"

namespace emu {

struct AccessSite;

/// Returns the return address that is in the key of an access. The top bits of a key number the
/// piece of a struct that is moved in pieces.
constexpr unsigned kPartShift = 48;
constexpr std::uintptr_t program_counter_of(std::uintptr_t key) {
  return key & ((std::uintptr_t{1} << kPartShift) - 1);
}

/// Returns the key of a request: the instruction, combined with the rounds of the loops that the
/// lanes are in.
inline std::uintptr_t request_key(std::uintptr_t instruction) { return instruction ^ round_path; }

/// Properties of an access's instruction, beside its kind and size.
struct AccessTraits {
  std::uint16_t struct_bytes = 0;  ///< size of the struct that is moved in pieces; 0: no struct
  std::uint8_t padding = 0;        ///< of a small struct: bit i is set if byte i is padding
  bool is_volatile = false;
  bool is_atomic = false;   ///< an atomic load or store, which is recorded as a load or a store
  bool overwrites = false;  ///< an atomic operation that ignores the old value, such as exchange
  bool is_swap = false;     ///< compare-and-swap, which may write nothing
  bool is_extreme = false;  ///< minimum or maximum
  bool is_late = false;     ///< a store of an asynchronous copy, made later than it is recorded
};

/// The addresses of a row's lanes, as offsets from the row's base. Lanes outside `lanes` have an
/// arbitrary prediction. That is harmless: if such a lane does access the predicted address, the
/// entry is right.
struct RowAddresses {
  std::array<std::int64_t, kWarpSize> offsets{};  ///< [lane], in bytes
  /// Of a pattern: all its lanes; of a row's own addresses: lanes that differed from the pattern.
  std::uint32_t lanes = 0;
  /// Of a row's own addresses: their number within the phase; of a pattern: how many patterns the
  /// instruction has had
  std::uint32_t number = 0;
  bool is_own = false;  ///< belong to one row, which may write to them; false: belong to a pattern
  /// Of a row's own addresses: every lane's access is reported to the observers.
  bool reports_each_lane = false;

  bool has(unsigned lane) const { return (lanes >> lane & 1) != 0; }
};

/// One request of the current phase.
struct Row {
  /// request_key(); its complement if every lane is reported; 0 behind the last row
  std::uintptr_t key = 0;
  std::uintptr_t base = 0;
  RowAddresses* addresses = nullptr;
  AccessSite* site = nullptr;

  std::uintptr_t address(unsigned lane) const {
    return base + static_cast<std::uintptr_t>(addresses->offsets[lane]);
  }
  std::uintptr_t request() const { return addresses->reports_each_lane ? ~key : key; }
};

/// What the instrumentation reads at every access.
struct alignas(64) HotState {
  /// The row that the running lane is expected at; null outside counted kernels.
  Row* cursor = nullptr;
  std::uint32_t lane = 0;
  std::uintptr_t stack_begin = 0;  ///< the running lane's stack, whose accesses are not counted
  std::uintptr_t stack_bytes = 0;
  AccessTraits traits;      ///< traits of the access that is being recorded
  bool is_checked = false;  ///< the launch is checked for hazards
  bool is_preempted = false;
};
extern __thread HotState hot;
extern Row never_row;  ///< a row that matches no access

/// Returns whether the running lane makes the access that `row` predicts. If so, the row already
/// describes it, and the lane goes on to the next row.
[[gnu::always_inline]] inline bool is_expected(const Row& row, std::uintptr_t key,
                                               std::uintptr_t address) {
  return __builtin_expect(row.key == request_key(key), 1) &&
         __builtin_expect(row.address(hot.lane) == address, 1);
}

/// Suspends recording while an object lives. For library functions that the engine calls: they may
/// be compiled with instrumentation, because the program's sources use them too.
class Unrecorded {
 public:
  Unrecorded() : cursor_(hot.cursor) { hot.cursor = nullptr; }
  ~Unrecorded() { hot.cursor = cursor_; }
  Unrecorded(const Unrecorded&) = delete;
  Unrecorded& operator=(const Unrecorded&) = delete;

 private:
  Row* cursor_;
};

}  // namespace emu
