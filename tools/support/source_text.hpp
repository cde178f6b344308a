#pragma once

/// @file
/// Finds kernels and other functions in the text of a source file.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

/// Reads the lines of a file, without line ends; throws std::runtime_error if it cannot be read.
std::vector<std::string> read_lines(const std::filesystem::path& file);

/// Removes blanks at both ends.
std::string trimmed(std::string_view text);

/// Splits `text` at blanks and line ends.
std::vector<std::string> words_in(const std::string& text);

/// Returns a line of C++ without surrounding blanks and a trailing comment.
std::string code_of_line(const std::string& line);

/// A function at namespace scope, and the documentation above it.
struct Function {
  std::string name;
  bool is_kernel = false;
  /// From the documentation's first line to the function's last brace.
  std::vector<std::string> lines;
  std::size_t documentation_lines = 0;
};

/// Returns functions and templates of more than one line that are defined at namespace scope.
std::vector<Function> functions_in(const std::vector<std::string>& lines);

/// Returns the lines without those functions and their documentation: types, constants, and
/// `__constant__` arrays, which kernels may use.
std::vector<std::string> lines_beside_functions(const std::vector<std::string>& lines);

/// Returns the names of constant-memory arrays at namespace scope.
std::vector<std::string> constant_arrays_in(const std::vector<std::string>& lines);

/// Returns the lines of the function (with documentation) or structure `name`. Throws
/// std::runtime_error, naming `file`, if there is none.
std::vector<std::string> passage_named(const std::filesystem::path& file, std::string_view name);

/// Returns NAME of a step's path chapters/NN/steps/NN_NAME.cuh.
std::string step_name(const std::filesystem::path& step);

}  // namespace tools
