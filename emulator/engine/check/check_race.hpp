/// @file
/// racecheck: two threads, one byte, at least one write, and nothing that puts one before the
/// other.
///
/// What is before what follows from barriers and fences, not from the order in which things
/// happened to run. Time is counted in *segments*, the phases of warps. Of each word the last
/// writer, a reader and one more access of another warp are remembered; whether such an access is
/// before the present one is seen from its segment:
///
/// - the same thread's is;
/// - one of the same block is if a `__syncthreads` came after it, that is, its segment is older
/// than
///   `block_since`;
/// - one of the same warp is if a `__syncwarp` of both lanes came after it;
/// - one of any thread is if it came before a fence, the fence before an atomic or volatile write,
///   and the present thread has read that place since, atomically or as volatile, and then made a
///   fence of its own: an atomic operation alone orders nothing;
/// - one of the same block is if its thread arrived at an mbarrier afterwards, in a phase that the
///   present thread has waited for;
/// - an asynchronous copy's is if the present thread has waited for the phase in which the copy
///   arrived, and not before: its own thread is like any other.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/check/check_context.hpp"

namespace emu {

enum class FenceScope : std::uint8_t { block, device };

class RaceCheck {
 public:
  explicit RaceCheck(CheckContext& context) : context_(context) {}

  void begin_launch();
  void begin_block(unsigned warps);
  void access(const WarpAccess& access);
  void begin_phase(unsigned first_lane) { first_lane_ = first_lane; }

  void block_barrier();
  void warp_barrier(unsigned warp, std::uint32_t lanes, bool all_alive);
  /// A barrier of some threads of the block: [warp], a bit for each lane.
  void barrier_of_some(const std::vector<std::uint32_t>& lanes);

  /// A lane's fence; its earlier accesses are in earlier segments.
  void fence(unsigned thread, FenceScope scope);
  /// Whether an atomic or volatile access there orders anything, so that it must begin a segment.
  bool orders(unsigned thread, std::uintptr_t address, bool writes) const;
  /// Such an access, about to be made.
  void synchronise(unsigned thread, std::uintptr_t address, bool is_shared, bool reads,
                   bool writes);

  /// Host code is about to access memory that kernels share with it.
  void host_access(std::uintptr_t address, unsigned bytes, AccessKind kind,
                   std::uintptr_t program_counter);
  /// The host has waited for all launches so far.
  void host_waited();

  /// An mbarrier is made anew.
  void init_mbarrier(std::uintptr_t barrier);
  /// A lane arrives; its earlier accesses are in earlier segments.
  void arrive(unsigned thread, std::uintptr_t barrier);
  /// All have arrived, and the copies that the phase waits for.
  void end_phase_of(std::uintptr_t barrier, unsigned parity);
  /// A lane has seen that the newest phase of this parity is over.
  void waited(unsigned thread, std::uintptr_t barrier, unsigned parity);
  /// A lane asks for a copy; in `write`, the bytes that it will write. Its earlier accesses are in
  /// earlier segments.
  void request_copy(const WarpAccess& write, std::uintptr_t barrier);
  /// The barrier's oldest copy is made.
  void made_copy(std::uintptr_t barrier);

