#pragma once

/// @file
/// Kernels, other functions and structures as text: where they begin and end in a source file.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace repo {

/// The lines of a file, without line ends; throws std::runtime_error if it cannot be read.
std::vector<std::string> read_lines(const std::filesystem::path& file);

/// `text` without blanks at either end.
std::string trimmed(std::string_view text);

/// A function at namespace scope with the documentation above it.
struct Function {
  std::string name;
  bool is_kernel = false;
  std::vector<std::string> lines;  ///< from the first line of its documentation to its last brace
  std::size_t documentation_lines = 0;
};

/// The functions of more than one line that begin in column 0 and end with a brace in column 0.
std::vector<Function> functions_in(const std::vector<std::string>& lines);

/// The structures at namespace scope, each from the first line of its documentation to its last.
struct Structure {
  std::string name;
  std::vector<std::string> lines;
};
std::vector<Structure> structures_in(const std::vector<std::string>& lines);

/// A kernel as one would paste it into an empty file: the structures that it names, and itself.
std::vector<std::string> pasted(const Function& kernel, const std::vector<Structure>& structures);

/// The one called `name`; throws std::runtime_error, naming `file`, if there is none.
Function function_named(const std::filesystem::path& file, std::string_view name);

}  // namespace repo
