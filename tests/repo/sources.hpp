/// Lists the project's sources, and recognises those that editors handle differently.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

namespace repo_tests {

/// Returns the files that match git's patterns, relative to the project, in order.
inline std::vector<std::string> sources_known_to_git(const std::vector<std::string>& patterns) {
  tools::CommandOptions options;
  options.directory = tools::source_folder();
  std::vector<std::string> command = {"git", "-c", "safe.directory=*", "ls-files", "--"};
  command.insert(command.end(), patterns.begin(), patterns.end());
  const tools::CommandResult listed = tools::run_command(command, options);
  if (listed.status != 0) throw std::runtime_error("git ls-files: " + listed.err);
  std::vector<std::string> files = tools::lines_of(listed.out);
  std::ranges::sort(files);
  return files;
}

/// Returns whether compilers must refuse the source: a refusal test, or code forbidden to students.
inline bool is_made_to_be_refused(std::string_view source) {
  return source.find("/refused/") != source.npos || source.find("/attacks/") != source.npos;
}

/// Returns whether the source needs the CUDA back end, which requires CUDA's Toolkit.
inline bool is_for_gpu(std::string_view source) {
  constexpr std::string_view kSources[] = {"common/src/backend_cuda.cpp",
                                           "common/src/vendor_sgemm_cublas.cpp",
                                           "tests/repo/nvcc_test.cpp",
                                           "tests/tools/coursework/exercises/judge_solutions.cpp",
                                           "tests/tools/coursework/grade/elsewhere_test.cpp",
                                           "tools/coursework/bundle/grade_elsewhere.cpp",
                                           "tools/coursework/grade/elsewhere.cpp",
                                           "tools/coursework/runner/observe_cuda.cpp",
                                           "tools/measure/latencies.cu"};
  return std::ranges::find(kSources, source) != std::end(kSources);
}

/// Returns whether readers fill in the source. Like their answers, it has no compile command of its
/// own, and editors use another source's.
inline bool is_filled_in(std::string_view source) { return source.ends_with("/exercise.cu"); }

/// Returns whether the source belongs to another project, which a test configures and builds.
inline bool is_of_other_project(std::string_view source) {
  return source.find("/projects/") != source.npos ||
         source.starts_with("emulator/package/examples/");
}

/// Returns whether the source belongs to a part that is not built here, because it needs a library
/// that was missing: OpenBLAS or FFTW.
inline bool needs_missing_library([[maybe_unused]] std::string_view source) {
  const auto is_of = [&](std::string_view part) {
    return source.starts_with("emulator/" + std::string(part) + "/") ||
           source.starts_with("tests/emulator/" + std::string(part) + "/");
  };
  return (!EMULATOR_HAS_CUBLAS && is_of("cublas")) || (!EMULATOR_HAS_CUFFT && is_of("cufft"));
}

/// Returns whether the program uses CCCL's headers, which may not be installed.
inline bool is_with_cccl(std::string_view source) {
  return source.starts_with("tests/emulator/cccl/") && source.ends_with(".cu");
}

/// Returns whether the source is a driver API module, compiled by `nvcc -ptx`.
inline bool is_module(std::string_view source) {
  return source == "tests/emulator/driver_api/kernels.cu";
}

/// Returns whether a test compiles the program by nvcc's command line.
inline bool is_compiled_by_test(std::string_view source) {
  return source.starts_with("tests/emulator/dynamic_parallelism/programs/");
}

/// Returns whether the preset `ide` has no command for the source.
inline bool is_without_command(std::string_view source) {
  return is_made_to_be_refused(source) || is_for_gpu(source) || is_filled_in(source) ||
         is_of_other_project(source) || is_with_cccl(source) || is_module(source) ||
         is_compiled_by_test(source);
}

}  // namespace repo_tests
