#include "items.hpp"

namespace emulator_nvcc {
namespace {

// Returns whether the word is followed by an argument list that is not a parameter list.
bool has_arguments(std::string_view word) {
  return word == "decltype" || word == "typeof" || word == "__typeof__" || word == "explicit" ||
         word == "noexcept" || word == "alignas" || word == "__launch_bounds__" ||
         word == "__cluster_dims__" || word == "__block_size__" || word == "__maxnreg__" ||
         word == "static_assert" || word == "_Static_assert" || word == "asm" || word == "__asm__";
}

// Returns where a constructor's body begins: the end of the member initialisers behind `colon`.
std::size_t skip_member_initialisers(const Source& s, std::size_t colon, std::size_t end) {
  for (std::size_t i = colon + 1; i < end; ++i) {
    if (s.is(i, "{")) {
      const bool is_initialiser = s.is_identifier(i - 1) || s.is(i - 1, ">");
      if (!is_initialiser || s.closing(i) == kNoToken) return i;
      i = s.closing(i);
    } else if ((s.is(i, "(") || s.is(i, "[")) && s.closing(i) != kNoToken) {
      i = s.closing(i);
    }
  }
  return end;
}

class Reader {
 public:
  Reader(const Source& s, std::size_t end) : s_(s), end_(end) {}

  Item read(std::size_t first) {
    Item item;
    item.tokens.first = first;
    std::size_t i = skip_template_headers(first);
    item.specifiers = i;
    if (s_.is(i + 1, ":") && (s_.is(i, "public") || s_.is(i, "protected") || s_.is(i, "private"))) {
      item.tokens.last = i + 2;
      return item;
    }
    if (is_group(i)) {
      while (i < end_ && !s_.is(i, "{") && !s_.is(i, ";")) ++i;
      if (s_.is(i, "{") && s_.closing(i) != kNoToken) {
        item.kind = ItemKind::group;
        item.body = i;
        i = s_.closing(i);
      }
      item.tokens.last = std::min(i + 1, end_);
      return item;
    }
    item.tokens.last = std::min(read_declaration(item, i), end_);
    return item;
  }

 private:
  std::size_t skip_template_headers(std::size_t i) const {
    while (s_.is(i, "template") && s_.is(i + 1, "<")) {
      const auto close = close_angle(s_, i + 1);
      if (!close) break;
      i = *close + 1;
      if (s_.is(i, "requires")) i = skip_requires_clause(s_, i);
    }
    return i;
  }

  bool is_group(std::size_t i) const {
    if (s_.is(i, "inline")) ++i;
    return s_.is(i, "namespace") || (s_.is(i, "extern") && s_.is(i + 2, "{"));
  }

  // Reads a declaration; returns its end.
  std::size_t read_declaration(Item& item, std::size_t i) const {
    bool is_initialised = false, is_class = false;
    for (; i < end_; ++i) {
      const std::string_view word = s_.spelling(i);
      if (const std::size_t after = skip_attribute(s_, i); after != i) {
        i = after - 1;
      } else if (word == ";") {
        return i + 1;
      } else if (word == "requires") {
        i = skip_requires_clause(s_, i) - 1;
      } else if (has_arguments(word) && s_.is(i + 1, "(") && s_.closing(i + 1) != kNoToken) {
        i = s_.closing(i + 1);
      } else if (word == "=") {
        is_initialised = true;
      } else if (word == "<" && i > 0 && s_.is_identifier(i - 1) && !is_initialised) {
        if (const auto close = close_angle(s_, i); close && *close < end_) i = *close;
      } else if (word == "(" || word == "[") {
        if (s_.closing(i) == kNoToken) return end_;
        if (word == "(" && item.parameters == kNoToken && !is_initialised && !is_type_alias(item)) {
          item.parameters = i;
          item.kind = ItemKind::function;
        }
        i = s_.closing(i);
      } else if (word == ":" && item.kind == ItemKind::function && !is_initialised) {
        i = skip_member_initialisers(s_, i, end_) - 1;
      } else if (word == "{") {
        const std::size_t close = s_.closing(i);
        if (close == kNoToken) return end_;
        if (item.kind == ItemKind::function && !is_initialised) {
          item.body = i;
          return close + 1;
        }
        if (is_class && item.body == kNoToken && !is_initialised) {
          item.kind = ItemKind::type;
          item.body = i;
        }
        i = close;
      } else if (is_class_key(word) && word != "enum") {
        is_class = true;
      } else {
        note_qualifier(item, word);
      }
    }
    return end_;
  }

