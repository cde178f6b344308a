#include "nvcc.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>

#include "cuda_compilation.hpp"
#include "failure.hpp"
#include "host_link.hpp"
#include "module_file.hpp"
#include "nvcc_options.hpp"
#include "temporary_folder.hpp"

namespace emulator_nvcc {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHelp =
    R"(emulator-nvcc: compiles CUDA C++ for the emulator of Warp by Warp; takes nvcc's options.

usage: emulator-nvcc [options] file...      .cu, .cpp, .cc, .cxx, .c, .o, .a, .so

  -o FILE                 name of the program, object or library
  -c                      compile to objects, do not link; -dc: the same with -rdc=true
  -ptx, -cubin, -fatbin   compile to a module, which cuModuleLoad loads
  -E, -M, -MM             preprocess, or list dependencies
  -MD -MMD -MF -MT -MP    write dependencies beside compiling
  -lib, -shared           make a static or a shared library
  -run                    run the program as well
  -I -D -U -include -isystem, -l -L -Xlinker, -Xcompiler, -std, -O, -g, -w, -x, -rdc, -ccbin
                          as nvcc
  -arch, -gencode         give __CUDA_ARCH__ its value, which is 900 without them
  -code -G -lineinfo -Xptxas -maxrregcount ...
                          checked, without effect: there is no GPU code
  --keep, --save-temps    keep preprocessed and rewritten sources
  -v, --dryrun            print the commands, or only print them
  --print-path            print this compiler's path, for CMAKE_CUDA_COMPILER
  --print-toolkit         print the folder that CUDA_HOME may name: bin, include, lib64
  --launcher COMPILER...  for CMake: compile the .cu file of a g++ command line

A compiled program prints its counters at its end with COURSE_COUNTERS=table or json[:FILE] in the
environment, and every kernel's source line by line with COURSE_PROFILE=text, json or html[:FILE];
COURSE_THREADS and COURSE_SEED set the worker threads and the order of lanes.
)";

constexpr const char* kVersion =
    // The text by which CMake recognises nvcc, and the emulator's name.
    "nvcc: NVIDIA (R) Cuda compiler driver\n"
    "in whose place this is emulator-nvcc " EMULATOR_VERSION
    ", the driver of Warp by Warp's emulator\n"
    "Cuda compilation tools, release 13.0, V13.0.88\n";

enum class Kind { cuda, cpp, c, link_input };

/// Returns the kind of a file; nothing for a file that nvcc would not know how to handle.
std::optional<Kind> known_kind(const std::string& file, Language language) {
  static const std::set<std::string> cpp = {".cpp", ".cc", ".cxx", ".c++", ".C"};
  static const std::set<std::string> link = {".o", ".obj", ".a", ".lib", ".so"};
  const std::string suffix = fs::path(file).extension().string();
  const bool library = link.count(suffix) || file.find(".so.") != file.npos;
  if (library) return Kind::link_input;
  if (language == Language::cuda) return Kind::cuda;
  if (language == Language::cpp) return Kind::cpp;
  if (language == Language::c) return Kind::c;
  if (suffix == ".cu") return Kind::cuda;
  if (cpp.count(suffix)) return Kind::cpp;
  if (suffix == ".c") return Kind::c;
  return std::nullopt;
}

Kind kind_of(const std::string& file, Language language) {
  if (const std::optional<Kind> kind = known_kind(file, language)) return *kind;
  refuse_unsupported(emu::Sign::of_file, fs::path(file).extension().string(), file);
  fatal("Don't know what to do with '" + file + "'");
}

/// Parses a name such as `sm_90a`; returns sm_90 if it contains no number.
Architecture read_architecture(const std::string& name) {
  const std::size_t underscore = name.find('_');
  if (underscore == name.npos) return {};
  const char last = name.back();
  return {std::stoi(name.substr(underscore + 1)), last == 'a' || last == 'f' ? last : ' '};
}

