/// One .cu file to one object: preprocess, rewrite, compile.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "process.hpp"
#include "toolchain.hpp"

namespace emulator_nvcc {

/// What to show of the commands that are run.
enum class Trace { silent, print, print_only };

/// A device that code is compiled for: sm_90, sm_90a, compute_100f, ...
struct Architecture {
  int number = 90;
  char features = ' ';  // `a` or `f`: those of this device alone, or of its family
};

struct CudaCompilation {
  Command compiler;       // `g++`, or `ccache g++`
  Command preprocessing;  // flags that only the preprocessor understands: -I, -D, -include, ...
  Command dependencies;   // -MD, -MF, -MT, ...: for the preprocessor as well, complete
  Command flags;          // all others of the user
  std::string source;
  std::string object;
  Architecture architecture;              // what device code is compiled for
  std::vector<int> architectures = {90};  // all that were asked for
  bool separate_compilation = false;
  bool is_module = false;          // for a shared object that a program loads by its name
  bool relaxed_constexpr = false;  // device code may call constexpr functions of the host
  bool extended_lambda = true;     // with __device__
  bool device_by_default = false;  // functions without a qualifier belong to both sides
  bool quick_forms = true;         // beside the form that is counted and checked
  std::filesystem::path keep;  // folder that the intermediate files go to; empty: they are removed
  std::filesystem::path record;  // file beside the object that says what it was made of; or empty
  Trace trace = Trace::silent;
  std::vector<std::string> libraries;  // folders of CCCL's headers, if they are used
};

/// Prints the command if `trace` says so, and runs it unless it says otherwise.
int run_traced(const Command& command, Trace trace, std::string* errors = nullptr);

/// If a message of the preprocessor's says that a header of CUDA's is missing: a line that says
/// whose it is; else nothing.
std::string explain_missing_header(const std::string& errors);

/// The same for a command whose first words are the compiler. If it lacks a header of CUDA's, says
/// whose it is.
int run_compiler(Command command, std::size_t compiler_words, Trace trace);

/// The command that preprocesses the source as CUDA; its output goes to `output` (empty: stdout).
Command preprocess_command(const CudaCompilation& c, const Toolchain& toolchain,
                           const std::string& output);

/// Runs the command that `command` gives, which preprocesses the source. If that lacks a header
/// that is one of CCCL's, and these are installed, `c` takes them, and it runs once more.
int run_preprocessor(CudaCompilation& c, const Toolchain& toolchain,
                     const std::function<Command()>& command);

/// What nvcc predefines for device code alone: `__CUDA_ARCH__`, ...
Command defined_for_device(const Architecture& architecture);

/// The command that precompiles `toolchain.precompiled` for sources that are compiled with `flags`.
/// g++ looks for the result in the folder of that name with .gch behind it, and reads the headers
/// themselves where it finds none that fits.
Command precompile_command(const Command& flags, const Toolchain& toolchain,
                           const std::string& output);

/// What g++ is told beside the user's flags, so that the engine sees every load and store.
const Command& device_flags();

/// Asks for kernels in one form, the one that is counted and checked: for programs of which nobody
/// wants more. A flag of ours, as the next one, which stands among g++'s.
inline constexpr std::string_view kNoQuickForms = "-fno-quick-forms";

/// nvcc's `--expt-relaxed-constexpr`, where it stands among g++'s flags.
inline constexpr std::string_view kRelaxedConstexpr = "-frelaxed-constexpr";

/// NVRTC's `-default-device`, as nvrtc/options.cpp hands it on.
inline constexpr std::string_view kDeviceByDefault = "-fdevice-by-default";

/// Takes `kNoQuickForms` and `kRelaxedConstexpr` out of the flags, if they are there, and notes it.
void read_own_flags(CudaCompilation& c);

/// What makes the compiler convert and shift as a device does in those functions of which the
/// source has records, or everywhere; nothing if the toolchain has no such plugin.
Command arithmetic_flags(const Toolchain& toolchain, bool everywhere = false);

/// Compiles. With a `record`, an object that was made of the same is kept, as good as new: a
/// comment that has changed costs no more than the preprocessor's time.
/// @return 0, or the status to exit with; everything has been said on stderr then
int compile_cuda(CudaCompilation c, const Toolchain& toolchain);

}  // namespace emulator_nvcc
