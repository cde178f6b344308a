// The answers of CUDA about graphs, call by call, as an H200 gives them.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace {

using Lines = std::vector<std::string>;

/// By section.
std::map<std::string, Lines> recorded() {
  std::map<std::string, Lines> sections;
  std::string section;
  for (const std::string& line : tools::read_lines(GRAPH_RECORDED)) {
    constexpr std::string_view kTitle = "== ";
    if (line.starts_with(kTitle))
      section = line.substr(kTitle.size());
    else
      sections[section].push_back(line);
  }
  return sections;
}

}  // namespace

// NVIDIA H200, CUDA 13.0: graph_record, compiled by nvcc.
TEST_CASE("calls about graphs are answered as an H200's runtime does") {
  const auto sections = recorded();
  REQUIRE(sections.size() == 14);
  for (const auto& [section, expected] : sections) {
    CAPTURE(section);
    tools::CommandOptions options;
    options.unset = {"COURSE_CHECK"};
    const tools::CommandResult result = tools::run_command({GRAPH_RECORD, section}, options);
    CHECK(result.status == 0);
    const Lines answers = tools::lines_of(result.out);
    REQUIRE(answers.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CAPTURE(i + 1);
      CHECK(answers[i] == expected[i]);
    }
  }
}
