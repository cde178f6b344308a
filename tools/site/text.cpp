#include "tools/site/text.hpp"

#include <algorithm>
#include <cctype>

#include "course/html.hpp"

namespace site {

std::string plain_text(std::string_view html) {
  std::string result;
  for (std::size_t i = 0; i < html.size();) {
    if (html[i] != '<') {
      result += html[i++];
      continue;
    }
    const std::string_view end = html.substr(i).starts_with("<!--") ? "-->" : ">";
    const std::size_t close = html.find(end, i);
    if (close == std::string_view::npos) break;
    i = close + end.size();
  }
  return course::unescape_html(result);
}

std::string slug(std::string_view heading) {
  std::string result;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '-' || c == '_' || byte >= 0x80) {
      result += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
    } else if (c == ' ') {
      result += '-';
    }
  }
  return result;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::string popover_text(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    if (!line.empty()) text += (text.empty() ? "" : "&#10;") + course::escape_html(line);
  return text;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace site