/// Chooses the newest target that the device can run among all requested ones.
void choose_architecture(CudaCompilation& c, const std::vector<std::string>& names) {
  const int own = c.architecture.number;
  std::optional<Architecture> best;
  std::set<int> all;
  for (const std::string& name : names) {
    const Architecture one = read_architecture(name);
    all.insert(one.number);
    const bool is_better =
        !best || (best->number > own ? one.number < best->number
                                     : one.number <= own && one.number >= best->number);
    if (is_better) best = one;
  }
  if (!best) return;
  c.architecture = *best;
  c.architectures.assign(all.begin(), all.end());
}

class Driver {
 public:
  Driver(NvccOptions options, const Toolchain& toolchain)
      : o_(std::move(options)), toolchain_(toolchain) {
    if (o_.dry_run) {
      trace_ = Trace::print_only;
    } else if (o_.verbose) {
      trace_ = Trace::print;
    }
    compiler_ = {toolchain.compiler};
    if (!o_.compiler.empty()) {
      // -ccbin names the compiler or its folder.
      compiler_ = {fs::is_directory(o_.compiler)
                       ? (fs::path(o_.compiler) / fs::path(toolchain.compiler).filename()).string()
                       : o_.compiler};
    }
    append(compiler_, toolchain.flags);
  }

  int run_all() {
    if (trace_ != Trace::silent) print_profile();
    if (const std::string program = finished_program(); !program.empty())
      return run_program(program);
    for (const std::string& input : o_.inputs) {
      kind_of(input, o_.language);
      std::error_code unreadable;
      if (trace_ != Trace::print_only && !fs::exists(input, unreadable)) {
        throw Failure(kUsageStatus, "emulator-nvcc: there is no file '" + input + "'");
      }
    }
    if (o_.inputs.empty())
      fatal("No input files specified; use option --help for more information");
    const bool joins =
        o_.phase == Phase::link || o_.phase == Phase::library || o_.phase == Phase::device_link;
    if (!joins && !o_.output.empty() && o_.inputs.size() > 1) {
      fatal("A single input file is required for a non-link phase when an outputfile is specified");
    }
    switch (o_.phase) {
      case Phase::preprocess:
      case Phase::dependencies:
        return for_each_source([this](const std::string& f, Kind k) { return preprocess(f, k); });
      case Phase::compile:
        return for_each_source(
            [this](const std::string& f, Kind k) { return compile(f, k, object_name(f)); });
      case Phase::module:
        refuse_several_architectures();
        return for_each_source(
            [this](const std::string& f, Kind k) { return make_module(f, k, module_name(f)); });
      case Phase::device_link:
        return make_empty_object();
      default:
        return build();
    }
  }

 private:
  /// Returns the program to run: with -run, the only input may be a finished program. Meson puts
  /// quotation marks around its name. Empty if the input is not a program.
  std::string finished_program() const {
    if (!o_.run || o_.inputs.size() != 1) return {};
    std::string name = o_.inputs.front();
    if (name.size() > 2 && name.starts_with('"') && name.ends_with('"'))
      name = name.substr(1, name.size() - 2);
    const bool is_program = !known_kind(name, o_.language) && fs::is_regular_file(name) &&
                            access(name.c_str(), X_OK) == 0;
    return is_program ? name : "";
  }

  template <class F>
  int for_each_source(F&& work) {
    int worst = 0;
    for (const std::string& input : o_.inputs) {
      const Kind kind = kind_of(input, o_.language);
      if (kind == Kind::link_input) continue;
      if (const int status = work(input, kind); status != 0) worst = std::max(worst, status);
    }
    return worst;
  }

  std::string object_name(const std::string& input) const {
    if (!o_.output.empty()) return o_.output;
    const fs::path name = fs::path(input).filename().replace_extension(".o");
    return o_.object_folder.empty() ? name.string() : (fs::path(o_.object_folder) / name).string();
  }

  std::string module_name(const std::string& input) const {
    if (!o_.output.empty()) return o_.output;
    const fs::path name = fs::path(input).filename().replace_extension(suffix_of(o_.module_kind));
    return o_.object_folder.empty() ? name.string() : (fs::path(o_.object_folder) / name).string();
  }

