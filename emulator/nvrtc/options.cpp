#include "options.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace emu::nvrtc {
namespace {

enum class Takes : std::uint8_t { nothing, truth, number, text, architecture, standard, refused };

struct Option {
  std::string_view long_name, short_name;
  Takes takes;
  std::string_view passed_as;  ///< to the emulator's nvcc; empty for options without effect there
};

constexpr Option kOptions[] = {
    {"--gpu-architecture", "-arch", Takes::architecture, ""},
    {"--define-macro", "-D", Takes::text, "-D"},
    {"--undefine-macro", "-U", Takes::text, "-U"},
    {"--include-path", "-I", Takes::text, "-I"},
    {"--pre-include", "-include", Takes::text, "-include"},
    {"--std", "-std", Takes::standard, "-std="},
    {"--device-debug", "-G", Takes::nothing, "-G"},
    {"--use_fast_math", "-use_fast_math", Takes::nothing, "-use_fast_math"},
    {"--disable-warnings", "-w", Takes::nothing, "-w"},
    {"--device-as-default-execution-space", "-default-device", Takes::nothing,
     "-Xcompiler=-fdevice-by-default"},
    {"--no-source-include", "-no-source-include", Takes::nothing, ""},

    {"--device-c", "-dc", Takes::nothing, ""},
    {"--device-w", "-dw", Takes::nothing, ""},
    {"--relocatable-device-code", "-rdc", Takes::truth, ""},
    {"--extensible-whole-program", "-ewp", Takes::nothing, ""},
    {"--generate-line-info", "-lineinfo", Takes::nothing, ""},
    {"--dopt", "-dopt", Takes::text, ""},
    {"--Ofast-compile", "-Ofc", Takes::text, ""},
    {"--ptxas-options", "-Xptxas", Takes::text, ""},
    {"--maxrregcount", "-maxrregcount", Takes::number, ""},
    {"--ftz", "-ftz", Takes::truth, ""},
    {"--prec-sqrt", "-prec-sqrt", Takes::truth, ""},
    {"--prec-div", "-prec-div", Takes::truth, ""},
    {"--fmad", "-fmad", Takes::truth, ""},
    {"--extra-device-vectorization", "-extra-device-vectorization", Takes::nothing, ""},
    {"--modify-stack-limit", "-modify-stack-limit", Takes::truth, ""},
    {"--jump-table-density", "-jtd", Takes::number, ""},
    {"--device-stack-protector", "-device-stack-protector", Takes::truth, ""},
    {"--no-cache", "-no-cache", Takes::nothing, ""},
    {"--frandom-seed", "-frandom-seed", Takes::text, ""},
    {"--builtin-move-forward", "-builtin-move-forward", Takes::truth, ""},
    {"--builtin-initializer-list", "-builtin-initializer-list", Takes::truth, ""},
    {"--pch", "-pch", Takes::nothing, ""},
    {"--create-pch", "-create-pch", Takes::text, ""},
    {"--use-pch", "-use-pch", Takes::text, ""},
    {"--pch-dir", "-pch-dir", Takes::text, ""},
    {"--pch-verbose", "-pch-verbose", Takes::truth, ""},
    {"--pch-messages", "-pch-messages", Takes::truth, ""},
    {"--instantiate-templates-in-pch", "-instantiate-templates-in-pch", Takes::truth, ""},
    {"--Wreorder", "-Wreorder", Takes::nothing, ""},
    {"--warning-as-error", "-Werror", Takes::text, ""},
    {"--restrict", "-restrict", Takes::nothing, ""},
    {"--device-int128", "-device-int128", Takes::nothing, ""},
    {"--device-float128", "-device-float128", Takes::nothing, ""},
    {"--optimization-info", "-opt-info", Takes::text, ""},
    {"--display-error-number", "-err-no", Takes::nothing, ""},
    {"--no-display-error-number", "-no-err-no", Takes::nothing, ""},
    {"--diag-error", "-diag-error", Takes::text, ""},
    {"--diag-suppress", "-diag-suppress", Takes::text, ""},
    {"--diag-warn", "-diag-warn", Takes::text, ""},
    {"--brief-diagnostics", "-brief-diag", Takes::truth, ""},
    {"--time", "-time", Takes::text, ""},
    {"--split-compile", "-split-compile", Takes::number, ""},
    {"--fdevice-syntax-only", "-fdevice-syntax-only", Takes::nothing, ""},
    {"--fdevice-time-trace", "-fdevice-time-trace", Takes::text, ""},
    {"--minimal", "-minimal", Takes::nothing, ""},

    {"--dlink-time-opt", "-dlto", Takes::refused, "LTO IR"},
    {"--gen-opt-lto", "-gen-opt-lto", Takes::refused, "LTO IR"},
    {"--optix-ir", "-optix-ir", Takes::refused, "OptiX IR"},
};

[[noreturn]] void fail(const std::string& message) {
  throw std::invalid_argument("nvrtc: error: " + message + "\n");
}

std::string names(const Option& option) {
  return std::string(option.long_name) + " (" + std::string(option.short_name) + ")";
}

const Option* find_option(std::string_view name) {
  for (const Option& option : kOptions)
    if (name == option.long_name || name == option.short_name) return &option;
  return nullptr;
}

/// Returns the option of a word such as -DN=3, whose value follows without a blank; null for
/// others.
const Option* find_joined(std::string_view word) {
  if (word.size() < 3 || word.find_first_of("DUI") != 1) return nullptr;
  return find_option(word.substr(0, 2));
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

void check_architecture(const Option& option, const std::string& value) {
  const std::size_t underscore = value.find('_');
  std::string number = underscore == value.npos ? "" : value.substr(underscore + 1);
  if (!number.empty() && (number.back() == 'a' || number.back() == 'f')) number.pop_back();
  const bool is_known = (value.starts_with("compute_") || value.starts_with("sm_")) &&
                        is_number(number) && number.size() < 5 &&
                        std::ranges::count(architectures(), std::stoi(number)) != 0;
  if (!is_known) fail("invalid value for " + names(option));
}

void read_value(Options& options, const Option& option, const std::string& value) {
  switch (option.takes) {
    case Takes::truth:
      if (value != "true" && value != "false") fail(names(option) + " expects true or false");
      break;
    case Takes::number:
      if (!is_number(value)) fail(names(option) + " expects an integer value");
      break;
    case Takes::architecture:
      check_architecture(option, value);
      options.architecture = value;
      return;
    case Takes::standard: {
      static constexpr std::array<std::string_view, 5> kStandards = {"c++03", "c++11", "c++14",
                                                                     "c++17", "c++20"};
      if (std::ranges::count(kStandards, value) == 0) fail("invalid value for --std(-std)");
      break;
    }
    default:
      break;
  }
  if (!option.passed_as.empty())
    options.for_compiler.push_back(std::string(option.passed_as) +
                                   (option.passed_as == "-include" ? "=" : "") + value);
}

}  // namespace

const std::vector<int>& architectures() {
  static const auto& all =
      *new std::vector<int>{75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
  return all;
}

std::string Options::capability() const {
  const std::size_t begin = architecture.find('_') + 1;
  return architecture.substr(begin, architecture.find_first_not_of("0123456789", begin) - begin);
}

Options read_options(const std::vector<std::string>& words) {
  Options options;
  bool has_architecture = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::size_t equals = word.find('=');
    if (const Option* const option = find_option(word.substr(0, equals))) {
      if (option->takes == Takes::refused)
        fail(names(*option) + ": the emulator makes no " + std::string(option->passed_as));
      if (option->takes == Takes::nothing) {
        if (equals != word.npos) fail(names(*option) + " does not accept any argument");
        if (option->long_name == "--no-source-include") options.searches_folder_of_source = false;
        if (!option->passed_as.empty()) options.for_compiler.emplace_back(option->passed_as);
        continue;
      }
      if (equals == word.npos && i + 1 == words.size()) fail(names(*option) + " expects a value");
      const std::string value = equals == word.npos ? words[++i] : word.substr(equals + 1);
      if (option->takes == Takes::architecture) {
        if (has_architecture)
          options.warnings =
              "nvrtc: warning: of several values for " + names(*option) + ", the last one counts\n";
        has_architecture = true;
      }
      read_value(options, *option, value);
    } else if (const Option* const joined = find_joined(word)) {
      read_value(options, *joined, word.substr(2));
    } else {
      fail("unrecognized option " + word + " found");
    }
  }
  return options;
}

}  // namespace emu::nvrtc
