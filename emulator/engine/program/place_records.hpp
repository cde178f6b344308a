/// @file
/// What the compiler driver has written down about the program's device code: the text of what each
/// place accesses, and where functions begin and end (emulator/rewriter/places.hpp).
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/count/cost.hpp"

namespace emu {

/// Lines, both included.
struct LineRange {
  int first = 0;
  int last = 0;
  bool operator==(const LineRange&) const = default;
};

class PlaceRecords {
 public:
  /// @param section  lines of records, those of several objects with zeros between them
  explicit PlaceRecords(std::string_view section) { add(section); }

  void add(std::string_view section);

  /// What an access is about: `A[row * k + p]`; empty if nothing is known of the place.
  /// @param column  from 1, as the debug information has it
  std::string expression(const std::string& file, int line, int column, AccessKind kind) const;

  /// Whether the file is one of CUDA's headers. Where no object knows the folder of those, as in an
  /// answer to an exercise, it is the course's own.
  bool is_header(const std::string& file) const;

  /// The smallest function around a line; the line alone if nothing is known of one.
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

  std::map<std::string, File> files_;  // by name, with its folder, without `.` and `..`
  std::set<std::string> headers_;      // folders of CUDA's headers, each with a slash behind it
};

/// Those of the running program.
const PlaceRecords& place_records();

/// Adds those of a module.
void add_place_records(std::string_view section);

}  // namespace emu
