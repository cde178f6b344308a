#pragma once

/// @file
/// The memory requests of a chapter's program, traced by the emulator (docs/trace.schema.json).

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
  std::uint64_t offset = 0;  ///< from the beginning of the object's data
  bool operator==(const Place&) const = default;
};

struct Request {
  std::string line;  ///< "kernels.cuh:74"
  std::string kind;  ///< "load", "store" or "atomic"
  bool is_shared = false;
  unsigned phase = 0;
  unsigned access_bytes = 0;  ///< per lane
  std::array<std::optional<Place>, kLanes> lanes;
  unsigned sectors = 0, lines = 0, bytes = 0;     ///< for global memory
  unsigned wavefronts = 0, wavefronts_ideal = 0;  ///< for shared memory
};

struct TracedWarp {
  std::vector<std::array<unsigned, 3>> threads;  ///< [lane]: x, y, z
  std::vector<Request> requests;
};

struct Launch {
  std::string kernel;  ///< with its namespace, "naive::sgemm"; any instance of a template
  std::array<unsigned, 3> block{};
  std::vector<unsigned> object_begins;    ///< [object]: offset of its first byte in a line
  std::vector<std::string> object_names;  ///< [object]: a variable's name; "" for an allocation
  std::vector<TracedWarp> warps;

  /// Returns the address of a lane's access: in global memory, relative to the line in which its
  /// array begins; in shared memory, relative to the variable.
  std::uint64_t address_of(const Request& request, unsigned lane) const;
};

/// The pattern of a request, independent of its address. Requests with equal patterns cost the same
/// and look alike.
struct Pattern {
  std::string kind;
  bool is_shared = false;
  unsigned access_bytes = 0;
  /// Addresses by lane. In global memory, they are relative to the first line; in shared memory,
  /// the words of a bank are numbered from its first one.
  std::array<std::optional<std::uint64_t>, kLanes> lanes;
  bool operator==(const Pattern&) const = default;
};

Pattern pattern_of(const Launch& launch, const Request& request);

/// All launches of one run of a program.
class Trace {
 public:
  /// Runs `command` with COURSE_TRACE.
  /// @throws std::runtime_error if it fails
  Trace(const std::vector<std::string>& command, unsigned requests_per_instruction);

  /// @throws std::runtime_error if there is no such launch
  const Launch& launch(const std::string& kernel, std::size_t number) const;

 private:
  std::vector<Launch> launches_;
};

/// Returns the text of a source line without surrounding blanks and a trailing comment. Searches
/// `folder` for the file.
std::string source_text(const std::filesystem::path& folder, const std::string& line);

}  // namespace pictures
