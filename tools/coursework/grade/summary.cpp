#include "tools/coursework/grade/summary.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tools/coursework/grade/names.hpp"

namespace coursework {
namespace {

using json = nlohmann::ordered_json;

constexpr int kSummarySchema = 1;

double rounded(double value) { return std::round(value * 100) / 100; }

double mean_of(const std::vector<int>& values) {
  double sum = 0;
  for (const int one : values) sum += one;
  return values.empty() ? 0 : rounded(sum / static_cast<double>(values.size()));
}

double median_of(std::vector<int> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2.0;
}

ExerciseCount count_exercise(const Marks& marks, std::size_t i) {
  ExerciseCount result;
  result.requirements.resize(marks.exercises[i].requirements.size());
  std::vector<int> points;
  for (const Sheet& sheet : marks.sheets) {
    const Verdict& verdict = sheet.verdicts[i];
    ++result.outcomes[verdict.outcome];
    result.full_marks += verdict.is_right() ? 1 : 0;
    points.push_back(verdict.points());
    for (std::size_t k = 0; k < result.requirements.size(); ++k) {
      const RequirementVerdict& one = verdict.requirements.at(k);
      RequirementCount& count = result.requirements[k];
      ++(one.holds ? count.holds : one.assessed ? count.fails : count.not_assessed);
    }
  }
  result.mean = mean_of(points);
  return result;
}

void add_row(std::string& csv, const std::vector<std::string>& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) csv += (i == 0 ? "" : ",") + csv_field(fields[i]);
  csv += "\r\n";
}

}  // namespace

ClassCount count(const Marks& marks) {
  ClassCount result;
  result.distribution.resize(static_cast<std::size_t>(marks.of()) + 1);
  std::vector<int> sums;
  for (const Sheet& sheet : marks.sheets) {
    sums.push_back(sheet.points());
    ++result.distribution.at(static_cast<std::size_t>(sheet.points()));
    result.full_marks += sheet.points() == marks.of() ? 1 : 0;
  }
  result.mean = mean_of(sums);
  result.median = median_of(sums);
  for (std::size_t i = 0; i < marks.exercises.size(); ++i)
    result.exercises.push_back(count_exercise(marks, i));
  return result;
}

std::string grades_csv(const Marks& marks) {
  const bool has_people = std::ranges::any_of(
      marks.plan->all.students, [](const Student& one) { return !one.people.empty(); });
  std::vector<std::string> head = {"student"};
  if (has_people) head.insert(head.end(), {"name", "email", "id"});
  for (const Exercise& exercise : marks.exercises) {
    for (const Requirement& one : exercise.requirements)
      head.push_back(exercise.id + " " + one.name);
    head.insert(head.end(), {exercise.id, exercise.id + " outcome"});
  }
  head.insert(head.end(), {"points", "of"});
  std::string csv;
  add_row(csv, head);
  for (const Sheet& sheet : marks.sheets) {
    std::vector<Person> people = sheet.student->people;
    if (people.empty()) people.emplace_back();
    for (const Person& person : people) {
      std::vector<std::string> row = {sheet.student->name};
      if (has_people) row.insert(row.end(), {person.name, person.email, person.id});
      for (const Verdict& verdict : sheet.verdicts) {
        for (const RequirementVerdict& one : verdict.requirements)
          row.push_back(std::to_string(one.points));
        row.insert(row.end(), {std::to_string(verdict.points()), name_of(verdict.outcome)});
      }
      row.insert(row.end(), {std::to_string(sheet.points()), std::to_string(sheet.of())});
      add_row(csv, row);
    }
  }
  return csv;
}

json summary_json(const Marks& marks) {
  const ClassCount all = count(marks);
  json exercises = json::array(), students = json::array();
  for (std::size_t i = 0; i < marks.exercises.size(); ++i) {
    const Exercise& exercise = marks.exercises[i];
    json outcomes = json::object(), requirements = json::array();
    for (const auto& [outcome, number] : all.exercises[i].outcomes)
      outcomes[name_of(outcome)] = number;
    for (std::size_t k = 0; k < exercise.requirements.size(); ++k) {
      const RequirementCount& one = all.exercises[i].requirements[k];
      requirements.push_back({{"name", exercise.requirements[k].name},
                              {"points", exercise.requirements[k].points},
                              {"holds", one.holds},
                              {"fails", one.fails},
                              {"not_assessed", one.not_assessed}});
    }
    exercises.push_back({{"exercise", exercise.id},
                         {"title", exercise.title},
                         {"of", exercise.points()},
                         {"mean", all.exercises[i].mean},
                         {"full_marks", all.exercises[i].full_marks},
                         {"outcomes", outcomes},
                         {"requirements", requirements}});
  }
  for (const Sheet& sheet : marks.sheets) {
    json points = json::object();
    for (const Verdict& one : sheet.verdicts)
      points[one.exercise] = {{"points", one.points()}, {"outcome", name_of(one.outcome)}};
    students.push_back({{"student", sheet.student->name},
                        {"folder", sheet.student->folder},
                        {"points", sheet.points()},
                        {"exercises", points}});
  }
  const Shard& shard = marks.plan->shard;
  return {{"schema", kSummarySchema},
          {"chapter", marks.plan->chapter},
          {"shard", {{"number", shard.number}, {"of", shard.of}}},
          {"of", marks.of()},
          {"mean", all.mean},
          {"median", all.median},
          {"full_marks", all.full_marks},
          {"distribution", all.distribution},
          {"exercises", exercises},
          {"students", students},
          {"notes", marks.plan->all.notes}};
}

}  // namespace coursework
