#include "source_rules.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include "course/cpp_functions.hpp"
#include "course/cpp_source.hpp"
#include "course/cpp_syntax.hpp"
#include "host_code.hpp"

namespace coursework::confine {
namespace {

namespace fs = std::filesystem;
using namespace course::cpp;

using Words = std::set<std::string_view>;

std::string in_quotes(std::string_view text) { return "`" + std::string(text) + "`"; }

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

// ---------------------------------------------------------------------------- the text as it is

/// A line as the preprocessor sees it: continued where it ends with a backslash.
struct LogicalLine {
  int number;
  std::string text;
};

std::vector<LogicalLine> logical_lines(const std::string& text) {
  std::vector<LogicalLine> lines;
  std::istringstream in(text);
  bool continues = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (!continues) lines.push_back({number, {}});
    // g++ allows blanks after the backslash.
    std::size_t end = line.size();
    while (end > 0 && is_blank(line[end - 1])) --end;
    continues = end > 0 && line[end - 1] == '\\';
    lines.back().text += continues ? line.substr(0, end - 1) : line;
  }
  return lines;
}

/// Returns the text after `#` if the line may be a directive, ignoring comments before `#`.
std::optional<std::string> directive_in(std::string line) {
  for (std::size_t open; (open = line.find("/*")) != line.npos;) {
    const std::size_t close = line.find("*/", open + 2);
    if (close == line.npos) break;
    line.replace(open, close + 2 - open, " ");
  }
  if (const std::size_t close = line.find("*/"); close != line.npos) line.erase(0, close + 2);
  std::size_t begin = 0;
  while (begin < line.size() && is_blank(line[begin])) ++begin;
  if (line.compare(begin, 2, "%:") == 0)
    begin += 2;
  else if (line.compare(begin, 1, "#") == 0)
    ++begin;
  else
    return std::nullopt;
  while (begin < line.size() && is_blank(line[begin])) ++begin;
  return line.substr(begin);
}

std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
    ++end;
  return text.substr(0, end);
}

std::string_view behind_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

constexpr const char* kPragmas =
    "of pragmas, unroll, GCC diagnostic and nvcc's own pragmas are allowed";

bool is_allowed_pragma(std::string_view text) {
  static const Words allowed = {"unroll",           "nounroll",          "once",
                                "nv_diag_suppress", "nv_diag_default",   "nv_diag_warning",
                                "nv_diag_error",    "nv_diag_once",      "nv_exec_check_disable",
                                "nv_diagnostic",    "diag_suppress",     "diag_default",
                                "diag_warning",     "hd_warning_disable"};
  // Ignored by g++ with these flags.
  static const Words without_effect = {"region", "endregion", "omp"};
  text = behind_blanks(text);
  const std::string_view word = first_word(text);
  const std::string_view second = first_word(behind_blanks(text.substr(word.size())));
  const bool is_harmless_gcc = word == "GCC" && (second == "diagnostic" || second == "unroll");
  return allowed.count(word) != 0 || without_effect.count(word) != 0 || is_harmless_gcc;
}

/// Returns whether a directive, such as `include "..."`, is allowed with any operand.
bool is_plain_directive(std::string_view word) {
  static const Words allowed = {"include", "define", "undef", "if",      "ifdef",  "ifndef", "elif",
                                "else",    "endif",  "error", "warning", "pragma", ""};
  return allowed.count(word) != 0;
}

// --------------------------------------------------------------------------------- headers

