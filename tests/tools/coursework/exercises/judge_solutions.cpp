/// Judges the results of solutions on a GPU. Nothing is counted there, which must not count as a
/// fault.
///
///     judge_solutions FOLDER      contains a runner for each exercise: solution_02_1 and so on

#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>

#include "tools/coursework/judging/judge.hpp"
#include "tools/support/project.hpp"

namespace {

using namespace coursework;

/// Returns what is wrong with a solution's verdict; empty if nothing.
std::string fault_of(const Exercise& exercise, const Verdict& verdict) {
  if (verdict.outcome != Outcome::points) return name_of(verdict.outcome) + ": " + verdict.message;
  for (std::size_t i = 0; i < verdict.requirements.size(); ++i) {
    const RequirementVerdict& one = verdict.requirements[i];
    const bool is_result = exercise.requirements[i].kind == Requirement::Kind::result;
    if (is_result ? !one.holds : one.assessed)
      return one.name + ": " + one.found + "; " + one.advice;
  }
  return {};
}

int judge_all(const std::filesystem::path& folder) {
  int faults = 0;
  for (const Exercise& exercise : read_exercises(tools::source_folder())) {
    JudgeOptions options;
    options.draw = true;
    const Verdict verdict = judge(
        exercise, [&] { return start_runner(folder / ("solution_" + exercise.id)); }, options);
    const std::string fault = fault_of(exercise, verdict);
    // Bulk copies need compute capability 9.0.
    if (fault.find("cudaErrorNoKernelImageForDevice") != fault.npos) {
      std::cout << exercise.id << " is not for this GPU" << std::endl;
      continue;
    }
    std::cout << exercise.id << (fault.empty() ? " right" : " FAULT: " + fault) << std::endl;
    faults += !fault.empty();
  }
  return faults == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 2) return judge_all(argv[1]);
    throw std::runtime_error("usage: judge_solutions FOLDER");
  } catch (const std::exception& error) {
    std::cerr << "judge_solutions: " << error.what() << '\n';
    return 2;
  }
}
