#include "confine.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>

#include "assembly.hpp"
#include "cuda_compilation.hpp"
#include "failure.hpp"
#include "guards.hpp"
#include "object_rules.hpp"
#include "rewriter.hpp"
#include "source_rules.hpp"
#include "toolchain.hpp"
#include "tools/coursework/exercises/kernel_signature.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework::confine {
namespace {

namespace fs = std::filesystem;
using Command = std::vector<std::string>;

// These flags restrict g++ to the assembly that the pass knows and can check: frames of a fixed
// size, no red zone, no jump tables, no string instructions.
const Command kAssemblyFlags = {
    "-fno-jump-tables",
    "-fno-tree-switch-conversion",
    "-fno-ipa-ra",
    "-fno-reorder-blocks-and-partition",
    "-fno-exceptions",
    "-fno-asynchronous-unwind-tables",
    "-fno-threadsafe-statics",
    "-fno-stack-clash-protection",
    "-fno-var-tracking",
    "-gno-variable-location-views",
    "-fno-dwarf2-cfi-asm",
    "-fomit-frame-pointer",
    "-fcf-protection=none",
    "-fPIE",
    "-fplt",
    "-mno-red-zone",
    "-mno-avx",
    "-mstringop-strategy=libcall",
    "-march=x86-64",
};

// The course's own flags. C++20 warns of some uses of `volatile` that CUDA programs contain.
const Command kLanguageFlags = {"-std=c++20", "-Wno-volatile"};

constexpr std::string_view kKernelsFile = "<kernels>";

void append(Command& command, const Command& more) {
  command.insert(command.end(), more.begin(), more.end());
}

void write_file(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text << std::flush;
  if (!out) throw std::runtime_error("cannot write " + file.string());
}

emulator_nvcc::Toolchain toolchain_of(const Submission& submission) {
  return emulator_nvcc::read_toolchain(submission.toolchain.empty() ? fs::path(COURSEWORK_TOOLCHAIN)
                                                                    : submission.toolchain);
}

/// No limit here, because the machine may be busy; the sandbox limits the CPU time instead.
constexpr std::chrono::hours kSandboxDecides{24};

tools::CommandResult run(const Submission& submission, const Command& command) {
  tools::CommandOptions options;
  options.directory = submission.folder;
  options.environment = {{"LC_ALL", "C"}};
  options.time_limit = kSandboxDecides;
  return tools::run_command(command, options);
}

std::vector<KernelSignature> signatures_of(const Submission& submission) {
  std::vector<KernelSignature> signatures;
  for (const std::string& text : submission.kernels) signatures.push_back(read_signature(text));
  return signatures;
}

/// Returns pointers to the kernels, to append to the submission: the compiler resolves overloads.
std::string kernel_pointers(const std::vector<KernelSignature>& signatures) {
  std::string text = "\n;\n# 1 \"" + std::string(kKernelsFile) + "\"\nextern \"C\" {\n";
  for (std::size_t i = 0; i < signatures.size(); ++i) {
    std::string pointer = signatures[i].pointer;
    pointer.replace(pointer.find("NAME"), 4, std::string(kKernelPointer) + std::to_string(i));
    text +=
        "extern " + pointer + ";\n[[gnu::used]] " + pointer + " = ::" + signatures[i].name + ";\n";
  }
  return text + "}\n";
}

/// Turns a definition into a declaration. Lines and line markers keep their positions.
void leave_out_body(std::string& text, std::size_t begin, std::size_t end) {
  bool is_marker = false;
  for (std::size_t i = begin; i < end; ++i) {
    if (text[i - 1] == '\n') is_marker = text.compare(i, 2, "# ") == 0;
    if (!is_marker && text[i] != '\n') text[i] = i == begin ? ';' : ' ';
  }
}

Refusal missing_kernel(const std::vector<KernelSignature>& signatures) {
  std::string message = "the exercise needs ";
  for (const KernelSignature& signature : signatures)
    message +=
        (&signature == &signatures.front() ? "__global__ " : " and __global__ ") + signature.text;
  return {0, "kernel-missing", message + ", with these parameters"};
}

}  // namespace

