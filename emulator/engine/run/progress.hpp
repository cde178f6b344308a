/// @file
/// Compares how far two lanes have come in a kernel, for lockstep.
///
/// The position of a lane is a list of steps from the outside in: the loops around it, each with
/// its round, and the inlined calls that lead there. The last step is the access. The first step in
/// which two lanes differ decides: the lane that is in an earlier round of the same loop, or whose
/// step is earlier in the source, is behind. So a lane that has left a loop waits behind it for
/// lanes that have not, and a lane that skips a branch waits behind the branch.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace emu {

class Progress {
 public:
  /// Forgets all rounds that lanes have begun.
  static void begin_launch();

  /// Returns a negative number if a lane that makes `access` on `path` is behind one that makes
  /// `other` on `other_path`, 0 if they are together, else a positive number.
  int compare(std::uintptr_t access, std::uint64_t path, std::uintptr_t other,
              std::uint64_t other_path);

 private:
  struct Position {
    int line = 0, column = 0;
    bool operator==(const Position&) const = default;
    auto operator<=>(const Position&) const = default;
  };
  struct Step {
    Position position;
    std::uint64_t round = 0;         // for a loop
    std::uintptr_t instruction = 0;  // for an access; distinguishes accesses at the same position
  };
  using Path = std::vector<Position>;  // calls from the outside in, then the position itself

  const Path& path_of(std::uintptr_t program_counter);
  std::vector<Step> steps_of(std::uintptr_t access, std::uint64_t path);

  std::unordered_map<std::uintptr_t, Path> paths_;  // by program counter
};

}  // namespace emu