  // The emulator's headers need C++17 or newer, like NVIDIA's own.
  Command standard() const {
    if (o_.standard.empty()) return {};
    const bool old = o_.standard == "c++03" || o_.standard == "c++11" || o_.standard == "c++14";
    return {"-std=" + (old ? std::string("c++17") : o_.standard)};
  }

  fs::path libraries() const { return toolchain_.toolkit / "lib64"; }

  Command library_folders() const {
    if (toolchain_.toolkit.empty()) return {};
    return {"-L" + (libraries() / "stubs").string(), "-L" + libraries().string()};
  }

  /// Returns the emulator's libraries under the names that nvcc uses for CUDA's.
  Command runtime_libraries() const {
    if (toolchain_.toolkit.empty()) return {};
    switch (o_.runtime) {
      case Runtime::static_library:
        return {"-lcudadevrt", "-lcudart_static", "-lrt", "-lpthread", "-ldl"};
      case Runtime::shared_library:
        return {"-lcudadevrt", "-lcudart"};
      default:
        return o_.names_runtime ? Command{"-lcudart_static"} : Command{};
    }
  }

  /// Prints where files are, in the format in which CMake searches nvcc's output.
  void print_profile() const {
    if (toolchain_.toolkit.empty()) return;
    const std::string top = toolchain_.toolkit.string();
    const char* const path = std::getenv("PATH");
    std::cerr << "#$ _SPACE_= \n#$ _CUDART_=cudart\n#$ _HERE_=" << top << "/bin\n#$ _THERE_=" << top
              << "/bin\n#$ TOP=" << top << "\n#$ NVVMIR_LIBRARY_DIR=" << top
              << "/nvvm/libdevice\n#$ PATH=" << top << "/bin:" << (path ? path : "")
              << "\n#$ INCLUDES=" << quoted({"-I" + top + "/include"})
              << "\n#$ LIBRARIES=  " << quoted(library_folders()) << '\n';
  }

  Command host_flags() const {
    Command flags;
    append(flags, standard());
    append(flags, {"-O" + (o_.optimisation.empty() ? std::string("2") : o_.optimisation)});
    if (o_.debug || o_.device_debug) flags.push_back("-g");
    if (o_.profile) flags.push_back("-pg");
    if (o_.no_warnings) flags.push_back("-w");
    if (o_.no_exceptions) flags.push_back("-fno-exceptions");
    append(flags, o_.host);
    return flags;
  }

  CudaCompilation cuda_compilation(const std::string& source, const std::string& object) const {
    CudaCompilation c;
    c.compiler = compiler_;
    c.preprocessing = o_.preprocessing;
    if (o_.device_debug) c.preprocessing.push_back("-D__CUDACC_DEBUG__");
    if (o_.fast_math) c.preprocessing.push_back("-D__USE_FAST_MATH__");
    c.flags = host_flags();
    read_own_flags(c);
    c.relaxed_constexpr = o_.relaxed_constexpr;
    c.extended_lambda = o_.extended_lambda;
    c.source = source;
    c.object = object;
    choose_architecture(c, o_.architectures);
    c.separate_compilation = o_.separate_compilation;
    if (o_.keep) c.keep = o_.keep_folder.empty() ? "." : o_.keep_folder;
    c.trace = trace_;
    return c;
  }

  Command host_command(Kind kind) const {
    Command command = compiler_;
    append(command, {"-x", kind == Kind::c ? "c" : "c++", "-D__NVCC__"});
    append(command, include_options(toolchain_));
    append(command, o_.preprocessing);
    for (const std::string& flag : host_flags()) {
      if (kind != Kind::c || !flag.starts_with("-std=c++")) command.push_back(flag);
    }
    return command;
  }

