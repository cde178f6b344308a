/// @file
/// The summary page for people; what teachers ask first is at the top.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "course/html.hpp"
#include "tools/coursework/grade/page.hpp"
#include "tools/coursework/grade/summary.hpp"

namespace coursework {
namespace {

using course::escape_html;

/// Returns a number with at most one decimal: "7", "7.5".
std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  const std::string shown = text;
  return shown.ends_with(".0") ? shown.substr(0, shown.size() - 2) : shown;
}

std::string percent(int part, int whole) {
  return whole == 0 ? "0" : std::to_string((part * 100 + whole / 2) / whole);
}

/// Returns a CSS width or height in per cent.
std::string share(double part, double whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f%%", whole == 0 ? 0.0 : 100 * part / whole);
  return text;
}

std::string tile(const std::string& name, const std::string& value) {
  return "<div class=\"tile\"><dt>" + name + "</dt><dd>" + value + "</dd></div>\n";
}

std::string feedback_link(const Student& student) {
  std::string address = "students/";
  for (const char c : student.folder) {
    if (c == '%') {
      address += "%25";
    } else {
      address += c;
    }
  }
  return "<a href=\"" + escape_html(address) + "/feedback.html\">" + escape_html(student.name) +
         "</a>";
}

/// Returns whether a person must look at the verdict because the program could not decide.
bool needs_a_look(const Verdict& verdict) {
  return verdict.outcome == Outcome::grader_fault || verdict.outcome == Outcome::refused ||
         verdict.outcome == Outcome::crashed;
}

std::string attention(const Marks& marks) {
  std::string items;
  for (const std::string& note : marks.plan->all.notes)
    items += "<li>" + escape_html(note) + "</li>\n";
  for (const Outcome outcome : {Outcome::grader_fault, Outcome::refused, Outcome::crashed,
                                Outcome::memory_limit, Outcome::time_limit, Outcome::points})
    for (const Sheet& sheet : marks.sheets)
      for (std::size_t i = 0; i < sheet.verdicts.size(); ++i) {
        const Verdict& verdict = sheet.verdicts[i];
        const std::string who =
            "<li>" + feedback_link(*sheet.student) + ", " + escape_html(verdict.exercise) + ", ";
        if (verdict.outcome == outcome && outcome != Outcome::points)
          items +=
              who + "<b>" + name_of(outcome) + "</b>: " + escape_html(verdict.message) + "</li>\n";
        if (outcome == Outcome::points)
          for (const std::string& note : sheet.student->files.at(i).notes)
            items += who + escape_html(note) + "</li>\n";
      }
  if (items.empty()) return {};
  return "<section class=\"card\"><h2>Worth a look</h2>\n<ul class=\"look\">\n" + items +
         "</ul></section>\n";
}

std::string histogram(const Marks& marks, const ClassCount& all) {
  constexpr int kMostBars = 26;
  const int of = marks.of();
  const int width = of / kMostBars + 1;  // points per bar
  std::vector<int> bars(static_cast<std::size_t>(of / width) + 1);
  for (int points = 0; points <= of; ++points)
    bars[static_cast<std::size_t>(points / width)] +=
        all.distribution[static_cast<std::size_t>(points)];
  const int highest = std::max(1, *std::ranges::max_element(bars));
  const int step = bars.size() > 14 ? 5 : 1;
  std::string columns, ticks;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const int from = static_cast<int>(i) * width, to = std::min(of, from + width - 1);
    const std::string range =
        from == to ? std::to_string(from) : std::to_string(from) + " to " + std::to_string(to);
    columns += "<div style=\"height:" + share(bars[i], highest) + "\" title=\"" + range +
               " points: " + std::to_string(bars[i]) + "\">" +
               (bars[i] > 0 ? "<span>" + std::to_string(bars[i]) + "</span>" : "") + "</div>";
    const bool is_labelled = i % static_cast<std::size_t>(step) == 0 || i + 1 == bars.size();
    ticks += "<div>" + (is_labelled ? std::to_string(from) : std::string()) + "</div>";
  }
  return "<section class=\"card\"><h2>Points of the class</h2>\n<div class=\"bars\" role=\"img\" "
         "aria-label=\"Number of students by points; the table below has the same numbers\">" +
         columns + "</div>\n<div class=\"ticks\" aria-hidden=\"true\">" + ticks +
         "</div>\n<p class=\"axis\">points of " + std::to_string(of) +
         "; above each bar, the number of students</p></section>\n";
}

struct Slice {
  const char* colour;
  std::string name;
  int number;
};

std::string stack(const std::vector<Slice>& slices, int whole) {
  std::string bar, legend;
  for (const Slice& one : slices) {
    if (one.number == 0) continue;
    bar += "<i class=\"" + std::string(one.colour) +
           "\" style=\"width:" + share(one.number, whole) + "\"></i>";
    legend += "<span><i class=\"" + std::string(one.colour) + "\"></i>" + one.name + " " +
              std::to_string(one.number) + "</span>\n";
  }
  return "<div class=\"stack\" aria-hidden=\"true\">" + bar + "</div>\n<div class=\"legend\">" +
         legend + "</div>\n";
}

