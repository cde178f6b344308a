#include "engine/check/race_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/check/findings.hpp"
#include "engine/check/hazards.hpp"

namespace emu {

namespace {

/// The circumstances that distinguish kinds of races.
struct Circumstances {
  bool earlier_is_copy, is_copy, one_instruction, same_warp, same_block, is_shared;
};

struct RaceKind {
  bool (*is_it)(const Circumstances&);
  const char* name;  ///< in keys of findings
  Severity severity;
  const char* title;  ///< continues "race (read after write) in shared memory"
  const char* hint;
};

/// The first kind that fits applies; the last one always fits.
constexpr RaceKind kRaceKinds[] = {
    {[](const Circumstances& c) { return c.earlier_is_copy; }, "copy", Severity::error,
     " with a copy that is on its way",
     "the bytes are there once the phase of the mbarrier is over at which the copy arrives: wait "
     "for it, on every way to this line"},
    {[](const Circumstances& c) { return c.is_copy; }, "to copy", Severity::error,
     ": a copy is asked for too early",
     "the threads that use the bytes must arrive at an mbarrier (or __syncthreads()) afterwards, "
     "and the one that asks for the copy must wait there"},
    {[](const Circumstances& c) { return c.one_instruction; }, "at once", Severity::error,
     ": several threads write different values to one place at once",
     "one of them wins, and which one is undefined: choose one thread, or use an atomic operation"},
    {[](const Circumstances& c) { return c.same_warp; }, "warp", Severity::warning,
     " between lanes of one warp",
     "lanes of a warp do not run in lockstep: __syncwarp() between the two lines"},
    {[](const Circumstances& c) { return c.same_block; }, "block", Severity::error,
     " between warps of one block",
     "is there a __syncthreads() between the two lines, on every way from one to the other, around "
     "a loop too?"},
    {[](const Circumstances& c) { return c.is_shared; }, "cluster", Severity::error,
     " between blocks of a cluster",
     "is there a cluster.sync() between the two lines, on every way from one to the other?"},
    {[](const Circumstances&) { return true; }, "grid", Severity::error, " between blocks",
     "blocks run at the same time and in any order: use atomic operations, __threadfence() and an "
     "atomic flag, or a second kernel"},
};

/// The order in which the two accesses happened to be made.
struct RaceOrderKind {
  bool earlier_writes, writes;
  Hazard hazard;
  const char* words;
};

constexpr RaceOrderKind kRaceOrders[] = {
    {true, false, Hazard::race_raw, "read after write"},
    {false, true, Hazard::race_war, "write after read"},
    {true, true, Hazard::race_waw, "write after write"},
};

const char* action_of_earlier(const Race& race) {
  if (race.earlier_is_copy) return "copy";
  if (!race.earlier_writes) return "read";
  return race.earlier.flag(kAtomicFlag) ? "atomic" : "write";
}

}  // namespace

/// Counts the race with an existing finding of this key. Returns whether there is one.
bool RaceReport::count(const std::string& key, unsigned bytes) {
  const bool again = counted_access_ == access_ && counted_key_ == key;
  counted_access_ = access_;
  counted_key_ = key;
  return count_finding(key, again ? 0 : 1, bytes);
}

void RaceReport::add(const Race& race) {
  const WarpAccess& access = *race.access;
  const AccessRecord earlier = race.earlier;
  Circumstances circumstances{};
  circumstances.earlier_is_copy = race.earlier_is_copy;
  circumstances.is_copy = access.is_copy;
  circumstances.one_instruction =
      race.earlier_writes && earlier.site() == access.site && earlier.segment() == context_.segment;
  circumstances.same_block = context_.is_own(earlier.segment());
  circumstances.is_shared = access.is_shared;
  circumstances.same_warp = circumstances.same_block && earlier.warp() == context_.warp;
  const RaceKind& kind =
      *std::find_if(std::begin(kRaceKinds), std::end(kRaceKinds),
                    [&](const RaceKind& one) { return one.is_it(circumstances); });
  const bool writes = access.kind != AccessKind::load;
  const RaceOrderKind& order =
      *std::find_if(std::begin(kRaceOrders), std::end(kRaceOrders), [&](const RaceOrderKind& one) {
        return one.earlier_writes == race.earlier_writes && one.writes == writes;
      });

  const std::uintptr_t program_counter = program_counter_of(access.key);
  const std::string key = fmt::format("{}|{}|{}|{}|{}", static_cast<int>(order.hazard), kind.name,
                                      earlier.site(), program_counter, context_.launch->name);
  if (count(key, race.bytes)) return;

  Finding finding = finding_of(order.hazard);
  finding.severity = kind.severity;
  finding.title = fmt::format("race ({}) in {} memory{}", order.words,
                              access.is_shared ? "shared" : "global", kind.title);
  finding.hint = kind.hint;
  finding.kernel = context_.launch->name;
  finding.first = context_.culprit(access.is_copy ? "copy" : action_of(access.kind),
                                   program_counter, race.lane);
  finding.second = context_.culprit(
      action_of_earlier(race), program_counter_of_site(earlier.site()),
      circumstances.same_block ? context_.block() : context_.block_of(earlier.segment()),
      earlier.warp() * kWarpSize + race.earlier_lane);
  finding.memory = context_.describe(race.address);
  finding.bytes = race.bytes;
  add_finding(key, std::move(finding));
}

namespace {

const char* name_of(AsyncRead::By by) {
  return by == AsyncRead::By::tensor_core ? "wgmma" : "bulk store";
}

}  // namespace

void RaceReport::add_overwritten(const AsyncRead& read, const WarpAccess& write, unsigned lane,
                                 std::uintptr_t address) {
  const std::uintptr_t program_counter = program_counter_of(write.key);
  const auto reader = reinterpret_cast<std::uintptr_t>(read.call_site);
  const std::string key =
      fmt::format("overwritten|{}|{}|{}", reader, program_counter, context_.launch->name);
  if (count(key, write.bytes)) return;
  const bool is_tensor_core = read.by == AsyncRead::By::tensor_core;
  Finding finding = finding_of(Hazard::race_war);
  finding.title = fmt::format("race (write after read) in shared memory: {} may still be reading",
                              is_tensor_core ? "a wgmma" : "a bulk store");
  finding.hint =
      is_tensor_core
          ? "wgmma reads until wgmma.wait_group: who fills the bytes again, or says that they are "
            "free, must have waited for its group; is it one wait too few?"
          : "the thread that asked for the store must wait with cp.async.bulk.wait_group.read, and "
            "tell those who write";
  finding.kernel = context_.launch->name;
  finding.first =
      context_.culprit(write.is_copy ? "copy" : action_of(write.kind), program_counter, lane);
  finding.second = context_.culprit(name_of(read.by), reader, context_.block(), read.thread);
  finding.memory = context_.describe(address);
  finding.bytes = write.bytes;
  add_finding(key, std::move(finding));
}

void RaceReport::add_unfenced(const AsyncRead& read, AccessRecord writer, std::uintptr_t address) {
  const auto reader = reinterpret_cast<std::uintptr_t>(read.call_site);
  const std::uintptr_t site = program_counter_of_site(writer.site());
  const std::string key = fmt::format("unfenced|{}|{}|{}", reader, site, context_.launch->name);
  if (count(key, AsyncRead::kPieceBytes)) return;
  Finding finding = finding_of(Hazard::missing_proxy_fence);
  finding.title = fmt::format(
      "a {} reads shared memory that an ordinary store has written, without "
      "fence.proxy.async in between",
      name_of(read.by));
  finding.hint =
      "the threads that write call fence_proxy_async (fence.proxy.async) after their stores, "
      "before "
      "they meet who reads";
  finding.kernel = context_.launch->name;
  finding.first = context_.culprit(name_of(read.by), reader, context_.block(), read.thread);
  finding.second = context_.culprit(
      "write", site,
      context_.is_own(writer.segment()) ? context_.block() : context_.block_of(writer.segment()),
      writer.warp() * kWarpSize + writer.lane());
  finding.memory = context_.describe(address);
  finding.bytes = AsyncRead::kPieceBytes;
  add_finding(key, std::move(finding));
}

void RaceReport::add_end(AccessRecord earlier, bool writes, std::uintptr_t address,
                         unsigned bytes) {
  const std::uintptr_t site = program_counter_of_site(earlier.site());
  const std::string key = fmt::format("end|{}|{}", site, context_.launch->name);
  if (count_finding(key, 1, bytes)) return;
  Finding finding = finding_of(Hazard::early_end);
  finding.title = "a block may end while another one of its cluster uses its shared memory";
  finding.hint = "cluster.sync() before the end: a block's shared memory ends with it";
  finding.kernel = context_.launch->name;
  finding.first =
      context_.culprit(writes ? "write" : "read", site, context_.block_of(earlier.segment()),
                       earlier.warp() * kWarpSize + earlier.lane());
  finding.second = context_.culprit("end", 0, context_.block(), 0);
  finding.memory = context_.describe(address);
  finding.bytes = bytes;
  add_finding(key, std::move(finding));
}

}  // namespace emu