  // Returns -MD, -MF and -MT for one source, with nvcc's defaults.
  Command dependency_flags(const std::string& object) const {
    Command flags = o_.dependencies;
    const auto has = [&](const char* flag) {
      return std::find(flags.begin(), flags.end(), flag) != flags.end();
    };
    if (!has("-MD") && !has("-MMD")) return {};
    if (!has("-MF")) append(flags, {"-MF", fs::path(object).replace_extension(".d").string()});
    if (!has("-MT")) append(flags, {"-MQ", object});
    return flags;
  }

  int preprocess(const std::string& file, Kind kind) {
    CudaCompilation c = cuda_compilation(file, {});
    c.libraries = cccl_folders_in(c.preprocessing);
    return run_preprocessor(c, toolchain_, [&] { return preprocess_command_of(c, file, kind); });
  }

  Command preprocess_command_of(const CudaCompilation& c, const std::string& file,
                                Kind kind) const {
    Command command;
    if (kind == Kind::cuda) {
      command = preprocess_command(c, toolchain_, {});
    } else {
      command = host_command(kind);
      append(command, {"-E", file});
    }
    if (o_.phase == Phase::dependencies) {
      append(command, o_.dependencies);
      const bool target =
          std::find(o_.dependencies.begin(), o_.dependencies.end(), "-MT") != o_.dependencies.end();
      if (!target) {
        append(command, {"-MQ", fs::path(file).filename().replace_extension(".o").string()});
      }
    }
    if (!o_.output.empty()) append(command, {"-o", o_.output});
    return command;
  }

  int compile(const std::string& file, Kind kind, const std::string& object) {
    if (kind == Kind::cuda) {
      CudaCompilation c = cuda_compilation(file, object);
      c.dependencies =
          dependency_flags(o_.phase == Phase::compile ? object : object_name_for_link(file));
      return compile_cuda(c, toolchain_);
    }
    Command command = host_command(kind);
    append(command,
           dependency_flags(o_.phase == Phase::compile ? object : object_name_for_link(file)));
    append(command, {"-c", file, "-o", object});
    return run_compiler(std::move(command), 1, trace_);
  }

  /// Refuses several targets for PTX, and several instances of code for a cubin, as nvcc does.
  void refuse_several_architectures() const {
    const bool for_all = std::any_of(o_.architectures.begin(), o_.architectures.end(),
                                     [](const std::string& one) { return one.starts_with("all"); });
    if (o_.module_kind == ModuleKind::ptx && (for_all || o_.architectures.size() > 1))
      fatal("Option '--ptx (-ptx)' is not allowed when compiling for multiple GPU architectures");
    if (o_.module_kind == ModuleKind::cubin && (for_all || o_.code_instances > 1))
      fatal("Option '--cubin' is not allowed when compiling for multiple GPU code instances");
  }

  /// Makes a module from one source. -dlink does not change it.
  int make_module(const std::string& file, Kind kind, const std::string& output) {
    if (kind != Kind::cuda) return 0;  // nvcc silently ignores such a file
    const TemporaryFolder temporary;
    const std::string object = (temporary.path() / "module.o").string();
    CudaCompilation c = cuda_compilation(file, object);
    c.is_module = true;
    c.dependencies = dependency_flags(output);
    if (const int status = compile_cuda(c, toolchain_); status != 0) return status;
    return link_module(compiler_, object, o_.module_kind, output, trace_);
  }

  std::string object_name_for_link(const std::string& file) const {
    return o_.output.empty() ? fs::path(file).filename().replace_extension(".o").string()
                             : o_.output;
  }

  int build() {
    const TemporaryFolder temporary;
    Command objects;
    int number = 0;
    for (const std::string& input : o_.inputs) {
      const Kind kind = kind_of(input, o_.language);
      if (kind == Kind::link_input) {
        objects.push_back(input);
        continue;
      }
      // Two sources of one name in different folders become two objects.
      const std::string object = (temporary.path() / (std::to_string(number++) + "_" +
                                                      fs::path(input).stem().string() + ".o"))
                                     .string();
      if (const int status = compile(input, kind, object); status != 0) return status;
      objects.push_back(object);
    }
    if (o_.phase == Phase::library) return archive(objects);
    const int status = link(objects);
    return status == 0 && o_.run ? run_program(program_name()) : status;
  }

