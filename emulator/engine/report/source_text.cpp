#include "engine/report/source_text.hpp"

#include <algorithm>
#include <fstream>

namespace emu {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

/// Returns the number of bytes of the UTF-8 character that `text` begins with; 0 if it begins with
/// none.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return (first >= 0x20 && first != 0x7f) || first == '\t' ? 1 : 0;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool is_overlong = first == 0xe0 && second < 0xa0;
    const bool is_surrogate = first == 0xed && second >= 0xa0;
    const bool is_no_character = first == 0xef && second == 0xbf && byte(2) >= 0xbe;
    return follows(1) && follows(2) && !is_overlong && !is_surrogate && !is_no_character ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool is_overlong = first == 0xf0 && second < 0x90;
    const bool is_beyond = first == 0xf4 && second >= 0x90;
    return follows(1) && follows(2) && follows(3) && !is_overlong && !is_beyond ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    result += bytes != 0 ? text.substr(0, bytes) : kReplacement;
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return result;
}

std::optional<SourceLines> read_source(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  SourceLines lines;
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(printable(line));
  }
  if (in.bad()) return std::nullopt;
  return lines;
}

}  // namespace emu