/// Returns whether a submission may include a standard header of this name. Including one twice has
/// no further effect. The headers' code is confined like the submission's own.
bool is_standard_header(const std::string& name) {
  static const std::set<std::string> allowed = {"algorithm",
                                                "array",
                                                "assert.h",
                                                "bit",
                                                "bitset",
                                                "cassert",
                                                "cctype",
                                                "cerrno",
                                                "cfloat",
                                                "chrono",
                                                "cinttypes",
                                                "climits",
                                                "cmath",
                                                "compare",
                                                "complex",
                                                "concepts",
                                                "cstdarg",
                                                "cstddef",
                                                "cstdint",
                                                "cstdio",
                                                "cstdlib",
                                                "cstring",
                                                "ctime",
                                                "ctype.h",
                                                "deque",
                                                "errno.h",
                                                "exception",
                                                "float.h",
                                                "fstream",
                                                "functional",
                                                "initializer_list",
                                                "inttypes.h",
                                                "iomanip",
                                                "ios",
                                                "iosfwd",
                                                "iostream",
                                                "istream",
                                                "iterator",
                                                "limits",
                                                "limits.h",
                                                "list",
                                                "map",
                                                "math.h",
                                                "memory",
                                                "new",
                                                "numbers",
                                                "numeric",
                                                "optional",
                                                "ostream",
                                                "queue",
                                                "random",
                                                "ranges",
                                                "ratio",
                                                "set",
                                                "span",
                                                "sstream",
                                                "stack",
                                                "stdarg.h",
                                                "stdbool.h",
                                                "stddef.h",
                                                "stdexcept",
                                                "stdint.h",
                                                "stdio.h",
                                                "stdlib.h",
                                                "streambuf",
                                                "string",
                                                "string.h",
                                                "string_view",
                                                "time.h",
                                                "tuple",
                                                "type_traits",
                                                "typeinfo",
                                                "unordered_map",
                                                "unordered_set",
                                                "utility",
                                                "valarray",
                                                "variant",
                                                "vector",
                                                "version"};
  return allowed.count(name) != 0;
}

fs::path resolved(const fs::path& file) {
  std::error_code failed;
  fs::path result = fs::canonical(file, failed);
  return failed ? file : result;
}

bool lies_in(const fs::path& file, const fs::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return end == folder.end();
}

/// Returns the folders of g++'s and the system's headers. Debian 13 keeps the kernel's headers in
/// /usr/lib/linux, and links to them.
const std::vector<fs::path>& system_folders() {
  static const std::vector<fs::path> folders = {resolved("/usr/include"), resolved("/usr/lib")};
  return folders;
}

bool may_be_opened(const fs::path& file, const fs::path& source,
                   const std::vector<std::string>& includes) {
  if (file == source) return true;
  const auto has = [&](const fs::path& folder) { return lies_in(file, folder); };
  return std::any_of(system_folders().begin(), system_folders().end(), has) ||
         std::any_of(includes.begin(), includes.end(),
                     [&](const std::string& folder) { return has(resolved(folder)); });
}

/// Returns whether the submission itself may include this file.
bool may_be_included(const fs::path& file, const std::vector<std::string>& includes) {
  const fs::path emulator = resolved(includes.front());
  if (lies_in(file, emulator)) {
    const fs::path below = file.lexically_relative(emulator);
    return *below.begin() != "emulator";  // the emulator's internal headers
  }
  const bool is_systems =
      std::any_of(system_folders().begin(), system_folders().end(),
                  [&](const fs::path& folder) { return lies_in(file, folder); });
  return is_systems && is_standard_header(file.filename().string());
}

/// Returns the name in `<cmath>` or `"cmath"`; empty for anything else.
std::string header_named(std::string_view text) {
  const char close = text.starts_with('<') ? '>' : text.starts_with('"') ? '"' : '\0';
  const std::size_t end = close == '\0' ? text.npos : text.find(close, 1);
  return end == text.npos ? "" : std::string(text.substr(1, end - 1));
}

Refusal included_late(int line) {
  return {line, "include",
          "#include lines come before the first #define, which could change what is included"};
}

/// Returns the file names in a rule written by -MD.
std::vector<std::string> names_in(const std::string& dependencies) {
  std::vector<std::string> names(1);
  const std::size_t begin = dependencies.find(':');
  for (std::size_t i = begin == dependencies.npos ? dependencies.size() : begin + 1;
       i < dependencies.size(); ++i) {
    const char c = dependencies[i];
    const char next = i + 1 < dependencies.size() ? dependencies[i + 1] : '\n';
    if (c == '\\' && (next == ' ' || next == '#' || next == '\\')) {
      names.back() += next;
      ++i;
    } else if (c == '$' && next == '$') {
      names.back() += c;
      ++i;
    } else if (c == ' ' || c == '\n' || (c == '\\' && next == '\n')) {
      if (!names.back().empty()) names.emplace_back();
    } else {
      names.back() += c;
    }
  }
  if (names.back().empty()) names.pop_back();
  return names;
}

