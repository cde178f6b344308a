#include "tools/site/home.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "course/html.hpp"
#include "tools/site/ladder.hpp"
#include "tools/site/ladder_walk.hpp"
#include "tools/site/text.hpp"
#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

namespace site {

namespace fs = std::filesystem;
using course::escape_html;

namespace {

/// What speaks for the course: a few words, and a sentence.
constexpr std::pair<const char*, const char*> kProofs[] = {
    {"No GPU needed",
     "An emulator runs your CUDA programs on the machine in front of you, and counts what a GPU "
     "would do."},
    {"Guess first",
     "You predict each result before you see it. The site remembers how near you came."},
    {"Every number is tested",
     "Point at one to see where it was measured. If it stops being true, a test fails."}};

}  // namespace

std::string ladder_of_home(const Book& book, const std::string& plot,
                           const std::string& description) {
  const fs::path file = book.root() / "docs/plots/plots.json";
  if (!fs::exists(file)) return "";
  const nlohmann::json plots = tools::parse_json(tools::read_file(file)).at("pictures");
  const auto picture =
      std::ranges::find_if(plots, [&](const auto& one) { return one.at("name") == plot; });
  if (picture == plots.end() || picture->at("kind") != "ladder" || !picture->contains("only"))
    return "";
  const fs::path chapter = fs::path("chapters") / picture->at("chapter").get<std::string>();
  const auto steps = picture->at("only").get<std::vector<std::string>>();
  const std::string bars = speed_bars(book, chapter, steps, picture->at("yardstick"));
  if (bars.empty()) return "";
  const double gain = speed_of(book, chapter, steps.back()) / speed_of(book, chapter, steps[0]);
  return fmt::format(
      "<figure class=\"ladder\" aria-label=\"{}\">\n<figcaption><strong>The same matrix product, "
      "{:.0f} times as fast</strong><span>GFLOP/s at 4096 x 4096 on an {}</span></figcaption>\n{}"
      "<nav class=\"all-steps\" aria-label=\"The whole ladder\"><a href=\"{}.html\">All {} steps, "
      "with "
      "their code</a></nav>\n</figure>\n",
      description, gain, escape_html(book.measurements().source("h200").value("device", "GPU")),
      bars, walk_id(chapter), rungs_of(book, chapter).size());
}

std::string beginning_of_home(const Book& book, const std::string& ladder) {
  std::string html = "<div class=\"hero\">\n<div class=\"hero-words\">\n<p class=\"promise\">" +
                     std::string(kPromise) + "</p>\n<p class=\"begin\">";
  const auto item = [&](const std::string& address, const std::string& label) {
    html += "<a href=\"" + address + "\">" + escape_html(label) + "</a>";
  };
  const auto& pages = book.pages();
  const auto first = std::find_if(pages.begin(), pages.end(),
                                  [](const Page& page) { return page.part == "Chapters"; });
  if (first != pages.end()) item(first->id + ".html", "Begin with " + first->label);
  if (book.has_explorer()) item("explorer/index.html", "Play with one request");
  html += "</p>\n</div>\n" + ladder + "<ul class=\"proofs\">\n";
  for (const auto& [words, sentence] : kProofs)
    html += "<li><strong>" + std::string(words) + "</strong> " + sentence + "</li>\n";
  return html + "</ul>\n</div>\n<script src=\"bars.js\" defer></script>\n";
}

}  // namespace site
