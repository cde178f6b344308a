#include "tools/coursework/show/verdict_lines.hpp"

#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

struct Mark {
  const char* sign;
  const char* ascii;
  Style style;
};

Mark mark_of(const RequirementVerdict& one) {
  if (!one.assessed) return {"\u00b7", ".", Style::faint};
  return one.holds ? Mark{"\u2713", "+", Style::good} : Mark{"\u2717", "-", Style::bad};
}

Line heading(const Verdict& verdict, const std::string& title) {
  const bool right = verdict.is_right();
  const std::string state = right                                ? "right"
                            : verdict.outcome == Outcome::points ? "not yet"
                                                                 : name_of(verdict.outcome);
  Line line;
  line.add(shown_id(verdict.exercise) + "  " + title, Style::strong).add(": ");
  line.add(state, right ? Style::good : Style::bad);
  line.add(", " + std::to_string(verdict.points()) + " of " + counted(verdict.of(), "point"));
  return line;
}

/// Returns a requirement's text without the remark in parentheses at its end, which says what else
/// counts and only matters to whom it cost points.
std::string without_remark(const std::string& text) {
  if (!text.ends_with(")")) return text;
  int open = 0;
  for (std::size_t at = text.size(); at-- > 0;) {
    if (text[at] == ')') ++open;
    if (text[at] == '(' && --open == 0)
      return at > 1 && text[at - 1] == ' ' ? text.substr(0, at - 1) : text;
  }
  return text;
}

void add_requirement(const RequirementVerdict& one, bool signs, std::vector<Line>& lines) {
  const Mark mark = mark_of(one);
  const std::string points = std::to_string(one.points) + "/" + std::to_string(one.of);
  const std::string begin = std::string("  ") + (signs ? mark.sign : mark.ascii) + " " + points;
  const int indent = static_cast<int>(4 + points.size() + 2);
  const auto add = [&](Line line) {
    line.indent = indent;
    lines.push_back(std::move(line));
  };
  const std::string blanks(indent, ' ');

  const bool lost_points = one.assessed && one.points < one.of;
  add(Line(begin, mark.style)
          .add("  " + one.name + ": ", Style::strong)
          .add(lost_points ? one.text : without_remark(one.text)));
  if (one.holds || !one.assessed) {
    const std::string wanted = one.wanted.empty() ? "" : "; wanted: " + one.wanted;
    add(Line(blanks + one.found + wanted, Style::faint));
  } else {
    add(Line(blanks).add("found: ", Style::bad).add(one.found));
    if (!one.wanted.empty()) add(Line(blanks).add("wanted: ", Style::good).add(one.wanted));
  }
  if (!one.holds && !one.advice.empty()) add(Line(blanks + one.advice));
}

/// Adds the compiler's output verbatim, with errors and warnings highlighted.
void add_compiler_output(const std::string& output, std::vector<Line>& lines) {
  for (const std::string& text : tools::lines_of(output)) {
    Line line;
    line.verbatim = true;
    std::size_t at = std::string::npos;
    for (const char* kind : {" error: ", " warning: "})
      if (at = text.find(kind); at != std::string::npos) break;
    if (at == std::string::npos || text[0] == ' ') {
      line.add(text);
    } else {
      const std::size_t end = text.find(": ", at + 1) + 2;
      line.add(text.substr(0, at), Style::strong);
      line.add(text.substr(at, end - at), Style::bad).add(text.substr(end));
    }
    lines.push_back(std::move(line));
  }
}

}  // namespace

std::string shown_id(const std::string& id) {
  std::string text = id;
  if (const std::size_t at = text.find('_'); at != std::string::npos) text[at] = '.';
  return text;
}

std::string counted(int number, const std::string& one) {
  return std::to_string(number) + " " + one + (number == 1 ? "" : "s");
}

std::vector<Line> lines_of(const Verdict& verdict, const std::string& title, bool signs) {
  std::vector<Line> lines = {heading(verdict, title)};
  if (verdict.outcome == Outcome::does_not_compile) {
    add_compiler_output(verdict.message, lines);
    return lines;
  }
  if (verdict.outcome != Outcome::points) {
    lines.push_back(Line("  " + verdict.message + "."));
    lines.back().indent = 2;
  } else {
    for (const RequirementVerdict& one : verdict.requirements) add_requirement(one, signs, lines);
  }
  add_compiler_output(verdict.compiler_output, lines);
  return lines;
}

std::string text_of(const Verdict& verdict, const std::string& title) {
  return render(lines_of(verdict, title, /*signs=*/false), Look{});
}

}  // namespace coursework
