/// Breaks kernels one line at a time and checks whether a chapter's tests notice.
///
///     mutants generate CHAPTER OUT.cu [MUTANTS.txt [some]]
///     mutants run      CHAPTER MUTANTS.txt TESTS [some]
///
/// `generate` writes a kernels_under_test() of the chapter's kernels. With MUTANTS.txt, the
/// function swaps in the mutant numbered by COURSE_MUTANT, so that one executable contains all
/// mutants. `run` searches a test case that fails with each mutant and passes without it.
/// MUTANTS.txt lists, under "[kernel]", pairs of lines: "- " a line of the kernel, "+ " its
/// replacement. Every kernel needs at least kMutantsPerKernel pairs. "~ " is a line that all
/// mutants of the kernel omit, to save compile time. `some` selects every third mutant of a kernel.
///
/// Kernels has a pointer to each kernel of the chapter's kernels.cuh and, so that tests can fill
/// it, to each array in constant memory. In a chapter of steps, "[name]" stands for
/// steps/NN_name.cuh and everything that it includes into a namespace that it uses; Kernels has a
/// pointer to the function name::launch() there. "[name with a b]" also covers what is included
/// into the namespaces a and b. The same holds for name.cuh beside the folder `steps`. Steps
/// without mutants come from the chapter's real_kernels(), which is compiled already.

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace {

namespace fs = std::filesystem;

constexpr int kMutantsPerKernel = 4;
constexpr std::chrono::seconds kTimeLimit{60};

struct Mutant {
  std::string kernel;
  std::set<std::string> namespaces;  ///< included besides its own
  std::string original;
  std::string replacement;
  std::set<std::string> left_out;  ///< lines to omit
};

std::vector<Mutant> read_mutants(const std::string& file) {
  std::vector<Mutant> mutants;
  std::string kernel, original;
  std::set<std::string> namespaces, left_out;
  for (const std::string& line : tools::read_lines(file)) {
    if (line.empty() || line.starts_with("#")) continue;
    if (line.starts_with("[")) {
      std::istringstream words(line.substr(1, line.find(']') - 1));
      words >> kernel >> original;  // "with"
      namespaces = {std::istream_iterator<std::string>(words), {}};
      original.clear();
      left_out.clear();
    } else if (line.starts_with("~ ")) {
      left_out.insert(tools::trimmed(line.substr(2)));
    } else if (line.starts_with("- ")) {
      original = tools::trimmed(line.substr(2));
    } else if (line.starts_with("+ ") && !original.empty()) {
      mutants.push_back({kernel, namespaces, original, tools::trimmed(line.substr(2)), left_out});
      original.clear();
    } else {
      throw std::runtime_error(file + ": cannot read \"" + line + "\"");
    }
  }
  return mutants;
}

/// The kernel or step whose lines are mutated.
struct Target {
  std::string name;                ///< name of the kernel or step, and of its pointer in Kernels
  std::string function;            ///< the function that the pointer points to
  std::vector<std::string> lines;  ///< lines of code
  fs::path step = {};              ///< the step's file
};

/// Returns a kernel without its documentation.
Target target_of(const tools::Function& kernel) {
  const auto documentation = static_cast<std::ptrdiff_t>(kernel.documentation_lines);
  return {kernel.name, kernel.name, {kernel.lines.begin() + documentation, kernel.lines.end()}};
}

/// Returns the namespaces that a step's file defines or uses as a whole.
std::set<std::string> namespaces_of(const fs::path& file, const std::string& name) {
  static const tools::Pattern kUse(R"(^using namespace (\w+);)");
  std::set<std::string> names = {name};
  for (const std::string& line : tools::read_lines(file))
    if (const tools::Match match = kUse.search(line)) names.insert(match.str(1));
  return names;
}

/// Returns the lines of a step's file and of its includes into these namespaces.
std::vector<std::string> code_of(const fs::path& file, const std::set<std::string>& namespaces) {
  static const tools::Pattern kInclude(R"x(^#include "([\w.]+)")x");
  static const tools::Pattern kNamespace(R"(^namespace (\w+) \{)");
  const auto adds_to_them = [&](const fs::path& included) {
    return std::ranges::any_of(tools::read_lines(included), [&](const std::string& line) {
      const tools::Match match = kNamespace.search(line);
      return match && namespaces.contains(match.str(1));
    });
  };
  std::vector<std::string> lines;
  for (const std::string& line : tools::read_lines(file)) {
    if (const tools::Match match = kInclude.search(line)) {
      const fs::path included = file.parent_path() / match[1];
      if (!fs::exists(included) || !adds_to_them(included)) continue;
      for (const std::string& own : code_of(included, namespaces)) lines.push_back(own);
    } else if (!line.starts_with("#include") && !line.starts_with("#pragma once")) {
      lines.push_back(line);
    }
  }
  return lines;
}

Target target_of(const fs::path& step) {
  const bool is_numbered = step.parent_path().filename() == "steps";
  const std::string name = is_numbered ? tools::step_name(step) : step.stem().string();
  return {name, name + "::launch", code_of(step, namespaces_of(step, name)), step};
}

/// Returns the files with kernels, and NAME.cuh for other names in the list of mutants.
std::vector<fs::path> files_of(const fs::path& chapter, const std::vector<Mutant>& mutants) {
  std::vector<fs::path> files = tools::kernel_files(chapter);
  for (const Mutant& mutant : mutants) {
    const fs::path other = chapter / (mutant.kernel + ".cuh");
    if (fs::exists(other) && std::ranges::count(files, other) == 0) files.push_back(other);
  }
  return files;
}

std::vector<Target> targets_in(const fs::path& chapter, const std::vector<Mutant>& mutants) {
  std::vector<Target> targets;
  for (const fs::path& file : files_of(chapter, mutants)) {
    if (file.filename() != "kernels.cuh") {
      targets.push_back(target_of(file));
      continue;
    }
    for (const tools::Function& function : tools::functions_in(tools::read_lines(file)))
      if (function.is_kernel) targets.push_back(target_of(function));
  }
  return targets;
}

/// Returns the target's text with one line replaced; throws unless the line occurs exactly once.
std::string mutated(const Target& target, const Mutant& mutant) {
  std::string text;
  int found = 0;
  std::set<std::string> to_leave_out = mutant.left_out;
  std::vector<std::string> lines = target.lines;
  if (!mutant.namespaces.empty()) {
    std::set<std::string> namespaces = namespaces_of(target.step, target.name);
    namespaces.insert(mutant.namespaces.begin(), mutant.namespaces.end());
    lines = code_of(target.step, namespaces);
  }
  for (const std::string& line : lines) {
    if (mutant.left_out.contains(tools::trimmed(line))) {
      to_leave_out.erase(tools::trimmed(line));
      continue;
    }
    const bool is_it = tools::trimmed(line) == mutant.original;
    found += is_it;
    text += (is_it ? "  " + mutant.replacement : line) + '\n';
  }
  if (found != 1 || mutant.original == mutant.replacement) {
    throw std::runtime_error("the line \"" + mutant.original + "\" stands " +
                             std::to_string(found) + " times in " + target.name +
                             ", or its mutant is no change");
  }
  if (!to_leave_out.empty())
    throw std::runtime_error(target.name + " has no line \"" + *to_leave_out.begin() + '"');
  return text;
}

void require_enough(const std::vector<Target>& targets, const std::vector<Mutant>& mutants) {
  for (const Target& target : targets) {
    const auto count = std::count_if(mutants.begin(), mutants.end(), [&](const Mutant& mutant) {
      return mutant.kernel == target.name;
    });
    if (count < kMutantsPerKernel)
      throw std::runtime_error(target.name + " has " + std::to_string(count) +
                               " mutants; at least " + std::to_string(kMutantsPerKernel) +
                               " are wanted");
  }
}

const Target& target_of(const std::vector<Target>& targets, const Mutant& mutant) {
  const auto target = std::ranges::find(targets, mutant.kernel, &Target::name);
  if (target == targets.end()) throw std::runtime_error("there is no kernel " + mutant.kernel);
  return *target;
}

/// Returns every third mutant of each kernel, beginning with the first.
std::vector<Mutant> some_of(const std::vector<Mutant>& mutants) {
  std::vector<Mutant> some;
  std::map<std::string, int> count;  // by kernel
  for (const Mutant& mutant : mutants)
    if (count[mutant.kernel]++ % 3 == 0) some.push_back(mutant);
  return some;
}

/// Writes kernels without mutants if `mutants_file` is empty.
void write_kernels(const fs::path& chapter, const std::string& out_file,
                   const std::string& mutants_file, bool only_some) {
  std::vector<Mutant> mutants;
  if (!mutants_file.empty()) mutants = read_mutants(mutants_file);
  const auto targets = targets_in(chapter, mutants);
  if (!mutants_file.empty()) require_enough(targets, mutants);
  // Throws for an invalid mutant.
  for (const Mutant& mutant : mutants) mutated(target_of(targets, mutant), mutant);
  if (only_some) mutants = some_of(mutants);

  std::string text =
      "// Written by tests/repo/mutants.cpp.\n#include <cstdlib>\n\n"
      "#include \"kernels_under_test.hpp\"\n";
  for (const fs::path& file : files_of(chapter, mutants))
    text += "#include \"" + fs::relative(file, chapter).string() + "\"\n";
  text += '\n';
  std::string cases;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    const Target& target = target_of(targets, mutants[i]);
    const std::string scope = "mutant_" + std::to_string(i);
    text += "namespace " + scope + " {\n" + mutated(target, mutants[i]) + "}\n\n";
    cases += "    case " + std::to_string(i) + ": kernels." + target.name + " = " + scope +
             "::" + target.function + "; break;\n";
  }
  text += "Kernels kernels_under_test() {\n  Kernels kernels = ";
  if (fs::exists(chapter / "steps")) {
    text += "real_kernels();\n";
  } else {
    text += "{\n";
    for (const auto& target : targets)
      text += "      ." + target.name + " = ::" + target.function + ",\n";
    for (const fs::path& file : tools::kernel_files(chapter))
      for (const std::string& constant : tools::constant_arrays_in(tools::read_lines(file)))
        text += "      ." + constant + " = &::" + constant + ",\n";
    text += "  };\n";
  }
  if (!mutants.empty())
    text +=
        "  const char* chosen = std::getenv(\"COURSE_MUTANT\");\n"
        "  switch (chosen == nullptr ? -1 : std::atoi(chosen)) {\n" +
        cases + "    default: break;\n  }\n";
  text += "  return kernels;\n}\n";

  std::ofstream out(out_file);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + out_file);
}

