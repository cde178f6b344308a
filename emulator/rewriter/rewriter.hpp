/// Turns preprocessed CUDA C++ into C++ that g++ compiles against the emulator's headers.
///
/// Every line stays on its line: diagnostics and debug information keep pointing at the user's
/// code.
#pragma once

#include <string>
#include <vector>

namespace emulator_nvcc {

struct RewriteOptions {
  /// Name of the lines before the first line marker.
  std::string file = "<source>";
  /// With -rdc=true, `__device__` functions and variables are shared between files; without, each
  /// file has its own, as with nvcc.
  bool separate_compilation = false;
  /// Where relative file names begin.
  std::string folder = {};
  /// The folder of CUDA's headers.
  std::string headers = {};
  /// Folders of header libraries whose device code is compiled as the program's own, but for what
  /// the emulator lacks: whoever runs that is told.
  std::vector<std::string> libraries = {};
  /// Kernels do not hand launches to the engine: something else, which is trusted, does, and calls
  /// them as plain functions.
  bool plain_kernels = false;
  /// Kernels are listed for whoever loads the object by its name, and are launched by address.
  bool is_module = false;
  /// Functions say in attributes what CUDA's qualifiers said, for a compiler that knows them
  /// (compiler/sides.hpp).
  bool marks_sides = false;
  /// `__device__` and `__host__` may stand in a lambda: nvcc's --extended-lambda.
  bool extended_lambda = true;
};

/// CUDA that the emulator does not support, or that is wrong.
struct Diagnostic {
  std::string file;
  unsigned line;
  std::string message;  // "the emulator does not support inline assembly"
};

struct RewriteResult {
  std::string text;
  std::string
      records;  // what places.hpp says, to be appended to the text; empty without device code
  std::vector<Diagnostic> errors;  // in source order; if there are any, `text` is of no use
};

RewriteResult rewrite(std::string preprocessed, const RewriteOptions& options = {});

/// Marks the lines of every file below `folder` as a system header's, which g++ does not warn
/// about.
std::string mark_system_headers(std::string preprocessed, const std::string& folder);

}  // namespace emulator_nvcc
