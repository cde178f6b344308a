#include "compilation.hpp"

#include <fcntl.h>

#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "course/child.hpp"
#include "course/temporary_folder.hpp"

/// The compiler's path. A toolkit in the folder of a build has an object that defines it.
extern "C" const char* const emu_nvrtc_compiler [[gnu::weak]];

namespace emu::nvrtc {
namespace {

namespace fs = std::filesystem;

course::TemporaryFolder make_folder() try {
  return {course::folder_of_temporary_files(), "emulator-nvrtc-"};
} catch (const std::system_error&) {
  throw std::runtime_error("no folder can be made for the compiler in " +
                           course::folder_of_temporary_files().string());
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text << std::flush;
  if (!out) throw std::runtime_error("cannot write " + file.string());
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::string compiler() {
  if (const char* const named = std::getenv("EMULATOR_NVCC"); named && *named) return named;
  if (&emu_nvrtc_compiler != nullptr) return emu_nvrtc_compiler;
  return "warp-nvcc";  // as it is installed
}

constexpr int kCannotStart = -1, kNoStatus = -2;

/// Runs a command, with its messages in a file.
/// @return  its exit status, as in a shell; kNoStatus if the program ignores the ends of its
/// children
int run(const std::vector<std::string>& command, const fs::path& messages) try {
  const course::Descriptor nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  const course::Descriptor written(
      open(messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!nothing.is_open() || !written.is_open()) return kCannotStart;
  const pid_t child = course::start_child(
      command, {.in = nothing.get(), .out = nothing.get(), .err = written.get()});
  try {
    return course::wait_for_child(child);
  } catch (const std::system_error&) {
    return kNoStatus;
  }
} catch (const std::system_error&) {
  return kCannotStart;
}

/// The name of a text as a string of C++.
std::string literal(const std::string& name) {
  std::string text = "\"";
  for (const char one : name) {
    if (one == '"' || one == '\\') text += '\\';
    text += one == '\n' ? ' ' : one;
  }
  return text + '"';
}

/// Returns whether a text gives a type this name: `typedef long long NAME;` or `using NAME = ...`.
bool defines_type(std::string_view text, std::string_view name) {
  const auto is_of_word = [](char one) {
    return std::isalnum(static_cast<unsigned char>(one)) != 0 || one == '_';
  };
  constexpr std::string_view kBlank = " \t\r\n";
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t end = text.find_first_not_of(kBlank, at + name.size());
    if (end == text.npos || at == 0 || is_of_word(text[at - 1])) continue;
    const std::size_t before = text.find_last_of(";{}", at);
    std::string_view statement = text.substr(0, at);
    if (before != text.npos) statement.remove_prefix(before + 1);
    statement = statement.substr(0, statement.find_last_not_of(kBlank) + 1);
    if (text[end] == ';' && statement.find("typedef ") != text.npos) return true;
    if (text[end] == '=' && statement.ends_with("using")) return true;
  }
  return false;
}

/// Returns definitions of macros that give the program's own 64-bit types other names. NVRTC has
/// none of the C library's types, so programs define them, and not always as the C library does.
std::string renamed_types(const Source& source) {
  std::string macros;
  for (const char* name : {"int64_t", "uint64_t", "intmax_t", "uintmax_t", "intptr_t", "uintptr_t",
                           "int_fast16_t", "int_fast32_t", "int_fast64_t", "uint_fast16_t",
                           "uint_fast32_t", "uint_fast64_t", "int_least64_t", "uint_least64_t"}) {
    bool is_own = defines_type(source.text, name);
    for (const Source::Header& header : source.headers)
      is_own = is_own || defines_type(header.text, name);
    if (is_own) macros += std::string("#define ") + name + " emu_nvrtc_" + name + "\n";
  }
  return macros;
}

}  // namespace

Compiled compile(const Source& source, const Options& options) {
  const course::TemporaryFolder folder = make_folder();
  const fs::path input = folder.path() / "program.cu", output = folder.path() / "program.cubin",
                 messages = folder.path() / "messages",
                 headers = folder.path() / "headers/1/2/3/4";  // names may begin with ../
  write(input, renamed_types(source) + "#line 1 " + literal(source.name) + "\n" + source.text);
  fs::create_directories(headers);
  for (const Source::Header& header : source.headers) {
    const fs::path file = (headers / fs::path(header.name).relative_path()).lexically_normal();
    if (!file.string().starts_with(folder.path().string()))
      throw std::runtime_error("a header's name leads too far up: " + header.name);
    fs::create_directories(file.parent_path());
    write(file, header.text);
  }

  // All of the text is for a device, also where nvcc would read it for the host.
  std::vector<std::string> command = {compiler(),
                                      "-cubin",
                                      "-arch=" + options.architecture,
                                      "-D__CUDA_ARCH__=" + options.capability() + "0",
                                      "-D__CUDACC_RTC__=1",
                                      "-U__NVCC__",
                                      "-I" + headers.string()};
  if (options.searches_folder_of_source) {
    const fs::path around = fs::path(source.name).parent_path();
    command.push_back("-I" + (around.empty() ? "." : around.string()));
  }
  command.insert(command.end(), options.for_compiler.begin(), options.for_compiler.end());
  command.insert(command.end(), {input.string(), "-o", output.string()});

  Compiled compiled;
  const int status = run(command, messages);
  compiled.log = read(messages);
  if (status == kCannotStart || status == 127) {
    compiled.could_start = false;
    compiled.log = "nvrtc: error: the emulator's compiler cannot be started: " + command.front() +
                   "; EMULATOR_NVCC in the environment names it\n";
  } else if (status == 0 || status == kNoStatus) {
    compiled.object = read(output);  // empty if the compiler has written none
  }
  return compiled;
}

}  // namespace emu::nvrtc
