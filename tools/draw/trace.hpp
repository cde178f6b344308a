#pragma once

/// @file
/// What a chapter's program asked of memory, as the emulator traced it (docs/trace.schema.json).

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "course/counters.hpp"

namespace pictures {

using course::kLineBytes;
using course::kSectorBytes;

constexpr unsigned kLanes = course::kWarpSize;
constexpr unsigned kWordBytes = 4;
constexpr unsigned kBanks = 32;

/// A byte of an allocation or a `__shared__` variable.
struct Place {
  std::size_t object = 0;
  std::uint64_t offset = 0;  ///< from the beginning of its data
  bool operator==(const Place&) const = default;
};

struct Request {
  std::string line;  ///< "kernels.cuh:74"
  std::string kind;  ///< "load", "store" or "atomic"
  bool is_shared = false;
  unsigned phase = 0;
  unsigned access_bytes = 0;  ///< of a lane
  std::array<std::optional<Place>, kLanes> lanes;
  unsigned sectors = 0, lines = 0, bytes = 0;     ///< of global memory
  unsigned wavefronts = 0, wavefronts_ideal = 0;  ///< of shared memory
};

struct TracedWarp {
  std::vector<std::array<unsigned, 3>> threads;  ///< [lane]: x, y, z
  std::vector<Request> requests;
};

struct Launch {
  std::string kernel;  ///< with its namespace, "naive::sgemm"; of a template, any instance
  std::array<unsigned, 3> block{};
  std::vector<unsigned> object_begins;    ///< [object]: its first byte's place in a line
  std::vector<std::string> object_names;  ///< [object]: of a variable; "" for an allocation
  std::vector<TracedWarp> warps;

  /// Where the first byte of a lane's access is: in global memory, from the beginning of the line
  /// in which its array begins; in shared memory, from the beginning of the variable.
  std::uint64_t address_of(const Request& request, unsigned lane) const;
};

/// What a request asks for, wherever it lies: requests with equal patterns cost the same, and are
/// drawn alike.
struct Pattern {
  std::string kind;
  bool is_shared = false;
  unsigned access_bytes = 0;
  /// Of global memory, addresses from the beginning of the first line on; of shared memory, those
  /// that the bank's first, second, ... word would have.
  std::array<std::optional<std::uint64_t>, kLanes> lanes;
  bool operator==(const Pattern&) const = default;
};

Pattern pattern_of(const Launch& launch, const Request& request);

/// One program's run: everything it launched.
class Trace {
 public:
  /// Runs `command` with COURSE_TRACE.
  /// @throws std::runtime_error if it fails
  Trace(const std::vector<std::string>& command, unsigned requests_per_instruction);

  /// @throws std::runtime_error if there is none
  const Launch& launch(const std::string& kernel, std::size_t number) const;

 private:
  std::vector<Launch> launches_;
};

/// The text of a source line, without the blanks around it and a comment behind it. The file is
/// somewhere in `folder`.
std::string source_text(const std::filesystem::path& folder, const std::string& line);

}  // namespace pictures
