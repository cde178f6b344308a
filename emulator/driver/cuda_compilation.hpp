/// Compiles one .cu file to an object: preprocesses, rewrites, compiles.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "process.hpp"
#include "toolchain.hpp"

namespace emulator_nvcc {

/// What to do with commands: run them silently, run and print them, or only print them.
enum class Trace { silent, print, print_only };

/// The target of device code: sm_90, sm_90a, compute_100f, ...
struct Architecture {
  int number = 90;
  char features = ' ';  // `a` or `f`: features of this device alone, or of its family
};

struct CudaCompilation {
  Command compiler;       // `g++`, or `ccache g++`
  Command preprocessing;  // flags for the preprocessor only: -I, -D, -include, ...
  Command dependencies;   // -MD, -MF, -MT, ...: complete, also for the preprocessor
  Command flags;          // all other flags of the user
  std::string source;
  std::string object;
  Architecture architecture;              // target of device code
  std::vector<int> architectures = {90};  // all requested targets
  bool separate_compilation = false;
  bool is_module = false;          // for a shared object that a program loads by its name
  bool relaxed_constexpr = false;  // device code may call constexpr functions of the host
  bool extended_lambda = true;     // with __device__
  bool device_by_default = false;  // functions without a qualifier belong to both sides
  bool quick_forms = true;         // beside the form that is counted and checked
  std::filesystem::path keep;  // folder that the intermediate files go to; empty: they are removed
  std::filesystem::path record;  // file beside the object that says what it was made of; or empty
  Trace trace = Trace::silent;
  std::vector<std::string> libraries;  // folders of CCCL's headers in use
};

/// Prints and runs the command, as `trace` says.
int run_traced(const Command& command, Trace trace, std::string* errors = nullptr);

/// Returns a line that explains which library a missing CUDA header belongs to, if the
/// preprocessor's messages report one; otherwise nothing.
std::string explain_missing_header(const std::string& errors);

/// Runs a compiler command and explains a missing CUDA header. The first `compiler_words` words of
/// the command are the compiler.
int run_compiler(Command command, std::size_t compiler_words, Trace trace);

/// Returns the command that preprocesses the source as CUDA to `output` (empty: stdout).
Command preprocess_command(const CudaCompilation& c, const Toolchain& toolchain,
                           const std::string& output);

/// Runs the preprocessing command that `command` returns. If a header of an installed CCCL is
/// missing, adds CCCL to `c` and runs the command again.
int run_preprocessor(CudaCompilation& c, const Toolchain& toolchain,
                     const std::function<Command()>& command);

/// Returns the macros that nvcc predefines for device code only: `__CUDA_ARCH__`, ...
Command defined_for_device(const Architecture& architecture);

/// Returns the command that precompiles `toolchain.precompiled` for sources compiled with `flags`.
/// g++ searches the folder with the header's name plus .gch for a matching file, and otherwise
/// reads the header itself.
Command precompile_command(const Command& flags, const Toolchain& toolchain,
                           const std::string& output);

/// Returns g++'s flags, besides the user's, that make the engine see every load and store.
const Command& device_flags();

/// Compiles kernels only in the form that is counted and checked. This flag and the next one are
/// ours, among g++'s flags.
inline constexpr std::string_view kNoQuickForms = "-fno-quick-forms";

/// nvcc's `--expt-relaxed-constexpr` among g++'s flags.
inline constexpr std::string_view kRelaxedConstexpr = "-frelaxed-constexpr";

/// NVRTC's `-default-device`, as nvrtc/options.cpp hands it on.
inline constexpr std::string_view kDeviceByDefault = "-fdevice-by-default";

/// Takes `kNoQuickForms` and `kRelaxedConstexpr` out of the flags, if they are there, and notes it.
void read_own_flags(CudaCompilation& c);

/// Returns the flags that make the compiler convert and shift as a device does, in functions with
/// records in the source, or everywhere; empty if the toolchain has no plugin.
Command arithmetic_flags(const Toolchain& toolchain, bool everywhere = false);

/// Compiles. With a `record`, an object made from the same text is reused: a changed comment costs
/// only preprocessing.
/// @return 0, or the exit status after messages on stderr
int compile_cuda(CudaCompilation c, const Toolchain& toolchain);

}  // namespace emulator_nvcc
