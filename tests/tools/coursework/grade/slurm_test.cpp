/// Tests the script for Slurm, as text and with a stand-in for Slurm. class_test.cpp runs its
/// tasks; slurm.sh runs it with a real Slurm.

#include <doctest/doctest.h>

#include "class_for_test.hpp"
#include "tools/coursework/grade/slurm.hpp"

using namespace coursework;

namespace {

RunOptions run_options(const std::string& out) {
  RunOptions run;
  run.exercises = {grade_test::exercise()};
  run.submissions = "/class's \"$HOME\"";
  run.out = out;
  return run;
}

SlurmOptions slurm_options() {
  SlurmOptions options;
  options.shards = 20;
  options.cores = 4;
  options.submissions = 10'000;
  options.cost.mean = {3, 1, 200};
  return options;
}

bool has_program(const std::string& name) {
  return tools::run_command({"bash", "-c", "command -v " + name}).status == 0;
}

}  // namespace

TEST_CASE("the script is in order for shellcheck") {
  if (!has_program("shellcheck")) return;
  const tools::TemporaryFolder folder;
  const auto script =
      folder.write("class.sh", slurm_script(run_options("/out"), slurm_options(), "'/x' grade"));
  const auto checked = tools::run_command({"shellcheck", script.string()});
  CAPTURE(checked.out);
  CHECK(checked.status == 0);
}

TEST_CASE("it submits an array with time and memory for its tasks, and a merge that waits for it") {
  const tools::TemporaryFolder folder;
  folder.write_program("bin/sbatch",
                       "#!/bin/sh\nfor one; do printf '%s\\n' \"$one\"; done >> \"$RECORD\"\n"
                       "echo ==== >> \"$RECORD\"\necho '17;cluster'\n");
  const std::string out = (folder.path() / "o'ut").string();
  const auto script =
      folder.write("class.sh", slurm_script(run_options(out), slurm_options(), "'/x' grade"));
  tools::CommandOptions options;
  options.environment = {{"PATH", (folder.path() / "bin").string() + ":/usr/bin:/bin"},
                         {"RECORD", (folder.path() / "record").string()}};
  const auto submitted = tools::run_command({"bash", script.string()}, options);
  CAPTURE(submitted.err);
  REQUIRE(submitted.status == 0);
  const std::string record = tools::read_file(folder.path() / "record");
  const std::string array = record.substr(0, record.find("===="));
  const std::string merge = record.substr(record.find("===="));
  for (const char* word : {"--array=1-20\n", "--requeue\n", "--open-mode=append\n",
                           "--cpus-per-task=4\n", "--mem=6656M\n",
                           // 10000 times 4 s on 20 times 4 cores, three times over, and 10 minutes
                           "--time=35\n", "\ntask\n"})
    CHECK(array.find(word) != std::string::npos);
  CHECK(merge.find("--dependency=afterok:17\n") != std::string::npos);
  CHECK(merge.find("\nmerge\n") != std::string::npos);
  CHECK(array.find(out + "/log/%a.txt") != std::string::npos);
}

TEST_CASE("a task fails where its part is not whole, and does not where the part tells of faults") {
  const tools::TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const auto program = folder.write_program(
      "program", "#!/bin/sh\n[ -z \"$WHOLE\" ] || touch \"$WHOLE\"\nexit \"$STATUS\"\n");
  const auto script = folder.write(
      "class.sh", slurm_script(run_options(out), slurm_options(), shell_word(program.string())));
  const auto status = [&](const std::string& own, bool whole) {
    std::filesystem::remove_all(out);
    tools::CommandOptions options;
    options.environment = {{"STATUS", own},
                           {"SLURM_ARRAY_TASK_ID", "3"},
                           {"WHOLE", whole ? out + "/parts/3/summary.json" : ""}};
    return tools::run_command({"bash", script.string(), "task"}, options).status;
  };
  CHECK(status("0", true) == 0);
  CHECK(status("2", true) == 0);
  CHECK(status("2", false) == 2);
  CHECK(status("137", true) == 137);
  CHECK(tools::run_command({"bash", script.string(), "else"}).status == 2);
}

TEST_CASE("any text is one word of a shell") {
  for (const std::string text : {"", "a b", "it's", "$HOME `x` \"\\", "a\nb", "'"})
    CHECK(tools::run_command({"sh", "-c", "printf %s " + shell_word(text)}).out == text);
}
