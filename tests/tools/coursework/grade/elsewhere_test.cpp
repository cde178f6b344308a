/// Tests that submissions are not run on machines that cannot confine them.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tools/support/subprocess.hpp"

TEST_CASE("what would run a submission is refused in one line") {
  const tools::TemporaryFolder folder("course grade elsewhere");
  const std::string some = folder.path().string();
  const std::string program = std::string(COURSE_PROGRAM_FOLDER) + "/coursework";
  const std::vector<std::string> command = {program, "grade", "02",         "--submissions",
                                            some,    "--out", some + "/out"};
  const auto result = tools::run_command(command);
  CHECK(result.status == 2);
  CHECK(result.out.empty());
  CHECK(result.err ==
        "course: submissions may be hostile, and only x86-64 machines can confine them: grade them "
        "on one\n");
}