/// Runs the tests' executable with `arguments`; `variables` select a mutant.
tools::CommandResult run_tests(const std::string& tests,
                               std::map<std::string, std::string> variables,
                               const std::vector<std::string>& arguments) {
  tools::CommandOptions options;
  options.time_limit = kTimeLimit;
  options.environment = std::move(variables);
  options.environment["COURSE_THREADS"] = "1";  // several of these programs run at the same time
  std::vector<std::string> command = {tests};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return tools::run_command(command, options);
}

/// A test case's results so far.
struct Record {
  int tries = 0;                 ///< number of runs with mutants
  int kills = 0;                 ///< how many of them failed
  double seconds = 0.0;          ///< duration of the last run
  bool passes_unbroken = false;  ///< known only after it has killed a mutant
};

struct TestCase {
  std::string name;
  int number = 0;                         ///< number in the executable, from 1
  Record all = {};                        ///< for all kernels together
  std::map<std::string, Record> of = {};  ///< for each kernel
};

std::vector<TestCase> test_cases_of(const std::string& tests) {
  const tools::CommandResult list = run_tests(tests, {}, {"--list-test-cases"});
  std::vector<TestCase> cases;
  for (const std::string& line : tools::lines_of(list.out))
    if (!line.starts_with("[doctest]") && !line.starts_with("==="))
      cases.push_back({line, static_cast<int>(cases.size()) + 1});
  if (cases.empty()) throw std::runtime_error(tests + " has no test cases");
  return cases;
}

