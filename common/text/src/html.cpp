#include "course/html.hpp"

#include <array>
#include <utility>

namespace course {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kEntities = {{
    {"&lt;", "<"},
    {"&gt;", ">"},
    {"&quot;", "\""},
    {"&#39;", "'"},
    {"&#160;", " "},
    {"&nbsp;", " "},
    {"&amp;", "&"},
}};

}  // namespace

std::string escape_html(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string unescape_html(std::string_view html) {
  std::string result;
  while (!html.empty()) {
    std::size_t length = 1;
    std::string_view character = html.substr(0, 1);
    if (html.front() == '&') {
      for (const auto& [entity, meant] : kEntities) {
        if (!html.starts_with(entity)) continue;
        length = entity.size();
        character = meant;
      }
    }
    result += character;
    html.remove_prefix(length);
  }
  return result;
}

}  // namespace course
