/// @file
/// What is foretold of an instruction's addresses: where its lanes are, seen from one another.
#pragma once

#include <array>
#include <cstdint>

#include "engine/count/cost.hpp"
#include "engine/count/hot_state.hpp"
#include "engine/count/spaces.hpp"

namespace emu {

/// How the lanes of an access lie to one another.
enum class Shape : std::uint8_t {
  scattered,
  same,    ///< one address for all
  in_row,  ///< neighbouring lanes, each beginning where the one before ends
};

/// The addresses of a site relative to one another, and how often they came at each alignment.
struct Pattern {
  RowAddresses addresses;  ///< seen from the first lane's
  AccessSpace space = AccessSpace::other;
  std::array<std::uint64_t, kLineBytes> times{};  ///< [base % kLineBytes]
  std::int64_t lowest = 0, highest = 0;           ///< of all offsets
  Shape shape = Shape::scattered;
  bool overlaps = false;  ///< two of its lanes access one byte
  unsigned bytes = 0;     ///< that its lanes access, each once

  /// Whether it has foretold anything that is not counted yet.
  bool is_used() const;
  /// What these lanes of a row have just done. The others are expected where the first one was,
  /// or, if they store, behind all that did: so that no two of them are expected to touch one byte.
  void learn(const Row& row, std::uint32_t lanes, AccessKind kind, unsigned access_bytes,
             AccessSpace in);
};

}  // namespace emu
