#include "nvcc_options.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string_view>
#include <unordered_map>

#include "failure.hpp"

namespace emulator_nvcc {
namespace {

using Action = std::function<void(NvccOptions&, const std::string& value)>;

enum class Argument { none, one, list };  // a list is split at its commas

struct Option {
  std::string long_name;  // including dashes
  std::string short_name;
  Argument argument;
  Action action;
};

/// Splits at commas outside of quotation marks; `\,` is a comma.
std::vector<std::string> split_list(const std::string& value) {
  std::vector<std::string> parts(1);
  bool quoted_part = false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    if (c == '"') quoted_part = !quoted_part;
    if (c == '\\' && i + 1 < value.size() && value[i + 1] == ',') {
      parts.back() += value[++i];
    } else if (c == ',' && !quoted_part) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  parts.erase(std::remove(parts.begin(), parts.end(), std::string()), parts.end());
  return parts;
}

Action ignore() {
  return [](NvccOptions&, const std::string&) {};
}
Action set(bool NvccOptions::*member) {
  return [member](NvccOptions& o, const std::string&) { o.*member = true; };
}
Action set_phase(Phase phase) {
  return [phase](NvccOptions& o, const std::string&) { o.phase = phase; };
}
Action make_module(ModuleKind kind) {
  return [kind](NvccOptions& o, const std::string&) {
    o.phase = Phase::module;
    o.module_kind = kind;
  };
}
Action add(Command NvccOptions::*list, const std::string& flag) {
  return [=](NvccOptions& o, const std::string& value) {
    (o.*list).push_back(flag);
    if (!value.empty()) (o.*list).push_back(value);
  };
}
Action join(Command NvccOptions::*list, const std::string& flag) {
  return [=](NvccOptions& o, const std::string& value) { (o.*list).push_back(flag + value); };
}
Action add_words(Command NvccOptions::*list, const std::string& before_each = {}) {
  return [=](NvccOptions& o, const std::string& value) {
    for (const std::string& word : split_words(value)) {
      if (!before_each.empty()) (o.*list).push_back(before_each);
      (o.*list).push_back(word);
    }
  };
}

/// Checks that a value is one that nvcc accepts.
void one_of(const std::string& value, const std::string& option,
            const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
    fatal("Value '" + value + "' is not defined for option '" + option + "'");
  }
}
Action choose(const std::string& option, const std::vector<std::string>& allowed) {
  return [=](NvccOptions&, const std::string& value) { one_of(value, option, allowed); };
}

bool read_boolean(const std::string& value) {
  if (value != "true" && value != "false") fatal("'" + value + "': expected true or false");
  return value == "true";
}
Action boolean() {
  return [](NvccOptions&, const std::string& value) { read_boolean(value); };
}
std::string read_number(const std::string& value) {
  if (value.empty() ||
      !std::all_of(value.begin(), value.end(), [](unsigned char c) { return std::isdigit(c); })) {
    fatal("'" + value + "': expected a number");
  }
  return value;
}
Action number() {
  return [](NvccOptions&, const std::string& value) { read_number(value); };
}

/// The same for a number that may be negative.
Action signed_number() {
  return [](NvccOptions&, const std::string& value) {
    if (value.starts_with("-"))
      read_number(value.substr(1));
    else
      read_number(value);
  };
}

/// Checks an architecture: sm_90, compute_80, sm_90a, native, ... Any number of two or three digits
/// is allowed, because nvcc's list changes with its version and has no meaning here.
void check_architecture(const std::string& value) {
  if (value == "native" || value == "all" || value == "all-major") return;
  const std::size_t underscore = value.find('_');
  const std::string kind = value.substr(0, underscore);
  bool good = underscore != value.npos && (kind == "sm" || kind == "compute" || kind == "lto");
  if (good) {
    std::string digits = value.substr(underscore + 1);
    if (!digits.empty() && (digits.back() == 'a' || digits.back() == 'f')) digits.pop_back();
    good =
        (digits.size() == 2 || digits.size() == 3) &&
        std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); });
  }
  if (!good) fatal("Unsupported gpu architecture '" + value + "'");
}

