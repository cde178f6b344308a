/// @file
/// Compiles a submission in such a way that it is harmless when it runs: it touches its own device
/// memory, its block's shared memory and its own locals, each access of device memory counted, and
/// nothing else. README.md says why that holds.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "refusal.hpp"

namespace coursework::confine {

/// What is compiled, and with what.
struct Submission {
  std::filesystem::path source;      ///< the student's file, named as messages are to name it
  std::vector<std::string> kernels;  ///< signatures: "void scale(int n, float* data)"
  std::filesystem::path folder;      ///< takes everything that comes of it
  std::filesystem::path toolchain;   ///< emulator-nvcc.conf; empty: that of this build
};

struct ConfinedObject {
  std::optional<Refusal> refusal;
  bool compiles = false;
  std::string compiler_output;   ///< errors and warnings, about the student's file only
  std::filesystem::path object;  ///< to be linked with the runner and link_inputs()
  bool ok() const { return compiles && !refusal; }
};

/// All steps: preprocess, source rules, rewrite, g++ -S, assembly pass, as, object rules. Three
/// programs are run: the preprocessor, the compiler and the assembler.
/// @throws std::invalid_argument for a signature, std::runtime_error if a program cannot be run
ConfinedObject compile_confined(const Submission& submission);

/// The first half alone, up to an assembly text that is not yet checked: what a sandbox is for.
/// `object` is the text's file.
ConfinedObject compile_to_assembly(const Submission& submission);

/// The second half alone: trusts nothing in `assembly`, and runs the assembler only.
ConfinedObject confine_assembly(const Submission& submission,
                                const std::filesystem::path& assembly);

/// Libraries with the guards, for the linker: behind the object, before the emulator's.
std::vector<std::filesystem::path> link_inputs();

}  // namespace coursework::confine
