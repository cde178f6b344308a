#include "engine/run/progress.hpp"

#include <algorithm>

#include "emulator/rounds.h"
#include "engine/engine.hpp"
#include "engine/settings.hpp"

namespace emu {

/// Whether rounds.h calls emu_keep_round_path(), which only lockstep needs.
extern unsigned char rounds_are_kept __asm__("emu_round_paths_are_kept");
unsigned char rounds_are_kept = settings().lockstep;

namespace {

/// One round of a loop: its path (a hash that identifies it), the path around the loop, and the
/// loop's address in the program.
struct Round {
  std::uint64_t path, outside;
  std::uintptr_t loop;
};

/// Rounds begun by blocks of this CPU thread, as a hash table by path. Old entries are overwritten
/// when it is full.
constexpr std::size_t kRounds = std::size_t{1} << 16, kNeighbours = 8;
thread_local std::vector<Round> kept_rounds;
thread_local Round* first_round = nullptr;  // first element of kept_rounds

/// Returns the table entry in which the round is, or would be stored.
__attribute__((target("general-regs-only"), always_inline)) inline Round& entry_of(
    std::uint64_t path) {
  constexpr int kShift = 48;
  const std::size_t home = (path * 0x9fb21c651e98df25u) >> kShift;
  for (std::size_t i = 0; i < kNeighbours; ++i) {
    Round& round = first_round[(home + i) % kRounds];
    if (round.path == path || round.path == 0) return round;
  }
  return first_round[home];
}

const Round* find_round(std::uint64_t path) {
  if (first_round == nullptr || path == 0) return nullptr;
  const Round& round = entry_of(path);
  return round.path == path ? &round : nullptr;
}

}  // namespace

#if defined(__x86_64__)
// Preserves all registers, because the compiler does not know of the call. The path is on the
// stack, above the return address.
__asm__(R"(
.text
.globl emu_keep_round_path
.type emu_keep_round_path, @function
emu_keep_round_path:
  pushq %rax
  pushq %rcx
  pushq %rdx
  pushq %rsi
  pushq %rdi
  pushq %r8
  pushq %r9
  pushq %r10
  pushq %r11
  pushq %rbp
  movq 88(%rsp), %rdi
  movq 80(%rsp), %rsi
  movq %rsp, %rbp
  andq $-16, %rsp
  call emu_keep_round
  movq %rbp, %rsp
  popq %rbp
  popq %r11
  popq %r10
  popq %r9
  popq %r8
  popq %rdi
  popq %rsi
  popq %rdx
  popq %rcx
  popq %rax
  ret
.size emu_keep_round_path, .-emu_keep_round_path
)");
#endif

/// Records that a lane has begun round `path` of the loop at `loop`. Compiled without vector
/// registers, so that it changes none.
extern "C" __attribute__((target("general-regs-only"), used)) void emu_keep_round(
    std::uint64_t path, std::uintptr_t loop) {
  if (first_round == nullptr) return;
  const std::uint64_t before = round_path;
  Round& round = entry_of(path);
  if (round.path == path) return;
  std::uint64_t outside = before;
  if (Rounds::is_next(path, before)) {
    const Round& last = entry_of(before);
    if (last.path == before) {
      outside = last.outside;
      loop = last.loop;
    }
  }
  round.path = path;
  round.outside = outside;
  round.loop = loop;
}

void Progress::begin_launch() {
  kept_rounds.assign(kRounds, {});
  first_round = kept_rounds.data();
}

const Progress::Path& Progress::path_of(std::uintptr_t program_counter) {
  const auto [known, is_new] = paths_.try_emplace(program_counter);
  if (is_new)
    for (const SourceLocation& location : source_path(program_counter))
      known->second.push_back({location.line, location.column});
  return known->second;
}

std::vector<Progress::Step> Progress::steps_of(std::uintptr_t access, std::uint64_t path) {
  std::vector<const Round*> rounds;  // from the innermost out
  constexpr std::size_t kMostLoops = 64;
  for (const Round* round = find_round(path); round && rounds.size() < kMostLoops;
       round = find_round(round->outside))
    rounds.push_back(round);
  std::vector<Step> steps;
  Path calls;
  const auto add = [&](std::uintptr_t program_counter, std::uint64_t round,
                       std::uintptr_t instruction) {
    const Path& way = path_of(program_counter);
    const auto own = way.end() - 1;
    // Keep the calls around this round that are not already around the loop outside it.
    auto differs = std::mismatch(way.begin(), own, calls.begin(), calls.end()).first;
    calls.assign(way.begin(), own);
    for (; differs != own; ++differs) steps.push_back({*differs, 0, 0});
    steps.push_back({*own, round, instruction});
  };
  for (auto round = rounds.rbegin(); round != rounds.rend(); ++round)
    add((*round)->loop, (*round)->path, 0);
  add(access, 0, access);
  return steps;
}

int Progress::compare(std::uintptr_t access, std::uint64_t path, std::uintptr_t other,
                      std::uint64_t other_path) {
  if (access == other && path == other_path) return 0;
  if (access == 0 || other == 0) return access == 0 ? -1 : 1;
  const std::vector<Step> mine = steps_of(access, path), its = steps_of(other, other_path);
  for (std::size_t i = 0; i < std::min(mine.size(), its.size()); ++i) {
    const Step &a = mine[i], &b = its[i];
    if (a.position != b.position) return a.position < b.position ? -1 : 1;
    if (a.round != b.round) return Rounds::rounds_behind(a.round, b.round) > 0 ? -1 : 1;
    if (a.instruction != b.instruction) return a.instruction < b.instruction ? -1 : 1;
  }
  return mine.size() < its.size() ? -1 : 1;
}

}  // namespace emu