/// Returns the number of an architecture, 90 of compute_90a; 0 if it has none.
int number_of(const std::string& architecture) {
  const std::size_t digit = architecture.find_first_of("0123456789");
  return digit == architecture.npos ? 0 : std::atoi(architecture.c_str() + digit);
}

/// Checks that machine code can be made of this text, and that there is any.
void check_codes(const std::string& value) {
  const std::size_t code = value.find("code=");
  const std::size_t arch = value.find("arch=");
  if (arch == value.npos) return;
  const std::string virtual_one = value.substr(arch + 5, value.find(',', arch) - arch - 5);
  if (code == value.npos) fatal("Option '--generate-code arch=" + virtual_one + "', missing code");
  const std::size_t end = code < arch ? arch : value.size();
  for (std::string one : split_list(value.substr(code + 5, end - code - 5))) {
    one.erase(0, one.find_first_not_of("[\" "));
    one.erase(std::min(one.size(), one.find_last_not_of("]\" ") + 1));
    if (number_of(one) != 0 && number_of(one) < number_of(virtual_one))
      fatal("Incompatible code generation requested: arch='" + virtual_one + "', code='" + one +
            "'");
  }
}

void read_generate_code(NvccOptions& o, const std::string& value) {
  check_codes(value);
  for (const std::string& part : split_list(value)) {
    const std::size_t equals = part.find('=');
    if (!part.starts_with("arch=")) ++o.code_instances;
    // code=[sm_80,compute_80] was split at its comma, too
    if (equals == part.npos && value.find('[') != value.npos) continue;
    if (equals == part.npos) fatal("'" + part + "' is not in 'keyword=value' format");
    if (part.substr(0, equals) != "arch") continue;
    check_architecture(part.substr(equals + 1));
    o.architectures.push_back(part.substr(equals + 1));
  }
}

/// Returns the emulator's library in the place of one of CUDA's, "cublas" for "cublas_static"; ""
/// where it has none.
std::string own_library(const std::string& name) {
  for (const std::string& library : own_libraries())
    if (name == library || name == library + "_static") return library;
  return "";
}

void add_library(NvccOptions& o, const std::string& name) {
  static const std::vector<std::string> part_of_the_runtime = {
      "cudart", "cudart_static", "cudadevrt", "cuda", "nvToolsExt", "culibos"};
  if (std::find(part_of_the_runtime.begin(), part_of_the_runtime.end(), name) !=
      part_of_the_runtime.end()) {
    o.names_runtime = true;
    return;
  }
  const std::string_view feature = emu::unsupported_feature(emu::Sign::of_library, name);
  const std::string own = own_library(name);
  if (!feature.empty() && own.empty()) {
    o.warnings.push_back("emulator-nvcc: warning: -l" + name +
                         " ignored: the emulator does not support " + std::string(feature));
    return;
  }
  o.linking.push_back("-l" + (own.empty() ? name : own));
}