// ------------------------------------------------------------------------------------- tokens

bool is_assembly(std::string_view word) {
  return word == "asm" || word == "__asm" || word == "__asm__";
}

class Checker {
 public:
  Checker(const Source& source, const std::string& name, const std::vector<std::string>& includes,
          const std::vector<KernelSignature>& kernels)
      : s_(source), name_(name), kernels_(kernels) {
    for (std::size_t i = 0; i < s_.size(); ++i) {
      const bool own = s_.file(i) == name;
      own_.push_back(own);
      if (!own && s_.is_identifier(i) && s_.file(i).starts_with(includes.front()))
        cuda_names_.insert(s_.spelling(i));
    }
    functions_ = find_functions(s_, own_);
    host_ = find_host_code(s_, own_, functions_);
    note_regions();
  }

  TokenReport check() {
    TokenReport report;
    try {
      check_directives();
      check_places_of_includes();
      for (std::size_t i = 0; i < s_.size(); ++i)
        if (own_[i]) check_token(i);
      check_functions();
      check_kernels();
    } catch (const Refusal& refusal) {
      report.refusal = refusal;
    }
    for (const Definition* one : host_.definitions)
      report.host_bodies.emplace_back(s_.tokens()[one->body].begin, s_.tokens()[one->last].end);
    return report;
  }

 private:
  /// The kind of code that a token belongs to; rules differ between them.
  enum class Region : std::uint8_t { other, device, host_head, host_body };

  void note_regions() {
    regions_.assign(s_.size(), Region::other);
    const auto mark = [&](std::size_t begin, std::size_t end, Region region) {
      std::fill(regions_.begin() + static_cast<std::ptrdiff_t>(begin),
                regions_.begin() + static_cast<std::ptrdiff_t>(end), region);
    };
    for (const Definition& one : functions_.definitions)
      if (!one.is_constant_only) mark(one.begin, one.last + 1, Region::device);
    for (const Definition* one : host_.definitions) {
      mark(one->begin, one->body, Region::host_head);
      mark(one->body, one->last + 1, Region::host_body);
    }
  }

  [[noreturn]] void refuse(std::size_t token, std::string rule, std::string message) const {
    const int line = token < s_.size() ? static_cast<int>(s_.tokens()[token].line) : 0;
    throw Refusal{line, std::move(rule), std::move(message)};
  }

  void check_directives() const {
    for (const Directive& directive : s_.directives()) {
      // A pragma belongs to the file of the next token.
      std::size_t next = 0;
      while (next < s_.size() && s_.tokens()[next].begin < directive.begin) ++next;
      const bool own = (next < s_.size() && own_[next]) || (next > 0 && own_[next - 1]);
      std::string_view text = std::string_view(s_.text()).substr(
          directive.begin + 1, directive.end - directive.begin - 1);
      text = behind_blanks(text);
      if (!own || first_word(text) != "pragma") continue;
      if (!is_allowed_pragma(text.substr(6)))
        refuse(next, "pragma", std::string(kPragmas) + ", not #" + std::string(text));
    }
  }

  // Refuses headers included inside a declaration, where their text would mean something else.
  void check_places_of_includes() const {
    std::size_t open = 0, last = kNoToken;
    for (std::size_t i = 0; i < s_.size(); ++i) {
      if (!own_[i]) {
        const bool between = last == kNoToken || s_.is(last, ";") || s_.is(last, "}");
        if (open != 0 || !between)
          refuse(last, "include", "#include lines stand outside of everything else");
        continue;
      }
      if (s_.is(i, "{") || s_.is(i, "(") || s_.is(i, "[")) ++open;
      if (s_.is(i, "}") || s_.is(i, ")") || s_.is(i, "]")) open -= open > 0 ? 1 : 0;
      last = i;
    }
  }

  bool is_own(std::size_t token) const { return token < own_.size() && own_[token]; }

