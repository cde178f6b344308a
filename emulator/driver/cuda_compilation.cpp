#include "cuda_compilation.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include "cccl.hpp"
#include "failure.hpp"
#include "merge_sides.hpp"
#include "rewriter.hpp"
#include "temporary_folder.hpp"
#include "unsupported.hpp"

namespace emulator_nvcc {
namespace {

// Macros that nvcc 13.0 predefines.
const Command kPredefined = {
    "-D__CUDACC__",
    "-D__NVCC__",
    "-D__CUDACC_VER_MAJOR__=13",
    "-D__CUDACC_VER_MINOR__=0",
    "-D__CUDACC_VER_BUILD__=88",
    "-D__CUDA_API_VER_MAJOR__=13",
    "-D__CUDA_API_VER_MINOR__=0",
    "-D__NVCC_DIAG_PRAGMA_SUPPORT__=1",
    "-D__WARP_EMULATOR__=1",
};

// The preprocessor needs the compiler's optimisation flags, but not its instrumentation.
const Command kPreprocessorLast = {"-O2", "-U_FORTIFY_SOURCE", "-U__SANITIZE_THREAD__"};

// Every load and store of the source becomes one call of the engine, in the source's order and
// width. This needs the instrumentation, without optimisations that merge, split, move or invent
// accesses.
const Command kDeviceFlags = {
    "-O2",
    "-g",
    "-fsanitize=thread",
    "-Wno-tsan",                     // fences: the engine handles them, too
    "-Wno-psabi",                    // tensor maps are parameters aligned to 128 bytes
    "-Wno-unused-but-set-variable",  // g++ misses reads of __shared__ arrays in generic lambdas
    "--param",
    "tsan-instrument-func-entry-exit=0",
    "--param",
    "tsan-distinguish-volatile=1",
    "-fno-tree-sra",
    "-fno-ipa-sra",
    "-fno-ipa-icf",
    "-fno-tree-vectorize",
    "-fno-tree-slp-vectorize",
    "-fno-tree-loop-distribute-patterns",
    "-fno-strict-aliasing",
    "-fno-crossjumping",
    "-fno-tree-tail-merge",
    "-fno-code-hoisting",
    "-fno-tree-sink",  // a load stays before the branch that it precedes
#if __GNUC__ >= 16
    // Since this version, the pass moves a struct's load to its store, behind a branch, or
    // duplicates it.
    "-fno-tree-forwprop",
#endif
    "-fno-hoist-adjacent-loads",
    "-fno-thread-jumps",
    "-fno-split-paths",
    "-fno-partial-inlining",
    "--param",
    // A duplicate of the code after a branch would be another instruction.
    "max-grow-copy-bb-insns=0",
    "-fno-optimize-sibling-calls",  // the engine identifies source positions by return addresses
    "-fno-stack-protector",
    "-ftls-model=local-exec",  // threadIdx takes one instruction
    "-fstack-clash-protection",
    "-fno-gnu-unique",  // one definition of a template's device variable, in a section that we name
    "-ffp-contract=off",  // the same results and counts on every processor
    "-fsigned-char",
#if defined(__aarch64__)
    // Where the processor does not trap on a division by zero, the compiler inserts a test.
    "-fsanitize=integer-divide-by-zero",
    "-fsanitize-undefined-trap-on-error",
#endif
};

// A module is a shared object. The engine and its thread-local variables belong to the program. A
// kernel's shared memory is among these variables; the module's loader passes its address.
const Command kModuleFlags = {"-fPIC", "-fno-semantic-interposition", "-fvisibility=hidden",
                              "-fvisibility-inlines-hidden", "-ftls-model=initial-exec"};

std::string read_file(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  if (!in) throw Failure(2, "emulator-nvcc: cannot read " + name);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

void write_file(const std::string& name, const std::string& text) {
  std::ofstream out(name, std::ios::binary);
  out << text << std::flush;
  if (!out) throw Failure(2, "emulator-nvcc: cannot write " + name + " (is the disk full?)");
}

std::string architecture_list(const CudaCompilation& c) {
  std::string list;
  for (const int number : c.architectures)
    list += (list.empty() ? "" : ",") + std::to_string(number * 10);
  return list;
}

/// Returns the command that preprocesses with CUDA's headers through `header`, and with `device`
/// after the user's flags.
Command preprocess_with(const std::string& header, const Command& device, const CudaCompilation& c,
                        const Toolchain& toolchain, const std::string& output) {
  Command command = c.compiler;
  append(command, {"-E", "-x", "c++"});
  append(command, options_of_cccl(c.libraries));
  append(command, include_options(toolchain));
  append(command, kPredefined);
  command.push_back("-D__CUDA_ARCH_LIST__=" + architecture_list(c));
  if (c.separate_compilation) command.push_back("-D__CUDACC_RDC__");
  if (c.extended_lambda) command.push_back("-D__CUDACC_EXTENDED_LAMBDA__=1");
  if (c.relaxed_constexpr) command.push_back("-D__CUDACC_RELAXED_CONSTEXPR__=1");
  append(command, {"-include", header});
  append(command, c.preprocessing);
  append(command, c.flags);
  append(command, device);
  if (c.is_module) append(command, kModuleFlags);
  append(command, kPreprocessorLast);
  append(command, c.dependencies);
  command.push_back(c.source);
  if (!output.empty()) append(command, {"-o", output});
  return command;
}

/// Returns whether to use precompiled headers. Preprocessed output then has their name instead of
/// their text, so intermediate files that are kept for people do not use them.
bool uses_precompiled(const CudaCompilation& c, const Toolchain& toolchain) {
  return c.keep.empty() && !c.is_module && !toolchain.precompiled.empty();
}

/// Returns the preprocessor's command. Precompiled headers fit only if g++ preprocesses with the
/// flags that it compiles with.
Command preprocess_to_compile(const CudaCompilation& c, const Toolchain& toolchain,
                              const std::string& output) {
  if (!uses_precompiled(c, toolchain)) return preprocess_command(c, toolchain, output);
  Command device = kDeviceFlags;
  append(device, {"-fpch-preprocess", "-fno-working-directory"});
  // Meson enables the warning; without a match, the headers themselves are read.
  device.push_back("-Wno-invalid-pch");
  if (!c.dependencies.empty()) device.push_back("-fpch-deps");  // without dependencies, g++ crashes
  return preprocess_with(toolchain.precompiled, device, c, toolchain, output);
}

/// Returns the current folder as g++ names it in debug information: $PWD, which may contain links.
std::string working_folder() {
  std::error_code failed;
  const char* const folder = std::getenv("PWD");
  if (folder && *folder == '/' && std::filesystem::equivalent(folder, ".", failed)) return folder;
  return std::filesystem::current_path(failed).string();
}

bool has_colour_flag(const Command& flags) {
  return std::any_of(flags.begin(), flags.end(), [](const std::string& flag) {
    return flag.starts_with("-fdiagnostics-color") || flag == "-fno-diagnostics-color";
  });
}

/// Returns the header in a "No such file" message, with or without colours; empty if there is none.
std::string missing_header(const std::string& errors) {
  const std::size_t end = errors.find(std::string(": ") + std::strerror(ENOENT));
  if (end == errors.npos) return {};
  std::string header = errors.substr(0, end);
  header.erase(0, header.find_last_of(" \n") + 1);
  const std::size_t colour = header.rfind("\x1b[");
  if (colour != header.npos) header.erase(0, header.find_first_of("mK", colour) + 1);
  return header;
}

/// Returns the files that line markers name, except those in `folder`.
std::set<std::string> files_in(const std::string& preprocessed, const std::string& folder) {
  std::set<std::string> files;
  std::istringstream in(preprocessed);
  for (std::string line; std::getline(in, line);) {
    const std::size_t begin = line.find('"'), end = line.rfind('"');
    if (!line.starts_with("# ") || begin == line.npos || end == begin) continue;
    const std::string file = line.substr(begin + 1, end - begin - 1);
    if (!file.starts_with(folder + "/") && !file.starts_with('<')) files.insert(file);
  }
  return files;
}

/// Runs the command, with coloured messages if stderr is a terminal; stores them in `errors`.
int run_in_colour(Command command, std::size_t compiler_words, Trace trace, std::string& errors) {
  if (isatty(STDERR_FILENO) && !has_colour_flag(command)) {
    command.insert(command.begin() + static_cast<std::ptrdiff_t>(compiler_words),
                   "-fdiagnostics-color=always");
  }
  return run_traced(command, trace, &errors);
}

/// Prints the compiler's messages, and explains which library a missing header belongs to.
int report(int status, const std::string& errors) {
  std::cerr << errors;
  if (status != 0) {
    const std::string explanation = explain_missing_header(errors);
    if (!explanation.empty()) std::cerr << explanation << '\n';
  }
  return status;
}

/// Returns whether device code may be preprocessed to another text than host code.
bool asks_for_architecture(const CudaCompilation& c, const Toolchain& toolchain,
                           const std::string& preprocessed) {
  constexpr std::string_view kName = "__CUDA_ARCH";
  const auto has_name = [&](const std::string& text) { return text.find(kName) != text.npos; };
  if (std::any_of(c.preprocessing.begin(), c.preprocessing.end(), has_name)) return true;
  std::set<std::string> files = files_in(preprocessed, toolchain.includes.front());
  files.insert(c.source);  // a #line may give it another name
  for (const std::string& file : files) {
    std::error_code failed;  // with -g, the first marker names the working directory
    if (!std::filesystem::is_regular_file(file, failed)) continue;
    std::ifstream in(file, std::ios::binary);
    if (has_name(std::string(std::istreambuf_iterator<char>(in), {}))) return true;
  }
  return false;
}

/// Returns the flags for debug information. Locations of local variables, which only debuggers use,
/// take a tenth of g++'s time, so they are included only if the user asks for debug information.
/// Line information, which findings need, is always included; the second flag keeps it unchanged.
Command debug_flags(const CudaCompilation& c) {
  const bool asked = std::any_of(c.flags.begin(), c.flags.end(), [](const std::string& flag) {
    return flag.starts_with("-g") && flag != "-g0";
  });
  return asked ? Command{} : Command{"-fno-var-tracking", "-fvar-tracking-assignments"};
}

/// Returns the time of a file's last change and its size; the file need not exist.
std::string state_of(const std::filesystem::path& file) {
  std::error_code failed;
  const auto written = std::filesystem::last_write_time(file, failed).time_since_epoch().count();
  const auto bytes = std::filesystem::file_size(file, failed);
  return file.string() + ' ' + std::to_string(written) + ' ' + std::to_string(bytes) + '\n';
}

/// Returns everything that an object depends on. `compile` ends with the names of the rewritten
/// source and of the object.
std::string origin_of(const std::string& rewritten, Command compile, const CudaCompilation& c,
                      const Toolchain& toolchain) {
  constexpr std::size_t kNames = 3;  // SOURCE -o OBJECT
  compile.resize(compile.size() - kNames);
  std::string origin = quoted(compile) + '\n' + state_of(c.compiler.back());
  if (!toolchain.plugin.empty()) origin += state_of(toolchain.plugin);
  std::error_code failed;
  for (const auto& entry :
       std::filesystem::directory_iterator(toolchain.precompiled + ".gch", failed))
    origin += state_of(entry.path());
  return origin + std::to_string(std::hash<std::string>()(rewritten)) + ' ' +
         std::to_string(rewritten.size()) + '\n';
}

/// Returns whether an up-to-date object exists. Marks it as just made.
bool keep_object(const CudaCompilation& c, const std::string& origin) {
  std::ifstream in(c.record, std::ios::binary);
  if (!in || std::string(std::istreambuf_iterator<char>(in), {}) != origin) return false;
  // Use the file system's clock, which is some milliseconds late: an object from the future would
  // be newer than the program linked from it, and ninja would link that again.
  return utimensat(AT_FDCWD, c.object.c_str(), nullptr, 0) == 0;
}

void print(const std::vector<Diagnostic>& errors) {
  for (const Diagnostic& error : errors)
    std::cerr << error.file << ':' << error.line << ": error: " << error.message << '\n';
}

/// Reads the source as host code and device code see it. `host` is the preprocessor's output for
/// host code; `device` receives that for device code, if it may differ.
/// @return 0, or the status to exit with
int read_both_sides(const CudaCompilation& c, const Toolchain& toolchain, const std::string& host,
                    const std::string& device, std::string& text) {
  const auto read = [&](const std::string& file) {
    std::string source = mark_system_headers(read_file(file), toolchain.includes.front());
    for (const std::string& folder : c.libraries)
      source = mark_system_headers(std::move(source), folder);
    return source;
  };
  text = read(host);
  if (!asks_for_architecture(c, toolchain, text)) return 0;

  CudaCompilation of_device = c;
  of_device.dependencies.clear();
  append(of_device.preprocessing, defined_for_device(c.architecture));
  const int status = run_preprocessor(
      of_device, toolchain, [&] { return preprocess_to_compile(of_device, toolchain, device); });
  if (status != 0) return status;
  MergedSides merged = merge_sides(text, read(device), c.source);
  print(merged.errors);
  text = std::move(merged.text);
  return merged.errors.empty() ? 0 : kUnsupportedStatus;
}

}  // namespace

const Command& device_flags() { return kDeviceFlags; }

Command defined_for_device(const Architecture& architecture) {
  const std::string number = std::to_string(architecture.number);
  Command flags = {"-D__CUDA_ARCH__=" + number + '0'};
  if (architecture.features == 'a')
    append(flags,
           {"-D__CUDA_ARCH_FEAT_SM" + number + "_ALL", "-D__CUDA_ARCH_SPECIFIC__=" + number + '0'});
  if (architecture.features != ' ')
    flags.push_back("-D__CUDA_ARCH_FAMILY_SPECIFIC__=" + number + '0');
  return flags;
}

Command arithmetic_flags(const Toolchain& toolchain, bool everywhere) {
  if (toolchain.plugin.empty()) return {};
  Command flags = {"-fplugin=" + toolchain.plugin};
  if (everywhere) flags.push_back("-fplugin-arg-device_code-everywhere");
  return flags;
}

void read_own_flags(CudaCompilation& c) {
  if (std::erase(c.flags, kNoQuickForms) != 0) c.quick_forms = false;
  if (std::erase(c.flags, kRelaxedConstexpr) != 0) c.relaxed_constexpr = true;
  if (std::erase(c.flags, kDeviceByDefault) != 0) c.device_by_default = true;
}

int run_traced(const Command& command, Trace trace, std::string* errors) {
  if (trace != Trace::silent) std::cerr << "#$ " << quoted(command) << std::endl;
  return trace == Trace::print_only ? 0 : run(command, errors);
}

Command preprocess_command(const CudaCompilation& c, const Toolchain& toolchain,
                           const std::string& output) {
  return preprocess_with(toolchain.includes.front() + "/cuda_runtime.h", {}, c, toolchain, output);
}

Command precompile_command(const Command& flags, const Toolchain& toolchain,
                           const std::string& output) {
  Command command = {toolchain.compiler};
  append(command, toolchain.flags);
  append(command, {"-x", "c++-header"});
  for (const std::string& folder : toolchain.includes) append(command, {"-isystem", folder});
  append(command, kPredefined);
  append(command, flags);
  append(command, kDeviceFlags);
  append(command, kPreprocessorLast);
  append(command, {toolchain.precompiled, "-o", output});
  return command;
}

std::string explain_missing_header(const std::string& errors) {
  const std::string header = missing_header(errors);
  const std::string shown = "<" + header + ">";
  if (header.starts_with("helper_")) {
    return "emulator-nvcc: " + shown +
           " is helper code of NVIDIA's samples, which do not come with the CUDA Toolkit";
  }
  if (is_header_of_cccl(header)) {
    return "emulator-nvcc: " + shown +
           " belongs to CCCL, whose headers were not found: Debian's packages libthrust-dev, "
           "libcub-dev and libcu++-dev have them, and so has a CUDA Toolkit 13";
  }
  const std::string feature = emu::unsupported_message(emu::Sign::of_header, header, shown);
  return feature.empty() ? "" : "emulator-nvcc: the emulator does not support " + feature;
}

int run_compiler(Command command, std::size_t compiler_words, Trace trace) {
  std::string errors;
  const int status = run_in_colour(std::move(command), compiler_words, trace, errors);
  return report(status, errors);
}

int run_preprocessor(CudaCompilation& c, const Toolchain& toolchain,
                     const std::function<Command()>& command) {
  std::string errors;
  int status = run_in_colour(command(), c.compiler.size(), c.trace, errors);
  const std::string folder = status == 0 ? "" : cccl_with(missing_header(errors), toolchain);
  if (!folder.empty() && c.libraries.empty()) {
    c.libraries.push_back(folder);
    errors.clear();
    status = run_in_colour(command(), c.compiler.size(), c.trace, errors);
  }
  return report(status, errors);
}

int compile_cuda(CudaCompilation c, const Toolchain& toolchain) {
  const TemporaryFolder temporary;
  const std::filesystem::path folder = c.keep.empty() ? temporary.path() : c.keep;
  const std::string base = std::filesystem::path(c.source).stem().string();
  const std::string preprocessed = (folder / (base + ".cpp1.ii")).string();
  const std::string rewritten = (folder / (base + ".emulator.ii")).string();

  c.libraries = cccl_folders_in(c.preprocessing);
  const auto command = [&] { return preprocess_to_compile(c, toolchain, preprocessed); };
  int status = run_preprocessor(c, toolchain, command);
  if (status == 0 && c.libraries.empty() && c.trace != Trace::print_only) {
    const std::string cccl = cccl_read_in(read_file(preprocessed), toolchain);
    if (!cccl.empty()) {
      c.libraries.push_back(cccl);
      status = run_preprocessor(c, toolchain, command);
    }
  }
  if (status != 0) return status;

  if (c.trace != Trace::silent) {
    std::cerr << "#$ -- rewrite " << quoted({preprocessed}) << " to " << quoted({rewritten})
              << " -arch compute_" << c.architecture.number << " --\n";
  }
  std::string text;
  if (c.trace != Trace::print_only) {
    RewriteOptions options;
    options.file = c.source;
    // A program can ask for any variable of a module.
    options.separate_compilation = c.separate_compilation || c.is_module;
    options.is_module = c.is_module;
    options.folder = working_folder();
    options.headers = toolchain.includes.front();
    options.libraries = c.libraries;
    options.extended_lambda = c.extended_lambda;
    options.marks_sides = !toolchain.plugin.empty();
    options.keeps_columns = true;
    const std::string of_device = (folder / (base + ".cpp2.ii")).string();
    const int failed = read_both_sides(c, toolchain, preprocessed, of_device, text);
    if (failed != 0) return failed;
    const RewriteResult result = rewrite(std::move(text), options);
    print(result.errors);
    if (!result.errors.empty()) return kUnsupportedStatus;
    text = result.text + result.records;
    if (c.is_module)
      text +=
          "\nextern \"C\" { extern const char emu_module_version[]; __attribute__((used)) "
          "const char emu_module_version[] = \"" EMULATOR_VERSION "\"; }\n";
    write_file(rewritten, text);
  }

  Command compile = c.compiler;
  append(compile, c.flags);
  append(compile, kDeviceFlags);
  if (c.is_module) append(compile, kModuleFlags);
  if (!c.libraries.empty()) append(compile, flags_for_cccl());
  append(compile, debug_flags(c));
  append(compile, arithmetic_flags(toolchain));
  if (!toolchain.plugin.empty()) {
    if (!c.quick_forms) compile.push_back("-fplugin-arg-device_code-one-form");
    compile.push_back("-fplugin-arg-device_code-headers=" + toolchain.includes.front());
    if (c.relaxed_constexpr) compile.push_back("-fplugin-arg-device_code-relaxed-constexpr");
    if (c.device_by_default) compile.push_back("-fplugin-arg-device_code-device-by-default");
    if (c.separate_compilation || c.is_module)
      compile.push_back("-fplugin-arg-device_code-separate-compilation");
  }
  append(compile, {"-x", "c++-cpp-output", "-c", rewritten, "-o", c.object});
  if (c.record.empty()) return run_traced(compile, c.trace);

  const std::string origin = origin_of(text, compile, c, toolchain);
  if (keep_object(c, origin)) return 0;
  std::filesystem::remove(c.record);
  const int failed = run_traced(compile, c.trace);
  if (failed == 0) write_file(c.record.string(), origin);
  return failed;
}

}  // namespace emulator_nvcc
