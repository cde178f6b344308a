/// Decides what a `{` begins: a block, a class, a namespace or something else.
#include "context.hpp"

namespace emulator_nvcc {
namespace {

struct Head {
  std::size_t class_key = kNoToken;
  std::size_t parameters = kNoToken;  // `(` of a function
  bool initialiser = false;           // an `=` precedes the brace
  bool constructor_list = false;      // a `:` follows the parameters
};

// Reads the declaration before the brace, outside its brackets.
Head read_head(const Context& c, std::size_t brace) {
  const Source& s = c.s;
  Head head;
  bool base_clause = false;
  for (std::size_t i = c.specifiers_begin; i < brace; ++i) {
    if (const std::size_t after = skip_attribute(s, i); after != i && after <= brace) {
      i = after - 1;
    } else if (s.is(i, "decltype") || s.is(i, "noexcept") || s.is(i, "explicit")) {
      if (s.is(i + 1, "(") && s.closing(i + 1) < brace) i = s.closing(i + 1);
    } else if (is_class_key(s.spelling(i)) && head.class_key == kNoToken) {
      head.class_key = i;
    } else if (s.is(i, "<") && i > 0 && s.is_identifier(i - 1)) {
      const auto close = close_angle(s, i);
      if (close && *close < brace) i = *close;
    } else if (s.is(i, "(")) {
      if (head.parameters == kNoToken && !base_clause) head.parameters = i;
      if (s.closing(i) != kNoToken && s.closing(i) < brace) i = s.closing(i);
    } else if (s.is(i, "[") || s.is(i, "{")) {
      if (s.closing(i) != kNoToken && s.closing(i) < brace) i = s.closing(i);
    } else if (s.is(i, "=")) {
      head.initialiser = true;
    } else if (s.is(i, ":")) {
      if (head.parameters != kNoToken) {
        head.constructor_list = true;
      } else if (head.class_key != kNoToken) {
        base_clause = true;
      }
    }
  }
  return head;
}

bool follows_lambda_or_statement(const Source& s, std::size_t brace) {
  return brace > 0 && (s.is(brace - 1, ")") || s.is(brace - 1, "]") || s.is(brace - 1, "mutable") ||
                       s.is(brace - 1, "noexcept"));
}

Scope read_namespace(const Context& c, std::size_t keyword, std::size_t brace) {
  Scope scope{ScopeKind::name_space, false, {}};
  for (std::size_t i = keyword + 1; i < brace; ++i) {
    if (const std::size_t after = skip_attribute(c.s, i); after != i) {
      i = after - 1;
    } else if (is_name(c.s, i) || c.s.is(i, "::")) {
      scope.name += c.s.spelling(i);
    }
  }
  return scope;
}

}  // namespace

Scope classify_brace(const Context& c, std::size_t brace) {
  const Source& s = c.s;
  const bool device = c.scope().device;
  const Scope block{ScopeKind::block, device, {}, c.scope().constant};
  const Scope other{ScopeKind::other, device, {}, c.scope().constant};

  if (c.scope().kind == ScopeKind::other) {
    return follows_lambda_or_statement(s, brace) ? block : other;
  }
  std::size_t first = c.specifiers_begin;
  if (first < brace && s.is(first, "inline")) ++first;
  if (first < brace && s.is(first, "namespace")) return read_namespace(c, first, brace);
  if (c.at_file_level() && s.is(first, "extern") && brace == first + 2) {
    return {ScopeKind::name_space, false, {}};
  }

  const Head head = read_head(c, brace);
  if (head.class_key != kNoToken && head.parameters == kNoToken && !head.initialiser) {
    // The braces of a class, not of an initialiser of a member or variable.
    const bool is_enum = s.is(head.class_key, "enum");
    return {is_enum ? ScopeKind::other : ScopeKind::class_body, device, {}};
  }
  if (c.scope().kind == ScopeKind::block) return block;
  if (head.constructor_list && (is_name(s, brace - 1) || s.is(brace - 1, ">"))) return other;
  if (head.initialiser) return follows_lambda_or_statement(s, brace) ? block : other;
  if (head.parameters != kNoToken) {
    return s.is(brace - 1, "requires") ? other : Scope{ScopeKind::block, device, {}};
  }
  return follows_lambda_or_statement(s, brace) ? block : other;
}

}  // namespace emulator_nvcc