  void check_token(std::size_t i) const {
    const Token& token = s_.tokens()[i];
    if (token.kind == TokenKind::punctuator) {
      const bool bracket = s_.is(i, "(") || s_.is(i, "{") || s_.is(i, "[") || s_.is(i, ")") ||
                           s_.is(i, "}") || s_.is(i, "]");
      if (bracket && (s_.partner(i) == kNoToken || !is_own(s_.partner(i))))
        refuse(i, "text", in_quotes(s_.spelling(i)) + " has no partner");
      if (opens_launch(s_, i) && regions_[i] != Region::host_body)
        refuse(i, "launch", "a submission launches no kernels: the grader does");
      // Even if blanks separate the brackets: nothing else in C++ begins with two of them.
      if (s_.is(i, "[") && s_.is(i + 1, "[")) check_standard_attribute(i);
      return;
    }
    if (token.kind == TokenKind::identifier) check_word(i, s_.spelling(i));
  }

  void check_word(std::size_t i, std::string_view word) const {
    static const Words language = {"throw",  "try",          "catch",    "new",      "delete",
                                   "typeid", "dynamic_cast", "co_await", "co_yield", "co_return",
                                   "setjmp", "longjmp",      "alloca",   "import",   "module"};
    if (is_assembly(word) && !is_inline_ptx(i))
      refuse(i, "assembly", "assembly is not allowed, but for PTX in device code");
    if (word == "__attribute__" || word == "__attribute" || word == "__declspec")
      return check_gnu_attribute(i);
    if (word == "_Pragma" || word == "__pragma") refuse(i, "pragma", kPragmas);
    if (word == "main") refuse(i, "main", "a submission has no `main`");
    if (word == "thread_local" || word == "__thread" || word == "_Thread_local")
      refuse(i, "thread-local", "thread_local variables are not allowed");
    if (word == "extern" && !is_extern_shared(i) && !names_linkage(i))
      refuse(i, "extern", "`extern` is allowed before __shared__ and before \"C\" only");
    if (word == "namespace") check_namespace(i);
    if (word == "template" && s_.is(i + 1, "<") && s_.is(i + 2, ">")) check_specialisation(i);
    const Region region = regions_[i];
    if (word == "emu" && s_.is(i + 2, "in_kernel")) return;  // NV_IF_TARGET expands to this
    if (is_graders(word)) refuse(i, "reserved-name", in_quotes(word) + " belongs to the grader");
    if (region == Region::host_body) return;  // g++ never sees it
    if (word == "virtual" && region != Region::host_head)
      refuse(i, "virtual", "virtual functions are not allowed");
    if (language.count(word) && !(word == "delete" && s_.is(i - 1, "=")))
      refuse(i, "language", in_quotes(word) + " is not allowed outside of host functions");
    if (word == "std" && s_.is(i + 1, "::") && region == Region::device) check_standard_name(i + 2);
    if (word.starts_with("__builtin_")) return check_builtin(i, word);
    if (is_runtime_call(i))
      refuse(i, "runtime",
             in_quotes(word) + " calls the CUDA runtime, which only host functions may do here");
    const bool reserved =
        word.find("__") != word.npos ||
        (word.size() > 1 && word[0] == '_' && std::isupper(static_cast<unsigned char>(word[1])));
    if (reserved && !is_known_reserved(word))
      refuse(i, "reserved-name",
             "the name " + in_quotes(word) +
                 " is reserved, and none of the names of CUDA that may be used here");
  }

  /// Returns whether this `asm` is a statement of device code, which the rewriter turns into C++.
  /// `void f() asm("g");` may look like one; check_rewritten() refuses what the rewriter leaves.
  bool is_inline_ptx(std::size_t i) const {
    if (regions_[i] != Region::device || i == 0) return false;
    const bool begins = s_.is(i - 1, ";") || s_.is(i - 1, "{") || s_.is(i - 1, "}") ||
                        s_.is(i - 1, ")") || s_.is(i - 1, "else") || s_.is(i - 1, "do");
    const std::size_t next =
        s_.is(i + 1, "volatile") || s_.is(i + 1, "__volatile__") ? i + 2 : i + 1;
    return begins && s_.is(next, "(");
  }

