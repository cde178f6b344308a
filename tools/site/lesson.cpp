#include "tools/site/lesson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "course/html.hpp"
#include "tools/prose/predictions.hpp"
#include "tools/prose/prose.hpp"
#include "tools/site/asides.hpp"
#include "tools/site/charts.hpp"
#include "tools/site/counted.hpp"
#include "tools/site/home.hpp"
#include "tools/site/ladder.hpp"
#include "tools/site/ladder_walk.hpp"
#include "tools/site/printed_tables.hpp"
#include "tools/site/text.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace site {

namespace fs = std::filesystem;
using course::escape_html;
using tools::Match;
using tools::Pattern;

namespace {

using Lines = std::vector<std::string>;

std::string render(const std::string& markdown) {
  tools::CommandOptions options;
  options.input = markdown;
  const auto result = tools::run_command(
      {"cmark-gfm", "--unsafe", "--validate-utf8", "-e", "table", "-e", "autolink"}, options);
  if (result.status != 0) throw std::runtime_error("cmark-gfm cannot read it: " + result.err);
  return result.out;
}

/// A code block of rendered Markdown.
struct CodeBlock {
  std::string language;
  Lines lines;
};

/// Takes away the blanks that all lines begin with.
void unindent(Lines& lines) {
  std::size_t blanks = std::string::npos;
  for (const std::string& line : lines) blanks = std::min(blanks, line.find_first_not_of(' '));
  for (std::string& line : lines)
    if (!line.empty()) line.erase(0, blanks);
}

/// The code block that begins at line `at`, which becomes its last line; nothing if none begins.
std::optional<CodeBlock> code_at(const Lines& lines, std::size_t& at) {
  static const Pattern kBegin(R"re(^<pre><code(?: class="language-([\w-]+)")?>)re");
  constexpr std::string_view kEnd = "</code></pre>";
  if (!lines[at].starts_with("<pre>")) return {};
  const Match begin = kBegin.search(lines[at]);
  CodeBlock block{begin.str(1), {std::string(begin.after())}};
  while (!block.lines.back().ends_with(kEnd)) block.lines.push_back(lines.at(++at));
  block.lines.back().erase(block.lines.back().size() - kEnd.size());
  if (block.lines.back().empty()) block.lines.pop_back();
  for (std::string& line : block.lines) line = plain_text(line);
  if (block.language == "cuda") unindent(block.lines);
  return block;
}

/// The CUDA code of a block, of a diff both sides together; nothing if it is something else.
std::optional<std::string> cuda_code(const CodeBlock& block) {
  const bool is_diff = block.language == "diff";
  if (!is_diff && block.language != "cuda" && block.language != "cpp") return {};
  std::string text;
  for (const std::string& line : block.lines)
    text += (is_diff && !line.empty() ? line.substr(1) : line) + '\n';
  return text;
}

/// Returns the line of `file`, from 1, at which `part` begins within `function`, ignoring blanks at
/// the ends of lines; if `part` is not found, the function's own line.
int line_of(const fs::path& file, const std::string& function, const Lines& part) {
  const Lines lines = tools::read_lines(file);
  auto begin = lines.begin(), end = lines.end();
  if (!function.empty()) {
    const Lines body = tools::passage_named(file, function);
    begin = std::search(lines.begin(), lines.end(), body.begin(), body.end());
    end = begin + static_cast<std::ptrdiff_t>(body.size());
  }
  const auto found = std::search(
      begin, end, part.begin(), part.end(),
      [](const auto& a, const auto& b) { return tools::trimmed(a) == tools::trimmed(b); });
  return static_cast<int>((found == end ? begin : found) - lines.begin()) + 1;
}

/// A paragraph that is a picture: its name, without folder and ending.
const Pattern kPictureAlone{R"re(<p><img src="(?:[^"]*/)?([^"/.]+)\.\w+"[^>]*></p>)re"};

/// Tables with as many rows and their heads can be filtered: tables.js.
constexpr int kLargeTable = 13;

bool is_in_chapter(const Page& page) { return page.part == "Chapters"; }

/// Makes a lesson of a draft, line by line.
class LessonMaker {
 public:
  LessonMaker(const Draft& draft, const Reference& reference, const ColouredCode& colours,
              int figures_before)
      : book_(draft.book()),
        page_(draft.page()),
        lines_(draft.lines()),
        figures_(draft.figures()),
        reference_(reference),
        colours_(colours),
        figures_before_(figures_before),
        rungs_(rungs_of(book_, page_.source.parent_path())),
        predictions_(prose::read_predictions(book_.root() / page_.source)) {}

