#include "engine/run/progress.hpp"

#include <algorithm>

#include "emulator/rounds.h"
#include "engine/engine.hpp"
#include "engine/settings.hpp"

namespace emu {

unsigned char rounds_are_kept = settings().lockstep;

namespace {

struct Round {
  std::uint64_t outside;
  std::uintptr_t loop;  // its place in the program
};

/// Of the blocks of this CPU thread, by path.
std::unordered_map<std::uint64_t, Round>& kept_rounds() {
  thread_local std::unordered_map<std::uint64_t, Round> rounds;
  return rounds;
}

}  // namespace

std::uint64_t keep_round(std::uint64_t outside, std::uint64_t round) noexcept {
  kept_rounds().try_emplace(
      round, Round{outside, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))});
  return round;
}

void Progress::begin_launch() { kept_rounds().clear(); }

const Progress::Path& Progress::path_of(std::uintptr_t program_counter) {
  const auto [known, is_new] = paths_.try_emplace(program_counter);
  if (is_new)
    for (const SourcePlace& place : source_path(program_counter))
      known->second.push_back({place.line, place.column});
  return known->second;
}

std::vector<Progress::Step> Progress::steps_of(std::uintptr_t access, std::uint64_t path) {
  std::vector<std::uint64_t> rounds;
  for (auto round = kept_rounds().find(path); round != kept_rounds().end();
       round = kept_rounds().find(round->second.outside))
    rounds.push_back(round->first);
  std::vector<Step> steps;
  Path calls;
  const auto add = [&](std::uintptr_t place, std::uint64_t round, std::uintptr_t instruction) {
    const Path& way = path_of(place);
    const auto own = way.end() - 1;
    // Of the calls around it, those that are not around the loop before it.
    auto differs = std::mismatch(way.begin(), own, calls.begin(), calls.end()).first;
    calls.assign(way.begin(), own);
    for (; differs != own; ++differs) steps.push_back({*differs, 0, 0});
    steps.push_back({*own, round, instruction});
  };
  for (auto round = rounds.rbegin(); round != rounds.rend(); ++round)
    add(kept_rounds().at(*round).loop, *round, 0);
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