ConfinedObject compile_to_assembly(const Submission& submission) {
  ConfinedObject result;
  const std::vector<KernelSignature> signatures = signatures_of(submission);
  const emulator_nvcc::Toolchain toolchain = toolchain_of(submission);
  const std::string name = submission.source.filename().string();
  const std::string text = tools::read_file(submission.source);
  TextReport report;
  if ((result.refusal = check_text(text, &report))) return result;

  // A copy in an otherwise empty folder, so that it cannot include neighbouring files.
  const fs::path alone = submission.folder / "alone";
  fs::create_directories(alone);
  write_file(alone / name, text);
  emulator_nvcc::CudaCompilation compilation;
  compilation.compiler = {toolchain.compiler};
  compilation.source = name;
  compilation.relaxed_constexpr = true;
  for (const std::string& header : headers_to_include_first(report, toolchain.includes))
    append(compilation.preprocessing, {"-include", header});
  // Host code is removed below, so all remaining code runs on the device.
  append(compilation.preprocessing, emulator_nvcc::defined_for_device(compilation.architecture));
  // Lockstep calls functions from inline assembly.
  compilation.preprocessing.push_back("-DEMULATOR_WITHOUT_LOCKSTEP");
  compilation.flags = {"-fno-exceptions"};  // a flag that headers test, too
  append(compilation.flags, kLanguageFlags);
  compilation.dependencies = {"-MD", "-MF", "../opened.d", "-MT", "opened"};
  Submission there = submission;
  there.folder = alone;
  const auto preprocessed =
      run(there, emulator_nvcc::preprocess_command(compilation, toolchain, "../submission.ii"));
  if (preprocessed.status != 0) {
    result.compiler_output = messages_about(name, preprocessed.err);
    const std::string missing = emulator_nvcc::explain_missing_header(result.compiler_output);
    if (!missing.empty()) result.compiler_output += missing + "\n";
    return result;
  }
  result.compiler_output = preprocessed.err;
  // If a file could not be opened, as in a sandbox, there is no list of opened files.
  if (preprocessed.status != 0 && !fs::exists(submission.folder / "opened.d")) return result;
  const std::string opened = tools::read_file(submission.folder / "opened.d");
  std::string expanded = emulator_nvcc::mark_system_headers(
      tools::read_file(submission.folder / "submission.ii"), toolchain.includes.front());
  if ((result.refusal =
           check_includes(expanded, alone / name, toolchain.includes, report.first_macro)))
    return result;
  if ((result.refusal = check_opened(opened, alone / name, toolchain.includes))) return result;
  const TokenReport tokens = check_tokens(expanded, name, toolchain.includes, signatures);
  if ((result.refusal = tokens.refusal)) return result;
  for (const auto& [begin, end] : tokens.host_bodies) leave_out_body(expanded, begin, end);
  emulator_nvcc::RewriteOptions options;
  options.file = name;
  options.folder = alone.string();
  options.plain_kernels = true;
  emulator_nvcc::RewriteResult rewritten = emulator_nvcc::rewrite(expanded, options);
  for (const emulator_nvcc::Diagnostic& error : rewritten.errors)
    result.compiler_output +=
        error.file + ":" + std::to_string(error.line) + ": error: " + error.message + "\n";
  if (!rewritten.errors.empty()) return result;
  if ((result.refusal = check_rewritten(rewritten.text, name))) return result;
  write_file(submission.folder / "rewritten.ii", rewritten.text + kernel_pointers(signatures));

  Command compile = {toolchain.compiler};
  append(compile, emulator_nvcc::device_flags());
  append(compile, emulator_nvcc::arithmetic_flags(toolchain, /*everywhere=*/true));
  append(compile, kAssemblyFlags);
  append(compile, kLanguageFlags);
  append(compile, {"-x", "c++-cpp-output", "-S", "../rewritten.ii", "-o", "../submission.s"});
  const auto compiled = run(there, compile);
  result.compiler_output += compiled.err;
  if (compiled.status != 0) {
    const bool own_error = compiled.err.find(name + ":") != std::string::npos &&
                           compiled.err.find(": error: ") < compiled.err.find(kKernelsFile);
    if (!own_error && compiled.err.find(kKernelsFile) != std::string::npos) {
      result.refusal = missing_kernel(signatures);
      result.compiler_output.clear();
    }
    return result;
  }
  result.compiles = true;
  result.object = submission.folder / "submission.s";
  return result;
}

ConfinedObject confine_assembly(const Submission& submission, const fs::path& assembly) {
  ConfinedObject result;
  result.compiles = true;
  StackWords stack_words;
  for (const KernelSignature& signature : signatures_of(submission))
    stack_words.push_back(signature.stack_words);
  GuardedAssembly guarded;
  try {
    guarded =
        guard(read_assembly(tools::read_file(assembly), submission.source.filename().string()),
              stack_words);
  } catch (const Refused& refused) {
    result.refusal = refused.refusal;
    return result;
  }
  write_file(submission.folder / "guarded.s", guarded.text);
  result.object = submission.folder / "submission.o";
  Command assemble = {toolchain_of(submission).compiler,
                      "-c",
                      "-x",
                      "assembler",
                      (submission.folder / "guarded.s").string(),
                      "-o",
                      result.object.string()};
  const auto assembled = run(submission, assemble);
  if (assembled.status != 0)
    throw std::runtime_error("the assembler refuses what was checked: " + assembled.err);
  result.refusal = check_object(result.object, guarded.kernels);
  return result;
}

ConfinedObject compile_confined(const Submission& submission) {
  ConfinedObject compiled = compile_to_assembly(submission);
  if (!compiled.ok()) return compiled;
  ConfinedObject confined = confine_assembly(submission, compiled.object);
  confined.compiler_output = std::move(compiled.compiler_output);
  return confined;
}

std::vector<fs::path> link_inputs() { return {COURSEWORK_GUARD}; }

}  // namespace coursework::confine