  Lesson run() {
    collect_anchors();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string& line = lines_[i];
      if (const Match match = kComment.matches(line)) {
        comment_kind_ = match[1];
        comment_ = match[2];
        continue;
      }
      if (const Match name = kTableName.matches(line)) {
        table_name_ = name.str(1);
        continue;
      }
      if (const Match chart = kChart.matches(line)) {
        add_chart(chart.str(1), chart.str(2), i);
      } else if (prose::begins_prediction(line)) {
        begin_prediction();
      } else if (const Match heading = kHeading.matches(line)) {
        add_heading(heading.str(1), heading.str(2));
      } else if (const auto code = code_at(lines_, i)) {
        add_code(*code);
      } else if (line == "<table>") {
        rows_ = 0;
        table_begin_ = html_.size();
        const bool lists_chapters = page_.id == "index" && heading_ == "Chapters";
        html_ += std::string("<div class=\"table-scroll\"><table class=\"prose") +
                 (lists_chapters ? " chapters" : "") + "\">\n";
      } else if (line == "</table>") {
        html_ += "</table></div>\n";
        html_ = html_.substr(0, table_begin_) + with_cards(html_.substr(table_begin_));
        end_table();
        if (rows_ >= kLargeTable && !std::exchange(has_large_table_, true))
          html_ += "<script src=\"tables.js\" defer></script>\n";
      } else if (const Match plot = kPlot.matches(line);
                 plot && ladder_.empty() && is_beginning_of_home()) {
        ladder_ = ladder_of_home(book_, plot.str(1), plot.str(2));
        if (ladder_.empty()) html_ += inline_text(line) + '\n';
      } else if (kPictureAlone.matches(line)) {
        add_picture(line);
      } else {
        rows_ += line == "<tr>" ? 1 : 0;
        if (const Match summary = kSummary.matches(line)) fold_ = plain_text(summary.str(1));
        html_ += inline_text(line) + '\n';
      }
      end_prediction_at(line);
      comment_kind_.clear();
    }
    if (lesson_.page.title.empty()) throw_page_error("it has no heading");
    finish_page();
    return std::move(lesson_);
  }

 private:
  static inline const Pattern kComment{prose::kBlockComment};
  static inline const Pattern kHeading{R"(<h([1-6])>(.*)</h[1-6]>)"};

