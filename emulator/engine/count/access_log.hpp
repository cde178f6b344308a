/// @file
/// Groups the accesses of a warp's lanes into warp-level instructions and adds up what they cost.
///
/// Lanes run one after the other between synchronisations (a *phase*). The first lane to make an
/// access writes a row: which instruction, which address. The lanes after it are expected to make
/// the same accesses in the same order, at addresses that differ from the first lane's as they did
/// the time before (a *pattern*); then an access costs two comparisons and no store. A lane that
/// takes another path finds its rows by (instruction, rounds of the loops around it, occurrence).
/// Lanes' order does not matter.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/check/check_context.hpp"
#include "engine/count/cost.hpp"
#include "emulator/counters.h"
#include "emulator/rounds.h"
#include "engine/run/shared_windows.hpp"

namespace emu {

enum class AccessSpace : std::uint8_t { global, shared, other };

struct Site;
class Checker;
class RequestTrace;

/// What an access tells of its instruction beside address and size.
struct SiteTraits {
  std::uint16_t struct_bytes = 0;  ///< of the struct that is moved in pieces; 0: no struct
  bool is_volatile = false;
  bool overwrites = false;  ///< an atomic that does not look at what was there
  bool is_late = false;     ///< a store that is asked for now, and made later
};

/// What the lanes that make one request have in common: the instruction and the rounds they are in.
inline std::uintptr_t request_key(std::uintptr_t instruction) { return instruction ^ round_path; }

/// One warp-level instruction of the current phase.
struct Row {
  std::uintptr_t key = 0;                 ///< request_key(); 0 behind the last row
  std::uintptr_t base = 0;                ///< 0 when `offsets` holds whole addresses
  const std::int64_t* offsets = nullptr;  ///< [lane]
  Site* site = nullptr;
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

/// The addresses of a site relative to one another, and how often they came at each alignment.
struct Pattern {
  std::array<std::int64_t, kWarpSize>
      offsets{};  ///< [lane], bytes; kAbsent for lanes not in `lanes`
  std::uint32_t lanes = 0;
  AccessSpace space = AccessSpace::other;
  std::array<std::uint64_t, kLineBytes> times{};  ///< [base % kLineBytes]
  std::int64_t lowest = 0, highest = 0;           ///< of the offsets
  Shape shape = Shape::scattered;
  bool overlaps = false;  ///< two lanes access one byte
};

constexpr int kLearningCredit = 4;

/// One memory instruction of the program.
struct Site {
  std::uintptr_t key = 0;
  AccessKind kind = AccessKind::load;
  unsigned access_bytes = 0;
  bool touched = false;                   ///< in this launch
  int learning_credit = kLearningCredit;  ///< patterns to try; negative: rows to wait
  std::uint64_t learning_phase = 0;
  std::unique_ptr<Pattern> pattern;
  Counters counters;
  SiteTraits traits;
  unsigned number = 0;  ///< in the checks' records
  // Where the lane is that passed here last, off the common path.
  std::uint64_t lane_stamp = 0;
  std::uintptr_t lane_request = 0;
  std::uint32_t lane_occurrence = 0;
};

/// The rows of a phase, by request and occurrence.
class RowIndex {
 public:
  void clear();
  /// The row of a request's occurrence, counted from 0; null if no lane has made it so often.
  const std::uint32_t* find(std::uintptr_t request, std::uint32_t occurrence) const;
  /// Adds a row as the next occurrence of `request`.
  void add(std::uintptr_t request, std::uint32_t row);

 private:
  struct Entry {
    std::uintptr_t request = 0;
    std::uint32_t occurrence = 0;
    std::uint32_t row = 0;
    std::uint64_t generation = 0;  // of an older one: empty
  };
  bool is_empty(std::size_t slot) const { return entries_[slot].generation != generation_; }
  std::size_t slot_of(std::uintptr_t request, std::uint32_t occurrence) const;
  void insert(std::uintptr_t request, std::uint32_t occurrence, std::uint32_t row);

  std::vector<Entry> entries_ = std::vector<Entry>(256);  // open addressing
  std::size_t used_ = 0;
  std::uint64_t generation_ = 1;
};

class AccessLog {
 public:
  AccessLog();

  /// Accesses in these bytes are the block's shared memory.
  void set_shared_range(std::uintptr_t begin, std::size_t bytes);

  /// The block on the stage counts the requests of its warps here: [warp][AccessSpace].
  void set_block(std::vector<std::array<std::uint64_t, 3>>* requests) { requests_of_ = requests; }
  void end_block();
  /// Where the shared memory of other blocks of its cluster is; null: nowhere.
  void set_windows(const SharedWindows* windows) {
    windows_begin_ = windows ? windows->begin() : 0;
    windows_bytes_ = windows ? SharedWindows::kAllBytes : 0;
  }

  void begin_phase(unsigned warp);
  void begin_lane(unsigned lane) {
    hot.lane = lane;
    hot.cursor = trace_.data();
  }
  void end_lane();
  /// Whether the running lane has made an access in this phase.
  bool lane_made_access() const { return hot.cursor != trace_.data(); }
  void end_phase();

