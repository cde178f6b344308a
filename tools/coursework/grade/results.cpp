#include "tools/coursework/grade/results.hpp"

#include <nlohmann/json.hpp>

#include "course/html.hpp"
#include "tools/coursework/grade/page.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

using json = nlohmann::ordered_json;
using course::escape_html;

constexpr int kResultsSchema = 1;

std::string points_of(int points, int of) {
  return std::to_string(points) + " of " + std::to_string(of);
}

std::string indented(const std::string& text, const std::string& by) {
  std::string result;
  for (const std::string& line : tools::lines_of(text)) result += by + line + '\n';
  return result;
}

std::string requirement_text(const RequirementVerdict& one, bool has_trials) {
  std::string text = one.holds ? "  + " : one.assessed ? "  - " : "  . ";
  text += one.name + ": " + one.text + "  (" + points_of(one.points, one.of) + ")\n";
  if (!has_trials) return text;
  text += "      found: " + one.found + "\n";
  if (!one.wanted.empty()) text += "      wanted: " + one.wanted + "\n";
  if (!one.advice.empty()) text += "      " + one.advice + "\n";
  return text;
}

std::string requirement_html(const RequirementVerdict& one, bool has_trials) {
  const char* const mark = one.holds ? "yes" : one.assessed ? "no" : "open";
  const char* const sign = one.holds ? "✓" : one.assessed ? "✗" : "–";
  std::string html = "<li class=\"" + std::string(mark) + "\"><span class=\"sign\">" + sign +
                     "</span><div><p class=\"wanted\"><b>" + escape_html(one.name) + ":</b> " +
                     escape_html(one.text) + " <span class=\"points\">" +
                     points_of(one.points, one.of) + "</span></p>";
  if (has_trials) {
    html += "<p>Found: " + escape_html(one.found) + ".";
    if (!one.wanted.empty()) html += " Wanted: " + escape_html(one.wanted) + ".";
    html += "</p>";
    if (!one.advice.empty()) html += "<p class=\"advice\">" + escape_html(one.advice) + "</p>";
  }
  return html + "</div></li>\n";
}

}  // namespace

json result_json(const Marks& marks, const Sheet& sheet) {
  json exercises = json::array();
  for (std::size_t i = 0; i < sheet.verdicts.size(); ++i) {
    const HandedIn& handed = sheet.student->files.at(i);
    const json verdict = json_of(sheet.verdicts[i]);
    exercises.push_back({{"exercise", verdict.at("exercise")},
                         {"title", marks.exercises[i].title},
                         {"file", handed.file},
                         {"sha256", handed.sha256},
                         {"notes", handed.notes},
                         {"outcome", verdict.at("outcome")},
                         {"points", verdict.at("points")},
                         {"of", verdict.at("of")},
                         {"message", verdict.at("message")},
                         {"requirements", verdict.at("requirements")},
                         {"compiler_output", verdict.at("compiler_output")}});
  }
  return {{"schema", kResultsSchema},
          {"student", sheet.student->name},
          {"chapter", marks.plan->chapter},
          {"points", sheet.points()},
          {"of", sheet.of()},
          {"exercises", exercises}};
}

std::string feedback_text(const Marks& marks, const Sheet& sheet) {
  std::string text = marks.plan->chapter + ": " + points_of(sheet.points(), sheet.of()) +
                     " points for " + sheet.student->name + "\n";
  for (std::size_t i = 0; i < sheet.verdicts.size(); ++i) {
    const Verdict& verdict = sheet.verdicts[i];
    const bool has_trials = verdict.outcome == Outcome::points;
    text += "\n" + verdict.exercise + " " + marks.exercises[i].title + ": " +
            points_of(verdict.points(), verdict.of()) + "\n";
    if (!has_trials) text += "  " + name_of(verdict.outcome) + ": " + verdict.message + "\n";
    for (const std::string& note : sheet.student->files.at(i).notes) text += "  " + note + "\n";
    if (verdict.outcome == Outcome::not_handed_in) continue;  // the handout says what to hand in
    for (const RequirementVerdict& one : verdict.requirements)
      text += requirement_text(one, has_trials);
    if (!verdict.compiler_output.empty())
      text += "  the compiler says:\n" + indented(verdict.compiler_output, "      ");
  }
  return text;
}

std::string feedback_page(const Marks& marks, const Sheet& sheet) {
  std::string html = "<header><p class=\"over\">" + escape_html(marks.plan->chapter) +
                     "</p>\n<h1>" + escape_html(sheet.student->name) +
                     "</h1>\n<p class=\"sum\"><b>" + std::to_string(sheet.points()) + "</b> of " +
                     std::to_string(sheet.of()) + " points</p></header>\n";
  for (std::size_t i = 0; i < sheet.verdicts.size(); ++i) {
    const Verdict& verdict = sheet.verdicts[i];
    const HandedIn& handed = sheet.student->files.at(i);
    const bool has_trials = verdict.outcome == Outcome::points;
    html += "<section class=\"card\"><h2>" + escape_html(verdict.exercise) + " " +
            escape_html(marks.exercises[i].title) + " <span class=\"points\">" +
            points_of(verdict.points(), verdict.of()) + "</span></h2>\n";
    if (!handed.file.empty()) html += "<p class=\"quiet\">" + escape_html(handed.file) + "</p>\n";
    if (!has_trials)
      html += "<p class=\"outcome\"><b>" + escape_html(name_of(verdict.outcome)) + ":</b> " +
              escape_html(verdict.message) + "</p>\n";
    for (const std::string& note : handed.notes)
      html += "<p class=\"quiet\">" + escape_html(note) + "</p>\n";
    if (verdict.outcome != Outcome::not_handed_in) {  // the handout says what to hand in
      html += "<ul class=\"requirements\">\n";
      for (const RequirementVerdict& one : verdict.requirements)
        html += requirement_html(one, has_trials);
      html += "</ul>\n";
    }
    if (!verdict.compiler_output.empty())
      html += "<details" + std::string(has_trials ? "" : " open") +
              "><summary>What the compiler says</summary><pre>" +
              escape_html(verdict.compiler_output) + "</pre></details>\n";
    html += "</section>\n";
  }
  return page(marks.plan->chapter + ": " + sheet.student->name, html);
}

}  // namespace coursework
