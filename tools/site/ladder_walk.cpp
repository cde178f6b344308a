#include "tools/site/ladder_walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "course/html.hpp"
#include "tools/prose/line_diff.hpp"
#include "tools/prose/number.hpp"
#include "tools/site/figure_words.hpp"
#include "tools/site/text.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace site {

namespace fs = std::filesystem;
using course::escape_html;
using nlohmann::json;
using tools::Match;
using tools::Pattern;

namespace {

using Lines = std::vector<std::string>;

/// A number of a step. In its expression, CHAPTER, STEP and BEFORE stand for the names of the
/// chapter, the step and the step before.
struct Fact {
  const char* name;
  const char* expression;
};

// A product of 256 x 256 x 256 has 8192 times the 64 FFMA of a warp that the lessons call a unit.
constexpr Fact kFacts[] = {
    {"time, ms", "h200/CHAPTER/sizes(step=STEP,m=4096,n=4096,k=4096)/time_ms"},
    {"TFLOP/s", "h200/CHAPTER/sizes(step=STEP,m=4096,n=4096,k=4096)/gflop_per_s / 1000"},
    {"times the step before",
     "h200/CHAPTER/sizes(step=BEFORE,m=4096,n=4096,k=4096)/time_ms / "
     "h200/CHAPTER/sizes(step=STEP,m=4096,n=4096,k=4096)/time_ms"},
    {"% of cuBLAS",
     "100 * h200/CHAPTER/sizes(step=STEP,m=4096,n=4096,k=4096)/gflop_per_s / "
     "h200/CHAPTER/sizes(step=cublas,m=4096,n=4096,k=4096)/gflop_per_s"},
    {"the model says, TFLOP/s", "sgemm_model/CHAPTER/STEP(m=4096)/gflop_per_s / 1000"},
    {"sectors a unit", "emulator/CHAPTER/STEP(m=256,k=256)/global_load_sectors / 8192"},
    {"lines of L1 a unit", "emulator/CHAPTER/STEP(m=256,k=256)/global_load_lines / 8192"},
    {"wavefronts a unit", "emulator/CHAPTER/STEP(m=256,k=256)/shared_load_wavefronts / 8192"},
    {"the same, compiled", "h200/CHAPTER/STEP(m=256,k=256)/shared_load_wavefronts / 8192"},
    {"issue slots used, %", "h200/CHAPTER/STEP(m=4096)/issue_slots_pct"},
};

/// What warps wait for, in cycles for each instruction.
constexpr Fact kWaits[] = {
    {"the queue to L1", "h200/CHAPTER/STEP(m=4096)/stalled_lg_throttle"},
    {"global memory", "h200/CHAPTER/STEP(m=4096)/stalled_long_scoreboard"},
    {"shared memory",
     "h200/CHAPTER/STEP(m=4096)/stalled_mio_throttle + "
     "h200/CHAPTER/STEP(m=4096)/stalled_short_scoreboard"},
    {"a barrier", "h200/CHAPTER/STEP(m=4096)/stalled_barrier"},
    {"register banks", "h200/CHAPTER/STEP(m=4096)/stalled_dispatch"},
    {"the instruction before", "h200/CHAPTER/STEP(m=4096)/stalled_wait"},
    {"its turn", "h200/CHAPTER/STEP(m=4096)/stalled_not_selected"},
};

/// A step's number as the page shows it.
struct Shown {
  double value = 0;
  std::string html;
};

/// Works out the numbers of a chapter's steps.
class Numbers {
 public:
  Numbers(const Book& book, const fs::path& chapter)
      : measurements_(book.measurements()),
        figures_(book.root() / "figures.txt", book.root(), book.measurements()),
        chapter_(chapter.filename().string()) {}

  /// Returns a step's number with its popover; nothing if it was not measured.
  std::optional<Shown> of(const Fact& fact, const Rung& rung, const std::string& before) const {
    std::string expression = replace_all(fact.expression, "CHAPTER", chapter_);
    expression = replace_all(expression, "STEP", rung.step);
    expression = replace_all(expression, "BEFORE", before);
    if (!is_measured(expression)) return {};
    const prose::Figure figure = figures_.evaluate(expression, {});
    std::vector<std::string> tip = figure_words(figure, figures_, measurements_);
    tip.insert(tip.begin(), rung.label + ", " + fact.name);
    return Shown{
        figure.value,
        fmt::format("<span class=\"figure\" title=\"{}\">{}</span>", popover_text(tip),
                    prose::show_number(figure.value, prose::default_decimals(figure.value)))};
  }

