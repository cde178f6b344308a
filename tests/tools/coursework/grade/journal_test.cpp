#include "tools/coursework/grade/journal.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <fstream>

#include "tools/coursework/grade/files.hpp"
#include "tools/coursework/judging/judge.hpp"
#include "tools/support/subprocess.hpp"

using namespace coursework;
namespace fs = std::filesystem;

namespace {

JournalEntry entry(const std::string& student, const std::string& found) {
  JournalEntry one{student, {"file", "exercise", "course", "seed", 10}, {}};
  one.verdict.exercise = "02_1";
  one.verdict.requirements.push_back(
      {"result", "All is right.", 4, 4, true, true, found, "", "an \"advice\"\n"});
  return one;
}

void add_text(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::app) << text;
}

}  // namespace

TEST_CASE("a journal gives back what was added, the last word of each submission") {
  const tools::TemporaryFolder folder;
  const fs::path file = folder.path() / "journal";
  {
    Journal journal(file);
    journal.add(entry("anna", "first"));
    journal.add(entry("bert", "x"));
    journal.add(entry("anna", "second"));
  }
  const Entries entries = read_journal(file);
  REQUIRE(entries.size() == 2);
  const JournalEntry& anna = entries.at({"anna", "02_1"});
  CHECK(anna.verdict.requirements.at(0).found == "second");
  CHECK(json_of(anna.verdict) == json_of(entry("anna", "second").verdict));
  CHECK(anna.basis == entry("anna", "").basis);
}

TEST_CASE("a line cut off at any byte is as if it had not been written") {
  const tools::TemporaryFolder folder;
  const fs::path file = folder.path() / "journal";
  {
    Journal journal(file);
    journal.add(entry("anna", "x"));
  }
  const std::string whole = tools::read_file(file);
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    CAPTURE(bytes);
    const fs::path cut = folder.path() / "cut";
    fs::remove(cut);
    add_text(cut, whole + whole.substr(0, bytes));
    {
      Journal journal(cut);
      CHECK(journal.entries().size() == 1);
      journal.add(entry("bert", "y"));
    }
    CHECK(read_journal(cut).size() == 2);
  }
}

TEST_CASE("a line that was changed, or that another version wrote, does not count") {
  const tools::TemporaryFolder folder;
  const fs::path file = folder.path() / "journal";
  {
    Journal journal(file);
    journal.add(entry("anna", "4 of 4"));
  }
  std::string text = tools::read_file(file);
  text.replace(text.find("4 of 4"), 6, "9 of 9");
  std::ofstream(file) << text << "0123456789abcdef {\"student\": \"x\"}\n" << std::string(40, '\0');
  CHECK(read_journal(file).empty());
}

TEST_CASE("a tidy journal has its lines in one order, whatever order they came in") {
  const tools::TemporaryFolder folder;
  const JournalEntry a = entry("a", "x"), b = entry("b", "y"), c = entry("c", "z");
  const Entries wanted = {{{"a", "02_1"}, a}, {{"b", "02_1"}, b}};
  {
    Journal one(folder.path() / "one"), other(folder.path() / "other");
    for (const JournalEntry* entry : {&a, &b}) one.add(*entry);
    for (const JournalEntry* entry : {&c, &b, &a}) other.add(*entry);
    one.tidy(wanted);
    other.tidy(wanted);
  }
  CHECK(tools::read_file(folder.path() / "one") == tools::read_file(folder.path() / "other"));
}

TEST_CASE("one folder of results takes one run at a time") {
  const tools::TemporaryFolder folder;
  const fs::path file = folder.path() / "lock";
  {
    const Lock lock(file);
    CHECK_THROWS_WITH_AS(Lock{file}, doctest::Contains("another run is grading into"),
                         std::runtime_error);
  }
  CHECK_NOTHROW(Lock{file});
}

TEST_CASE("a file is replaced whole, and left alone where it is the same") {
  const tools::TemporaryFolder folder;
  const fs::path file = folder.path() / "file";
  write_durably(file, "one");
  const auto before = fs::last_write_time(file);
  write_durably(file, "one");
  CHECK(fs::last_write_time(file) == before);
  write_durably(file, "two");
  CHECK(tools::read_file(file) == "two");
  CHECK_FALSE(fs::exists(folder.path() / "file.part"));
  CHECK_THROWS_AS(write_durably(folder.path() / "none/file", "x"), std::system_error);
}
