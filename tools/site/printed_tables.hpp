#pragma once

/// @file
/// What programs print, as tables: a profile line by line, and the tables of a chapter's output.
/// Both are read from the text that stands in the lesson.

#include <functional>
#include <string>
#include <vector>

namespace site {

/// Returns the code that a profile lists: a piece for each of its sources. None if the lines are no
/// profile.
std::vector<std::string> code_of_profile(const std::vector<std::string>& printed);

/// How a profile's table shows code and names of files.
struct ProfileLook {
  /// Returns the lines of a piece of code_of_profile() as HTML.
  std::function<std::vector<std::string>(const std::string& piece)> coloured;
  /// Returns a file's name as HTML; the table begins with that line of it.
  std::function<std::string(const std::string& file, int line)> file;
};

/// Returns a profile as tables, one for each source: its lines, below each what it accessed, and a
/// bar for the part of the moved bytes that was asked for. Empty if the lines are no profile.
/// @throws std::runtime_error naming a line of the profile that is not understood
std::string profile_tables(const std::vector<std::string>& printed, const ProfileLook& look);

/// Returns a program's output with its tables as HTML. Numbers have commas, and columns of percents
/// and of rates have bars. Empty if there is no table.
std::string output_tables(const std::vector<std::string>& printed);

}  // namespace site