std::vector<Option> all_options() {
  using A = Argument;
  const std::vector<std::string> werror_kinds = {
      "all-warnings",           "cross-execution-space-call", "reorder",
      "default-stream-launch",  "missing-launch-bounds",      "ext-lambda-captures-this",
      "deprecated-declarations"};
  return {
      {"--compile", "-c", A::none, set_phase(Phase::compile)},
      {"--link", "-link", A::none, set_phase(Phase::link)},
      {"--preprocess", "-E", A::none, set_phase(Phase::preprocess)},
      {"--lib", "-lib", A::none, set_phase(Phase::library)},
      {"--device-link", "-dlink", A::none, set_phase(Phase::device_link)},
      {"--device-c", "-dc", A::none,
       [](NvccOptions& o, const std::string&) {
         o.phase = Phase::compile;
         o.separate_compilation = true;
       }},
      {"--device-w", "-dw", A::none, set_phase(Phase::compile)},
      {"--run", "-run", A::none, set(&NvccOptions::run)},
      {"--run-args", "-run-args", A::list, join(&NvccOptions::run_arguments, {})},
      {"--generate-dependencies", "-M", A::none,
       [](NvccOptions& o, const std::string&) {
         o.phase = Phase::dependencies;
         o.dependencies.push_back("-M");
       }},
      {"--generate-nonsystem-dependencies", "-MM", A::none,
       [](NvccOptions& o, const std::string&) {
         o.phase = Phase::dependencies;
         o.dependencies.push_back("-MM");
       }},
      {"--generate-dependencies-with-compile", "-MD", A::none,
       add(&NvccOptions::dependencies, "-MD")},
      {"--generate-nonsystem-dependencies-with-compile", "-MMD", A::none,
       add(&NvccOptions::dependencies, "-MMD")},
      {"--dependency-output", "-MF", A::one, add(&NvccOptions::dependencies, "-MF")},
      {"--dependency-target-name", "-MT", A::one, add(&NvccOptions::dependencies, "-MT")},
      {"--generate-dependency-targets", "-MP", A::none, add(&NvccOptions::dependencies, "-MP")},

      {"--output-file", "-o", A::one,
       [](NvccOptions& o, const std::string& value) {
         if (!o.output.empty() && o.output != value) {
           o.warnings.push_back(
               "nvcc warning : incompatible redefinition for option 'output-file', the last value "
               "of "
               "this option was used");
         }
         o.output = value;
       }},
      {"--output-directory", "-odir", A::one,
       [](NvccOptions& o, const std::string& value) { o.object_folder = value; }},
      {"--pre-include", "-include", A::list, add(&NvccOptions::preprocessing, "-include")},
      {"--library", "-l", A::list, add_library},
      {"--define-macro", "-D", A::list, join(&NvccOptions::preprocessing, "-D")},
      {"--undefine-macro", "-U", A::list, join(&NvccOptions::preprocessing, "-U")},
      {"--include-path", "-I", A::list, join(&NvccOptions::preprocessing, "-I")},
      {"--system-include", "-isystem", A::list, add(&NvccOptions::preprocessing, "-isystem")},
      {"--library-path", "-L", A::list, join(&NvccOptions::linking, "-L")},
      {"--compiler-bindir", "-ccbin", A::one,
       [](NvccOptions& o, const std::string& value) { o.compiler = value; }},
      {"--x", "-x", A::one,
       [](NvccOptions& o, const std::string& value) {
         one_of(value, "x", {"c", "c++", "cu"});
         o.language = value == "c" ? Language::c : value == "cu" ? Language::cuda : Language::cpp;
       }},
      {"--std", "-std", A::one,
       [](NvccOptions& o, const std::string& value) {
         one_of(value, "std", {"c++03", "c++11", "c++14", "c++17", "c++20"});
         o.standard = value;
       }},
      {"--optimize", "-O", A::one,
       [](NvccOptions& o, const std::string& value) { o.optimisation = read_number(value); }},
      {"--debug", "-g", A::none, set(&NvccOptions::debug)},
      {"--device-debug", "-G", A::none, set(&NvccOptions::device_debug)},
      {"--cudart", "-cudart", A::one,
       [](NvccOptions& o, const std::string& value) {
         one_of(value, "cudart", {"none", "shared", "static"});
         o.runtime = value == "none"     ? Runtime::none
                     : value == "shared" ? Runtime::shared_library
                                         : Runtime::static_library;
       }},
      {"--profile", "-pg", A::none, set(&NvccOptions::profile)},
      {"--shared", "-shared", A::none, set(&NvccOptions::shared)},
      {"--no-exceptions", "-noeh", A::none, set(&NvccOptions::no_exceptions)},
      {"--disable-warnings", "-w", A::none, set(&NvccOptions::no_warnings)},
      {"--ftemplate-depth", "-ftemplate-depth", A::one,
       join(&NvccOptions::host, "-ftemplate-depth=")},
      {"--ftemplate-backtrace-limit", "-ftemplate-backtrace-limit", A::one,
       join(&NvccOptions::host, "-ftemplate-backtrace-limit=")},
      {"--compiler-options", "-Xcompiler", A::list, add_words(&NvccOptions::host)},
      {"--linker-options", "-Xlinker", A::list, add_words(&NvccOptions::linking, "-Xlinker")},
      {"--relocatable-device-code", "-rdc", A::one,
       [](NvccOptions& o, const std::string& value) {
         o.separate_compilation = read_boolean(value);
       }},
      {"--use_fast_math", "-use_fast_math", A::none, set(&NvccOptions::fast_math)},
      {"--keep", "-keep", A::none, set(&NvccOptions::keep)},
      {"--save-temps", "-save-temps", A::none, set(&NvccOptions::keep)},
      {"--keep-dir", "-keep-dir", A::one,
       [](NvccOptions& o, const std::string& value) { o.keep_folder = value; }},
      {"--dryrun", "-dryrun", A::none, set(&NvccOptions::dry_run)},
      {"--verbose", "-v", A::none, set(&NvccOptions::verbose)},
      {"--help", "-h", A::none, set_phase(Phase::help)},
      {"--version", "-V", A::none, set_phase(Phase::version)},
      {"--print-path", "-print-path", A::none, set_phase(Phase::path)},
      {"--print-toolkit", "-print-toolkit", A::none, set_phase(Phase::toolkit)},
      {"--list-gpu-arch", "-arch-ls", A::none, set_phase(Phase::architectures)},
      {"--list-gpu-code", "-code-ls", A::none, set_phase(Phase::real_architectures)},

      {"--ptx", "-ptx", A::none, make_module(ModuleKind::ptx)},
      {"--cubin", "-cubin", A::none, make_module(ModuleKind::cubin)},
      {"--fatbin", "-fatbin", A::none, make_module(ModuleKind::fatbin)},

      // Unsupported options (emulator/unsupported/features.txt), with their arguments.
      {"--cuda", "-cuda", A::none, ignore()},
      {"--optix-ir", "-optix-ir", A::none, ignore()},
      {"--ltoir", "-ltoir", A::none, ignore()},
      {"--clean-targets", "-clean", A::none, ignore()},
      {"--sanitize", "-sanitize", A::one, ignore()},

      {"--default-stream", "-default-stream", A::one,
       [](NvccOptions& o, const std::string& value) {
         one_of(value, "default-stream", {"legacy", "null", "per-thread"});
         if (value == "per-thread") {
           o.preprocessing.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
         }
       }},

      {"--gpu-architecture", "-arch", A::one,
       [](NvccOptions& o, const std::string& value) {
         check_architecture(value);
         o.architectures.push_back(value);
       }},
      {"--generate-code", "-gencode", A::one, read_generate_code},

      // Checked as nvcc does, but without meaning here.
      {"--gpu-code", "-code", A::list,
       [](NvccOptions&, const std::string& value) { check_architecture(value); }},
      {"--cudadevrt", "-cudadevrt", A::one, choose("cudadevrt", {"none", "static"})},
      {"--Werror", "-Werror", A::list, choose("Werror", werror_kinds)},
      {"--dopt", "-dopt", A::one, choose("dopt", {"on"})},
      {"--machine", "-m", A::one, choose("machine", {"64"})},
      {"--ftz", "-ftz", A::one, boolean()},
      {"--prec-div", "-prec-div", A::one, boolean()},
      {"--prec-sqrt", "-prec-sqrt", A::one, boolean()},
      {"--fmad", "-fmad", A::one, boolean()},
      {"--brief-diagnostics", "-brief-diag", A::one, boolean()},
      {"--static-global-template-stub", "-static-global-template-stub", A::one, boolean()},
      {"--device-entity-has-hidden-visibility", "-device-entity-has-hidden-visibility", A::one,
       boolean()},
      {"--device-stack-protector", "-device-stack-protector", A::one, boolean()},
      {"--threads", "-t", A::one, number()},
      {"--maxrregcount", "-maxrregcount", A::one, signed_number()},
      {"--split-compile", "-split-compile", A::one, number()},
      {"--split-compile-extended", "-split-compile-extended", A::one, number()},
      {"--jump-table-density", "-jtd", A::one, number()},
      {"--m64", "-m64", A::none, ignore()},
      {"--generate-line-info", "-lineinfo", A::none, ignore()},
      {"--optimization-info", "-opt-info", A::list, ignore()},
      {"--Ofast-compile", "-Ofc", A::one, ignore()},
      {"--dlink-time-opt", "-dlto", A::none, ignore()},
      {"--lto", "-lto", A::none, ignore()},
      {"--gen-opt-lto", "-gen-opt-lto", A::none, ignore()},
      {"--objdir-as-tempdir", "-objtemp", A::none, ignore()},
      {"--allow-unsupported-compiler", "-allow-unsupported-compiler", A::none, ignore()},
      {"--archiver-binary", "-arbin", A::one, ignore()},
      {"--libdevice-directory", "-ldir", A::one, ignore()},
      {"--target-directory", "-target-dir", A::one, ignore()},
      {"--no-host-device-initializer-list", "-nohdinitlist", A::none, ignore()},
      {"--no-host-device-move-forward", "-nohdmoveforward", A::none, ignore()},
      {"--expt-relaxed-constexpr", "-expt-relaxed-constexpr", A::none,
       set(&NvccOptions::relaxed_constexpr)},
      {"--extended-lambda", "-extended-lambda", A::none, set(&NvccOptions::extended_lambda)},
      {"--expt-extended-lambda", "-expt-extended-lambda", A::none,
       set(&NvccOptions::extended_lambda)},
      {"--archive-options", "-Xarchive", A::list, ignore()},
      {"--ptxas-options", "-Xptxas", A::list, ignore()},
      {"--nvlink-options", "-Xnvlink", A::list, ignore()},
      // Arguments for two of nvcc's internal programs; nvcc accepts them without documenting them.
      {"-Xcudafe", "-Xcudafe", A::list, ignore()},
      {"-Xfatbin", "-Xfatbin", A::list, ignore()},
      {"--dont-use-profile", "-noprof", A::none, ignore()},
      {"--time", "-time", A::one, ignore()},
      {"--fdevice-syntax-only", "-fdevice-syntax-only", A::none, ignore()},
      {"--fdevice-time-trace", "-fdevice-time-trace", A::one, ignore()},
      {"--no-align-double", "--no-align-double", A::none, ignore()},
      {"--no-device-link", "-nodlink", A::none, ignore()},
      {"--entries", "-e", A::list, ignore()},
      {"--extra-device-vectorization", "-extra-device-vectorization", A::none, ignore()},
      {"--keep-device-functions", "-keep-device-functions", A::none, ignore()},
      {"--source-in-ptx", "-src-in-ptx", A::none, ignore()},
      {"--restrict", "-restrict", A::none, ignore()},
      {"--Wreorder", "-Wreorder", A::none, ignore()},
      {"--Wdefault-stream-launch", "-Wdefault-stream-launch", A::none, ignore()},
      {"--Wmissing-launch-bounds", "-Wmissing-launch-bounds", A::none, ignore()},
      {"--Wext-lambda-captures-this", "-Wext-lambda-captures-this", A::none, ignore()},
      {"--Wno-deprecated-declarations", "-Wno-deprecated-declarations", A::none,
       join(&NvccOptions::host, "-Wno-deprecated-declarations")},
      {"--Wno-deprecated-gpu-targets", "-Wno-deprecated-gpu-targets", A::none, ignore()},
      {"--resource-usage", "-res-usage", A::none, ignore()},
      {"--extensible-whole-program", "-ewp", A::none, ignore()},
      {"--no-compress", "-no-compress", A::none, ignore()},
      {"--compress-mode", "-compress-mode", A::one, ignore()},
      {"--display-error-number", "-err-no", A::none, ignore()},
      {"--no-display-error-number", "-no-err-no", A::none, ignore()},
      {"--diag-error", "-diag-error", A::list, number()},
      {"--diag-suppress", "-diag-suppress", A::list, number()},
      {"--diag-warn", "-diag-warn", A::list, number()},
      {"--use-local-env", "-use-local-env", A::none, ignore()},
      {"--input-drive-prefix", "-idp", A::one, ignore()},
      {"--dependency-drive-prefix", "-ddp", A::one, ignore()},
      {"--frandom-seed", "-frandom-seed", A::one, ignore()},
      {"--jobserver", "-jobserver", A::none, ignore()},
      {"--forward-unknown-to-host-compiler", "-forward-unknown-to-host-compiler", A::none,
       ignore()},
      {"--forward-unknown-to-host-linker", "-forward-unknown-to-host-linker", A::none, ignore()},
      {"--forward-unknown-opts", "-forward-unknown-opts", A::none, ignore()},
  };
}