 private:
  /// Returns whether one value is known of each run that the expression names.
  bool is_measured(const std::string& expression) const {
    static const Pattern kValue(R"(\w+/\w+/\w+(?:\([^)]*\))/\w+)");
    return std::ranges::all_of(kValue.all(expression), [&](const Match& match) {
      const std::string name = match.str();
      const std::size_t slash = name.rfind('/');
      const prose::RunName run = figures_.run_named(name.substr(0, slash));
      const std::string field = name.substr(slash + 1);
      if (!measurements_.has(run, field)) return false;
      try {
        measurements_.value(run, field);
      } catch (const std::runtime_error&) {  // runs of other sizes, which disagree
        return false;
      }
      return true;
    });
  }

  const prose::Measurements& measurements_;
  prose::Figures figures_;
  std::string chapter_;
};

}  // namespace

std::string walk_id(const fs::path& chapter) { return "ladder_" + chapter.filename().string(); }

std::vector<StepLine> step_lines(const Lines& before, const Lines& after) {
  const auto code_of = [](Lines lines) {
    std::erase_if(lines, prose::is_frame_of_code);
    return lines;
  };
  std::vector<StepLine> lines;
  const std::vector<prose::DiffLine> merged =
      before.empty() ? std::vector<prose::DiffLine>()
                     : prose::merged_lines(code_of(before), code_of(after));
  auto next = merged.begin();
  const auto add_gone = [&] {
    for (; next != merged.end() && next->mark == '-'; ++next) lines.push_back({'-', next->text});
  };
  for (const std::string& line : after) {
    if (prose::is_frame_of_code(line)) {
      lines.push_back({'/', line});
      continue;
    }
    add_gone();
    lines.push_back({next == merged.end() ? ' ' : (next++)->mark, line});
  }
  add_gone();
  return lines;
}

std::vector<PicturePart> picture_parts(const Book& book, const fs::path& chapter,
                                       const std::string& number) {
  static const Pattern kText(R"re(<text x="[\d.]+" y="([\d.]+)"[^>]*>([^<]*)</text>)re");
  static const Pattern kHeading(
      R"re(<text x="[\d.]+" y="(\d+)" class="code strong">(\d*)[^<]*</text>)re");
  static const Pattern kSwatch(R"re(<rect x="56" y="(\d+)" width="14" height="11")re");
  static const Pattern kHeight(R"re(<svg [^>]*height="(\d+)")re");
  constexpr int kAboveHeading = 20, kAboveKey = 8, kKey = 60;  // pixels
  const std::string beginning = chapter.filename().string().substr(0, 2) + "_";

  std::vector<PicturePart> parts;
  for (const auto& [name, title] : book.picture_titles()) {
    const fs::path file = book.root() / "docs/pictures" / (name + ".svg");
    if (!name.starts_with(beginning) || !fs::exists(file)) continue;
    const std::string svg = tools::read_file(file);
    const int whole = std::stoi(kHeight.search(svg).str(1));
    int key = whole;
    for (const Match& swatch : kSwatch.all(svg))  // of the key's rows, which are the last
      if (const int y = std::stoi(swatch.str(1)); y > whole - kKey)
        key = std::min(key, y - kAboveKey);
    PicturePart part{.name = name, .words = "", .key = key, .whole = whole};
    int end = 0;
    for (const Match& heading : kHeading.all(svg)) {
      const int y = std::stoi(heading.str(1)) - kAboveHeading;
      if (heading.str(2) == number) {
        if (part.top == 0) part.top = y;
        end = key;
      } else if (part.top > 0) {
        end = y;
        break;
      }
    }
    if (part.top == 0) continue;
    part.height = end - part.top;
    for (const Match& swatch : kSwatch.all(svg))  // this part has a key of its own
      if (const int y = std::stoi(swatch.str(1)); y > part.top && y < end) part.key = whole;
    for (const Match& text : kText.all(svg)) {
      const double y = std::stod(text.str(1));
      const std::string words = plain_text(text.str(2));
      const bool is_number = words.find_first_not_of("0123456789-+ ") == words.npos;
      if (y <= part.top || y > end || is_number) continue;
      part.words += (part.words.empty() ? "" : "; ") + words;
    }
    parts.push_back(std::move(part));
  }
  std::ranges::stable_sort(parts, {}, &PicturePart::height);
  return parts;
}

LadderWalk::LadderWalk(const Book& book, const fs::path& chapter)
    : book_(book), chapter_(chapter), rungs_(rungs_of(book, chapter)) {}

fs::path LadderWalk::file_of(const Rung& rung) const {
  return chapter_ / "steps" / (rung.number() + "_" + rung.step + ".cuh");
}

std::vector<std::string> LadderWalk::code() const {
  Lines pieces;
  for (const Rung& rung : rungs_) pieces.push_back(tools::read_file(book_.root() / file_of(rung)));
  return pieces;
}