  bool is_type_alias(const Item& item) const {
    return s_.is(item.specifiers, "typedef") || s_.is(item.specifiers, "using");
  }

  static void note_qualifier(Item& item, std::string_view word) {
    item.is_host |= word == "__host__";
    item.is_device |= word == "__device__" || word == "__constant__" || word == "__managed__" ||
                      word == "__shared__";
    item.is_kernel |= word == "__global__";
    item.is_constexpr |= word == "constexpr" || word == "consteval";
  }

  const Source& s_;
  std::size_t end_;
};

// Returns the last word before a function's parameters and, for f<int>, its template arguments.
std::size_t function_name(const Source& s, const Item& item) {
  std::size_t i = item.parameters;
  if (i > 0 && s.is(i - 1, ">"))
    while (i > item.specifiers && !s.is(i, "<")) --i;
  const bool is_named =
      i > item.specifiers && s.is_identifier(i - 1) && !is_keyword(s.spelling(i - 1));
  return is_named ? i - 1 : kNoToken;
}

}  // namespace

std::vector<Item> read_items(const Source& s, Range tokens) {
  std::vector<Item> items;
  Reader reader(s, tokens.last);
  for (std::size_t i = tokens.first; i < tokens.last;) {
    items.push_back(reader.read(i));
    i = std::max(items.back().tokens.last, i + 1);
    items.back().tokens.last = i;
  }
  return items;
}

std::string spelled(const Source& s, Range tokens) {
  std::string text;
  for (std::size_t i = tokens.first; i < tokens.last; ++i) {
    if (!text.empty()) text += ' ';
    text += s.spelling(i);
  }
  return text;
}

std::string name_of(const Source& s, const Item& item) {
  if (item.kind == ItemKind::function) {
    const std::size_t name = function_name(s, item);
    return name == kNoToken ? std::string() : std::string(s.spelling(name));
  }
  if (s.is(item.specifiers, "using") && s.is(item.specifiers + 2, "="))
    return std::string(s.spelling(item.specifiers + 1));
  // The last name before the initialiser.
  std::string name;
  for (std::size_t i = item.specifiers; i < item.tokens.last; ++i) {
    if (const std::size_t after = skip_attribute(s, i); after != i) {
      i = after - 1;
      continue;
    }
    if (s.is(i, "=") || s.is(i, "{") || s.is(i, ";") || s.is(i, "[") || s.is(i, ":")) break;
    if (is_name(s, i)) name = s.spelling(i);
  }
  return name;
}

std::vector<std::string> names_of(const Source& s, const Item& item) {
  std::vector<std::string> names;
  if (const std::string name = name_of(s, item); !name.empty()) names.push_back(name);
  if (!s.is(item.specifiers, "enum")) return names;
  std::size_t open = item.specifiers;
  while (open < item.tokens.last && !s.is(open, "{")) ++open;
  if (s.closing(open) == kNoToken) return names;
  for (const Range& part : split_at_commas(s, {open + 1, s.closing(open)}))
    if (!part.empty()) names.emplace_back(s.spelling(part.first));
  return names;
}

std::string key_of(const Source& s, const Item& item) {
  switch (item.kind) {
    case ItemKind::group:
    case ItemKind::type:
      return spelled(s, {item.tokens.first, item.body});
    case ItemKind::function: {
      std::size_t end = item.parameters;
      while (end < item.tokens.last && end != item.body && !s.is(end, ";") && !s.is(end, ":") &&
             !s.is(end, "="))
        end = s.closing(end) == kNoToken ? end + 1 : s.closing(end) + 1;
      const std::size_t name = function_name(s, item);
      const std::size_t first = name == kNoToken ? item.specifiers : qualified_name_begin(s, name);
      return spelled(s, {first, end});
    }
    default:
      return spelled(s, item.tokens);
  }
}

}  // namespace emulator_nvcc