// Returns whether an option's value may follow without a space: -Iinclude.
bool may_join_value(std::string_view short_name) {
  static constexpr std::array<std::string_view, 8> kNames = {"-I", "-D", "-U", "-L",
                                                             "-l", "-O", "-x", "-t"};
  return std::find(kNames.begin(), kNames.end(), short_name) != kNames.end();
}

class CommandLine {
 public:
  CommandLine() : table_(all_options()) {
    for (const Option& option : table_) {
      by_name_[option.long_name] = &option;
      by_name_[option.short_name] = &option;
    }
  }

  NvccOptions read(const Command& arguments) {
    for (const std::string& word : arguments) {
      const bool both = word.ends_with("-forward-unknown-opts");
      forward_to_compiler_ |= both || word.ends_with("-forward-unknown-to-host-compiler");
      forward_to_linker_ |= both || word.ends_with("-forward-unknown-to-host-linker");
    }
    read_all(arguments);
    return std::move(options_);
  }

 private:
  void read_all(const Command& words) {
    for (std::size_t i = 0; i < words.size(); ++i) read_one(words, i);
  }

  void read_one(const Command& words, std::size_t& i) {
    const std::string& word = words[i];
    if (!word.starts_with("-") || word == "-") {
      options_.inputs.push_back(word);
      return;
    }
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const bool has_value = equals != word.npos;
    if (name == "--options-file" || name == "-optf") {
      return read_files(has_value ? word.substr(equals + 1) : next(words, i, name));
    }
    const Option* option = find(name);
    if (!option && word.size() > 2 && word[1] != '-' && may_join_value(word.substr(0, 2))) {
      return apply(*find(word.substr(0, 2)), word.substr(2));
    }
    if (!option) return unknown(word);
    refuse_unsupported(emu::Sign::of_option, option->long_name);
    if (option->argument == Argument::none) {
      if (has_value) fatal("no argument expected after '" + name + "'");
      return option->action(options_, {});
    }
    apply(*option, has_value ? word.substr(equals + 1) : next(words, i, name));
  }

