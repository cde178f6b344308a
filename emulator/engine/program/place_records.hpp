/// @file
/// Records of the compiler driver about the program's device code: the expression that each access
/// is made by, and where functions begin and end (emulator/rewriter/places.hpp).
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/count/cost.hpp"

namespace emu {

/// A range of lines, both ends included.
struct LineRange {
  int first = 0;
  int last = 0;
  bool operator==(const LineRange&) const = default;
};

class PlaceRecords {
 public:
  /// @param section lines of records, with zeros between those of different object files
  explicit PlaceRecords(std::string_view section) { add(section); }

  /// Adds those of another section.
  void add(std::string_view section);

  /// Returns the expression of an access: `A[row * k + p]`; empty if unknown.
  /// @param column from 1, as in the debug information
  std::string expression(const std::string& file, int line, int column, AccessKind kind) const;

  /// Returns whether the file is one of CUDA's headers. If no object file records their folder, as
  /// in an answer to an exercise, it is the course's own.
  bool is_header(const std::string& file) const;

  /// Returns the lines of the smallest function around a line; the line alone if none is known.
  LineRange function(const std::string& file, int line) const;

 private:
  struct Expression {
    std::string loaded, stored;
  };
  struct File {
    std::map<std::pair<int, int>, Expression> expressions;  // by line and column
    std::vector<LineRange> functions;
  };
  void read_object(std::string_view records);
  const File* find(const std::string& file) const;

  std::map<std::string, File> files_;  // by normalised path
  std::set<std::string> headers_;      // folders of CUDA's headers, each with a final slash
};

/// Returns the records of the running program.
const PlaceRecords& place_records();

/// Adds those of a module.
void add_place_records(std::string_view section);

}  // namespace emu
