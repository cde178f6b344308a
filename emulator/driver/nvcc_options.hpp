/// nvcc's command line.
#pragma once

#include <string>
#include <vector>

#include "process.hpp"

namespace emulator_nvcc {

/// The last step that the command line asks for.
enum class Phase {
  link,
  compile,
  module,
  preprocess,
  dependencies,
  library,
  device_link,
  help,
  version,
  architectures,
  real_architectures,
  path,
  toolkit
};

/// The form of CUDA's runtime library to link with: -cudart.
enum class Runtime { none, shared_library, static_library };

/// The format of a module that a program loads by name: PTX, a cubin or a fat binary.
enum class ModuleKind { ptx, cubin, fatbin };

enum class Language { from_suffix, c, cpp, cuda };

struct NvccOptions {
  Phase phase = Phase::link;
  std::vector<std::string> inputs;
  Language language = Language::from_suffix;
  ModuleKind module_kind = ModuleKind::ptx;
  std::string output;

  Command preprocessing;                   // -I, -D, -U, -include, -isystem
  Command dependencies;                    // -MD, -MF, ...
  Command host;                            // -Xcompiler
  Command linking;                         // -l, -L, -Xlinker, in order
  std::string standard;                    // c++17, ...
  std::string optimisation;                // 0...3
  std::string compiler;                    // -ccbin
  std::vector<std::string> architectures;  // sm_90, compute_90a, ...: from -arch and -gencode
  int code_instances = 0;                  // number requested by -gencode
  std::string object_folder, keep_folder;
  Runtime runtime = Runtime::static_library;
  bool names_runtime = false;  // -lcudart and similar
  Command run_arguments;
  bool debug = false, profile = false, no_warnings = false, no_exceptions = false;
  bool shared = false, separate_compilation = false, keep = false, run = false;
  bool device_debug = false, fast_math = false, relaxed_constexpr = false;
  bool extended_lambda = false;
  bool dry_run = false, verbose = false;

  std::vector<std::string> warnings;  // whole lines
};

/// CUDA's libraries that the emulator has, by their names for -l. cuBLAS is only there if OpenBLAS
/// was, too.
const std::vector<std::string>& own_libraries();

/// Understands the arguments after the program's name.
/// @throws Failure  with nvcc's own words where nvcc refuses, else naming what is not supported
NvccOptions read_nvcc_options(const Command& arguments);

/// Splits a text into words as a shell does: at blanks outside of quotation marks.
std::vector<std::string> split_words(const std::string& text);

}  // namespace emulator_nvcc
