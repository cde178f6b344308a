/// @file
/// The options of nvrtcCompileProgram().
#pragma once

#include <string>
#include <vector>

namespace emu::nvrtc {

struct Options {
  std::vector<std::string> for_compiler;  ///< in the words of the emulator's nvcc
  std::string architecture = "compute_75";
  bool searches_folder_of_source = true;
  std::string warnings;  ///< lines for the log

  bool is_real_architecture() const { return architecture.starts_with("sm_"); }

  /// Returns the digits of the architecture: "90" of sm_90a.
  std::string capability() const;
};

/// Reads the options, which are words of a command line.
/// @throws std::invalid_argument  with the log's text, if NVRTC would refuse one
Options read_options(const std::vector<std::string>& words);

/// The compute capabilities that NVRTC compiles for, ascending.
const std::vector<int>& architectures();

}  // namespace emu::nvrtc
