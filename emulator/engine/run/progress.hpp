/// @file
/// How far lanes have come in a kernel: which of two is behind, with the rounds of the loops and
/// the calls around them.
///
/// A lane's place is a list of steps from the outside in: the loops around it, each with its round,
/// and the calls that lead there, as far as they were inlined. The last step is the access. The
/// first step in which two lanes differ says who is behind: the one that is in an earlier round of
/// the same loop, or whose step stands earlier in the source. So who has left a loop waits behind
/// it for those that have not, and who skips a branch waits behind the branch.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace emu {

class Progress {
 public:
  /// Forgets what it knows of rounds: nobody is in any.
  static void begin_launch();

  /// Negative if a lane that makes `access` on `path` is behind one that makes `other` on
  /// `other_path`, 0 if they are together, else positive.
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
    std::uint64_t round = 0;         // of a loop
    std::uintptr_t instruction = 0;  // of an access; tells apart what stands at one place
  };
  using Path = std::vector<Position>;  // calls from the outside in, and the place itself

  const Path& path_of(std::uintptr_t program_counter);
  std::vector<Step> steps_of(std::uintptr_t access, std::uint64_t path);

  std::unordered_map<std::uintptr_t, Path> paths_;  // by program counter
};

}  // namespace emu
