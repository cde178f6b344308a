#include "tools/support/definitions.hpp"

#include <algorithm>
#include <optional>

#include "course/cpp_syntax.hpp"

namespace tools {

namespace {

using course::cpp::kNoToken;
using course::cpp::Range;
using course::cpp::Source;

std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

/// Returns the token after the brackets that open at `token`; without brackets, the next token.
std::size_t past(const Source& s, std::size_t token) {
  const std::size_t close = s.closing(token);
  return close == kNoToken ? token + 1 : close + 1;
}

/// Skips any number of `template <...> requires ...`.
std::size_t skip_templates(const Source& s, std::size_t first) {
  while (s.is(first, "template") && s.is(first + 1, "<")) {
    const auto close = course::cpp::close_angle(s, first + 1);
    if (!close) break;
    first = *close + 1;
    if (s.is(first, "requires")) first = course::cpp::skip_requires_clause(s, first);
  }
  return first;
}

/// Returns whether a word's parentheses contain arguments, not parameters.
bool takes_arguments(const Source& s, std::size_t token) {
  static constexpr std::string_view kWords[] = {
      "__launch_bounds__", "__cluster_dims__", "explicit", "decltype", "noexcept", "requires"};
  return std::ranges::find(kWords, s.spelling(token)) != std::end(kWords);
}

/// Skips a constructor's initialisers; `colon` is their `:`.
std::size_t skip_initialisers(const Source& s, std::size_t colon) {
  std::size_t i = colon;
  do {
    i = course::cpp::skip_qualified_name(s, i + 1);
    if (!s.is(i, "(") && !s.is(i, "{")) return i;
    i = past(s, i);
    if (s.is(i, "...")) ++i;
  } while (s.is(i, ","));
  return i;
}

/// Reads one source from its first token to its last.
class Reader {
 public:
  explicit Reader(const std::vector<std::string>& lines) : s_(text_of(lines)) {
    for (std::size_t i = 0; i < s_.text().size(); ++i)
      if (s_.text()[i] == '\n') line_ends_.push_back(i);
  }

  std::vector<Definition> run() {
    for (std::size_t i = 0; i < s_.size();) i = past_declaration(i);
    return std::move(found_);
  }

 private:
  std::size_t line_of(std::size_t token) const {
    const auto end = std::ranges::lower_bound(line_ends_, s_.tokens()[token].begin);
    return static_cast<std::size_t>(end - line_ends_.begin());
  }

  void add(Definition::Kind kind, std::string_view name, Range tokens) {
    Definition definition = {.kind = kind, .name = std::string(name)};
    for (std::size_t i = tokens.first; i < tokens.last; ++i)
      definition.is_kernel = definition.is_kernel || s_.is(i, "__global__");
    definition.first_line = line_of(tokens.first);
    definition.last_line = line_of(tokens.last);
    found_.push_back(std::move(definition));
  }

  /// Enters a namespace or `extern "C"`; returns the token after its brace.
  std::optional<std::size_t> past_opening(std::size_t first) const {
    std::size_t i = s_.is(first, "inline") ? first + 1 : first;
    if (s_.is(i, "namespace")) {
      while (i < s_.size() && !s_.is(i, "{") && !s_.is(i, ";") && !s_.is(i, "=")) ++i;
    } else if (s_.is(i, "extern")) {
      i += 2;
    }
    if (i == first || !s_.is(i, "{")) return std::nullopt;
    return i + 1;
  }