  /// `extern "C"`: the assembly pass finds such functions by their plain names.
  bool names_linkage(std::size_t i) const {
    return i + 1 < s_.size() && s_.tokens()[i + 1].kind == TokenKind::literal;
  }

  static bool is_graders(std::string_view word) {
    return word == "emu" || word == "course" || word == "coursework" || word.starts_with("emu_") ||
           word.starts_with("confined_") || word.starts_with("emulator_");
  }

  // a call of the form `cudaMalloc(...)`: a capital letter after the prefix
  bool is_runtime_call(std::size_t i) const {
    const std::string_view word = s_.spelling(i);
    return word.size() > 4 && word.starts_with("cuda") &&
           std::isupper(static_cast<unsigned char>(word[4])) && s_.is(i + 1, "(");
  }

  bool is_known_reserved(std::string_view word) const {
    static const Words others = {"__global__",          "__device__",    "__host__",
                                 "__shared__",          "__constant__",  "__managed__",
                                 "__restrict__",        "__restrict",    "__launch_bounds__",
                                 "__forceinline__",     "__noinline__",  "__align__",
                                 "__inline__",          "__inline",      "__func__",
                                 "__FUNCTION__",        "__extension__", "__volatile__",
                                 "__PRETTY_FUNCTION__", "__assert_fail", "__const",
                                 "__CUDA_ARCH__",       "_Bool",         "__int128",
                                 "__alignof__",         "__null",        "__cluster_dims__",
                                 "__typeof__",          "__typeof"};
    const bool kept = word.starts_with("__tsan") || word.starts_with("__emu");
    return !kept && (others.count(word) != 0 || cuda_names_.count(word) != 0);
  }

  bool is_extern_shared(std::size_t i) const {
    for (std::size_t j = i > 2 ? i - 2 : 0; j < i + 4; ++j)
      if (s_.is(j, "__shared__")) return true;
    return false;
  }

  void check_builtin(std::size_t i, std::string_view word) const {
    static const Words allowed = {
        "__builtin_expect",   "__builtin_unreachable", "__builtin_assume",
        "__builtin_inff",     "__builtin_inf",         "__builtin_nanf",
        "__builtin_nan",      "__builtin_huge_valf",   "__builtin_huge_val",
        "__builtin_offsetof", "__builtin_addressof",   "__builtin_assume_aligned"};
    if (!allowed.count(word)) refuse(i, "builtin", in_quotes(word) + " is not allowed");
  }

  static bool is_harmless_attribute(std::string_view word) {
    if (word.starts_with("__") && word.ends_with("__") && word.size() > 4)
      word = word.substr(2, word.size() - 4);
    static const Words allowed = {"always_inline", "noinline",
                                  "aligned",       "noreturn",
                                  "unused",        "may_alias",
                                  "maybe_unused",  "nodiscard",
                                  "likely",        "unlikely",
                                  "fallthrough",   "deprecated",
                                  "packed",        "no_unique_address",
                                  "gnu",           "pure",
                                  "const",         "hot",
                                  "cold",          "using"};
    return allowed.count(word) != 0;
  }

