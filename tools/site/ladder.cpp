#include "tools/site/ladder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>

#include "course/html.hpp"
#include "tools/site/figure_words.hpp"
#include "tools/site/ladder_walk.hpp"
#include "tools/site/text.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/source_text.hpp"

namespace site {

namespace fs = std::filesystem;
using course::escape_html;
using tools::Match;
using tools::Pattern;

namespace {

/// Returns the names of a chapter's steps by their numbers.
std::map<std::string, std::string> steps_of(const fs::path& folder) {
  static const Pattern kStep(R"(^(\d\d)_\w+\.cuh$)");
  std::map<std::string, std::string> steps;
  if (!fs::is_directory(folder)) return steps;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (const Match match = kStep.matches(name))
      steps[match.str(1)] = tools::step_name(entry.path());
  }
  return steps;
}

/// Returns the name of what was measured of a step, as in Rung::gflop_per_s.
std::string run_of(const fs::path& chapter, const std::string& step) {
  return fmt::format("h200/{}/sizes(step={},m=4096,n=4096,k=4096)", chapter.filename().string(),
                     step);
}

constexpr const char* kSpeed = "gflop_per_s";

std::string with_commas(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace

double speed_of(const Book& book, const fs::path& chapter, const std::string& step) {
  const prose::RunName run = {
      .source = "h200",
      .chapter = chapter.filename().string(),
      .kernel = "sizes",
      .parameters = {{"step", step}, {"m", "4096"}, {"n", "4096"}, {"k", "4096"}}};
  return book.measurements().has(run, kSpeed) ? book.measurements().value(run, kSpeed) : 0;
}

std::vector<Rung> rungs_of(const Book& book, const fs::path& chapter) {
  static const Pattern kHeading(R"(^## (\d\d) ([^:]*)(?:: (.*))?$)");
  const std::map<std::string, std::string> steps = steps_of(book.root() / chapter / "steps");
  std::vector<Rung> rungs;
  if (steps.empty()) return rungs;
  for (const Page& page : book.pages()) {
    if (page.source.parent_path() != chapter) continue;
    for (const std::string& line : tools::read_lines(book.root() / page.source)) {
      const Match heading = kHeading.matches(line);
      if (!heading || !steps.contains(heading.str(1))) continue;
      const std::string step = steps.at(heading.str(1));
      rungs.push_back({.step = step,
                       .label = heading.str(1) + " " + heading.str(2),
                       .idea = heading.str(3),
                       .page = page.id,
                       .anchor = slug(line.substr(3)),
                       .gflop_per_s = speed_of(book, chapter, step)});
    }
  }
  return rungs;
}

std::string rail(const Book& book, const Page& page) {
  const std::vector<Rung> rungs = rungs_of(book, page.source.parent_path());
  if (rungs.empty()) return "";
  const auto at = [&](const std::string& id) {
    return std::ranges::find(book.pages(), id, &Page::id) - book.pages().begin();
  };
  const auto here = at(page.id);
  if (here < at(rungs.front().page) || here > at(rungs.back().page)) return "";

  const auto count = [&](auto is_counted) { return std::ranges::count_if(rungs, is_counted); };
  const auto below = count([&](const Rung& rung) { return at(rung.page) < here; });
  const auto on_page = count([&](const Rung& rung) { return rung.page == page.id; });
  const double highest = std::ranges::max(rungs, {}, &Rung::gflop_per_s).gflop_per_s;
  const std::string where =
      on_page == 0 ? fmt::format("{} of {} steps are below you", below, rungs.size())
      : on_page == 1
          ? fmt::format("Step {} of {}", below + 1, rungs.size())
          : fmt::format("Steps {} to {} of {}", below + 1, below + on_page, rungs.size());
  std::string html = fmt::format(
      "<nav class=\"rail\" aria-label=\"Steps of the ladder\">\n<p class=\"rail-head\">"
      "<span class=\"rail-where\">{}</span> <a href=\"{}.html\">All steps</a></p>\n"
      "<ol>\n",
      where, walk_id(page.source.parent_path()));
  for (const Rung& rung : rungs) {
    const bool is_climbed = at(rung.page) < here;
    html += fmt::format(
        "<li><a href=\"{}\"{} title=\"{}\" data-speed=\"{:.1f}\" style=\"--part: {:.3f}\">"
        "<span class=\"aloud\">{}</span></a></li>\n",
        rung.page == page.id ? "#" + rung.anchor : rung.address(),
        is_climbed ? " class=\"climbed\"" : "", popover_text({rung.label, rung.idea}),
        rung.gflop_per_s / 1000, highest > 0 ? rung.gflop_per_s / highest : 0.0,
        escape_html(rung.label));
  }
  return html + "</ol>\n</nav>\n<script src=\"rail.js\" defer></script>\n";
}

std::string speed_bars(const Book& book, const fs::path& chapter,
                       const std::vector<std::string>& steps, const std::string& yardstick) {
  const std::vector<Rung> rungs = rungs_of(book, chapter);
  const double theirs = speed_of(book, chapter, yardstick);
  double longest = theirs;
  for (const std::string& step : steps) longest = std::max(longest, speed_of(book, chapter, step));
  if (longest == 0) return "";

  const prose::Figures figures(book.root() / "figures.txt", book.root(), book.measurements());
  std::string html;
  int index = 0;
  const auto add = [&](const std::string& name, const std::string& step, const char* kind) {
    const double speed = speed_of(book, chapter, step);
    const prose::Figure figure = figures.evaluate(run_of(chapter, step) + "/" + kSpeed, {});
    std::vector<std::string> tip = figure_words(figure, figures, book.measurements());
    tip.insert(tip.begin(), replace_all(step, "_", " "));
    html += fmt::format(
        "<li{}>{}<span class=\"bar-room\"><span class=\"rung\" style=\"--part: {:.2f}%; --at: "
        "{}\"></span></span><span class=\"rung-speed\" style=\"--share: {:.4f}\">"
        "<span class=\"figure\" title=\"{}\">{}</span></span></li>\n",
        kind, name, 100 * speed / longest, index++, speed / longest, popover_text(tip),
        with_commas(speed));
  };
  for (const std::string& step : steps) {
    const auto rung = std::ranges::find(rungs, step, &Rung::step);
    const std::string name = escape_html(rung == rungs.end() ? step : rung->name());
    add(rung == rungs.end() ? "<span>" + name + "</span>"
                            : "<a href=\"" + rung->address() + "\">" + name + "</a>",
        step, "");
  }
  if (theirs > 0) add("<span>cuBLAS</span>", yardstick, " class=\"yardstick\"");
  return "<ol class=\"rungs\">\n" + html + "</ol>\n";
}

}  // namespace site
