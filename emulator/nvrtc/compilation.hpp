/// @file
/// A compilation by the emulator's nvcc, in a process of its own.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"

namespace emu::nvrtc {

/// The text of a program, with what it includes.
struct Source {
  std::string text, name;
  struct Header {
    std::string name, text;
  };
  std::vector<Header> headers;
};

struct Compiled {
  bool could_start = true;
  std::string object;  ///< the module; empty if the compiler refused the source
  std::string log;
};

/// Compiles a source to a module.
/// @throws std::runtime_error  if files cannot be written
Compiled compile(const Source& source, const Options& options);

}  // namespace emu::nvrtc