  // Checks names at the attribute list's own level, outside of parentheses.
  void check_attribute_names(std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last; ++i) {
      if (s_.is(i, "(") && s_.closing(i) != kNoToken) {
        i = s_.closing(i);
      } else if (s_.is_identifier(i) && !is_harmless_attribute(s_.spelling(i))) {
        refuse(i, "attribute", "the attribute " + in_quotes(s_.spelling(i)) + " is not allowed");
      }
    }
  }
  void check_gnu_attribute(std::size_t i) const {
    const std::size_t open = i + 2;
    if (!s_.is(i + 1, "(") || !s_.is(open, "(") || s_.closing(open) == kNoToken)
      refuse(i, "attribute", "an attribute that cannot be read");
    check_attribute_names(open + 1, s_.closing(open));
  }
  void check_standard_attribute(std::size_t i) const {
    if (s_.closing(i + 1) == kNoToken) return;
    check_attribute_names(i + 2, s_.closing(i + 1));
  }

  void check_namespace(std::size_t i) const {
    if (s_.is(i - 1, "using") || s_.is(i + 2, "=")) return;
    static const Words foreign = {"std", "emu",   "cooperative_groups", "cuda", "nvcuda",
                                  "nv",  "course"};
    if (foreign.count(s_.spelling(i + 1)))
      refuse(
          i, "namespace",
          "the namespace " + in_quotes(s_.spelling(i + 1)) + " is not the submission's to add to");
  }

  // Refuses `template <>` for a name that the submission has not declared itself.
  void check_specialisation(std::size_t i) const {
    std::size_t end = i;
    while (end < s_.size() && !s_.is(end, "{") && !s_.is(end, ";")) ++end;
    for (std::size_t j = i + 3; j < end; ++j) {
      const bool names = is_name(s_, j) && (s_.is(j + 1, "<") || s_.is(j + 1, "("));
      if (!names) continue;
      for (std::size_t k = 0; k < i; ++k)
        if (own_[k] && s_.spelling(k) == s_.spelling(j)) return;
      refuse(
          j, "specialisation",
          "the template " + in_quotes(s_.spelling(j)) + " is not the submission's to specialise");
    }
  }

  void check_standard_name(std::size_t i) const {
    static const Words allowed = {
        "size_t", "ptrdiff_t", "nullptr_t", "byte", "int8_t", "int16_t", "int32_t", "int64_t",
        "uint8_t", "uint16_t", "uint32_t", "uint64_t", "intptr_t", "uintptr_t", "numeric_limits",
        "min", "max", "clamp", "swap", "move", "forward", "exchange", "declval", "abs", "fabs",
        "fma", "fmin", "fmax", "fmod", "sqrt", "cbrt", "hypot", "exp", "exp2", "expm1", "log",
        "log2", "log10", "log1p", "pow", "sin", "cos", "tan", "asin", "acos", "atan", "atan2",
        "sinh", "cosh", "tanh", "floor", "ceil", "round", "trunc", "rint", "isnan", "isinf",
        "isfinite", "signbit", "copysign", "array", "pair", "tuple", "get", "tie", "make_pair",
        "index_sequence", "make_index_sequence", "integer_sequence", "make_integer_sequence",
        "integral_constant", "bool_constant", "true_type", "false_type", "enable_if", "enable_if_t",
        "conditional", "conditional_t", "decay_t", "common_type_t", "void_t", "remove_const_t",
        "remove_reference_t", "remove_cv_t", "remove_cvref_t", "add_const_t", "make_unsigned_t",
        "make_signed_t", "underlying_type_t", "invoke_result_t", "bit_cast", "popcount",
        "countl_zero", "countr_zero", "has_single_bit", "bit_ceil", "bit_floor", "plus", "minus",
        "multiplies", "less", "greater", "is_same", "type_identity_t",
        // Concepts, which leave no trace in compiled code.
        "integral", "signed_integral", "unsigned_integral", "floating_point", "same_as",
        "derived_from", "convertible_to", "common_with", "assignable_from", "constructible_from",
        "default_initializable", "copy_constructible", "move_constructible", "copyable", "movable",
        "semiregular", "regular", "equality_comparable", "totally_ordered", "three_way_comparable",
        "invocable", "regular_invocable", "predicate", "swappable",
        // Small functions of headers, which are compiled and confined with the submission.
        "span", "dynamic_extent", "as_const", "addressof", "to_underlying", "make_tuple",
        "forward_as_tuple", "apply", "optional", "nullopt", "initializer_list", "midpoint", "lerp",
        "gcd", "lcm", "identity", "bit_width", "countl_one", "countr_one", "rotl", "rotr", "endian",
        "bit_and", "bit_or", "bit_xor", "divides", "negate", "equal_to", "not_equal_to",
        "less_equal", "greater_equal", "logical_and", "logical_or", "logical_not", "tuple_size_v",
        "tuple_size", "tuple_element_t", "tuple_element", "conjunction_v", "disjunction_v",
        "negation_v", "add_pointer_t", "remove_pointer_t", "remove_volatile_t", "remove_extent_t",
        "extent_v", "rank_v", "alignment_of_v", "size", "data", "ssize", "begin", "end",
        // Loops from headers. (Copying ones would call memmove.).
        "accumulate", "inner_product", "iota", "transform", "for_each", "any_of", "all_of",
        "none_of", "count", "count_if", "find", "find_if", "max_element", "min_element", "minmax",
        "lower_bound", "upper_bound", "reverse", "distance", "next", "prev",
        // Counted like memcpy itself (emulator/device_copies.h).
        "memcpy", "memmove", "memset", "clock", "clock_t", "malloc", "free", "printf",
        "uint_fast32_t", "int_fast32_t", "uint_least32_t", "int_least32_t", "float_t", "double_t"};
    const std::string_view word = s_.spelling(i);
    const bool is_trait = word.starts_with("is_");
    if (!is_trait && !allowed.count(word))
      refuse(i, "standard-library",
             in_quotes("std::" + std::string(word)) +
                 " is not among the names of the standard library that device code of a "
                 "submission may use");
  }

  // ----------------------------------------------------------------------------- functions

  void check_functions() {
    for (const Definition& one : functions_.definitions)
      if (one.is_global) note_kernel(one.begin, one.name, one.body, one.is_for_device);
    for (const Declaration& one : functions_.declarations)
      if (one.is_global) note_kernel(one.begin, one.name, one.end, true);
    if (host_.called == nullptr) return;
    const std::size_t name = host_.called->name;
    refuse(name, "host-function",
           "the function " + in_quotes(s_.spelling(name)) +
               " is host code, and device code calls it (line " +
               std::to_string(s_.tokens()[host_.where].line) +
               "): it needs __device__, __global__ or constexpr");
  }

  void note_kernel(std::size_t begin, std::size_t name, std::size_t end, bool is_for_device) {
    for (const KernelSignature& kernel : kernels_) {
      if (s_.spelling(name) != kernel.name) continue;
      if (!is_for_device)
        refuse(name, "host-function",
               "the function " + in_quotes(kernel.name) +
                   " is host code: it needs __device__, __global__ or constexpr");
      if (!has_word(s_, begin, end, "__global__"))
        refuse(name, "kernel-not-global",
               in_quotes(kernel.name) + " has to be a __global__ function");
      found_.insert(kernel.name);
    }
  }

  void check_kernels() const {
    for (const KernelSignature& kernel : kernels_)
      if (!found_.count(kernel.name))
        refuse(kNoToken, "kernel-missing", "the exercise needs __global__ " + kernel.text);
  }

  const Source& s_;
  const std::string& name_;
  const std::vector<KernelSignature>& kernels_;
  std::vector<bool> own_;  // [token] whether the submission wrote it
  Functions functions_;
  HostCode host_;
  std::vector<Region> regions_;  // [token]
  std::set<std::string_view> cuda_names_;
  std::set<std::string> found_;
};

}  // namespace