/// Returns whether a test case passes with a kernel's mutant, or with no mutant if `mutant` is
/// empty. Tests may skip parts that do not concern the kernel.
bool passes(const std::string& tests, TestCase& one, const std::string& kernel,
            const std::string& mutant) {
  std::map<std::string, std::string> variables = {{"COURSE_MUTATED_KERNEL", kernel}};
  if (!mutant.empty()) variables["COURSE_MUTANT"] = mutant;
  const std::string place = std::to_string(one.number);
  const auto start = std::chrono::steady_clock::now();
  bool passed = false;
  try {
    passed = run_tests(tests, variables, {"--first=" + place, "--last=" + place, "--abort-after=1"})
                 .status == 0;
  } catch (const std::runtime_error&) {  // the test did not end in time
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  for (Record* record : {&one.all, &one.of[kernel]}) {
    record->seconds = seconds.count();
    if (mutant.empty()) continue;
    ++record->tries;
    record->kills += !passed;
  }
  return passed;
}

/// Returns the expected time until a test case kills a mutant of the kernel: its duration divided
/// by its fraction of kills, which starts with the fraction for all kernels.
double cost_of_kill(const TestCase& one, const std::string& kernel) {
  const auto found = one.of.find(kernel);
  const Record own = found == one.of.end() ? Record{} : found->second;
  const double before = (one.all.kills + 1.0) / (one.all.tries + 2.0);
  return (own.tries > 0 ? own : one.all).seconds * (own.tries + 1.0) / (own.kills + before);
}

/// Returns the order in which test cases run on a kernel's next mutant: those that have killed one,
/// then untried ones that name the kernel, then the others; within each group, by expected cost.
std::vector<TestCase*> order_for(const std::string& kernel, std::vector<TestCase>& cases) {
  const tools::Pattern name("\\b" + kernel + "\\b");
  std::vector<std::pair<std::pair<int, double>, TestCase*>> order;
  for (TestCase& one : cases) {
    const bool has_met_it = one.of.contains(kernel);
    const int rank = has_met_it && one.of.at(kernel).kills > 0 ? 0
                     : !has_met_it && name.search(one.name)    ? 1
                                                               : 2;
    order.push_back({{rank, cost_of_kill(one, kernel)}, &one});
  }
  std::ranges::stable_sort(order, {}, [](const auto& entry) { return entry.first; });
  std::vector<TestCase*> sorted;
  for (const auto& entry : order) sorted.push_back(entry.second);
  return sorted;
}

int run_mutants(const fs::path& chapter, const std::string& mutants_file, const std::string& tests,
                bool only_some) {
  auto mutants = read_mutants(mutants_file);
  require_enough(targets_in(chapter, mutants), mutants);
  if (only_some) mutants = some_of(mutants);
  std::vector<TestCase> cases = test_cases_of(tests);

  int survivors = 0;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    const std::string& kernel = mutants[i].kernel;
    const std::vector<TestCase*> order = order_for(kernel, cases);
    const auto killer = std::ranges::find_if(
        order, [&](TestCase* one) { return !passes(tests, *one, kernel, std::to_string(i)); });
    const bool killed = killer != order.end();
    survivors += !killed;
    std::cout << (killed ? "killed    " : "SURVIVED  ") << kernel << ": " << mutants[i].replacement
              << std::endl;
    if (!killed) continue;
    TestCase& one = **killer;
    std::cout << "          by \"" << one.name << '"' << std::endl;
    // A test that fails without a mutant kills nothing.
    bool& passes_unbroken = one.of[kernel].passes_unbroken;
    if (!passes_unbroken && !passes(tests, one, kernel, ""))
      throw std::runtime_error("\"" + one.name + "\" fails without any mutant of " + kernel);
    passes_unbroken = true;
  }
  std::cout << mutants.size() - survivors << " of " << mutants.size() << " mutants killed\n";
  return survivors == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    const bool only_some = arguments.size() == 5 && arguments.back() == "some";
    if (only_some) arguments.pop_back();
    if ((arguments.size() == 3 || arguments.size() == 4) && arguments[0] == "generate") {
      write_kernels(arguments[1], arguments[2], arguments.size() == 4 ? arguments[3] : "",
                    only_some);
      return 0;
    }
    if (arguments.size() == 4 && arguments[0] == "run")
      return run_mutants(arguments[1], arguments[2], arguments[3], only_some);
    throw std::runtime_error(
        "usage: mutants generate CHAPTER OUT.cu [MUTANTS.txt [some]], or run CHAPTER MUTANTS.txt "
        "TESTS [some]");
  } catch (const std::exception& error) {
    std::cerr << "mutants: " << error.what() << '\n';
    return 2;
  }
}