  const Option* find(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }

  static const std::string& next(const Command& words, std::size_t& i, const std::string& name) {
    if (i + 1 >= words.size()) fatal("argument expected after '" + name + "'");
    return words[++i];
  }

  void apply(const Option& option, const std::string& value) {
    if (option.argument == Argument::one) return option.action(options_, value);
    for (const std::string& part : split_list(value)) option.action(options_, part);
  }

  void read_files(const std::string& names) {
    for (const std::string& name : split_list(names)) {
      std::ifstream in(name);
      if (!in) fatal("Could not open options file '" + name + "'");
      read_all(split_words(std::string(std::istreambuf_iterator<char>(in), {})));
    }
  }

  void unknown(const std::string& word) {
    if (!forward_to_compiler_ && !forward_to_linker_) fatal("Unknown option '" + word + "'");
    if (forward_to_compiler_) options_.host.push_back(word);
    if (forward_to_linker_) options_.linking.push_back(word);
  }

  std::vector<Option> table_;
  std::unordered_map<std::string, const Option*> by_name_;
  NvccOptions options_;
  bool forward_to_compiler_ = false, forward_to_linker_ = false;
};

}  // namespace

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == '\0' && std::isspace(static_cast<unsigned char>(c))) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
    } else if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      words.back() += text[++i];
    } else {
      words.back() += c;
    }
  }
  return words;
}

const std::vector<std::string>& own_libraries() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    std::istringstream list(EMULATOR_LIBRARIES);
    for (std::string name; std::getline(list, name, ',');) names.push_back(name);
    return names;
  }();
  return all;
}

NvccOptions read_nvcc_options(const Command& arguments) { return CommandLine().read(arguments); }

}  // namespace emulator_nvcc
