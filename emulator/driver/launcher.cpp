#include "launcher.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "cuda_compilation.hpp"
#include "failure.hpp"

namespace emulator_nvcc {
namespace {

bool is_one_of(std::string_view word, const auto& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Our own option: the header to include before the source instead of `toolchain.precompiled`.
constexpr std::string_view kPrecompiled = "--precompiled=";

// Options of g++ whose argument is the next word.
constexpr std::array<std::string_view, 14> kPreprocessorWithArgument = {"-I",
                                                                        "-D",
                                                                        "-U",
                                                                        "-include",
                                                                        "-imacros",
                                                                        "-isystem",
                                                                        "-iquote",
                                                                        "-idirafter",
                                                                        "-iprefix",
                                                                        "-iwithprefix",
                                                                        "-iwithprefixbefore",
                                                                        "-isysroot",
                                                                        "-Xpreprocessor",
                                                                        "-A"};
constexpr std::array<std::string_view, 3> kDependenciesWithArgument = {"-MF", "-MT", "-MQ"};
constexpr std::array<std::string_view, 9> kOthersWithArgument = {
    "--param", "-Xassembler", "-Xlinker", "-L", "-l", "-B", "-wrapper", "-T", "-u"};

bool is_cuda_source(std::string_view word) {
  return !word.starts_with("-") && word.ends_with(".cu");
}

bool is_preprocessor_flag(std::string_view word) {
  return word.starts_with("-I") || word.starts_with("-D") || word.starts_with("-U") ||
         word.starts_with("-Wp,") || word.starts_with("-iquote") || word.starts_with("-isystem") ||
         word.starts_with("--include") || word.starts_with("-include");
}

bool is_dependency_flag(std::string_view word) {
  return word == "-MD" || word == "-MMD" || word == "-MP" || word == "-MG" ||
         word.starts_with("-MF") || word.starts_with("-MT") || word.starts_with("-MQ");
}

bool has(const Command& flags, std::string_view prefix) {
  return std::any_of(flags.begin(), flags.end(),
                     [&](const std::string& flag) { return flag.starts_with(prefix); });
}

// Adds the object's name to the dependencies: when preprocessing separately, g++ does not know it.
void complete_dependencies(CudaCompilation& c) {
  Command& flags = c.dependencies;
  if (!has(flags, "-MD") && !has(flags, "-MMD")) return;
  if (!has(flags, "-MF")) {
    flags.insert(flags.end(),
                 {"-MF", std::filesystem::path(c.object).replace_extension(".d").string()});
  }
  if (!has(flags, "-MT") && !has(flags, "-MQ")) flags.insert(flags.end(), {"-MQ", c.object});
}

}  // namespace

int launch_compiler(const Command& command, Toolchain toolchain) {
  if (command.empty()) {
    throw Failure(kUsageStatus, "emulator-nvcc: --launcher needs a compiler's command line");
  }
  const bool compiles = std::find(command.begin(), command.end(), "-c") != command.end();
  const auto sources = std::count_if(command.begin(), command.end(), is_cuda_source);
  if (!compiles || sources == 0) replace_process(command);
  if (sources > 1) {
    throw Failure(kUsageStatus, "emulator-nvcc: --launcher compiles one .cu file at a time");
  }

  CudaCompilation c;
  std::size_t i = 0;
  while (i < command.size() && !command[i].starts_with("-") && !is_cuda_source(command[i])) {
    c.compiler.push_back(command[i++]);
  }
  bool save_temps = false;
  for (; i < command.size(); ++i) {
    const std::string& word = command[i];
    const bool more = i + 1 < command.size();
    if (word == "-c") {
      continue;
    } else if (is_cuda_source(word)) {
      c.source = word;
    } else if (word == "-o" && more) {
      c.object = command[++i];
    } else if (word == "-x" && more) {
      ++i;  // the file is not C++, as -x c++ claims
    } else if (word.starts_with(kPrecompiled)) {
      toolchain.precompiled = word.substr(kPrecompiled.size());
    } else if (word.starts_with("-save-temps") || word.starts_with("--save-temps")) {
      save_temps = true;
    } else if (word.starts_with("-rdc=") || word.starts_with("--relocatable-device-code=")) {
      c.separate_compilation = word.ends_with("=true");
    } else if (is_one_of(word, kDependenciesWithArgument) && more) {
      c.dependencies.insert(c.dependencies.end(), {word, command[++i]});
    } else if (is_dependency_flag(word)) {
      c.dependencies.push_back(word);
    } else if (is_one_of(word, kPreprocessorWithArgument) && more) {
      c.preprocessing.insert(c.preprocessing.end(), {word, command[++i]});
    } else if (is_preprocessor_flag(word)) {
      c.preprocessing.push_back(word);
    } else if (is_one_of(word, kOthersWithArgument) && more) {
      c.flags.insert(c.flags.end(), {word, command[++i]});
    } else {
      c.flags.push_back(word);
    }
  }
  if (c.compiler.empty()) {
    c.compiler = {toolchain.compiler};
    append(c.compiler, toolchain.flags);
  }
  if (c.object.empty()) {
    c.object = std::filesystem::path(c.source).filename().replace_extension(".o").string();
  }
  if (!save_temps) {
    c.record = c.object + ".made_of";
  } else {
    c.keep = std::filesystem::path(c.object).parent_path();
    if (c.keep.empty()) c.keep = ".";
  }
  read_own_flags(c);
  complete_dependencies(c);
  return compile_cuda(c, toolchain);
}

}  // namespace emulator_nvcc
