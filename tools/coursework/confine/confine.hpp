/// @file
/// Compiles a submission so that it is harmless when it runs. It can touch only its own device
/// memory, its block's shared memory and its own locals; every access to device memory is counted.
/// README.md explains why.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "refusal.hpp"

namespace coursework::confine {

/// What to compile, and with which settings.
struct Submission {
  std::filesystem::path source;      ///< the student's file, under the name that messages use
  std::vector<std::string> kernels;  ///< signatures: "void scale(int n, float* data)"
  std::filesystem::path folder;      ///< receives all files that are created
  std::filesystem::path toolchain;   ///< path of emulator-nvcc.conf; empty: this build's
};

struct ConfinedObject {
  std::optional<Refusal> refusal;
  bool compiles = false;
  std::string compiler_output;   ///< errors and warnings about the student's file only
  std::filesystem::path object;  ///< to be linked with the runner and link_inputs()
  bool ok() const { return compiles && !refusal; }
};

/// Runs all steps: preprocess, check the source, rewrite, g++ -S, guard the assembly, as, check the
/// object. Runs three programs: preprocessor, compiler and assembler.
/// @throws std::invalid_argument for a signature, std::runtime_error if a program cannot be run
ConfinedObject compile_confined(const Submission& submission);

/// Runs the first half: up to the assembly, which is not checked yet. Needs a sandbox. `object` is
/// the assembly file.
ConfinedObject compile_to_assembly(const Submission& submission);

/// Runs the second half: does not trust `assembly`, and runs only the assembler.
ConfinedObject confine_assembly(const Submission& submission,
                                const std::filesystem::path& assembly);

/// Returns the libraries with the guards, which the linker needs after the object and before the
/// emulator's libraries.
std::vector<std::filesystem::path> link_inputs();

}  // namespace coursework::confine
