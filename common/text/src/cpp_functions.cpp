#include "course/cpp_functions.hpp"

#include <algorithm>
#include <optional>

#include "course/cpp_syntax.hpp"

namespace course::cpp {
namespace {

/// Returns the name before the parameters of a function declared in [begin, end); kNoToken if there
/// is none.
std::size_t function_name(const Source& s, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (const std::size_t after = skip_attribute(s, i); after != i) {
      i = after - 1;
    } else if (s.is(i, "template") && s.is(i + 1, "<")) {
      const auto close = close_angle(s, i + 1);
      if (!close) return kNoToken;
      i = *close;
    } else if (const auto close = s.is(i, "<") ? close_angle(s, i) : std::nullopt; close) {
      if (s.is(*close + 1, "(") && s.is_identifier(i - 1)) return i - 1;
      i = *close;
    } else if (s.is(i, "=")) {
      return kNoToken;
    } else if (s.is(i, "__launch_bounds__") || s.is(i, "__cluster_dims__") || s.is(i, "decltype") ||
               s.is(i, "noexcept") || s.is(i, "explicit") || s.is(i, "requires")) {
      if (s.is(i + 1, "(")) i = s.closing(i + 1);
    } else if (s.is(i, "(")) {
      return i > begin && s.is_identifier(i - 1) ? i - 1 : kNoToken;
    }
  }
  return kNoToken;
}

/// Returns whether the braces initialise a variable: `int (*table[2])(int) = {f, g}`.
bool is_initialiser(const Source& s, std::size_t name, std::size_t brace) {
  for (std::size_t i = name + 1; i < brace; ++i) {
    if (s.closing(i) != kNoToken)
      i = s.closing(i);
    else if (s.is(i, "="))
      return true;
  }
  return false;
}

/// Returns where a definition's body begins: at the `:` of a constructor, or at the brace.
std::size_t body_begin(const Source& s, std::size_t name, std::size_t brace) {
  for (std::size_t i = name + 1; i < brace; ++i) {
    if (s.is(i, "(") && s.closing(i) != kNoToken)
      i = s.closing(i);
    else if (s.is(i, ":"))
      return i;
  }
  return brace;
}

/// Walks over declarations, into namespaces and classes but not into functions.
class Finder {
 public:
  Finder(const Source& source, const std::vector<bool>& own) : s_(source), own_(own) {}

  Functions find() {
    for (std::size_t i = 0; i < s_.size(); ++i) {
      if (!own_[i]) continue;
      if (begin_ == kNoToken) begin_ = i;
      if (s_.is(i, "{")) {
        i = open(i);
      } else if (s_.is(i, "}")) {
        if (scopes_.size() > 1) scopes_.pop_back();
        begin_ = kNoToken;
      } else if (s_.is(i, ";")) {
        note_declaration(i);
        begin_ = kNoToken;
      } else if ((s_.is(i, "(") || s_.is(i, "[")) && s_.closing(i) != kNoToken) {
        i = s_.closing(i);
      } else if (s_.is(i, ":") && i == begin_ + 1) {
        begin_ = kNoToken;  // public:
      }
    }
    return std::move(result_);
  }

 private:
  enum class Scope { linkage, space, type, other };

  /// @return the last token that is handled
  std::size_t open(std::size_t brace) {
    const Scope inside = scope_of(brace);
    if (inside != Scope::other || s_.closing(brace) == kNoToken) {
      scopes_.push_back(inside);
      begin_ = kNoToken;
      return brace;
    }
    const std::size_t close = s_.closing(brace);
    note_definition(brace, close);
    const bool goes_on = s_.is(close + 1, ";") || s_.is(close + 1, ",") || s_.is(close + 1, "{");
    if (!goes_on) begin_ = kNoToken;
    return close;
  }

  Scope scope_of(std::size_t brace) const {
    bool is_class = false;
    std::size_t i = begin_;
    if (s_.is(i, "extern") && i + 2 == brace) return Scope::linkage;  // extern "C" {
    while (s_.is(i, "template") && s_.is(i + 1, "<")) {
      const auto close = close_angle(s_, i + 1);
      if (!close || *close >= brace) return Scope::other;
      i = *close + 1;
    }
    if (s_.is(i, "inline")) ++i;
    if (s_.is(i, "namespace")) return Scope::space;
    for (; i < brace; ++i) {
      if (s_.is(i, "=")) return Scope::other;
      if (s_.is(i, "(")) {
        const bool is_attribute =
            s_.is(i - 1, "__attribute__") || s_.is(i - 1, "alignas") || s_.is(i - 1, "decltype");
        if (!is_attribute) return Scope::other;
        i = s_.closing(i);
      }
      if (s_.is(i, "enum")) return Scope::other;
      is_class |= is_class_key(s_.spelling(i));
    }
    return is_class ? Scope::type : Scope::other;
  }

  bool is_global() const {
    return std::all_of(scopes_.begin(), scopes_.end(),
                       [](Scope scope) { return scope == Scope::linkage; });
  }
  bool is_for_device(std::size_t end) const { return is_for_device_alone(end) || is_constant(end); }
  bool is_for_device_alone(std::size_t end) const {
    return has_word(s_, begin_, end, "__global__") || has_word(s_, begin_, end, "__device__");
  }
  bool is_constant(std::size_t end) const {
    return has_word(s_, begin_, end, "constexpr") || has_word(s_, begin_, end, "consteval");
  }

  void note_definition(std::size_t brace, std::size_t close) {
    auto& all = result_.definitions;
    if (!all.empty() && all.back().begin == begin_) {
      all.back().last = close;  // `S() : x{1} {}`: the next braces of the same function
      return;
    }
    const std::size_t name = function_name(s_, begin_, brace);
    if (name == kNoToken || is_initialiser(s_, name, brace)) return;
    all.push_back({begin_, name, body_begin(s_, name, brace), close, is_global(),
                   scopes_.back() == Scope::type, is_for_device(brace),
                   !is_for_device_alone(brace) && is_constant(brace)});
  }

  void note_declaration(std::size_t end) {
    const std::size_t name = function_name(s_, begin_, end);
    if (name != kNoToken)
      result_.declarations.push_back({begin_, name, end, is_global(), is_for_device(end)});
  }

  const Source& s_;
  const std::vector<bool>& own_;
  std::vector<Scope> scopes_ = {Scope::linkage};
  std::size_t begin_ = kNoToken;  // begin of the declaration
  Functions result_;
};

}  // namespace

bool has_word(const Source& source, std::size_t begin, std::size_t end, std::string_view word) {
  for (std::size_t i = begin; i < end; ++i)
    if (source.is(i, word)) return true;
  return false;
}

Functions find_functions(const Source& source, const std::vector<bool>& own) {
  return Finder(source, own).find();
}

}  // namespace course::cpp