std::string messages_about(const std::string& name, const std::string& errors) {
  const auto is_of_program = [](const std::string& line) {  // "cc1plus: ", "g++-12: "
    const auto is_other = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '+' && c != '-';
    };
    const auto end = std::ranges::find_if(line, is_other);
    return end != line.begin() && line.compare(end - line.begin(), 2, ": ") == 0;
  };
  std::string messages;
  std::istringstream in(errors);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(name + ":") || is_of_program(line)) messages += line + "\n";
  return messages;
}

std::optional<Refusal> check_text(const std::string& text, TextReport* report) {
  int number = 1;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' && c != '\n' && !is_blank(c))
      return Refusal{number, "text", "a control character"};
    if (c == '\n') ++number;
  }
  TextReport found;
  bool redefines_language = false;
  for (const LogicalLine& line : logical_lines(text)) {
    const auto directive = directive_in(line.text);
    if (!directive) continue;
    const std::string_view word = first_word(*directive);
    const std::string_view rest = behind_blanks(std::string_view(*directive).substr(word.size()));
    if (!is_plain_directive(word) || (word.empty() && !rest.empty() && (*directive)[0] != '/'))
      return Refusal{line.number, "directive",
                     "the directive " + in_quotes("#" + *directive) + " is not allowed"};
    if (word == "define" || word == "undef") {
      if (found.first_macro == 0) found.first_macro = line.number;
      redefines_language |= is_keyword(first_word(rest));
    }
    if (word == "include" && found.first_macro != 0) {
      const std::string name = header_named(rest);
      if (name.empty() || redefines_language) return included_late(line.number);
      found.late_headers.push_back(name);
    }
    if (word == "pragma" && !is_allowed_pragma(rest))
      return Refusal{line.number, "pragma", kPragmas};
  }
  if (report) *report = std::move(found);
  return std::nullopt;
}

