/// An exercise is its solution with lines taken out, and says where.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace {

using Lines = std::vector<std::string>;

/// The first line of `part` that `whole` does not have in its place; empty if only lines were
/// added.
std::string first_missing(const Lines& part, const Lines& whole) {
  auto place = whole.begin();
  for (const std::string& line : part) {
    place = std::find(place, whole.end(), line);
    if (place == whole.end()) return line.empty() ? "(an empty line)" : line;
    ++place;
  }
  return "";
}

/// The exercise as it was committed: a reader may be solving it.
Lines committed(const std::filesystem::path& file) {
  const auto relative = std::filesystem::relative(file, tools::source_folder()).string();
  tools::CommandOptions options;
  options.directory = tools::source_folder();
  try {
    const auto shown = tools::run_command({"git", "show", "HEAD:" + relative}, options);
    if (shown.status == 0) return tools::lines_of(shown.out);
  } catch (const std::system_error&) {  // there is no git
  }
  return tools::read_lines(file);
}

}  // namespace

TEST_CASE("a solution differs from its exercise by added lines only, one TODO after the other") {
  for (const auto& folder : tools::chapter_folders()) {
    CAPTURE(folder.filename().string());
    const Lines exercise = committed(folder / "exercise.cuh");
    const Lines solution = tools::read_lines(folder / "solution.cuh");
    CHECK(first_missing(exercise, solution) == "");
    CHECK(solution.size() > exercise.size());
    const auto todos = [](const Lines& lines) {
      return std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
        return line.find("// TODO ") != std::string::npos;
      });
    };
    CHECK(todos(exercise) > 0);
    CHECK(todos(exercise) == todos(solution));
  }
}

TEST_CASE("the comparison notices a changed line, a removed one, and another order") {
  CHECK(first_missing({"a", "c"}, {"a", "b", "c"}) == "");
  CHECK(first_missing({"a", "b"}, {"a", "B", "c"}) == "b");
  CHECK(first_missing({"a", "b"}, {"b", "a"}) == "b");
  CHECK(first_missing({"a", ""}, {"a"}) == "(an empty line)");
}

TEST_CASE("every chapter has all of its files, and its tests") {
  REQUIRE(tools::chapter_folders().size() >= 2);
  for (const auto& folder : tools::chapter_folders()) {
    const std::string name = folder.filename().string();
    CAPTURE(name);
    for (const auto& file : tools::kernel_files(folder))
      CHECK_MESSAGE(std::filesystem::exists(file), file.string());
    for (const char* file : {"README.md", "main.cu", "exercise.cuh", "solution.cuh"})
      CHECK_MESSAGE(std::filesystem::exists(folder / file), file);
    for (const char* file : {"check.cpp", "mutants.txt", "wrong_answers.txt"})
      CHECK_MESSAGE(
          std::filesystem::exists(tools::source_folder() / "tests/chapters" / name / file), file);
    CHECK(tools::read_lines(folder / "README.md").front().starts_with("# "));
  }
}

TEST_CASE(
    "kernels.cuh holds kernels and nothing else, a step at least one; each predicts its cost") {
  for (const auto& folder : tools::chapter_folders()) {
    for (const auto& file : tools::kernel_files(folder)) {
      const bool is_step = file.parent_path() != folder;
      int kernels = 0;
      for (const tools::Function& function : tools::functions_in(tools::read_lines(file))) {
        CAPTURE(file.string());
        CAPTURE(function.name);
        kernels += function.is_kernel;
        CHECK((function.is_kernel || is_step));
        if (!function.is_kernel) continue;
        const auto begin = function.lines.begin();
        const auto end = begin + static_cast<std::ptrdiff_t>(function.documentation_lines);
        CHECK(std::any_of(
            begin, end, [](const std::string& line) { return line.starts_with("/// @expect  "); }));
      }
      CHECK(kernels > 0);
    }
  }
}
