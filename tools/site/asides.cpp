#include "tools/site/asides.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "tools/site/text.hpp"

namespace site {
namespace {

/// Returns where the bracket begins that ends a piece of HTML, and is a sentence of its own; npos
/// if none does. Attributes may have brackets, too.
std::size_t last_aside(std::string_view html) {
  if (!html.ends_with(".)") && !html.ends_with("?)") && !html.ends_with("!)")) return html.npos;
  std::vector<std::size_t> open;
  std::size_t last = html.npos;
  bool is_tag = false;
  for (std::size_t at = 0; at < html.size(); ++at) {
    is_tag = is_tag ? html[at] != '>' : html[at] == '<';
    if (is_tag) continue;
    if (html[at] == '(') open.push_back(at);
    if (html[at] != ')') continue;
    if (open.empty()) return html.npos;
    last = open.back();
    open.pop_back();
  }
  if (!open.empty() || last == html.npos) return html.npos;
  if (last == 0) return 0;
  const auto is_one_of = [&](std::size_t at, std::string_view letters) {
    return letters.find(html[at]) != letters.npos;
  };
  const bool is_sentence = last > 1 && is_one_of(last - 1, " \n") && is_one_of(last - 2, ".?!:");
  return is_sentence ? last : html.npos;
}

}  // namespace

std::string with_asides(const std::string& html) {
  constexpr std::size_t kLongest = 220, kShortestText = 100;  // letters
  const auto size = [](std::string_view part) { return plain_text(std::string(part)).size(); };
  const auto noted = [](std::string_view text, std::string_view aside) {
    return fmt::format(
        "<p class=\"noted\"><span>{}</span> <span class=\"aside\"><span "
        "class=\"bracket\">(</span>{}"
        "<span class=\"bracket\">)</span></span></p>\n",
        text, aside.substr(1, aside.size() - 2));
  };
  constexpr std::string_view kBegin = "<p>", kEnd = "</p>\n";
  // The paragraph that begins there, without its tags; nothing if none does.
  const auto paragraph_at = [&](std::size_t at) -> std::optional<std::string_view> {
    const std::size_t end = html.find(kEnd, at);
    if (html.compare(at, kBegin.size(), kBegin) != 0 || end == html.npos) return {};
    return std::string_view(html).substr(at + kBegin.size(), end - at - kBegin.size());
  };
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = 0; (at = html.find(kBegin, at)) != html.npos;) {
    const auto text = paragraph_at(at);
    if (!text) break;
    std::size_t end = at + kBegin.size() + text->size() + kEnd.size();
    std::string replacement;
    const std::size_t own = last_aside(*text);
    if (own != text->npos && own > 0) {
      if (size(text->substr(own)) <= kLongest && size(text->substr(0, own)) >= kShortestText)
        replacement = noted(text->substr(0, own - 1), text->substr(own));
    } else if (const auto next = paragraph_at(end); next && last_aside(*next) == 0 &&
                                                    size(*next) <= kLongest &&
                                                    size(*text) >= kShortestText) {
      replacement = noted(*text, *next);
      end += kBegin.size() + next->size() + kEnd.size();
    }
    if (!replacement.empty()) {
      result += html.substr(done, at - done) + replacement;
      done = end;
    }
    at = end;
  }
  return result + html.substr(done);
}

}  // namespace site
