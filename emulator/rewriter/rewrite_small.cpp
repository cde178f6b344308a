/// The small rewrites: casts of kernels to void*, pragmas, __noinline__, memcpy and the like, and
/// features that stop the build.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "context.hpp"
#include "items.hpp"

namespace emulator_nvcc {
namespace {

// Returns whether the tokens are a pointer to void, const or not.
bool is_void_pointer(const Source& s, Range type) {
  bool is_void = false;
  int stars = 0;
  for (std::size_t i = type.first; i < type.last; ++i) {
    if (s.is(i, "void")) {
      is_void = true;
    } else if (s.is(i, "*")) {
      ++stars;
    } else if (!s.is(i, "const")) {
      return false;
    }
  }
  return is_void && stars == 1;
}

// Returns the end of a kernel's name with its template arguments; `first` if there is none.
std::size_t skip_kernel_name(const Context& c, std::size_t first) {
  std::size_t name = kNoToken;
  const std::size_t end = skip_qualified_name(c.s, first, &name);
  return end != first && c.kernels.count(c.s.spelling(name)) ? end : first;
}

void wrap_kernel(Context& c, std::size_t first, std::size_t end) {
  c.edits.insert_before(first, "::emu::kernel_handle(");
  c.edits.insert_after(end - 1, ")");
}

bool starts_with_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || text[word.size()] == ' ' ||
                                    text[word.size()] == '\t' || text[word.size()] == '(');
}

// Returns whether the pragma is one of nvcc's, of which g++ would warn.
bool is_nvcc_pragma(std::string_view text) {
  static constexpr std::array<std::string_view, 9> kNames = {
      "unroll",       "nounroll",     "nvcc",       "hd_warning_disable", "diag_suppress",
      "diag_default", "diag_warning", "diag_error", "diag_remark"};
  return text.starts_with("nv_") || text.starts_with("nvvm") ||
         std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view name) { return starts_with_word(text, name); });
}

// Returns whether the program declares a class of this name itself.
bool declares_class(const Source& s, std::string_view name, std::size_t before) {
  for (std::size_t i = 1; i < before; ++i) {
    if (s.is(i, name) && (is_class_key(s.spelling(i - 1)) || s.is(i - 1, "using"))) return true;
  }
  return false;
}

std::size_t first_token_after(const Source& s, std::size_t offset) {
  const auto& tokens = s.tokens();
  const auto token =
      std::lower_bound(tokens.begin(), tokens.end(), offset,
                       [](const Token& one, std::size_t begin) { return one.begin < begin; });
  return static_cast<std::size_t>(token - tokens.begin());
}

}  // namespace

void rewrite_kernel_cast(Context& c, std::size_t token) {
  const Source& s = c.s;
  if (s.is(token, "(")) {
    const std::size_t close = s.closing(token);
    if (close == kNoToken || close > token + 5 || !is_void_pointer(s, {token + 1, close})) return;
    // The function argument of cudaLaunchKernel may be any pointer to a function.
    if (token > 1 && s.closing(token - 1) != kNoToken &&
        (s.is(token - 2, "cudaLaunchKernel") || s.is(token - 2, "cudaLaunchCooperativeKernel"))) {
      const auto arguments = split_at_commas(s, {token, s.closing(token - 1)});
      if (arguments.size() > 1) return wrap_kernel(c, close + 1, arguments.front().last);
    }
    std::size_t first = close + 1;
    std::size_t open = kNoToken;
    if (s.is(first, "(")) open = first++;  // (void*)(k<int>)
    const std::size_t name = s.is(first, "&") ? first + 1 : first;
    const std::size_t end = skip_kernel_name(c, name);
    if (end == name) return;
    if (open != kNoToken && s.closing(open) != end) return;
    const std::size_t next = open == kNoToken ? end : end + 1;
    if (s.is(next, "(") || s.is(next, "[") || s.is(next, ".") || s.is(next, "->") ||
        s.is(next, "<")) {
      return;
    }
    return wrap_kernel(c, first, end);
  }

  const auto close = close_angle(s, token + 1);
  if (!s.is(token + 1, "<") || !close || !is_void_pointer(s, {token + 2, *close})) return;
  const std::size_t open = *close + 1;
  if (!s.is(open, "(")) return;
  const std::size_t name = s.is(open + 1, "&") ? open + 2 : open + 1;
  const std::size_t end = skip_kernel_name(c, name);
  if (end != name && s.closing(open) == end) wrap_kernel(c, open + 1, end);
}

