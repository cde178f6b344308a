/// Turns preprocessed CUDA C++ into C++ that g++ compiles with the emulator's headers.
///
/// Every line keeps its number, so that diagnostics and debug information refer to the user's code.
#pragma once

#include <string>
#include <vector>

namespace emulator_nvcc {

struct RewriteOptions {
  /// Name for lines before the first line marker.
  std::string file = "<source>";
  /// With -rdc=true, files share `__device__` functions and variables; else each file has its own,
  /// as with nvcc.
  bool separate_compilation = false;
  /// The folder of relative file names.
  std::string folder = {};
  /// The folder of CUDA's headers.
  std::string headers = {};
  /// Folders of header libraries whose device code is compiled like the program's. What the
  /// emulator does not support there is reported only when it runs.
  std::vector<std::string> libraries = {};
  /// Kernels do not hand launches to the engine. They are called as plain functions by trusted code
  /// that does so.
  bool plain_kernels = false;
  /// The object is a module: its kernels are listed by name, and are launched by address.
  bool is_module = false;
  /// Functions keep CUDA's qualifiers as attributes, for the plugin (compiler/sides.hpp).
  bool marks_sides = false;
  /// Tokens keep their columns, so that g++'s messages point to them.
  bool keeps_columns = false;
  /// Lambdas may have `__device__` and `__host__`, as with nvcc's --extended-lambda.
  bool extended_lambda = true;
};

/// A use of CUDA that the emulator does not support, or an error.
struct Diagnostic {
  std::string file;
  unsigned line;
  std::string message;  // "the emulator does not support inline assembly"
};

struct RewriteResult {
  std::string text;
  std::string
      records;  // what places.hpp says, to be appended to the text; empty without device code
  std::vector<Diagnostic> errors;  // in source order; if there are any, `text` is invalid
};

RewriteResult rewrite(std::string preprocessed, const RewriteOptions& options = {});

/// Marks all lines of files below `folder` as those of a system header, of which g++ does not warn.
std::string mark_system_headers(std::string preprocessed, const std::string& folder);

}  // namespace emulator_nvcc
