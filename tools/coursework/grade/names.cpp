#include "tools/coursework/grade/names.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>

#include "tools/coursework/grade/digest.hpp"

namespace coursework {
namespace {

/// One character of UTF-8; its length is 0 if there is none.
struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;
};

Character first_of(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || bytes.size() < length) return {};
  std::uint32_t code = lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool no_character = (code >= 0xd800 && code < 0xe000) || code > 0x10ffff;
  return overlong || no_character ? Character{} : Character{code, length};
}

/// Returns whether a character is a control character, has no width, or changes the text's
/// direction.
bool is_hidden(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0x61c ||
         (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || (code >= 0xfff0 && code <= 0xffff);
}

std::string percent(std::string_view bytes) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {'%', kDigits[byte / 16], kDigits[byte % 16]};
  }
  return text;
}

bool looks_escaped(std::string_view bytes) {
  return bytes.size() > 2 && std::isxdigit(static_cast<unsigned char>(bytes[1])) != 0 &&
         std::isxdigit(static_cast<unsigned char>(bytes[2])) != 0;
}

template <class Escaped>
std::string escape(std::string_view bytes, Escaped is_escaped) {
  std::string text;
  while (!bytes.empty()) {
    const Character one = first_of(bytes);
    const std::size_t length = one.length == 0 ? 1 : one.length;
    const std::string_view raw = bytes.substr(0, length);
    const bool escaped = one.length == 0 || is_hidden(one.code) ||
                         (one.code == '%' && looks_escaped(bytes)) ||
                         (length == 1 && is_escaped(raw[0], text.empty()));
    text += escaped ? percent(raw) : std::string(raw);
    bytes.remove_prefix(length);
  }
  return text;
}

}  // namespace

std::string printable(std::string_view bytes) {
  return escape(bytes, [](char, bool) { return false; });
}

std::string folder_name(std::string_view bytes) {
  constexpr std::string_view kSpecial = "/\\\"'`$<>:|?*&;!#%{}[]~^";
  constexpr std::size_t kMostBytes = 120;
  std::string name = escape(bytes, [&](char c, bool is_first) {
    return kSpecial.find(c) != std::string_view::npos ||
           (is_first && (c == '.' || c == '-' || c == ' '));
  });
  if (name.empty()) return "%";
  if (name.back() == ' ' || name.back() == '.')
    name.replace(name.size() - 1, 1, percent(name.substr(name.size() - 1)));
  if (name.size() <= kMostBytes) return name;
  std::size_t end = kMostBytes;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0U) == 0x80) --end;
  return name.substr(0, end) + "%" + sha256(bytes).substr(0, 16);
}

namespace {

/// Returns whether a spreadsheet may take the text for a formula. Some skip leading blanks, and
/// read full-width characters as normal ones.
bool looks_like_formula(std::string_view text) {
  constexpr std::string_view kBlanks[] = {" ",      "\n",     "\u00a0", "\u2007",
                                          "\u202f", "\u3000", "\ufeff"};
  constexpr std::string_view kSigns[] = {"=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"};
  const auto begins = [&](std::string_view with) { return text.starts_with(with); };
  for (const auto* blank = kBlanks; blank != std::end(kBlanks);) {
    if (begins(*blank)) {
      text.remove_prefix(blank->size());
      blank = kBlanks;
    } else {
      ++blank;
    }
  }
  return std::ranges::any_of(kSigns, begins);
}

}  // namespace

std::string csv_field(std::string_view text) {
  std::string field(text);
  if (looks_like_formula(text)) field.insert(0, 1, '\'');
  if (field.find_first_of(",\"\r\n") == std::string::npos && field == std::string(text))
    return field;
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const Character one = first_of(bytes);
    if (one.length == 0) return false;
    bytes.remove_prefix(one.length);
  }
  return true;
}

}  // namespace coursework