std::string exercise_card(const Exercise& exercise, const ExerciseCount& count, int students) {
  const auto of = [&](Outcome outcome) {
    const auto found = count.outcomes.find(outcome);
    return found == count.outcomes.end() ? 0 : found->second;
  };
  std::string html = "<section class=\"card\"><h2>" + escape_html(exercise.id) + " " +
                     escape_html(exercise.title) + " <span class=\"points\">mean " +
                     number(count.mean) + " of " + std::to_string(exercise.points()) +
                     "</span></h2>\n";
  html += stack({{"good", "all points", count.full_marks},
                 {"some", "some or no points", of(Outcome::points) - count.full_marks},
                 {"bad", "does not compile", of(Outcome::does_not_compile)},
                 {"bad", "time limit", of(Outcome::time_limit)},
                 {"bad", "memory limit", of(Outcome::memory_limit)},
                 {"bad", "crashed", of(Outcome::crashed)},
                 {"fault", "refused", of(Outcome::refused)},
                 {"fault", "grader fault", of(Outcome::grader_fault)},
                 {"none", "not handed in", of(Outcome::not_handed_in)}},
                students);
  html += "<table class=\"rates\"><tbody>\n";
  for (std::size_t k = 0; k < exercise.requirements.size(); ++k) {
    const Requirement& one = exercise.requirements[k];
    const RequirementCount& part = count.requirements[k];
    html += "<tr><td>" + escape_html(one.text) + " <span class=\"points\">" +
            std::to_string(one.points) + (one.points == 1 ? " point" : " points") +
            "</span></td><td class=\"bar\"><div class=\"stack\" title=\"" +
            std::to_string(part.holds) + " have it, " + std::to_string(part.fails) + " do not, " +
            std::to_string(part.not_assessed) +
            " were not assessed\"><i class=\"good\" style=\"width:" + share(part.holds, students) +
            "\"></i><i class=\"bad\" style=\"width:" + share(part.fails, students) +
            "\"></i></div></td><td class=\"rate\">" + percent(part.holds, students) +
            " %</td></tr>\n";
  }
  return html + "</tbody></table></section>\n";
}

std::string class_table(const Marks& marks) {
  std::string html =
      "<section class=\"card\"><h2>Students</h2>\n<input class=\"find\" type=\"search\" "
      "placeholder=\"Find a student\" aria-label=\"Find a student\" hidden>\n<div class=\"scroll\">"
      "<table class=\"class\"><thead><tr><th>student</th>";
  for (const Exercise& one : marks.exercises) html += "<th>" + escape_html(one.id) + "</th>";
  html += "<th>points</th></tr></thead><tbody>\n";
  for (const Sheet& sheet : marks.sheets) {
    std::string people;
    for (const Person& one : sheet.student->people)
      people += (people.empty() ? "" : ", ") + escape_html(one.name);
    html += "<tr><td>" + feedback_link(*sheet.student) +
            (people.empty() ? "" : "<br><span class=\"quiet\">" + people + "</span>") + "</td>";
    for (const Verdict& one : sheet.verdicts)
      html +=
          "<td data-value=\"" + std::to_string(one.points()) + "\">" +
          (one.outcome == Outcome::points ? "" : "<small>" + name_of(one.outcome) + "</small> ") +
          std::to_string(one.points()) + "</td>";
    html += "<td data-value=\"" + std::to_string(sheet.points()) + "\"><b>" +
            std::to_string(sheet.points()) + "</b></td></tr>\n";
  }
  return html + "</tbody></table></div></section>\n";
}

// Sorts by column and hides rows. The page is complete without the script.
constexpr const char* kScript = R"js(<script>
const table = document.querySelector('.class'), body = table.tBodies[0], find = document.querySelector('.find');
find.hidden = false;
find.addEventListener('input', () => {
  const word = find.value.toLowerCase();
  for (const row of body.rows) row.hidden = !row.cells[0].textContent.toLowerCase().includes(word);
});
[...table.tHead.rows[0].cells].forEach((head, column) => {
  const button = document.createElement('button');
  button.textContent = head.textContent;
  head.replaceChildren(button);
  let direction = column ? -1 : 1;
  button.addEventListener('click', () => {
    const value = row => column ? Number(row.cells[column].dataset.value) : row.cells[0].textContent.trim();
    const order = (a, b) => (value(a) > value(b)) - (value(a) < value(b));
    body.append(...[...body.rows].sort((a, b) => direction * order(a, b)));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', direction > 0 ? 'ascending' : 'descending');
    direction = -direction;
  });
});
</script>
)js";

}  // namespace

std::string summary_page(const Marks& marks) {
  const ClassCount all = count(marks);
  const int students = static_cast<int>(marks.sheets.size());
  const Shard& shard = marks.plan->shard;
  int looks = 0, handed_in = 0;
  for (const Sheet& sheet : marks.sheets) {
    looks += static_cast<int>(std::ranges::count_if(sheet.verdicts, needs_a_look));
    handed_in += std::ranges::any_of(
                     sheet.verdicts,
                     [](const Verdict& one) { return one.outcome != Outcome::not_handed_in; })
                     ? 1
                     : 0;
  }
  std::string html = "<header><p class=\"over\">Warp by Warp";
  if (shard.of > 1)
    html += ", part " + std::to_string(shard.number) + " of " + std::to_string(shard.of) +
            " of a class";
  html += "</p>\n<h1>" + escape_html(marks.plan->chapter) +
          "</h1></header>\n<dl class=\"tiles\">\n" + tile("students", std::to_string(students)) +
          tile("handed in", std::to_string(handed_in)) +
          tile("mean, of " + std::to_string(marks.of()), number(all.mean)) +
          tile("median", number(all.median)) +
          tile("all points", percent(all.full_marks, students) + " %") +
          tile("refused or fault", std::to_string(looks)) + "</dl>\n";
  html += histogram(marks, all);
  for (std::size_t i = 0; i < marks.exercises.size(); ++i)
    html += exercise_card(marks.exercises[i], all.exercises[i], students);
  html += attention(marks) + class_table(marks) + kScript;
  return page(marks.plan->chapter + ": marks", html);
}

}  // namespace coursework