void rewrite_pragmas(Context& c) {
  for (const Directive& directive : c.s.directives()) {
    std::string_view text =
        std::string_view(c.s.text()).substr(directive.begin, directive.end - directive.begin);
    const auto skip_blanks = [&] {
      text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    };
    text.remove_prefix(1);
    skip_blanks();
    if (!text.starts_with("pragma")) continue;
    text.remove_prefix(6);
    skip_blanks();
    // Loops that a library asks g++ to unroll cost minutes of compile time, and change no count.
    const bool unrolls_library =
        text.starts_with("GCC unroll") && c.in_library(first_token_after(c.s, directive.end));
    if (is_nvcc_pragma(text) || unrolls_library) c.edits.erase_directive(directive);
  }
}

void rewrite_noinline(Context& c, std::size_t token) {
  const Source& s = c.s;
  // In `__attribute__((__noinline__))` and `[[gnu::__noinline__]]` it is g++'s own word.
  std::size_t i = token;
  while (i > 0 && (s.is(i - 1, ",") || (s.is_identifier(i - 1) && !s.is(i - 1, "__attribute__"))))
    --i;
  const bool in_attribute =
      (i > 1 && s.is(i - 1, "(") && s.is(i - 2, "(")) || (i > 0 && s.is(i - 1, "::"));
  if (!in_attribute) c.edits.replace(token, "__attribute__((noinline))");
}

void rewrite_copy(Context& c, std::size_t token) {
  const Source& s = c.s;
  if (!c.scope().device || c.scope().constant || c.in_system_header(token)) return;
  if (!s.is(token + 1, "(") || s.is(token - 1, ".") || s.is(token - 1, "->")) return;
  if (is_name(s, token - 1) || is_type_keyword(s.spelling(token - 1))) {  // a declaration
    c.own_words.insert(s.spelling(token));
    return;
  }
  if (c.own_words.count(s.spelling(token)) && !s.is(token - 1, "::")) return;
  std::size_t first = token;
  if (s.is(token - 1, "::")) {
    first = qualified_name_begin(s, token);
    std::string name_space = spelled(s, {first, token});
    if (name_space.starts_with(":: ")) name_space.erase(0, 3);
    if (name_space != "::" && name_space != "std ::" && name_space != "cuda :: std ::")
      return;  // a function of the program itself
  }
  for (std::size_t i = first; i < token; ++i) c.edits.erase(i);
  c.edits.replace(token, "::emu::device_" + std::string(s.spelling(token)));
}

void rewrite_number(Context& c, std::size_t token) {
  const Source& s = c.s;
  if (!c.scope().device || c.in_system_header(token)) return;
  std::string word(s.spelling(token));
  if (!word.ends_with('f') && !word.ends_with('F')) return;
  if (word.starts_with("0x") || word.starts_with("0X")) return;  // hexadecimal: rounded to even
  word.pop_back();
  std::erase(word, '\'');
  char* end = nullptr;
  const long double exact = std::strtold(word.c_str(), &end);
  const float even = std::strtof(word.c_str(), nullptr);
  const float next = std::nextafter(even, std::numeric_limits<float>::infinity());
  if (*end != 0 || std::isinf(next) || exact <= even) return;
  if (exact - even != static_cast<long double>(next) - exact) return;
  constexpr std::size_t kMostBytes = 32;
  char text[kMostBytes];
  std::snprintf(text, sizeof text, "%af", static_cast<double>(next));
  c.edits.replace(token, text);
}

void check_unsupported_word(Context& c, std::size_t token) {
  const Source& s = c.s;
  const std::string_view word = s.spelling(token);
  if (s.tokens()[token].system_header) return;
  if ((word == "texture" || word == "surface") && s.is(token + 1, "<") && c.at_file_level() &&
      token == c.specifiers_begin && !declares_class(s, word, token)) {
    return c.unsupported(token, emu::Sign::of_case, std::string(word) + "<");
  }
  if (emu::unsupported_feature(emu::Sign::of_word, word).empty() || c.own_words.count(word)) return;
  const bool declared = token > 0 && (is_type_keyword(s.spelling(token - 1)) ||
                                      is_class_key(s.spelling(token - 1)) || is_name(s, token - 1));
  if (declared) {
    c.own_words.insert(word);
  } else {
    c.unsupported(token, emu::Sign::of_word, word);
  }
}

}  // namespace emulator_nvcc