  static inline const Pattern kPlot{
      R"re(<p><img src="[^"]*/plots/(\w+)\.svg" alt="([^"]*)"[^>]*></p>)re"};

  static inline const Pattern kTableName{R"(^<!--of (\w+)-->$)"};
  static inline const Pattern kChart{prose::kChartComment};
  static inline const Pattern kSummary{R"(^<summary>(.*)</summary>$)"};

  bool is_beginning_of_home() const { return page_.id == "index" && heading_.empty(); }

  [[noreturn]] void throw_page_error(const std::string& what) const {
    throw std::runtime_error(page_.source.string() + ": " + what);
  }

  /// The anchors that the file's own links may name.
  void collect_anchors() {
    for (const std::string& line : lines_)
      if (const Match match = kHeading.matches(line)) anchors_.insert(slug(plain_text(match[2])));
  }

  void add_heading(const std::string& level, const std::string& html) {
    const std::string text = plain_text(html);
    if (level == "1") {
      if (!lesson_.page.title.empty()) throw_page_error("it has a second title: " + text);
      lesson_.page.title = escape_html(text);
      return;
    }
    if (level == "2" && page_.id == "index" && heading_.empty())
      html_ = beginning_of_home(book_, ladder_) + html_;
    heading_ = text;
    if (level == "2") end_step();
    std::string id = slug(text);
    if (const auto rung = std::ranges::find(rungs_, id, &Rung::anchor);
        rung != rungs_.end() && rung->page == page_.id)
      rung_ = &*rung;
    const int before = headings_[id]++;
    if (before > 0) id += "-" + std::to_string(before);
    html_ += "<h" + level + " id=\"" + id + "\">" + inline_text(html) +
             "<a class=\"here\" href=\"#" + id + "\" aria-label=\"Link to this section\"></a></h" +
             level + ">\n";
    if (level == "2")
      contents_ += "<li><a href=\"#" + id + "\">" + escape_html(text) + "</a></li>\n";
  }

  /// Returns the site's address for a link target of the file.
  std::string link(const std::string& target) {
    static const Pattern kElsewhere(R"(^[a-z]+:.*)");
    if (kElsewhere.matches(target)) return target;
    const std::size_t hash = std::min(target.find('#'), target.size());
    const std::string anchor = target.substr(hash);
    if (hash == 0) {
      if (!anchors_.contains(anchor.substr(1)))
        throw_page_error("there is no heading for " + anchor);
      return anchor;
    }
    const fs::path file = (page_.source.parent_path() / target.substr(0, hash)).lexically_normal();
    if (const Page* page = book_.page_of(file)) return page->id + ".html" + anchor;
    if (book_.has_explorer() && file.string().starts_with("docs/explorer"))
      return "explorer/index.html";
    if (!fs::is_regular_file(book_.root() / file))
      throw_page_error("a link leads nowhere: " + target);
    if (reference_.has(file)) return reference_.source(file) + anchor;
    if (file.extension() == ".md")
      throw_page_error("a link leads to a text that is no page: " + target);
    lesson_.copied.push_back(file);
    return "files/" + file.string() + anchor;
  }

  /// Returns a line of HTML with links, images and figures adapted to the site.
  std::string inline_text(const std::string& line) {
    static const Pattern kLink(R"re( (href|src|srcset)="([^"]*)")re");
    static const Pattern kFigure(R"((\d[\d,]*(?:\.\d+)?)<!--@(\d+)-->)");
    static const Pattern kFigureCell(
        R"(^<td align="right">(\d[\d,]*(?:\.\d+)?)<!--@(\d+)--></td>$)");
    static const Pattern kBlank(R"(<!--.*?-->)");
    static const Pattern kStrong(R"(<strong>([^<]*)</strong>)");
    const auto has = [&](const char* part) { return line.find(part) != std::string::npos; };
    if (!has("<!--") && !has("=\"") && !has("<strong>")) return line;
    std::string text = kLink.replace(line, [&](const Match& match) {
      const std::string address = link(match.str(2));
      return " " + match.str(1) + "=\"" + address + "\"" + meaning_at(address);
    });
    if (const Match cell = kFigureCell.matches(text))  // the cell itself: large tables stay small
      text = fmt::format("<td align=\"right\" class=\"figure\"{}>{}</td>",
                         popover(figures_.tip(std::stoul(cell.str(2)))), cell.str(1));
    text = kFigure.replace(text, [&](const Match& match) {
      const std::string& tip = figures_.tip(std::stoul(match.str(2)));
      return "<span class=\"figure\"" + popover(tip) + ">" + match.str(1) + "</span>";
    });
    text = kStrong.replace(text, [&](const Match& match) {
      const std::string term = glossary_term(match[1]);
      return term.empty() || page_.id == "glossary"
                 ? match.str()
                 : "<a class=\"term\" href=\"glossary.html#" + term + "\"" +
                       popover(book_.glossary().at(term)) + ">" + match.str() + "</a>";
    });
    return kBlank.replace(text, "");
  }

  /// Returns the attribute whose lines tips.js shows; without it, browsers show them themselves.
  static std::string popover(const std::string& lines) {
    return " title=\"" + popover_text(split_lines(lines)) + "\"";
  }

  /// Returns the popover of a link to a word of the glossary; empty for any other address.
  std::string meaning_at(const std::string& address) const {
    const std::string page = "glossary.html#";
    if (!address.starts_with(page) || page_.id == "glossary") return "";
    const auto word = book_.glossary().find(address.substr(page.size()));
    return word == book_.glossary().end() ? "" : popover(word->second);
  }

  /// Returns the glossary's anchor for a word or its plural; empty if there is none.
  std::string glossary_term(std::string_view word) const {
    const std::string term = slug(word);
    for (const char* plural : {"", "s", "es"})
      if (term.ends_with(plural)) {
        const std::string singular = term.substr(0, term.size() - std::string_view(plural).size());
        if (book_.glossary().contains(singular)) return singular;
      }
    return "";
  }

  /// Adds the line above a code block that says what the block shows.
  void add_caption(const std::string& html) {
    html_ += "<div class=\"code-caption\">" + html + "</div>\n";
  }

  /// Returns "kernels.cuh, line 12" as a link, for a place such as "kernels.cuh#function".
  std::string line_link(const std::string& place, const Lines& code) {
    const std::size_t hash = std::min(place.find('#'), place.size());
    const std::string name = place.substr(0, hash);
    const std::string function = place.substr(std::min(hash + 1, place.size()));
    fs::path file = (page_.source.parent_path() / name).lexically_normal();
    if (!fs::exists(book_.root() / file)) file = name;
    const std::string shown = name.starts_with("../") ? file.string() : name;
    const std::string label = function.empty() ? shown : shown + ": " + function;
    if (!fs::exists(book_.root() / file))
      throw_page_error("a code block is from nowhere: " + place);
    if (!reference_.has(file)) {
      lesson_.copied.push_back(file);
      return "<a href=\"files/" + file.string() + "\">" + escape_html(label) + "</a>";
    }
    const int line = line_of(book_.root() / file, function, code);
    return "<a href=\"" + reference_.source(file, line) + "\">" + escape_html(label) + ", line " +
           std::to_string(line) + "</a>";
  }

  void add_code(const CodeBlock& block) {
    const auto& [language, code] = block;
    const std::string kind = std::exchange(comment_kind_, "");
    if (kind == "output") {
      add_caption("printed by <code>" + escape_html(comment_) + "</code>");
    } else if (kind == "profile") {
      add_caption("the profile of <code>" + escape_html(comment_) + "</code>");
    } else if (kind == "source" && is_data(comment_)) {
      // The surrounding text says what the block shows.
    } else if (kind == "diff" || (kind == "source" && language == "diff")) {
      const std::size_t blank = comment_.find(' ');
      const Lines sides[] = {side_of(code, '+'), side_of(code, '-')};
      add_caption("from " + line_link(comment_.substr(0, blank), sides[0]) + " to " +
                  line_link(comment_.substr(blank + 1), sides[1]) +
                  step_switch(comment_.substr(blank + 1)));
    } else if (kind == "source") {
      add_caption(line_link(comment_, code));
    }
    const bool is_of_program = kind == "output" || kind == "profile";
    if (is_of_program && add_tables(kind, code)) return;
    const bool is_printed = is_of_program || kind == "printed";
    html_ += "<div class=\"fragment" + std::string(language == "diff" ? " diff" : "") +
             (is_printed ? " printed" : "") + "\">";
    const Lines shown = lines_shown(block, kind);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const char first = language == "diff" && !code[i].empty() ? code[i][0] : ' ';
      html_ += std::string("<div class=\"line") +
               (first == '+'   ? " added"
                : first == '-' ? " removed"
                : first == '@' ? " gap"
                               : "") +
               "\">" + shown[i] + "</div>\n";
    }
    html_ += "</div>\n";
  }

  /// Keeps the table that has just ended for the charts, if it has a name.
  void end_table() {
    if (table_name_.empty()) return;
    tables_.push_back(read_chart_table(std::exchange(table_name_, ""), html_.substr(table_begin_)));
    tables_.back().title = fold_;
  }

  /// Adds a chart: a heat map of the tables in the fold that follows, instead of these; or the
  /// place of a plot of dots, whose tables may come later.
  void add_chart(const std::string& kind, const std::string& what, std::size_t& line) {
    if (kind == "dots") {
      if (dots_.empty()) html_ += "<script src=\"charts.js\" defer></script>\n";
      dots_.push_back(what);
      html_ += place_of_dots(dots_.size() - 1);
      return;
    }
    const std::string before = std::exchange(html_, "");
    const std::size_t known = tables_.size();
    for (++line; line < lines_.size() && lines_[line] != "</details>"; ++line) {
      const std::string& one = lines_[line];
      if (const Match name = kTableName.matches(one))
        table_name_ = name.str(1);
      else if (const Match summary = kSummary.matches(one))
        fold_ = inline_text(summary.str(1));
      else if (one == "<table>")
        html_ += one + '\n', table_begin_ = html_.size();
      else if (one == "</table>")
        end_table();
      else
        html_ += inline_text(one) + '\n';
    }
    const std::vector<ChartTable> shown(tables_.begin() + static_cast<std::ptrdiff_t>(known),
                                        tables_.end());
    std::string names;
    for (const ChartTable& table : shown) names += (names.empty() ? "" : " ") + table.name;
    if (names != what) throw_page_error("the fold of a heat map has other tables: " + names);
    try {
      html_ = before + heat_map(shown, fold_);
    } catch (const std::runtime_error& error) {
      throw_page_error(error.what());
    }
    if (!std::exchange(has_large_table_, true))
      html_ += "<script src=\"tables.js\" defer></script>\n";
  }

  static std::string place_of_dots(std::size_t index) {
    return fmt::format("<!--dots {}-->\n", index);
  }

  /// Draws the plots of dots where their places are.
  void draw_dots() {
    for (std::size_t i = 0; i < dots_.size(); ++i) {
      static const Pattern kDots(R"(^([\w ]+); ([^;]+); ([^;]+)$)");
      const Match what = kDots.matches(dots_[i]);
      if (!what) throw std::runtime_error("dots are of TABLES; COLUMN; COLUMN, not " + dots_[i]);
      std::vector<ChartTable> shown;
      std::istringstream names(what.str(1));
      for (std::string name; names >> name;) {
        const auto table = std::ranges::find(tables_, name, &ChartTable::name);
        if (table == tables_.end()) throw std::runtime_error("there is no table for dots: " + name);
        shown.push_back(*table);
      }
      html_ = replace_all(html_, place_of_dots(i), dot_plot(shown, what.str(2), what.str(3)));
    }
  }

  /// Returns what steps.js makes a switch of, between the change of a step and its whole source;
  /// nothing if the place is no step of the section's.
  std::string step_switch(const std::string& place) {
    if (!rung_ || place.find("/" + rung_->number() + "_") == std::string::npos) return "";
    is_step_shown_ = true;
    return " <span class=\"step-code\"" + step_of_switch() + "></span>";
  }

  std::string step_of_switch() {
    if (!std::exchange(has_step_, true)) html_ += "<script src=\"steps.js\" defer></script>\n";
    return fmt::format(" data-step=\"{}\" data-steps=\"{}.js\"", rung_->number(),
                       walk_id(page_.source.parent_path()));
  }

  /// Ends the section of a step whose text shows no change of the code: with a switch that does.
  void end_step() {
    if (rung_ && !is_step_shown_) {
      const fs::path folder = page_.source.parent_path() / "steps";
      const std::string number = rung_->number();
      const std::string file = (folder / (number + "_" + rung_->step + ".cuh")).string();
      const std::string step = step_of_switch();
      html_ += std::string(kStepCode) + step + ">The code of step " + number + ": <a href=\"" +
               reference_.source(file) + "\">" + fs::path(file).filename().string() +
               "</a></div>\n";
    }
    rung_ = nullptr;
    is_step_shown_ = false;
  }

  /// Adds what a program has printed as tables, and the text itself folded; false if there are
  /// none.
  bool add_tables(const std::string& kind, const Lines& printed) {
    std::string tables;
    try {
      tables = kind == "output" ? output_tables(printed) : profile_tables(printed, profile_look());
    } catch (const std::exception& error) {
      throw_page_error(error.what());
    }
    if (tables.empty()) return false;
    std::string text;
    for (const std::string& line : printed) text += escape_html(line) + '\n';
    html_ += tables + std::string(kAsPrinted) + "\n<summary>As it is printed</summary>\n" +
             "<div class=\"fragment printed\"><div class=\"line\">" + text + "</div></div>\n" +
             "</details>\n";
    return true;
  }

  ProfileLook profile_look() const {
    return {
        [this](const std::string& piece) { return colours_.lines_of(piece, address_finder("")); },
        [this](const std::string& name, int line) {
          const std::string file = fs::path(name).lexically_normal().string();
          if (!reference_.has(file)) return escape_html(file);
          return "<a href=\"" + reference_.source(file, line) + "\">" + escape_html(file) + "</a>";
        }};
  }

  /// Returns what finds the address of a name in code from that file; empty if it is from none.
  std::function<std::optional<std::string>(const std::string&)> address_finder(
      const std::string& file) const {
    return [this, file, folder = page_.source.parent_path().string()](const std::string& word) {
      return reference_.meaning_of(word, file, folder);
    };
  }

  /// The lines of a block as HTML.
  Lines lines_shown(const CodeBlock& block, const std::string& kind) const {
    Lines shown;
    const auto code = cuda_code(block);
    if (!code) {
      for (const std::string& line : block.lines) shown.push_back(escape_html(line));
      return shown;
    }
    const std::string name = comment_.substr(0, comment_.find_first_of("# "));
    const std::string file =
        kind.empty() ? "" : (page_.source.parent_path() / name).lexically_normal().string();
    shown = colours_.lines_of(*code, address_finder(file));
    if (block.language == "diff")
      for (std::size_t i = 0; i < shown.size(); ++i)
        if (!block.lines[i].empty()) shown[i] = block.lines[i][0] + shown[i];
    return shown;
  }

  /// Whether a place is a text, not a source: what somebody is shown, or types.
  static bool is_data(const std::string& place) { return place.ends_with(".txt"); }

  /// Returns one side of a diff: the lines that do not begin with `other`.
  static Lines side_of(const Lines& diff, char other) {
    Lines side;
    for (const std::string& line : diff)
      if (line.empty() || line[0] != other) side.push_back(line.empty() ? line : line.substr(1));
    return side;
  }

  /// Returns a paragraph that is an SVG picture with the picture's size, so that nothing moves when
  /// it has come.
  std::string with_size(const std::string& line) const {
    static const Pattern kSource(R"re(<img src="([^"]*\.svg)")re");
    static const Pattern kSize(R"re( width="(\d+)" height="(\d+)")re");
    const Match source = kSource.search(line);
    const fs::path file =
        source ? book_.root() / page_.source.parent_path() / source.str(1) : fs::path();
    if (!source || !fs::is_regular_file(file)) return line;
    const std::string svg = tools::read_file(file);
    const Match size = kSize.search(svg);
    if (!size) return line;
    return replace_all(
        line,
        "<img src=", fmt::format("<img width=\"{}\" height=\"{}\" src=", size.str(1), size.str(2)));
  }

  /// Adds a paragraph that is a picture, as a numbered figure if a chapter shows it.
  void add_picture(const std::string& line) {
    const std::string name = kPictureAlone.matches(line).str(1);
    const bool is_numbered = is_in_chapter(page_);
    std::string caption;
    if (is_numbered) {
      const std::string chapter = page_.source.parent_path().filename().string().substr(0, 2);
      const auto titled = book_.picture_titles().find(name);
      const std::string title = titled == book_.picture_titles().end() ? "" : titled->second;
      const std::size_t index =
          static_cast<std::size_t>(figures_before_) + lesson_.figures.size() + 1;
      const std::string id = fmt::format("figure-{}-{}", chapter, index);
      const std::string number = fmt::format("{}.{}", chapter, index);
      lesson_.figures.push_back({number, page_.id + ".html#" + id, title});
      html_ += "<figure id=\"" + id + "\" class=\"picture\">\n";
      // The title stands in the picture itself.
      caption = "<figcaption><a href=\"#" + id + "\">Figure " + number +
                "<span class=\"aloud\">: " + escape_html(title) + "</span></a></figcaption>\n";
    }
    const std::string picture = with_size(line);
    const auto live = book_.live_figures().find(name);
    const bool is_live = live != book_.live_figures().end() && line.find("/pictures/") != line.npos;
    if (is_live)
      add_live_figure(live->second, inline_text(picture));
    else
      html_ += inline_text(picture) + '\n';
    if (is_numbered) html_ += caption + "</figure>\n";
  }

  /// Adds an interactive picture with its static version inside: docs/explorer/live.js.
  void add_live_figure(const std::string& figure, const std::string& still) {
    if (!std::exchange(has_live_figure_, true)) {
      html_ += "<link rel=\"stylesheet\" href=\"explorer/live.css\"/>\n";
      for (const char* script : {"model", "shuffle", "parts", "figure", "live"})
        html_ += std::string("<script src=\"explorer/") + script + ".js\" defer></script>\n";
    }
    html_ +=
        "<live-figure data-figure=\"" + escape_html(figure) + "\">" + still + "</live-figure>\n";
  }

  /// Begins a prediction, which predictions.js turns into a form: the question, the answer and the
  /// value.
  void begin_prediction() {
    if (predictions_begun_ == 0) html_ += "<script src=\"predictions.js\" defer></script>\n";
    const prose::Prediction& one = predictions_.at(predictions_begun_++);
    try {
      const auto [value, number] = prose::predicted_value(one, figures_.figures());
      html_ += fmt::format(
          "<div class=\"prediction\" data-key=\"{}/{}\" data-value=\"{}\" data-number=\"{}\" "
          "data-unit=\"{}\" data-near=\"{}\">\n",
          page_.id, one.figure, value, number, escape_html(one.unit), one.near_pct);
    } catch (const std::exception& error) {
      throw_page_error(error.what());
    }
    is_prediction_ = true;
  }

  /// Ends a prediction at the end of its answer, which contains no other fold.
  void end_prediction_at(const std::string& line) {
    if (line == "</details>" && std::exchange(is_prediction_, false)) html_ += "</div>\n";
  }

  /// The kernels of a chapter: documentation and source.
  void add_kernels() {
    const std::vector<Kernel> kernels = kernels_of(book_.root(), page_.source.parent_path());
    if (kernels.empty()) return;
    add_heading("2", "The kernels");
    html_ += kernel_table(reference_, page_.source.parent_path(), kernels);
  }

  void add_pager() {
    const auto& pages = book_.pages();
    const std::size_t i = static_cast<std::size_t>(&page_ - pages.data());
    html_ += "<nav class=\"pager\" aria-label=\"Reading order\">";
    if (i > 0)
      html_ += "<a rel=\"prev\" href=\"" + pages[i - 1].id + ".html\"><span>Before</span>" +
               escape_html(pages[i - 1].label) + "</a>";
    if (i + 1 < pages.size())
      html_ += "<a rel=\"next\" href=\"" + pages[i + 1].id + ".html\"><span>Next</span>" +
               escape_html(pages[i + 1].label) + "</a>";
    html_ += "</nav>\n";
  }

  void finish_page() {
    end_step();
    try {
      draw_dots();
    } catch (const std::runtime_error& error) {
      throw_page_error(error.what());
    }
    if (page_.part == "Chapters" && page_.source.filename() == "README.md") add_kernels();
    add_pager();
    const std::string contents =
        page_.id == "index" ? ""
                            : "<nav class=\"contents-list\" aria-label=\"On this page\"><details>"
                              "<summary><h2>On this page</h2></summary><ul>\n" +
                                  contents_ + "</ul></details></nav>\n";
    lesson_.page.name = page_.id + ".html";
    lesson_.page.html = "<div class=\"textblock\">" + contents + rail(book_, page_) +
                        with_asides(html_) + "</div>\n";
  }

  const Book& book_;
  const Page& page_;
  const Lines& lines_;
  const FigureTips& figures_;
  const Reference& reference_;
  const ColouredCode& colours_;
  Lesson lesson_;
  std::string html_;
  std::string contents_;  ///< the list of sections
  std::string heading_;   ///< the section that this is in
  std::string ladder_;    ///< of the home page: bars in the place of its first picture
  std::string comment_kind_, comment_;
  std::set<std::string> anchors_;
  std::map<std::string, int> headings_;
  int figures_before_;
  std::vector<Rung> rungs_;     ///< of the chapter
  const Rung* rung_ = nullptr;  ///< the step whose section this is
  bool is_step_shown_ = false;  ///< whether the section has shown how the code changes
  bool has_step_ = false;
  std::string table_name_;          ///< of the table that comes next
  std::size_t table_begin_ = 0;     ///< of the table that this is in, in html_
  std::string fold_;                ///< the title of the fold before
  std::vector<ChartTable> tables_;  ///< those with names so far
  std::vector<std::string> dots_;   ///< what the plots of dots show
  bool has_live_figure_ = false;
  int rows_ = 0;  ///< of the table that this is in, with its heads
  bool has_large_table_ = false;
  std::vector<prose::Prediction> predictions_;
  std::size_t predictions_begun_ = 0;
  bool is_prediction_ = false;
};

}  // namespace

Draft::Draft(const Book& book, const Page& page)
    : book_(book),
      page_(page),
      figures_(book.root() / page.source, book.root(), book.measurements()) {
  try {
    lines_ = split_lines(render(figures_.marked(tools::read_file(book.root() / page.source))));
  } catch (const std::exception& error) {
    throw std::runtime_error(page.source.string() + ": " + error.what());
  }
}

Lines Draft::code() const {
  Lines pieces;
  for (std::size_t i = 0; i < lines_.size(); ++i)
    if (const auto block = code_at(lines_, i)) {
      if (auto code = cuda_code(*block)) pieces.push_back(std::move(*code));
      try {
        for (std::string& piece : code_of_profile(block->lines)) pieces.push_back(std::move(piece));
      } catch (const std::exception& error) {
        throw std::runtime_error(page_.source.string() + ": " + error.what());
      }
    }
  return pieces;
}

int Draft::numbered_figures() const {
  return is_in_chapter(page_)
             ? static_cast<int>(std::ranges::count_if(
                   lines_,
                   [](const std::string& line) { return bool(kPictureAlone.matches(line)); }))
             : 0;
}

Lesson make_lesson(const Draft& draft, const Reference& reference, const ColouredCode& colours,
                   int figures_before) {
  return LessonMaker(draft, reference, colours, figures_before).run();
}

std::vector<Lesson> make_lessons(const Book& book, const Reference& reference,
                                 const fs::path& output) {
  std::vector<Draft> drafts;
  drafts.reserve(book.pages().size());
  Lines code;
  for (const Page& page : book.pages()) {
    drafts.emplace_back(book, page);
    for (std::string& piece : drafts.back().code()) code.push_back(std::move(piece));
  }
  ColouredCode colours(book.root() / "tools/site/cuda_blocks.py", output / "coloured.json");
  colours.prepare(code);
  std::vector<Lesson> lessons;
  std::map<fs::path, int> figures;  // of the chapters so far
  for (const Draft& draft : drafts) {
    int& before = figures[draft.page().source.parent_path()];
    lessons.push_back(make_lesson(draft, reference, colours, before));
    before += draft.numbered_figures();
  }
  return lessons;
}

std::string with_code(const std::string& text) {
  static const Pattern kCode("`([^`]*)`");
  return kCode.replace(escape_html(text), "<code>$1</code>");
}

std::string kernel_table(const Reference& reference, const fs::path& chapter,
                         const std::vector<Kernel>& kernels) {
  std::string html =
      "<div class=\"table-scroll\"><table class=\"prose kernels\">\n<thead><tr><th>kernel</th>"
      "<th>what it does</th><th>source</th><th>line by line</th></tr></thead>\n<tbody>\n";
  for (const Kernel& kernel : kernels) {
    html += "<tr><td><a href=\"" + reference.member(kernel.file, kernel.function) + "\"><code>" +
            kernel.name + "</code></a></td><td>" + with_code(kernel.summary) +
            "</td><td><a href=\"" + reference.source(kernel.file, kernel.first_line) +
            "\">lines&#160;" + std::to_string(kernel.first_line) + "–" +
            std::to_string(kernel.last_line) + "</a></td><td><a href=\"" +
            counted_address(chapter, kernel.listed) + "\">counted</a></td></tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace site