std::vector<std::string> headers_to_include_first(const TextReport& text,
                                                  const std::vector<std::string>& includes) {
  std::vector<std::string> files;
  for (const std::string& name : text.late_headers) {
    std::error_code failed;
    const fs::path ours = fs::path(includes.front()) / name;
    if (is_standard_header(name))
      files.push_back(name);
    else if (fs::is_regular_file(ours, failed) && may_be_included(resolved(ours), includes))
      files.push_back(ours.string());
  }
  return files;
}

std::optional<Refusal> check_includes(const std::string& preprocessed, const fs::path& source,
                                      const std::vector<std::string>& includes, int first_macro) {
  const std::string name = source.filename().string();
  std::istringstream in(preprocessed);
  std::string current;
  int line = 0;
  bool has_content = false;  // whether the last included header has any content
  for (std::string text; std::getline(in, text); ++line) {
    if (!text.starts_with("# ")) {
      has_content |= current != name && text.find_first_not_of(" \t") != text.npos;
      continue;
    }
    const std::size_t open = text.find('"'), close = text.rfind('"');
    if (open == text.npos || close == open) continue;
    const std::string file = text.substr(open + 1, close - open - 1);
    const bool enters = text.find(" 1", close) != text.npos;
    const int next_line = std::atoi(text.c_str() + 2);
    if (enters && current == name) {
      has_content = false;
      if (!may_be_included(resolved(source.parent_path() / file), includes))
        return Refusal{line, "include",
                       in_quotes(fs::path(file).filename().string()) +
                           " is not among the headers that a submission may include"};
    } else if (file == name && current != name && has_content) {
      if (first_macro != 0 && next_line > first_macro) return included_late(next_line - 1);
      has_content = false;
    }
    current = file;
    line = next_line - 1;
  }
  if (first_macro != 0 && current != name && has_content) return included_late(line);
  return std::nullopt;
}

std::optional<Refusal> check_opened(const std::string& dependencies, const fs::path& source,
                                    const std::vector<std::string>& includes) {
  const fs::path own = resolved(source);
  for (const std::string& name : names_in(dependencies)) {
    const fs::path file = resolved(source.parent_path() / name);
    if (!may_be_opened(file, own, includes))
      return Refusal{0, "include",
                     in_quotes(fs::path(name).filename().string()) +
                         " is not among the files that a submission may include"};
  }
  return std::nullopt;
}

std::optional<Refusal> check_rewritten(const std::string& rewritten, const std::string& name) {
  const Source source(rewritten, name);
  // Written by the rewriter: a compiler barrier, and the address of dynamic shared memory.
  static const Words ours = {R"("")", R"("emu_dynamic_shared_memory")"};
  const auto is_ours = [&](std::size_t i) {
    const std::size_t text = source.is(i + 1, "(") ? i + 2 : i + 3;
    return text + 1 < source.size() && ours.count(source.spelling(text)) &&
           (source.is(text + 1, ")") || source.is(text + 1, ":") || source.is(text + 1, "::"));
  };
  for (std::size_t i = 0; i < source.size(); ++i)
    if (source.file(i) == name && is_assembly(source.spelling(i)) && !is_ours(i))
      return Refusal{static_cast<int>(source.tokens()[i].line), "assembly",
                     "assembly is not allowed, but for PTX in device code"};
  return std::nullopt;
}

TokenReport check_tokens(const std::string& preprocessed, const std::string& name,
                         const std::vector<std::string>& includes,
                         const std::vector<KernelSignature>& kernels) {
  const Source source(preprocessed, name);
  return Checker(source, name, includes, kernels).check();
}

}  // namespace coursework::confine