Contents LadderWalk::page(const Reference& reference) const {
  const Numbers numbers(book_, chapter_);
  std::string html = fmt::format(
      "<p>Each step of the ladder with its code, its pictures and its numbers, side by side. They "
      "give all answers away, so <a href=\"{}\">climb first</a>. Times are medians on one H200 at "
      "m = n = k = 4096; what a <em>unit</em> asks for (64 FFMA of a warp) is counted at 256, by "
      "the emulator and, <em>compiled</em>, by Nsight Compute.</p>\n",
      rungs_.front().address());
  html += fmt::format("<ladder-walk data-steps=\"{}.js\" data-yardstick=\"{}\"></ladder-walk>\n",
                      walk_id(chapter_), speed_of(book_, chapter_, "cublas"));
  html +=
      "<h2 id=\"all-steps\">All steps</h2>\n<div class=\"table-scroll\"><table class=\"prose "
      "steps\">\n<thead><tr><th>step</th>";
  for (const Fact& fact : kFacts) html += std::string("<th align=\"right\">") + fact.name + "</th>";
  html += "</tr></thead>\n<tbody>\n";
  std::string before;
  for (const Rung& rung : rungs_) {
    html += fmt::format(
        "<tr id=\"step-{}\"><td><a href=\"{}\">{}</a> <a class=\"source\" href=\"{}\">source</a>"
        "</td>",
        rung.number(), rung.address(), escape_html(rung.label),
        reference.source(file_of(rung).string()));
    for (const Fact& fact : kFacts) {
      const auto shown = numbers.of(fact, rung, before);
      html += "<td align=\"right\">" + (shown ? shown->html : "") + "</td>";
    }
    html += "</tr>\n";
    before = rung.step;
  }
  html +=
      "</tbody></table></div>\n<script src=\"steps.js\" defer></script>\n"
      "<script src=\"ladder.js\" defer></script>\n";
  return {walk_id(chapter_) + ".html", "The ladder, a step at a time",
          "<div class=\"textblock\">" + html + "</div>\n"};
}

std::string LadderWalk::script(const Reference& reference, const ColouredCode& colours,
                               const std::map<std::string, std::string>& figures) const {
  const Numbers numbers(book_, chapter_);
  const auto coloured = [&](const Rung& rung) {
    const std::string file = file_of(rung).string();
    return colours.lines_of(tools::read_file(book_.root() / file), [&](const std::string& word) {
      return reference.meaning_of(word, file, chapter_.string());
    });
  };
  json steps = json::array();
  const Rung* before = nullptr;
  Lines lines_before, coloured_before;
  for (const Rung& rung : rungs_) {
    const Lines lines = tools::read_lines(book_.root() / file_of(rung));
    const Lines colours_here = coloured(rung);
    json code = json::array();
    std::size_t here = 0, there = 0;
    for (const StepLine& line : step_lines(lines_before, lines)) {
      if (line.mark == '-') {
        there = static_cast<std::size_t>(
            std::find(lines_before.begin() + static_cast<std::ptrdiff_t>(there), lines_before.end(),
                      line.text) -
            lines_before.begin());
        code.push_back(line.mark + coloured_before.at(there++));
      } else {
        code.push_back(line.mark + colours_here.at(here++));
      }
    }
    json pictures = json::array();
    for (const PicturePart& part : picture_parts(book_, chapter_, rung.number())) {
      const auto figure = figures.find(part.name);
      pictures.push_back({{"src", "files/docs/pictures/" + part.name + ".svg"},
                          {"title", book_.picture_titles().at(part.name)},
                          {"words", part.words},
                          {"href", figure == figures.end() ? "" : figure->second},
                          {"top", part.top},
                          {"height", part.height},
                          {"key", part.key},
                          {"whole", part.whole}});
    }
    json waits = json::array();
    for (const Fact& fact : kWaits)
      if (const auto shown = numbers.of(fact, rung, ""))
        waits.push_back({{"name", fact.name}, {"value", shown->value}, {"html", shown->html}});
    steps.push_back({{"number", rung.number()},
                     {"name", rung.name()},
                     {"idea", rung.idea},
                     {"before", before ? before->name() : ""},
                     {"lesson", rung.address()},
                     {"file", file_of(rung).filename().string()},
                     {"source", reference.source(file_of(rung).string())},
                     {"part", rung.gflop_per_s},
                     {"lines", std::move(code)},
                     {"pictures", std::move(pictures)},
                     {"waits", std::move(waits)}});
    before = &rung;
    lines_before = lines;
    coloured_before = colours_here;
  }
  return "var courseLadder = " + steps.dump() + ";\n";
}

}  // namespace site