  /// Tells `checker` of every access; null: nobody. Between launches.
  void set_checker(Checker* checker) { checker_ = checker; }
  /// Tells `trace` of every request; null: nobody. Between blocks.
  void set_trace(RequestTrace* trace) { request_trace_ = trace; }

  /// The slow path of an access: everything but "the same as the lane before".
  void record(std::uintptr_t address, std::uintptr_t key, AccessKind kind, unsigned access_bytes);

  bool is_shared(std::uintptr_t address) const { return address - shared_begin_ < shared_bytes_; }

  /// The instruction whose access was recorded last on the slow path.
  const void* current_instruction() const;

  /// Counts a bulk copy, which is no access of a lane.
  void count_copy(std::uintptr_t key, std::uint64_t bytes, std::uint64_t sectors);

  /// Counts `warps` arrivals at a barrier of the block.
  void count_barrier(unsigned warps) { meetings_.barriers += warps; }
  /// Counts a shuffle, vote, match or reduction of a warp.
  void count_warp_function(bool is_reduction) {
    ++meetings_.warp_shuffles;
    meetings_.warp_reductions += is_reduction;
  }
  /// Counts what a thread does to an mbarrier.
  void count_mbarrier_operation() { ++meetings_.mbarrier_operations; }

  /// Adds the launch's counters to `total` and, per site, to `sites`; starts from zero again.
  void take(Counters& total, std::vector<SiteCounters>& sites);

 private:
  Site& find_site(std::uintptr_t key, AccessKind kind, unsigned access_bytes);
  void grow_site_table();
  /// Ends the kernel if a device has no such memory.
  AccessSpace space_of(std::uintptr_t address) const;
  std::int64_t* new_addresses();
  std::int64_t* own_addresses(Row& row);
  void append(std::uintptr_t address, std::uintptr_t key, AccessKind kind, unsigned access_bytes);
  void leave_common_path(std::size_t at);
  bool has_made(std::uint32_t row) const;
  void record_apart(std::uintptr_t address, std::uintptr_t key, AccessKind kind,
                    unsigned access_bytes);
  AccessSpace count_row(Row& row, std::uint32_t lanes);
  void count(Site& site, AccessSpace space, const LaneAddresses& addresses, std::uint32_t lanes,
             std::uint64_t times);
  void learn(Row& row, std::uint32_t lanes);
  void check(std::uintptr_t address, std::uintptr_t key, AccessKind kind, unsigned access_bytes);
  bool may_follow(const Pattern& pattern, const Site& site, std::uintptr_t base) const;
  void note_before(Row& row, std::uintptr_t address, unsigned access_bytes);
  void check_phase(std::uint32_t fewest);
  void check_row(const Row& row, std::uint32_t lanes);
  void trace_phase(std::uint32_t fewest);
  std::vector<std::uint32_t> rows_in_program_order() const;
  std::uint32_t lanes_on_path(std::size_t row, std::uint32_t fewest) const;
  void fold(Site& site);

  Checker* checker_ = nullptr;
  struct ApartAccess {
    std::uint32_t lane;
    std::uint32_t row;
  };
  std::vector<ApartAccess> apart_order_;  // of lanes off the common path; for checks and trace
  RequestTrace* request_trace_ = nullptr;

  std::uintptr_t shared_begin_ = 0;
  std::size_t shared_bytes_ = 0;
  std::uintptr_t windows_begin_ = 0;
  std::size_t windows_bytes_ = 0;

  std::vector<std::unique_ptr<Site>> sites_;
  std::vector<Site*> table_;  // open addressing, size a power of two
  std::vector<Site*> touched_;
  Counters meetings_;  // of lanes: they belong to no site

  // How often each warp of the block went to which space, and the most that any warp of the launch
  // did.
  using RequestsBySpace = std::array<std::uint64_t, 3>;
  std::vector<RequestsBySpace>* requests_of_ = nullptr;
  RequestsBySpace most_requests_{};
  RequestsBySpace no_requests_{};
  RequestsBySpace* phase_requests_ = &no_requests_;

  std::vector<Row> trace_;  // rows of the common path, one sentinel behind them
  std::size_t trace_rows_ = 0;
  std::vector<Row> side_;                               // rows only lanes off the common path made
  std::array<std::uint32_t, kWarpSize> common_rows_{};  // [lane], rows followed on the common path
  std::uint32_t lanes_run_ = 0;
  bool indexed_ = false;  // a lane has left the common path
  RowIndex index_;
  bool apart_ = false;  // the running lane left the common path
  std::size_t apart_from_ = 0;
  std::uintptr_t current_key_ = 0;
  std::vector<std::uint32_t> trace_extra_, side_lanes_;  // lanes that reached a row off the path
  std::vector<std::pair<Row*, std::uint32_t>> to_learn_;
  std::uint64_t phase_ = 1;

  std::vector<std::unique_ptr<std::int64_t[]>> address_chunks_;
  std::size_t addresses_used_ = 0;
};

}  // namespace emu