  std::size_t past_declaration(std::size_t first) {
    if (s_.is(first, ";") || s_.is(first, "}")) return first + 1;
    if (const auto inside = past_opening(first)) return *inside;
    const std::size_t head = skip_templates(s_, first);
    std::size_t name = kNoToken, parameters = kNoToken, class_key = kNoToken;
    for (std::size_t i = head; i < s_.size();) {
      if (const std::size_t after = course::cpp::skip_attribute(s_, i); after != i) {
        i = after;
      } else if (s_.is(i, ";")) {
        add_constant_array(first, head, i);
        return i + 1;
      } else if (s_.is(i, "=")) {
        return past_initialiser(first, head, i);
      } else if (takes_arguments(s_, i) && s_.is(i + 1, "(")) {
        i = past(s_, i + 1);
      } else if (s_.is(i, "(")) {
        if (parameters == kNoToken) parameters = i, name = name_before(i);
        i = past(s_, i);
        if (name == head && s_.is_identifier(i)) return i;  // a macro call without a semicolon
      } else if (s_.is(i, ":") && parameters != kNoToken) {
        i = skip_initialisers(s_, i);
      } else if (s_.is(i, "{")) {
        return past_body(first, head, i, class_key, name);
      } else if (s_.is(i, "<") && i > head && s_.is_identifier(i - 1)) {
        const auto close = course::cpp::close_angle(s_, i);
        i = close ? *close + 1 : i + 1;
      } else {
        if (class_key == kNoToken && parameters == kNoToken &&
            course::cpp::is_class_key(s_.spelling(i)))
          class_key = i;
        i = past(s_, i);
      }
    }
    return s_.size();
  }

  /// Returns the name of the function whose parameters open at `parenthesis`.
  std::size_t name_before(std::size_t parenthesis) const {
    std::size_t i = parenthesis;
    if (i > 0 && s_.is(i - 1, ">")) {  // a specialisation: the name precedes its template arguments
      while (i > 0 && !(s_.is(i, "<") && course::cpp::close_angle(s_, i) == parenthesis - 1)) --i;
    }
    return i > 0 && s_.is_identifier(i - 1) ? i - 1 : kNoToken;
  }

  /// Skips the body at `open`: of a function, class or enumeration, or a braced initialiser.
  std::size_t past_body(std::size_t first, std::size_t head, std::size_t open,
                        std::size_t class_key, std::size_t name) {
    const std::size_t close = s_.closing(open);
    if (close == kNoToken) return s_.size();
    if (name != kNoToken) {
      // without a type or scope before the name, it is a macro call
      if (name > head) add(Definition::Kind::function, s_.spelling(name), {first, close});
      return close + 1;
    }
    if (class_key != kNoToken) {
      std::size_t end = close;
      while (end + 1 < s_.size() && !s_.is(end, ";")) end = past(s_, end);
      const std::size_t structure = name_behind(class_key);
      if (structure != kNoToken && !s_.is(class_key, "enum"))
        add(Definition::Kind::structure, s_.spelling(structure), {first, end});
      return end + 1;
    }
    add_constant_array(first, head, close);
    return close + 1;
  }

  /// Returns the name of a class, after its attributes.
  std::size_t name_behind(std::size_t class_key) const {
    std::size_t i = class_key + 1;
    while (i < s_.size() && course::cpp::skip_attribute(s_, i) != i)
      i = course::cpp::skip_attribute(s_, i);
    std::size_t name = kNoToken;
    course::cpp::skip_qualified_name(s_, i, &name);
    return name;
  }

  std::size_t past_initialiser(std::size_t first, std::size_t head, std::size_t equals) {
    std::size_t end = equals;
    while (end < s_.size() && !s_.is(end, ";")) end = past(s_, end);
    if (end < s_.size()) add_constant_array(first, head, end);
    return end + 1;
  }

  /// Adds the array that these tokens declare, if it is in constant memory.
  void add_constant_array(std::size_t first, std::size_t head, std::size_t end) {
    bool is_constant = false;
    for (std::size_t i = head; i < end; ++i) {
      is_constant = is_constant || s_.is(i, "__constant__");
      if (!is_constant || !s_.is(i + 1, "[") || !course::cpp::is_name(s_, i)) continue;
      return add(Definition::Kind::constant_array, s_.spelling(i), {first, end});
    }
  }

  Source s_;
  std::vector<std::size_t> line_ends_;
  std::vector<Definition> found_;
};

}  // namespace

std::vector<Definition> definitions_in(const std::vector<std::string>& lines) {
  return Reader(lines).run();
}

}  // namespace tools
