/// Tests that every chapter is complete: files, kernels that predict their cost, exercises.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"

TEST_CASE("every chapter has all of its files, and its tests") {
  REQUIRE(tools::chapter_folders().size() >= 2);
  for (const auto& folder : tools::chapter_folders()) {
    const std::string name = folder.filename().string();
    CAPTURE(name);
    for (const auto& file : tools::kernel_files(folder))
      CHECK_MESSAGE(std::filesystem::exists(file), file.string());
    for (const char* file : {"README.md", "main.cu", "exercises"})
      CHECK_MESSAGE(std::filesystem::exists(folder / file), file);
    CHECK(
        std::filesystem::exists(tools::source_folder() / "tests/chapters" / name / "mutants.txt"));
    CHECK(tools::read_lines(folder / "README.md").front().starts_with("# "));
  }
}

TEST_CASE("alone.cu is plain CUDA, without a header of ours, and short enough to type in") {
  int programs = 0;
  for (const auto& folder : tools::chapter_folders()) {
    const auto file = folder / "alone.cu";
    if (!std::filesystem::exists(file)) continue;
    ++programs;
    CAPTURE(file.string());
    const auto lines = tools::read_lines(file);
    constexpr std::size_t kMostLines = 100;
    CHECK(lines.size() <= kMostLines);
    for (const std::string& line : lines) {
      CAPTURE(line);
      CHECK_FALSE(line.starts_with("#include \""));
    }
  }
  CHECK(programs > 0);
}

TEST_CASE(
    "kernels.cuh holds kernels and nothing else; a step holds a kernel, or launches an earlier "
    "step's; each predicts its cost") {
  for (const auto& folder : tools::chapter_folders()) {
    for (const auto& file : tools::kernel_files(folder)) {
      const bool is_step = file.parent_path() != folder;
      std::vector<tools::Function> kernels, launches;
      for (const tools::Function& function : tools::functions_in(tools::read_lines(file))) {
        CAPTURE(file.string());
        CAPTURE(function.name);
        CHECK((function.is_kernel || is_step));
        if (function.is_kernel) kernels.push_back(function);
        if (is_step && function.name == "launch") launches.push_back(function);
      }
      const std::vector<tools::Function>& predicting = kernels.empty() ? launches : kernels;
      CHECK_FALSE(predicting.empty());
      for (const tools::Function& function : predicting) {
        CAPTURE(function.name);
        const auto begin = function.lines.begin();
        const auto end = begin + static_cast<std::ptrdiff_t>(function.documentation_lines);
        CHECK(std::any_of(
            begin, end, [](const std::string& line) { return line.starts_with("/// @expect  "); }));
      }
    }
  }
}
