#pragma once

/// @file
/// A class's results: a table for spreadsheets, figures for programs, a page for people.

#include <map>
#include <string>
#include <vector>

#include "tools/coursework/grade/marks.hpp"

namespace coursework {

/// The outcomes of one requirement, in numbers of students.
struct RequirementCount {
  int holds = 0;
  int fails = 0;
  int not_assessed = 0;
};

struct ExerciseCount {
  std::map<Outcome, int> outcomes;
  int full_marks = 0;
  double mean = 0;
  std::vector<RequirementCount> requirements;
};

struct ClassCount {
  std::vector<int> distribution;  ///< number of students for each sum of points, from 0
  double mean = 0;
  double median = 0;
  int full_marks = 0;
  std::vector<ExerciseCount> exercises;
};

ClassCount count(const Marks& marks);

/// Returns a CSV table (RFC 4180) with a line for each student, or for each person if people are
/// known.
std::string grades_csv(const Marks& marks);

/// Returns the summary in the form of docs/grade_summary.schema.json.
nlohmann::ordered_json summary_json(const Marks& marks);

/// Returns a self-contained HTML page that links to students' feedback beside it.
std::string summary_page(const Marks& marks);

}  // namespace coursework
