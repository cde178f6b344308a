/// Tests a student's files: creating, reading, resetting, and remembered verdicts.

#include "tools/coursework/answers/answers.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/coursework/answers/progress.hpp"
#include "tools/coursework/exercises/choose.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

using namespace coursework;
namespace fs = std::filesystem;

namespace {

/// Returns the one-line error of reading such a file.
std::string fault_of(const fs::path& file) {
  try {
    read_answer(file);
  } catch (const std::exception& error) {
    const std::string text = error.what();
    CHECK(text.find('\n') == std::string::npos);
    CHECK(text.find(file.filename().string()) != std::string::npos);
    return text;
  }
  return {};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::vector<Exercise>& all() {
  static const std::vector<Exercise> exercises = read_exercises(tools::source_folder());
  return exercises;
}

}  // namespace

TEST_CASE("an answer that is none says why in one line") {
  const tools::TemporaryFolder folder;
  CHECK(contains(fault_of(folder.path() / "none.cu"), "there is no such file"));
  CHECK(contains(fault_of(folder.path()), "folder"));
  CHECK(contains(fault_of(folder.write("empty.cu", "")), "is empty"));
  CHECK(contains(fault_of(folder.write("blank.cu", " \n\t\r\n")), "is empty"));
  CHECK(contains(fault_of(folder.write("binary.cu", std::string("\177ELF\0\0", 6))), "binary"));
  const fs::path large = folder.write("large.cu", "x");
  fs::resize_file(large, 100 << 20);
  CHECK(contains(fault_of(large), "has 100 MiB"));
  const fs::path pipe = folder.path() / "pipe.cu";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(contains(fault_of(pipe), "no ordinary file"));
  const fs::path link = folder.path() / "link.cu";
  fs::create_symlink("nowhere", link);
  CHECK(contains(fault_of(link), "there is no such file"));
  if (geteuid() != 0) {
    const fs::path secret = folder.write("secret.cu", "x");
    fs::permissions(secret, fs::perms::none);
    CHECK(contains(fault_of(secret), "cannot be read"));
  }
  CHECK(read_answer(folder.write("a.cu", "int x;\n")) == "int x;\n");
}

TEST_CASE("an answer is made from the starter, and never made again over one that is there") {
  const tools::TemporaryFolder folder;
  const Answers answers(folder.path() / "answers");
  const Exercise& exercise = all().front();
  CHECK(answers.make(exercise));
  CHECK(tools::read_file(answers.file_of(exercise)) == starter_of(exercise));
  folder.write("answers/" + exercise.file_name(), "mine\n");
  CHECK_FALSE(answers.make(exercise));
  CHECK(tools::read_file(answers.file_of(exercise)) == "mine\n");
}

TEST_CASE(
    "an answer whose exercise has another number now is not begun anew: a line says its name") {
  const tools::TemporaryFolder folder;
  const Answers answers(folder.path() / "answers");
  const Exercise& exercise = all().front();
  const std::string name = "_" + exercise.name + ".cu";
  for (const char* other : {"x_1", "77", "77_", "_1", "77_1_2"})  // not the number of an exercise
    folder.write(std::string("answers/") + other + name, "other\n");
  folder.write("answers/77_12" + name + ".bak", "other\n");
  CHECK(answers.renumbered(all()).empty());

  folder.write("answers/77_12" + name, "mine\n");
  const std::string line = shown(folder.path() / "answers" / ("77_12" + name)) +
                           ": this exercise is 00.1 now; rename the file to " +
                           shown(answers.file_of(exercise));
  CHECK(answers.renumbered(all()) == std::vector{line});
  CHECK(answers.renumbered(all(), "77_12") == std::vector{line});
  CHECK(answers.renumbered(all(), "77_1").empty());
  CHECK_THROWS_WITH(answers.make(exercise), line.c_str());
  CHECK_FALSE(fs::exists(answers.file_of(exercise)));
  CHECK(answers.make(all()[1]));

  fs::rename(folder.path() / "answers" / ("77_12" + name), answers.file_of(exercise));
  CHECK(answers.renumbered(all()).empty());
  CHECK_FALSE(answers.make(exercise));
}

TEST_CASE("beginning again loses nothing, however often") {
  const tools::TemporaryFolder folder;
  const Answers answers(folder.path());
  const Exercise& exercise = all().front();
  CHECK(answers.reset(exercise).empty());
  for (const char* text : {"first\n", "second\n", "third\n"}) {
    folder.write(exercise.file_name(), text);
    const fs::path kept = answers.reset(exercise);
    CHECK(tools::read_file(kept) == text);
    CHECK(tools::read_file(answers.file_of(exercise)) == starter_of(exercise));
  }
  const std::string name = answers.file_of(exercise).string();
  CHECK(tools::read_file(name + ".bak") == "first\n");
  CHECK(tools::read_file(name + ".bak2") == "second\n");
  CHECK(tools::read_file(name + ".bak3") == "third\n");
}

TEST_CASE("what is known belongs to one text, and outlives the program") {
  const tools::TemporaryFolder folder;
  const fs::path file = progress_file(folder.path());
  const Exercise& one = all()[0];
  const Exercise& other = all()[1];
  using State = Progress::State;
  {
    Progress progress(file);
    CHECK(progress.state_of(one, "a") == State::unknown);
    progress.record(one, "a", true);
    progress.record(other, "a", false);
  }
  Progress progress(file);
  CHECK(progress.state_of(one, "a") == State::right);
  CHECK(progress.state_of(one, "b") == State::unknown);
  CHECK(progress.state_of(other, "a") == State::not_yet);

  SUBCASE("another process adds to it") {
    Progress second(file);
    second.record(other, "b", true);
    progress.record(one, "c", true);
    CHECK(Progress(file).state_of(other, "b") == State::right);
    CHECK(Progress(file).state_of(one, "c") == State::right);
  }
  SUBCASE("damaged, it is as if there were none") {
    for (const char* text :
         {"", "{", "[]", "{\"01_1\": 3}", "{\"01_1\": {\"answer\": 1, \"right\": 2}}", "\xff"}) {
      folder.write(".progress.json", text);
      CHECK(Progress(file).state_of(one, "a") == State::unknown);
    }
  }
  SUBCASE("where nothing can be written, it is known for now") {
    Progress nowhere("/proc/none/.progress.json");
    nowhere.record(one, "a", true);
    nowhere.record(other, "a", true);
    CHECK(nowhere.state_of(one, "a") == State::right);
    CHECK(nowhere.state_of(other, "a") == State::right);
  }
}

TEST_CASE("exercises are chosen by chapter, however it is called, or by their id") {
  const auto ids = [](const std::string& word, std::optional<int> number = {}) {
    std::string text;
    for (const Exercise& one : choose_exercises(all(), word, number)) text += one.id + " ";
    return text;
  };
  const std::string second = ids("02");
  CHECK(second.starts_with("02_1 "));
  CHECK(ids("2") == second);
  CHECK(ids("02_coalescing") == second);
  CHECK(ids("02_1") == "02_1 ");
  CHECK(ids("2", 1) == "02_1 ");
  CHECK_THROWS_WITH(ids("42"), doctest::Contains("'42'"));
  CHECK_THROWS_WITH(ids(""), doctest::Contains("there are 00, 01"));
  CHECK_THROWS_WITH(ids("2", 99), doctest::Contains("no exercise 99; it has 1"));
}
