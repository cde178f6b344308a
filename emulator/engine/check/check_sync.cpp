#include "engine/check/check_sync.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <utility>

#include "engine/check/checked_block.hpp"
#include "engine/check/findings.hpp"
#include "engine/check/hazards.hpp"
#include "engine/run/block.hpp"

namespace emu {

namespace {

std::uintptr_t address(const void* call_site) {
  return reinterpret_cast<std::uintptr_t>(call_site);
}

/// Calls `visit(thread, lane)` for the lanes of each warp that `lanes_of` selects.
template <class Lanes, class Visit>
void for_threads(const std::vector<Warp>& warps, Lanes&& lanes_of, Visit&& visit) {
  for (unsigned w = 0; w < warps.size(); ++w)
    for (std::uint32_t left = lanes_of(warps[w]); left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      visit(w * kWarpSize + lane, warps[w].lanes[lane]);
    }
}

/// Returns whether two call sites are the same call in the source. A compiler may duplicate a call;
/// both copies have one line and column.
bool are_one_call(std::uintptr_t program_counter, std::uintptr_t other) {
  const SourceLocation one = source_location(program_counter), two = source_location(other);
  return !one.file.empty() && one.file == two.file && one.line == two.line &&
         one.column == two.column;
}

/// Returns whether `one` stands behind `other` in the text of the same function.
bool stands_behind(const SourceLocation& one, const SourceLocation& other) {
  return !one.file.empty() && one.file == other.file && one.function.file == other.function.file &&
         one.function.line == other.function.line &&
         std::pair(one.line, one.column) > std::pair(other.line, other.column);
}

std::string lanes_text(std::uint32_t lanes) {
  std::string text;
  while (lanes != 0) {
    const auto first = static_cast<unsigned>(std::countr_zero(lanes));
    const auto count = static_cast<unsigned>(std::countr_one(lanes >> first));
    text +=
        (text.empty() ? "" : ", ") +
        (count == 1 ? fmt::format("{}", first) : fmt::format("{}-{}", first, first + count - 1));
    lanes &= count == kWarpSize ? 0 : ~(((1u << count) - 1) << first);
  }
  return text;
}

}  // namespace

void SyncCheck::add(std::string key, Finding finding) {
  finding.kernel = context_.launch->name;
  add_finding(key, std::move(finding));
}

void SyncCheck::block_barrier(const std::vector<Warp>& warps, unsigned threads) {
  if (!context_.checks.sync) return;
  std::vector<Waiters> calls;  // one for each call site, in the order of their first threads
  unsigned waiting = 0;
  const auto at_block = [](const Warp& warp) { return warp.at(Meeting::block); };
  for_threads(warps, at_block, [&](unsigned thread, const Lane& lane) {
    ++waiting;
    const std::uintptr_t call_site = address(lane.block_call.call_site);
    const auto known = std::ranges::find(calls, call_site, &Waiters::call_site);
    if (known != calls.end())
      ++known->threads;
    else
      calls.push_back({call_site, thread, 1});
  });
  for (std::size_t i = 1; i < calls.size();) {
    if (!are_one_call(calls[0].call_site, calls[i].call_site)) {
      ++i;
      continue;
    }
    calls[0].threads += calls[i].threads;
    calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (calls.size() > 1) divergent_barrier(calls[1], calls[0], threads, waiting);
  if (calls.size() > 1 || waiting == threads) return;
  const Absent absent = absent_threads(warps, calls[0], threads);
  if (absent.passed + absent.parted != 0)
    passed_barrier(absent, calls[0], threads);
  else
    exited_threads(absent, calls[0], threads);
}

void SyncCheck::divergent_barrier(const Waiters& here, const Waiters& there, unsigned threads,
                                  unsigned waiting) {
  const std::string key = fmt::format("divergent|{}|{}", there.call_site, here.call_site);
  if (count_finding(key, 1, 0)) return;
  Finding finding = finding_of(Hazard::divergent_barrier);
  finding.title = fmt::format(
      "divergent barrier: {} of {} threads wait at a __syncthreads(), {} are missing: {} at "
      "another "
      "one",
      here.threads, threads, threads - here.threads, waiting - here.threads);
  if (waiting < threads) finding.title += fmt::format(", {} have returned", threads - waiting);
  finding.first =
      context_.culprit("__syncthreads", here.call_site, context_.block(), here.first_thread);
  finding.second =
      context_.culprit("__syncthreads", there.call_site, context_.block(), there.first_thread);
  finding.hint =
      "a barrier in a branch must be reached by all threads of the block or by "
      "none: move it out of the branch";
  add(key, std::move(finding));
}

SyncCheck::Absent SyncCheck::absent_threads(const std::vector<Warp>& warps, const Waiters& here,
                                            unsigned threads) const {
  Absent absent;
  const SourceLocation barrier = source_location(here.call_site);
  std::map<std::uintptr_t, bool> behind;  // by address of the last access; usually few
  const auto is_behind = [&](std::uintptr_t access) {
    const auto [known, is_new] = behind.try_emplace(access, false);
    if (is_new) known->second = stands_behind(source_location(access), barrier);
    return known->second;
  };
  const auto count = [](unsigned& number, unsigned& first, unsigned thread) {
    if (number++ == 0) first = thread;
  };
  for (unsigned thread = 0; thread < threads; ++thread) {
    const std::uint32_t waiting = warps[thread / kWarpSize].at(Meeting::block);
    if (waiting >> thread % kWarpSize & 1) continue;
    count(absent.threads, absent.first, thread);
    const Exit& exit = context_.now->exits[thread];
    if (exit.last_access != 0 && is_behind(exit.last_access))
      count(absent.passed, absent.first_passed, thread);
    else if (waiting != 0 && exit.after_barrier)
      count(absent.parted, absent.first_parted, thread);
  }
  return absent;
}

void SyncCheck::exited_threads(const Absent& absent, const Waiters& here, unsigned threads) {
  const std::string key = fmt::format("exited|{}|{}", here.call_site, context_.launch->name);
  if (count_finding(key, 1, 0)) return;
  Finding finding = finding_of(Hazard::exited_threads);
  finding.title =
      fmt::format("{} of {} threads wait at a __syncthreads(), {} are missing: they have returned",
                  here.threads, threads, absent.threads);
  finding.first =
      context_.culprit("__syncthreads", here.call_site, context_.block(), here.first_thread);
  finding.second = context_.culprit("return", 0, context_.block(), absent.first);
  finding.hint =
      "devices since Volta go on without them, but the barrier was written for all: "
      "replace the early return by a condition around the work";
  add(key, std::move(finding));
}

/// Reports threads that have returned and are not early: they took a path past the barrier.
void SyncCheck::passed_barrier(const Absent& absent, const Waiters& here, unsigned threads) {
  const std::string key = fmt::format("passed|{}|{}", here.call_site, context_.launch->name);
  if (count_finding(key, 1, 0)) return;
  Finding finding = finding_of(Hazard::divergent_barrier);
  finding.title =
      fmt::format("divergent barrier: {} of {} threads wait at a __syncthreads(), {} are missing:",
                  here.threads, threads, absent.threads);
  std::string separator = " ";
  const auto tell = [&](unsigned number, const char* what) {
    if (number == 0) return;
    finding.title += fmt::format("{}{} {}", separator, number, what);
    separator = ", ";
  };
  tell(absent.passed, "went past it and have returned");
  tell(absent.parted, "of the same warps have returned after an earlier barrier");
  tell(absent.threads - absent.passed - absent.parted, "have returned");
  finding.first =
      context_.culprit("__syncthreads", here.call_site, context_.block(), here.first_thread);
  if (absent.passed != 0) {
    const Exit& exit = context_.now->exits[absent.first_passed];
    finding.second = context_.culprit(action_of(exit.kind), exit.last_access, context_.block(),
                                      absent.first_passed);
    finding.hint =
        "a barrier in a branch must be reached by all threads of the block or by none: move it "
        "out of the branch";
  } else {
    finding.second = context_.culprit("return", 0, context_.block(), absent.first_parted);
    finding.hint =
        "threads may return early, but not from the middle of a warp whose other lanes go on to a "
        "barrier: replace the return by a condition around the work";
  }
  add(key, std::move(finding));
}

void SyncCheck::mask_lacks_caller(const char* function, unsigned mask, unsigned thread,
                                  const void* call_site) {
  if (!context_.checks.sync) return;
  const std::string key = fmt::format("mask|{}", call_site);
  if (count_finding(key, 1, 0)) return;
  Finding finding = finding_of(Hazard::mask_lacks_caller);
  finding.title = fmt::format("{} with mask 0x{:08x}, which does not name the calling lane {}",
                              function, mask, thread % kWarpSize);
  finding.first = context_.culprit(function, address(call_site), context_.block(), thread);
  finding.hint =
      "a lane may only call with a mask that it is in: compute the mask before the "
      "branch, with __ballot_sync";
  add(key, std::move(finding));
}

void SyncCheck::undefined_source(const char* function, unsigned mask, unsigned source,
                                 bool is_there, unsigned thread, const void* call_site) {
  if (!context_.checks.sync) return;
  const std::string key = fmt::format("source|{}", call_site);
  if (count_finding(key, 1, 0)) return;
  Finding finding = finding_of(Hazard::undefined_source);
  finding.title = fmt::format("{} with mask 0x{:08x} reads from lane {}, which {}", function, mask,
                              source, is_there ? "takes no part in it" : "the block does not have");
  finding.first = context_.culprit(function, address(call_site), context_.block(), thread);
  finding.hint = is_there ? "the value is undefined: let every lane of the warp call it, with a "
                            "neutral value where there is no data"
                          : "the value is undefined: launch whole warps, or name in the mask the "
                            "lanes that there are";
  add(key, std::move(finding));
}

void SyncCheck::unfinished_copy(unsigned thread, const void* call_site) {
  if (!context_.checks.sync) return;
  const std::string key = fmt::format("unfinished|{}|{}", call_site, context_.launch->name);
  if (count_finding(key, 1, 0)) return;
  Finding finding = finding_of(Hazard::unfinished_copy);
  finding.title = "a block ends while a copy into its shared memory is on its way";
  finding.first = context_.culprit("copy", address(call_site), context_.block(), thread);
  finding.hint =
      "the memory may be another block's by then: wait for the mbarrier at which the copy arrives";
  add(key, std::move(finding));
}

void SyncCheck::unfinished_read(const AsyncRead& read) {
  if (!context_.checks.sync) return;
  const std::string key = fmt::format("unfinished|{}|{}", read.call_site, context_.launch->name);
  if (count_finding(key, 1, 0)) return;
  const bool is_tensor_core = read.by == AsyncRead::By::tensor_core;
  Finding finding = finding_of(Hazard::unfinished_read);
  finding.title =
      is_tensor_core
          ? "a block ends, and nobody has waited for a wgmma"
          : "a block ends, and nobody has waited until a bulk store has read its shared memory";
  finding.first = context_.culprit(is_tensor_core ? "wgmma" : "bulk store", address(read.call_site),
                                   context_.block(), read.thread);
  finding.hint = is_tensor_core
                     ? "its results are there after wgmma.commit_group and wgmma.wait_group"
                     : "the memory may be another block's by then: cp.async.bulk.commit_group and "
                       "cp.async.bulk.wait_group.read before the end";
  add(key, std::move(finding));
}

void SyncCheck::stuck(const Block& block, const std::string& what) {
  if (!context_.checks.sync) return;
  const std::vector<Warp>& warps = block.warps;
  const std::vector<MbarrierWait>& waits = block.mbarrier_waits;
  Finding finding = finding_of(Hazard::hang);
  finding.title = "the kernel hangs: block " + what;
  finding.hint = "all threads must reach the same barriers in the same order";
  const auto at_warp = [](const Warp& warp) { return warp.at(Meeting::warp); };
  const auto at_block = [](const Warp& warp) { return warp.at(Meeting::block); };
  bool explained = false;
  const auto at_mbarrier = [](const Warp& warp) {
    return warp.at(Meeting::mbarrier) | warp.polling;
  };
  for_threads(warps, at_mbarrier, [&](unsigned thread, const Lane&) {
    if (std::exchange(explained, true)) return;
    finding.first =
        context_.culprit("mbarrier", address(waits[thread].call_site), context_.block(), thread);
    finding.hint =
        "compare what each phase gets with what it waits for: arrivals with the count of "
        "mbarrier_init, bytes with expect_tx; and is it the right parity?";
  });
  // Reports a lane that waits for other lanes of its mask: which ones, and where they are.
  for_threads(warps, at_warp, [&](unsigned thread, const Lane& lane) {
    if (explained) return;
    const Warp& warp = warps[thread / kWarpSize];
    const WarpCall& call = lane.warp_call;
    std::uint32_t here = 0;
    for (unsigned l = 0; l < kWarpSize; ++l)
      if (warp.at(Meeting::warp) >> l & 1 && warp.lanes[l].warp_call.mask == call.mask &&
          warp.lanes[l].warp_call.function == call.function)
        here |= 1u << l;
    const std::uint32_t missing = call.mask & warp.alive() & ~here;
    if (missing == 0) return;
    explained = true;
    finding = finding_of(Hazard::lanes_missing);
    finding.title = fmt::format(
        "{} with mask 0x{:08x}: {} of {} lanes wait, {} never come: lane{} {}",
        name_of(call.function), call.mask, std::popcount(here), std::popcount(call.mask),
        std::popcount(missing), std::has_single_bit(missing) ? "" : "s", lanes_text(missing));
    finding.first =
        context_.culprit(name_of(call.function), address(call.call_site), context_.block(), thread);
    const auto absent = static_cast<unsigned>(std::countr_zero(missing));
    const Lane& other = warp.lanes[absent];
    const unsigned other_thread = thread / kWarpSize * kWarpSize + absent;
    if (warp.at(Meeting::block) >> absent & 1)
      finding.second = context_.culprit("__syncthreads", address(other.block_call.call_site),
                                        context_.block(), other_thread);
    else if (warp.at(Meeting::warp) >> absent & 1)
      finding.second =
          context_.culprit(name_of(other.warp_call.function), address(other.warp_call.call_site),
                           context_.block(), other_thread);
    else
      finding.second = context_.culprit("running", 0, context_.block(), other_thread);
    finding.hint =
        "name exactly the lanes that will call: compute the mask before the branch, "
        "with __ballot_sync";
  });
  if (!explained)
    for_threads(warps, at_block, [&](unsigned thread, const Lane& lane) {
      if (std::exchange(explained, true)) return;
      finding.first = context_.culprit("__syncthreads", address(lane.block_call.call_site),
                                       context_.block(), thread);
    });
  if (!explained) {
    const auto running = [](const Warp& warp) { return warp.runnable(); };
    for_threads(warps, running, [&](unsigned thread, const Lane&) {
      if (std::exchange(explained, true)) return;
      finding.first = context_.culprit("a loop that never ends", 0, context_.block(), thread);
    });
  }
  finding.memory = "";
  add(fmt::format("stuck|{}|{}", finding.title, context_.launch->name), std::move(finding));
}

}  // namespace emu
