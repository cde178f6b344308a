/// @file
/// What every access of a kernel looks at: the next row of its lane, and little else.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/rounds.h"
#include "engine/count/cost.hpp"

namespace emu {

struct Site;

/// The place in the text behind an access; an instruction's key has the piece of a struct in its
/// top bits.
constexpr unsigned kPartShift = 48;
constexpr std::uintptr_t program_counter_of(std::uintptr_t key) {
  return key & ((std::uintptr_t{1} << kPartShift) - 1);
}

/// What the lanes that make one request have in common: the instruction and the rounds they are in.
inline std::uintptr_t request_key(std::uintptr_t instruction) { return instruction ^ round_path; }

/// What an access tells of its instruction beside address and size.
struct SiteTraits {
  std::uint16_t struct_bytes = 0;  ///< of the struct that is moved in pieces; 0: no struct
  std::uint8_t padding = 0;        ///< of a small struct: bit i: its byte i holds nothing
  bool is_volatile = false;
  bool overwrites = false;  ///< an atomic that does not look at what was there
  bool is_swap = false;     ///< an atomic that may write nothing: compare-and-swap
  bool is_late = false;     ///< a store that is asked for now, and made later
};

/// Where the lanes of a row are, seen from its base. A lane that is not in `lanes` is expected at a
/// place of which nobody knows whether it is the right one. That does no harm: if the lane comes
/// there, that is where it was.
struct RowAddresses {
  std::array<std::int64_t, kWarpSize> offsets{};  ///< [lane], bytes
  std::uint32_t lanes = 0;  ///< a pattern's lanes; of a row's own, those that came off the pattern
  std::uint32_t number =
      0;                ///< of a row's own: in the order of the phase; a pattern's: of those learnt
  bool is_own = false;  ///< a row's, which may write to them; else a pattern's
  bool is_watched = false;  ///< of a row's own: no lane may pass unseen

  bool has(unsigned lane) const { return (lanes >> lane & 1) != 0; }
};

/// One warp-level instruction of the current phase.
struct Row {
  std::uintptr_t key = 0;  ///< request_key(); its complement if watched; 0 behind the last row
  std::uintptr_t base = 0;
  RowAddresses* addresses = nullptr;
  Site* site = nullptr;

  std::uintptr_t address(unsigned lane) const {
    return base + static_cast<std::uintptr_t>(addresses->offsets[lane]);
  }
  std::uintptr_t request() const { return addresses->is_watched ? ~key : key; }
};

/// What the instrumentation reads on every access.
struct alignas(64) HotState {
  Row* cursor = nullptr;  ///< next row of the running lane; null outside counted kernels
  std::uint32_t lane = 0;
  std::uintptr_t stack_begin = 0;  ///< the running lane's stack: local memory, not counted
  std::uintptr_t stack_bytes = 0;
  SiteTraits traits;        ///< of the access that is being recorded
  bool is_checked = false;  ///< by the hazard checks
  bool is_preempted = false;
};
extern __thread HotState hot;
extern Row never_row;  ///< no access is expected by it

/// Whether the running lane does what the row says: then the row is all that must be known of the
/// access, and the lane goes on to the next one.
[[gnu::always_inline]] inline bool is_expected(const Row& row, std::uintptr_t key,
                                               std::uintptr_t address) {
  return __builtin_expect(row.key == request_key(key), 1) &&
         __builtin_expect(row.address(hot.lane) == address, 1);
}

/// While one lives, nothing is recorded: the C++ library's functions may be compiled with
/// instrumentation, because the program's sources use them too.
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
