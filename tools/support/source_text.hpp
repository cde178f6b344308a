#pragma once

/// @file
/// Kernels and other functions as text: where they begin and end in a source file.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

/// The lines of a file, without line ends; throws std::runtime_error if it cannot be read.
std::vector<std::string> read_lines(const std::filesystem::path& file);

/// `text` without blanks at either end.
std::string trimmed(std::string_view text);

/// What stands between blanks and line ends.
std::vector<std::string> words_in(const std::string& text);

/// A line of C++ without the blanks around it and a comment behind it.
std::string code_of_line(const std::string& line);

/// A function at namespace scope with the documentation above it.
struct Function {
  std::string name;
  bool is_kernel = false;
  std::vector<std::string> lines;  ///< from the first line of its documentation to its last brace
  std::size_t documentation_lines = 0;
};

/// The functions of more than one line that are defined at namespace scope; templates too.
std::vector<Function> functions_in(const std::vector<std::string>& lines);

/// What is left of the lines without those functions and their documentation: types, constants,
/// `__constant__` arrays, which kernels may name.
std::vector<std::string> lines_beside_functions(const std::vector<std::string>& lines);

/// The names of the arrays in constant memory at namespace scope.
std::vector<std::string> constant_arrays_in(const std::vector<std::string>& lines);

/// The lines of the function, with its documentation, or of the structure called `name`; throws
/// std::runtime_error, naming `file`, if there is neither.
std::vector<std::string> passage_named(const std::filesystem::path& file, std::string_view name);

/// NAME of a step, chapters/NN/steps/NN_NAME.cuh.
std::string step_name(const std::filesystem::path& step);

}  // namespace tools