  int archive(const Command& objects) {
    const std::string output = o_.output.empty() ? "a.a" : o_.output;
    Command command = {toolchain_.archiver, "cr", output};
    append(command, objects);
    return run_traced(command, trace_);
  }

  int link(const Command& objects) {
    Command command;
    if (o_.shared) command.push_back("-shared");
    if (o_.debug) command.push_back("-g");
    if (o_.profile) command.push_back("-pg");
    append(command, o_.host);
    append(command, objects);
    append(command, o_.linking);
    // The emulator's, though a real toolkit may have one in a folder that the program names.
    for (const std::string& library : own_libraries())
      std::replace(command.begin(), command.end(), "-l" + library,
                   (libraries() / ("lib" + library + ".so")).string());
    append(command, toolchain_.link_flags);
    append(command, library_folders());
    append(command, runtime_libraries());
    append(command, {"-o", program_name()});
    if (trace_ != Trace::silent) {
      // CMake takes the first word of this line for the linker of CUDA programs.
      Command shown = uses_other_compiler() || toolchain_.toolkit.empty()
                          ? compiler_
                          : Command{(toolchain_.toolkit / "bin" / kHostLinkName).string()};
      append(shown, command);
      std::cerr << "#$ " << quoted(shown) << std::endl;
    }
    return trace_ == Trace::print_only ? 0 : link_on_host(compiler_, command, toolchain_);
  }

  bool uses_other_compiler() const {
    std::error_code missing;
    return !fs::equivalent(compiler_.front(), toolchain_.compiler, missing) &&
           compiler_.front() != toolchain_.compiler;
  }

  std::string program_name() const { return o_.output.empty() ? "a.out" : o_.output; }

  int run_program(const std::string& name) {
    Command command = {name.find('/') == name.npos ? "./" + name : name};
    append(command, o_.run_arguments);
    return run_traced(command, trace_);
  }

  // -dlink: the host objects already contain everything.
  int make_empty_object() {
    const std::string output = o_.output.empty() ? "a_dlink.o" : o_.output;
    Command command = compiler_;
    append(command, {"-x", "c++", "-c", "/dev/null", "-o", output});
    return run_traced(command, trace_);
  }

  NvccOptions o_;
  const Toolchain& toolchain_;
  Command compiler_;
  Trace trace_ = Trace::silent;
};

// nvcc also reads NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS.
Command with_environment(const Command& arguments) {
  const auto words = [](const char* name) {
    const char* value = std::getenv(name);
    std::istringstream in(value ? value : "");
    Command result;
    for (std::string word; in >> word;) result.push_back(word);
    return result;
  };
  Command all = words("NVCC_PREPEND_FLAGS");
  append(all, arguments);
  append(all, words("NVCC_APPEND_FLAGS"));
  return all;
}

}  // namespace

int run_nvcc(const Command& arguments, const Toolchain& toolchain) {
  const Command all = with_environment(arguments);
  NvccOptions options = read_nvcc_options(all);
  for (const std::string& warning : options.warnings) std::cerr << warning << '\n';
  if (options.phase == Phase::help) {
    std::cout << kHelp;
    return 0;
  }
  if (options.phase == Phase::version) {
    std::cout << kVersion;
    return 0;
  }
  if (options.phase == Phase::architectures || options.phase == Phase::real_architectures) {
    std::cout << (options.phase == Phase::architectures ? "compute_90\n" : "sm_90\n");
    return 0;
  }
  if (options.phase == Phase::path || options.phase == Phase::toolkit) {
    if (toolchain.toolkit.empty()) throw Failure(2, "emulator-nvcc: this build has no toolkit");
    const bool asks_for_path = options.phase == Phase::path;
    std::cout << (asks_for_path ? toolchain.toolkit / "bin/nvcc" : toolchain.toolkit).string()
              << '\n';
    return 0;
  }
  return Driver(std::move(options), toolchain).run_all();
}

}  // namespace emulator_nvcc