 private:
  struct Meeting;
  /// What a thread knows to be over through mbarriers: of thread t's accesses those in segments
  /// before [t]; of mbarrier b's copies the first [threads + b].
  using Clock = std::vector<std::uint32_t>;
  /// What a thread knows to be over: everything that was released at a place, up to a point.
  struct Knowledge {
    const Meeting* meeting;
    std::size_t releases;
    FenceScope scope;  // of the fence behind the read; within a block, only its releases count
  };
  using AllKnowledge = std::vector<Knowledge>;
  /// What was before a fence.
  struct Release {
    std::uint64_t block = 0;
    unsigned warp = 0, lane = 0;
    FenceScope scope = FenceScope::device;
    std::uint32_t block_first = 0, block_since = 0;
    std::uint32_t upto = 0;                          // the thread's own segments
    std::array<std::uint32_t, kWarpSize> of_lane{};  // its warp's
    std::shared_ptr<const Clock> clock;              // of the others; null: nothing
  };
  /// A word that threads synchronise through.
  struct Meeting {
    std::vector<Release> releases;  // by block_first, ascending
    AllKnowledge known;             // to any who released here
  };
  struct Thread {
    std::unique_ptr<Release> fence;  // the newest
    AllKnowledge seen;               // read, but good for nothing before a fence
    AllKnowledge known;
    Clock clock;
  };
  struct Mbarrier {
    unsigned number = 0;
    std::uint32_t requested = 0, made = 0;  // copies
    Clock arrived;                          // what all who arrived so far knew
    std::array<Clock, 2> over;              // [parity], the same when that phase ended
    AllKnowledge known;
  };
  struct Copy {
    std::uint32_t segment = 0;  // nothing else has it
    unsigned mbarrier = 0;
    std::uint32_t number = 0;  // of the mbarrier's
    std::uintptr_t begin = 0;
    unsigned bytes = 0;
  };
  struct Warp {
    std::uint32_t since = 0;  // segments before are over for all its lanes
    // [lane][other]: the same for a pair, once some lanes synchronised without the others
    std::unique_ptr<std::array<std::array<std::uint32_t, kWarpSize>, kWarpSize>> pairs;
  };
  /// The access that is being looked at, of one lane to one word.
  struct Present {
    const WarpAccess* access;
    unsigned lane;
    std::uintptr_t address;
    unsigned bytes;
  };

  static void learn(AllKnowledge& to, const AllKnowledge& from);
  static void join(Clock& to, const Clock& from);
  static void raise(Clock& clock, std::size_t index, std::uint32_t value);
  const Copy* copy_of(AccessRecord record) const;
  bool knows(const Clock& clock, const Copy& copy) const;
  void stamp_again(Copy& copy);
  void release_block();
  std::uint32_t since(unsigned warp, unsigned lane, unsigned other) const;
  bool before(AccessRecord record, unsigned record_lane, unsigned lane) const;
  bool covered(const AllKnowledge& known, AccessRecord record, unsigned record_lane,
               std::vector<const Meeting*>& visited) const;
  bool is_mine(AccessRecord record, unsigned lane) const;

  template <bool is_shared>
  void access_in(const WarpAccess& access);
  template <bool is_shared>
  bool access_row(const WarpAccess& access, std::uint64_t who);
  template <bool is_shared>
  void read(ShadowPage& page, unsigned index, std::uint64_t mine, const Present& present);
  template <bool is_shared>
  void write(ShadowPage& page, unsigned index, std::uint64_t mine, const Present& present);
  template <bool is_shared>
  void merge_reader(ShadowPage& page, unsigned index, std::uint64_t mine, unsigned lane);
  void note_other(ShadowPage& page, unsigned index, std::uint64_t record, bool other_block);
  void compare(AccessRecord earlier, unsigned earlier_lane, bool earlier_writes,
               const Present& present, ShadowPage& page);
  bool same_data(AccessRecord earlier, unsigned earlier_lane, const Present& present,
                 const ShadowPage& page) const;
  void report(AccessRecord earlier, unsigned earlier_lane, bool earlier_writes,
              const Present& present);

  std::string kernel_of(std::uint32_t segment) const;

  CheckContext& context_;
  std::uint32_t host_since_ = 0;  // segments before are over for the host
  // Launches since then: first segment, kernel; one entry for several of a kernel in a row.
  std::vector<std::pair<std::uint32_t, std::string>> running_;
  std::uint64_t limit_ = 0;  // smaller records are before whatever happens now
  unsigned first_lane_ = 0;  // the first to run in this phase
  std::vector<Warp> warps_;
  std::vector<Thread> threads_;
  AllKnowledge block_known_;
  std::uint64_t visit_ = 0, counted_visit_ = 0;  // of a lane's access: it counts once
  std::string counted_key_;
  bool any_fence_ = false;  // in this launch: only then can anything be released
  // Of the block.
  std::unordered_map<std::uintptr_t, Mbarrier> mbarriers_;  // by address
  unsigned mbarrier_count_ = 0;                             // made so far
  std::vector<Copy> copies_;
  std::vector<std::uint32_t> copy_of_segment_;  // [segment - block_first], 1 + which; 0: none
  Clock block_clock_;                           // what all knew at the newest block barrier
  std::unique_ptr<Release> block_release_;      // what was before the fences before that barrier
  std::unordered_map<std::uintptr_t, std::unique_ptr<Meeting>> meetings_, shared_meetings_;
};

}  // namespace emu
