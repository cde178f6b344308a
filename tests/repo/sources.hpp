/// The sources of the project, and those among them that an editor knows less of.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

namespace repo_tests {

/// The files that match git's patterns, relative to the project, in order.
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

/// Whether a compiler must refuse it: it is a test that it does, or what a student may not do.
inline bool is_made_to_be_refused(std::string_view source) {
  return source.find("/refused/") != source.npos || source.find("/attacks/") != source.npos;
}

/// Whether it belongs to the other back end: it is compiled where CUDA's Toolkit is.
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

/// Whether readers fill it in: like their answers, it has no command of its own, and an editor
/// takes that of another source.
inline bool is_filled_in(std::string_view source) { return source.ends_with("/exercise.cu"); }

/// Whether it is part of another project, which a test configures and builds.
inline bool is_of_other_project(std::string_view source) {
  return source.find("/projects/") != source.npos ||
         source.starts_with("emulator/package/examples/");
}

/// Whether it belongs to a part that is left out where OpenBLAS is missing.
inline bool needs_openblas(std::string_view source) {
  return source.starts_with("emulator/cublas/") || source.starts_with("tests/emulator/cublas/");
}

/// Programs with headers of CCCL, which need not be installed.
inline bool is_with_cccl(std::string_view source) {
  return source.starts_with("tests/emulator/cccl/") && source.ends_with(".cu");
}

/// A module of the driver API's, which `nvcc -ptx` makes.
inline bool is_module(std::string_view source) {
  return source == "tests/emulator/driver_api/kernels.cu";
}

/// Whether the preset `ide` does not compile it.
inline bool is_without_command(std::string_view source) {
  return is_made_to_be_refused(source) || is_for_gpu(source) || is_filled_in(source) ||
         is_of_other_project(source) || is_with_cccl(source) || is_module(source);
}

}  // namespace repo_tests
