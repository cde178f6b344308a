#include "tools/coursework/grade/marks.hpp"

#include <numeric>

#include "tools/coursework/judging/judge.hpp"

namespace coursework {

int Sheet::points() const {
  return std::accumulate(verdicts.begin(), verdicts.end(), 0,
                         [](int sum, const Verdict& one) { return sum + one.points(); });
}

int Sheet::of() const {
  return std::accumulate(verdicts.begin(), verdicts.end(), 0,
                         [](int sum, const Verdict& one) { return sum + one.of(); });
}

int Marks::of() const {
  return std::accumulate(exercises.begin(), exercises.end(), 0,
                         [](int sum, const Exercise& one) { return sum + one.points(); });
}

int Marks::count(Outcome outcome) const {
  int number = 0;
  for (const Sheet& sheet : sheets)
    for (const Verdict& one : sheet.verdicts) number += one.outcome == outcome ? 1 : 0;
  return number;
}

Marks collect(const Plan& plan, const std::vector<Exercise>& exercises, const Entries& entries) {
  Marks marks{&plan, exercises, {}};
  for (const Student& student : plan.all.students) {
    if (student.files.empty()) continue;
    Sheet sheet{&student, {}};
    for (std::size_t i = 0; i < exercises.size(); ++i) {
      const HandedIn& handed = student.files.at(i);
      const auto entry = entries.find({student.folder, exercises[i].id});
      if (handed.outcome != Outcome::points) {
        sheet.verdicts.push_back(
            verdict_without_trials(exercises[i], handed.outcome, handed.message));
      } else if (entry != entries.end() && entry->second.basis == plan.basis_of(handed)) {
        sheet.verdicts.push_back(entry->second.verdict);
      } else {
        sheet.verdicts.push_back(verdict_without_trials(exercises[i], Outcome::grader_fault,
                                                        "This submission was not graded."));
      }
    }
    marks.sheets.push_back(std::move(sheet));
  }
  return marks;
}

}  // namespace coursework
