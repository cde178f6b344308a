#include "rewriter.hpp"

#include <algorithm>
#include <utility>

#include "context.hpp"

namespace emulator_nvcc {
namespace {

bool is_cuda_qualifier(std::string_view word) {
  return word == "__global__" || word == "__device__" || word == "__host__" ||
         word == "__shared__" || word == "__constant__" || word == "__managed__" ||
         word == "__launch_bounds__" || word == "__cluster_dims__";
}

// Returns whether `]` of `[=]` or `>` of `[]<class T>` precedes the token.
bool follows_lambda_introducer(const Source& s, std::size_t token) {
  if (token == 0) return false;
  std::size_t last = token - 1;
  if (s.is(last, ">")) {
    std::size_t depth = 0;
    for (; last > 0; --last) {
      if (s.is(last, ">")) ++depth;
      if (s.is(last, "<") && --depth == 0) break;
      if (s.is(last, ";") || s.is(last, "{") || s.is(last, "}")) return false;
    }
    if (last-- == 0) return false;
  }
  if (!s.is(last, "]") || s.partner(last) == kNoToken) return false;
  const std::size_t open = s.partner(last);
  if (s.is(open + 1, "[")) return false;  // an attribute
  if (open == 0) return true;
  return !(is_name(s, open - 1) || s.is(open - 1, ")") || s.is(open - 1, "]") ||
           s.is(open - 1, "[") || s.is(open - 1, "this"));
}

// Returns whether the token begins a host body behind `else __host__` (merge_sides.hpp).
bool is_host_body(const Source& s, std::size_t token) {
  return s.is(token, "__host__") && token > 0 && s.is(token - 1, "else") && s.is(token + 1, "{");
}

void handle_qualifier(Context& c, std::size_t token) {
  if (is_host_body(c.s, token)) {
    c.function_braces[token + 1] = false;
    return c.edits.erase(token);
  }
  if (follows_lambda_introducer(c.s, token)) return rewrite_lambda(c, token);
  const Declaration d = read_declaration(c, token);
  for (const auto* list :
       {&d.globals, &d.devices, &d.hosts, &d.shareds, &d.constants, &d.manageds}) {
    c.handled.insert(list->begin(), list->end());
  }
  for (const Range& bounds : d.launch_bounds) c.handled.insert(bounds.first);
  c.handled.insert(token);

  if (!d.globals.empty()) {
    rewrite_kernel(c, d);
  } else if (!d.shareds.empty()) {
    rewrite_shared(c, d);
  } else if (!d.constants.empty() || !d.manageds.empty()) {
    rewrite_variable(c, d);
  } else if (d.devices.empty() && d.hosts.empty()) {
    refuse_launch_attributes(c, d);
  } else {
    rewrite_function(c, d);  // also handles variables
  }
}

void begin_declaration(Context& c, std::size_t token) {
  c.declaration_begin = token;
  c.specifiers_begin = token;
  c.headers.clear();
}

// Reads `template <...>` before a declaration; returns its last token.
std::size_t read_template_header(Context& c, std::size_t token) {
  if (token > 0 && (c.s.is(token - 1, ".") || c.s.is(token - 1, "->") || c.s.is(token - 1, "::"))) {
    return token;
  }
  const auto close = close_angle(c.s, token + 1);
  if (!close) return token;
  c.headers.push_back({token + 1, *close});
  c.specifiers_begin = *close + 1;
  if (c.s.is(c.specifiers_begin, "requires")) {
    c.specifiers_begin = skip_requires_clause(c.s, c.specifiers_begin);
  }
  return c.specifiers_begin - 1;
}

// Returns whether the colon ends a label: `case 1:`, `label:` or `public:`, which end like
// declarations.
bool ends_label(const Context& c, std::size_t colon) {
  const std::string_view first = c.s.spelling(c.declaration_begin);
  if (first == "case" || first == "default") return c.scope().kind == ScopeKind::block;
  if (colon != c.declaration_begin + 1) return false;
  return c.scope().kind == ScopeKind::block || first == "public" || first == "private" ||
         first == "protected";
}

// Notes the name of a friend, whose linkage is settled before its definition.
void note_friend(Context& c, std::size_t token) {
  for (std::size_t i = token; i < c.s.size() && !c.s.is(i, ";") && !c.s.is(i, "{"); ++i) {
    if (c.s.is_identifier(i) && c.s.is(i + 1, "(")) c.external.insert(c.s.spelling(i));
  }
}

// Returns whether the function whose body `brace` opens is constexpr without one of CUDA's
// qualifiers.
bool is_plain_constexpr(const Context& c, std::size_t brace) {
  for (std::size_t i = c.specifiers_begin; i < brace && !c.s.is(i, "("); ++i)
    if (c.s.is(i, "constexpr") || c.s.is(i, "consteval")) return true;
  return false;
}

// Notes the function whose body `brace` opens, if a kernel may run it.
void note_function(Context& c, std::size_t brace) {
  const std::size_t close = c.s.closing(brace);
  const bool is_inside = !c.device_functions.empty() && brace < c.device_functions.back().body.last;
  if (is_inside || close == kNoToken || c.s.tokens()[brace].system_header) return;
  if (c.scope().kind != ScopeKind::block || !(c.scope().device || is_plain_constexpr(c, brace)))
    return;
  c.device_functions.push_back({c.declaration_begin, {brace, close + 1}});
}

void visit(Context& c, std::size_t& i) {
  const Source& s = c.s;
  if (s.tokens()[i].kind == TokenKind::identifier) {
    const std::string_view word = s.spelling(i);
    if (is_cuda_qualifier(word)) {
      if (!c.handled.count(i)) handle_qualifier(c, i);
    } else if (word == "template" && s.is(i + 1, "<")) {
      i = read_template_header(c, i);
    } else if (word == "friend") {
      note_friend(c, i);
    } else if (word == "__grid_constant__") {
      c.edits.replace(i, c.options.marks_sides ? "__attribute__((emu_grid_constant))" : "");
    } else if (word == "static") {
      rewrite_static(c, i);
    } else if (word == "reinterpret_cast" || word == "static_cast") {
      rewrite_kernel_cast(c, i);
    } else if (word == "for" || word == "while" || word == "do") {
      rewrite_loop(c, i);
    } else if (word == "memcpy" || word == "memmove" || word == "memset") {
      rewrite_copy(c, i);
    } else if (word == "__noinline__") {
      rewrite_noinline(c, i);
    } else if (word == "asm" || word == "__asm__" || word == "__asm") {
      rewrite_asm(c, i);
    } else {
      check_unsupported_word(c, i);
      if (s.is(i + 1, "(")) note_function_of_host(c, i);
    }
    return;
  }
  if (s.tokens()[i].kind == TokenKind::number) return rewrite_number(c, i);
  if (s.tokens()[i].kind != TokenKind::punctuator) return;

  switch (s.text()[s.tokens()[i].begin]) {
    case '{': {
      const auto body = c.function_braces.find(i);
      const std::size_t both = c.braces_of_both.count(i) ? i : c.scope().both;
      c.scopes.push_back(body == c.function_braces.end()
                             ? classify_brace(c, i)
                             : Scope{ScopeKind::block, body->second, {}});
      if (c.constexpr_braces.count(i)) c.scopes.back().constant = true;
      if (c.scope().kind == ScopeKind::block) c.scopes.back().both = both;
      note_function(c, i);
      if (c.scope().kind != ScopeKind::other) begin_declaration(c, i + 1);
      break;
    }
    case '}': {
      const bool ends_declaration = c.scope().kind != ScopeKind::other;
      if (c.scopes.size() > 1) c.scopes.pop_back();
      if (ends_declaration) begin_declaration(c, i + 1);
      break;
    }
    case ';':
      begin_declaration(c, i + 1);
      break;
    case ':':
      if (s.is(i, ":") && ends_label(c, i)) begin_declaration(c, i + 1);
      break;
    case '<':
      if (opens_launch(s, i)) {
        rewrite_launch(c, i);
        i += 2;
      }
      break;
    case '(':
      rewrite_kernel_cast(c, i);
      break;
    default:
      break;
  }
}

}  // namespace

bool Context::in_library(std::size_t token) const {
  if (token >= s.size() || !s.tokens()[token].system_header) return false;
  return std::any_of(
      options.libraries.begin(), options.libraries.end(),
      [&](const std::string& folder) { return s.file(token).starts_with(folder + '/'); });
}

void Context::error(std::size_t token, std::string message) {
  errors.push_back({s.file(token), s.tokens()[token].line, std::move(message)});
}

void Context::unsupported(std::size_t token, emu::Sign sign, std::string_view name) {
  const std::string feature = emu::unsupported_message(sign, name);
  if (!feature.empty()) error(token, "the emulator does not support " + feature);
}

RewriteResult rewrite(std::string preprocessed, const RewriteOptions& options) {
  const Source source(std::move(preprocessed), options.file);
  Context context(source, options);
  rewrite_pragmas(context);
  for (std::size_t i = 0; i < source.size(); ++i) visit(context, i);

  RewriteResult result;
  std::vector<std::size_t> columns;
  result.text = context.edits.apply(&columns, options.keeps_columns);
  if (context.scopes.size() == 1) {  // else g++ reports the missing end
    std::vector<std::string> headers = options.libraries;
    headers.insert(headers.begin(), options.headers);
    result.records =
        place_records(source, context.device_functions, columns, options.folder, headers);
  }
  result.errors = std::move(context.errors);
  return result;
}

std::string mark_system_headers(std::string preprocessed, const std::string& folder) {
  const std::string start = " \"" + folder + "/";
  std::string result;
  result.reserve(preprocessed.size() + preprocessed.size() / 64);
  for (std::size_t begin = 0; begin < preprocessed.size();) {
    const std::size_t end = std::min(preprocessed.find('\n', begin), preprocessed.size());
    const std::string_view line = std::string_view(preprocessed).substr(begin, end - begin);
    result += line;
    if (line.starts_with("# ") && line.find(start) != line.npos) {
      const std::string_view flags = line.substr(line.rfind('"') + 1);
      if (flags.find('3') == flags.npos) result += " 3";
    }
    if (end < preprocessed.size()) result += '\n';
    begin = end + 1;
  }
  return result;
}

}  // namespace emulator_nvcc
