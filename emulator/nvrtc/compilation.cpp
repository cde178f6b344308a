#include "compilation.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

extern char** environ;

/// The compiler's path. A toolkit in the folder of a build has an object that defines it.
extern "C" const char* const emu_nvrtc_compiler [[gnu::weak]];

namespace emu::nvrtc {
namespace {

namespace fs = std::filesystem;

/// A folder that goes with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const char* const place = std::getenv("TMPDIR");
    std::string name = (fs::path(place && *place ? place : "/tmp") / "emulator-nvrtc-XXXXXX");
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("no folder can be made for the compiler in " +
                               fs::path(name).parent_path().string());
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

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

/// Runs a command, with its messages in a file.
/// @return  its exit status, 128 if a signal ended it, -1 if it cannot be started
int run(const std::vector<std::string>& command, const fs::path& messages) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t process = -1;
  const int failed = posix_spawnp(&process, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
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
  const TemporaryFolder folder;
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
  if (status == -1 || status == 127) {
    compiled.could_start = false;
    compiled.log = "nvrtc: error: the emulator's compiler cannot be started: " + command.front() +
                   "; EMULATOR_NVCC in the environment names it\n";
  } else if (status == 0) {
    compiled.object = read(output);
  }
  return compiled;
}

}  // namespace emu::nvrtc
