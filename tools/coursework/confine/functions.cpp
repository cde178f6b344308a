#include "functions.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "course/cpp_syntax.hpp"

namespace coursework::confine {
namespace {

using namespace course::cpp;

/// The name before the parameters of a function that [begin, end) declares; kNoToken if none.
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
    } else if (s.is(i, "__launch_bounds__") || s.is(i, "decltype") || s.is(i, "noexcept") ||
               s.is(i, "explicit") || s.is(i, "requires")) {
      if (s.is(i + 1, "(")) i = s.closing(i + 1);
    } else if (s.is(i, "(")) {
      return i > begin && s.is_identifier(i - 1) ? i - 1 : kNoToken;
    }
  }
  return kNoToken;
}

/// Where a definition's body begins: at the `:` of a constructor, or at the brace.
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

  /// @return the last token of what is done with
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
    if (name == kNoToken) return;
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
  std::size_t begin_ = kNoToken;  // of the declaration
  Functions result_;
};

/// Whether the token calls a function of this name, rather than a member of something.
bool may_call(const Source& s, std::size_t i) {
  const bool is_called = s.is(i + 1, "(");
  const bool is_others = i > 0 && (s.is(i - 1, ".") || s.is(i - 1, "->") ||
                                   (s.is(i - 1, "::") && i > 1 && s.is_identifier(i - 2)));
  const bool is_declared = i > 0 && s.is_identifier(i - 1) && !s.is(i - 1, "return");
  return is_called && !is_others && !is_declared;
}

}  // namespace

bool has_word(const Source& source, std::size_t begin, std::size_t end, std::string_view word) {
  for (std::size_t i = begin; i < end; ++i)
    if (source.is(i, word)) return true;
  return false;
}

Functions find_functions(const Source& source, const std::vector<bool>& own) {
  return Finder(source, own).find();
}

HostCode find_host_code(const Source& s, const std::vector<bool>& own, const Functions& functions) {
  std::set<std::string_view> promised, device;  // names declared, and defined, for the device
  for (const Declaration& one : functions.declarations)
    if (one.is_for_device) promised.insert(s.spelling(one.name));
  for (const Definition& one : functions.definitions)
    if (one.is_for_device) device.insert(s.spelling(one.name));
  HostCode result;
  std::set<std::string_view> names;  // of host functions that nothing else goes by
  for (const Definition& one : functions.definitions) {
    const std::string_view name = s.spelling(one.name);
    if (one.is_for_device || promised.count(name)) continue;
    result.definitions.push_back(&one);
    if (!one.is_member && !device.count(name)) names.insert(name);
  }
  if (names.empty()) return result;
  for (std::size_t i = 0; i < s.size(); ++i)
    if (!own[i] && s.is(i + 1, "(")) names.erase(s.spelling(i));
  for (const Definition& caller : functions.definitions) {
    if (!caller.is_for_device) continue;
    for (std::size_t i = caller.body; i < caller.last && result.called == nullptr; ++i) {
      if (!s.is_identifier(i) || !names.count(s.spelling(i)) || !may_call(s, i)) continue;
      result.where = i;
      result.called = *std::find_if(
          result.definitions.begin(), result.definitions.end(),
          [&](const Definition* one) { return s.spelling(one->name) == s.spelling(i); });
    }
  }
  return result;
}

}  // namespace coursework::confine
