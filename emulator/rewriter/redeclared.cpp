/// Compares the declarations of a function: all of a kernel's have `__global__`, and those of
/// another function have not.
#include "context.hpp"
#include "items.hpp"

namespace emulator_nvcc {
namespace {

// Returns whether the tokens may be the type before the name of a function: words, `*`, `&`, scopes
// and template arguments.
bool are_specifiers(const Source& s, Range tokens) {
  bool has_type = false;
  for (std::size_t i = tokens.first; i < tokens.last; ++i) {
    if (const std::size_t after = skip_attribute(s, i); after != i && after <= tokens.last) {
      i = after - 1;
    } else if (s.is(i, "<")) {
      const auto close = close_angle(s, i);
      if (!close || *close >= tokens.last) return false;
      i = *close;
    } else if (s.is(i, "return") || s.is(i, "new") || s.is(i, "throw") || s.is(i, "using") ||
               s.is(i, "friend") || s.is(i, "template") || s.is(i, "operator")) {
      return false;
    } else if (s.is_identifier(i) || is_type_keyword(s.spelling(i))) {
      has_type = true;
    } else if (!s.is(i, "::") && !s.is(i, "*") && !s.is(i, "&")) {
      return false;
    }
  }
  return has_type;
}

bool has_qualifier(const Source& s, Range tokens) {
  for (std::size_t i = tokens.first; i < tokens.last; ++i)
    if (s.is(i, "__global__") || s.is(i, "__device__") || s.is(i, "__host__")) return true;
  return false;
}

// Returns the types of the parameters in parentheses, without names and default arguments.
std::string parameter_types(const Source& s, std::size_t open) {
  std::string types;
  for (const Range& part : split_at_commas(s, {open + 1, s.closing(open)})) {
    const std::size_t name = read_function_parameter(s, part).name;
    for (std::size_t i = part.first; i < part.last && !s.is(i, "="); ++i)
      if (i != name) types += std::string(s.spelling(i)) + ' ';
    types += ',';
  }
  return types;
}

}  // namespace

std::string signature_of(const Context& c, std::size_t name) {
  const Source& s = c.s;
  std::string signature = "::";
  for (const Scope& scope : c.scopes)
    if (scope.kind == ScopeKind::name_space && !scope.name.empty()) signature += scope.name + "::";
  for (std::size_t i = qualified_name_begin(s, name); i <= name; ++i) signature += s.spelling(i);
  for (const TemplateHeader& header : c.headers)
    signature += spelled(s, {header.open, header.close + 1});
  return signature + '(' + parameter_types(s, name + 1) + ')';
}

void note_function_of_host(Context& c, std::size_t name) {
  const Source& s = c.s;
  if (!c.at_file_level() || c.in_system_header(name) || s.closing(name + 1) == kNoToken) return;
  const std::size_t after = s.closing(name + 1) + 1;
  if (!s.is(after, ";") && !s.is(after, "{")) return;
  const std::size_t begin = qualified_name_begin(s, name);
  if (begin <= c.specifiers_begin || has_qualifier(s, {c.specifiers_begin, begin}) ||
      !are_specifiers(s, {c.specifiers_begin, begin}))
    return;
  // A template that returns something else is another function.
  if (!c.headers.empty() && !s.is(begin - 1, "void")) return;
  const std::string signature = signature_of(c, name);
  if (c.signatures_of_kernels.count(signature))
    return c.error(name, "the kernel " + std::string(s.spelling(name)) +
                             " was declared with __global__, and is declared without it here");
  c.signatures_of_host.insert(signature);
}

void note_kernel(Context& c, std::size_t name) {
  const std::string signature = signature_of(c, name);
  if (c.signatures_of_host.count(signature))
    return c.error(name, "the function " + std::string(c.s.spelling(name)) +
                             " was declared without __global__, and is declared with it here");
  c.signatures_of_kernels.insert(signature);
}

}  // namespace emulator_nvcc
