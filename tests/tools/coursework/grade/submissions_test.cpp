#include "tools/coursework/grade/submissions.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

#include "class_for_test.hpp"
#include "tools/coursework/grade/people.hpp"
#include "tools/coursework/grade/search.hpp"

using namespace coursework;
using grade_test::fs::path;
namespace fs = std::filesystem;

namespace {

const std::string kFile = "02_1_row_from_a_line.cu";

/// A student's folder and what is found in it.
class Folder {
 public:
  Folder() { fs::create_directories(root()); }
  path root() const { return folder_.path() / "class/anna"; }
  void add(const std::string& file, const std::string& text = "text") {
    folder_.write("class/anna/" + file, text);
  }
  HandedIn taken() {
    const Class all =
        take_class(folder_.path() / "class", {grade_test::exercise()}, copies(), Shard{});
    REQUIRE(all.students.size() == 1);
    REQUIRE(all.students[0].files.size() == 1);
    return all.students[0].files[0];
  }
  path copies() const { return folder_.path() / "copies"; }
  std::string copy() const { return tools::read_file(copies() / "anna" / kFile); }

 private:
  tools::TemporaryFolder folder_;
};

void check_refused(const HandedIn& handed, const std::string& why) {
  CHECK(handed.outcome == Outcome::refused);
  CHECK(handed.message.find(why) != std::string::npos);
  CAPTURE(handed.message);
  CHECK(handed.message.ends_with("."));
}

}  // namespace

TEST_CASE("a file is found by its name, wherever it lies") {
  for (const std::string& file : {kFile, "deep/er/" + kFile, "answers/" + kFile}) {
    Folder folder;
    folder.add(file, "the text");
    folder.add("README.md");
    const HandedIn handed = folder.taken();
    CHECK(handed.outcome == Outcome::points);
    CHECK(handed.file == file);
    CHECK(handed.notes.empty());
    CHECK(folder.copy() == "the text");
  }
}

TEST_CASE("what platforms and people do to a name is seen through, and said") {
  for (const char* file :
       {"02_1_ROW_from_a_Line.CU", "02_1_row_from_a_line (1).cu", "02_1_row_from_a_line-2.cu",
        "smith_123_02_1_row_from_a_line.cu", "02_1_row_from_a_line.cu.txt"}) {
    CAPTURE(file);
    Folder folder;
    folder.add(file);
    const HandedIn handed = folder.taken();
    CHECK(handed.outcome == Outcome::points);
    REQUIRE(handed.notes.size() == 1);
    CHECK(handed.notes[0].find(file) != std::string::npos);
  }
  for (const char* file : {"102_1_row_from_a_line.cu", "02_1_row_from_a_lines.cu",
                           "02_1_row_from_a_line.cpp", "row_from_a_line.cu"}) {
    CAPTURE(file);
    Folder folder;
    folder.add(file);
    CHECK(folder.taken().outcome == Outcome::not_handed_in);
  }
}

TEST_CASE("a missing file is not handed in, and what is there instead is named") {
  Folder folder;
  CHECK(folder.taken().outcome == Outcome::not_handed_in);
  CHECK(folder.taken().message == "There is no file " + kFile + ".");
  folder.add("my answer.cu");
  CHECK(folder.taken().message == "There is no file " + kFile + ". There is my answer.cu.");
  folder.add("other.cu");
  CHECK(folder.taken().message ==
        "There is no file " + kFile + ". There are my answer.cu, other.cu.");
}

TEST_CASE("of several files the best name counts, then the least deep; the others are noted") {
  Folder folder;
  folder.add("a/" + kFile, "one");
  folder.add("b/" + kFile, "one");
  CHECK(folder.taken().outcome == Outcome::points);
  CHECK(folder.taken().notes.empty());
  folder.add("b/" + kFile, "other");
  CHECK(folder.taken().file == "a/" + kFile);
  REQUIRE(folder.taken().notes.size() == 1);
  CHECK(folder.taken().notes[0] ==
        "a/" + kFile + " was graded; b/" + kFile + " was not, though the name would do as well.");
  folder.add("a/" + kFile, "");  // nothing to grade
  CHECK(folder.taken().file == "b/" + kFile);
  folder.add("c/d/" + kFile, "deeper");
  CHECK(folder.taken().file == "b/" + kFile);
  folder.add("answers/" + kFile, "the handout's");
  CHECK(folder.taken().file == "answers/" + kFile);
  CHECK(folder.copy() == "the handout's");
  REQUIRE(folder.taken().notes.size() == 1);
  CHECK(folder.taken().notes[0].find("b/" + kFile) != std::string::npos);
}

TEST_CASE("what cannot be graded is refused with a sentence") {
  SUBCASE("empty") {
    Folder folder;
    folder.add(kFile, "");
    check_refused(folder.taken(), "empty");
  }
  SUBCASE("huge") {
    Folder folder;
    folder.add(kFile, std::string((256 << 10) + 1, 'x'));
    check_refused(folder.taken(), "more than 256 KiB");
  }
  SUBCASE("as large as may be") {
    Folder folder;
    folder.add(kFile, std::string(256 << 10, 'x'));
    CHECK(folder.taken().outcome == Outcome::points);
  }
  SUBCASE("binary") {
    Folder folder;
    folder.add(kFile, std::string("\x7f"
                                  "ELF\0",
                                  5));
    check_refused(folder.taken(), "binary");
  }
  SUBCASE("UTF-16") {
    Folder folder;
    folder.add(kFile, std::string("\xff\xfe_\0", 4));
    check_refused(folder.taken(), "UTF-8");
  }
  SUBCASE("a folder") {
    Folder folder;
    fs::create_directory(folder.root() / kFile);
    check_refused(folder.taken(), "folder");
    folder.add(kFile + "/" + kFile, "inside");  // some programs unpack archives this way
    CHECK(folder.taken().outcome == Outcome::points);
    CHECK(folder.copy() == "inside");
  }
  SUBCASE("a pipe") {
    Folder folder;
    REQUIRE(mkfifo((folder.root() / kFile).c_str(), 0600) == 0);
    check_refused(folder.taken(), "no plain file");
  }
  SUBCASE("unreadable") {
    if (geteuid() == 0) return;  // root reads everything
    Folder folder;
    folder.add(kFile);
    fs::permissions(folder.root() / kFile, fs::perms::none);
    check_refused(folder.taken(), "cannot be read");
  }
}

TEST_CASE("links lead nowhere: not to a file, not into a folder, not to a student") {
  Folder folder;
  fs::create_symlink("/etc/passwd", folder.root() / kFile);
  check_refused(folder.taken(), "symbolic link");
  fs::remove(folder.root() / kFile);

  const tools::TemporaryFolder outside;
  outside.write(kFile, "somebody else's");
  fs::create_directory_symlink(outside.path(), folder.root() / "sources");
  CHECK(folder.taken().outcome == Outcome::not_handed_in);

  fs::remove_all(folder.root());
  fs::create_directory_symlink(outside.path(), folder.root());
  check_refused(folder.taken(), "symbolic link");
}

TEST_CASE("a folder of a student can be as deep as it wants, and hold version control") {
  Folder folder;
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += "d/";
  folder.add(deep + kFile);
  folder.add(".git/" + kFile, "another");
  folder.add("__MACOSX/" + kFile, "another");
  folder.add("._" + kFile, "another");
  CHECK(folder.taken().outcome == Outcome::not_handed_in);
  folder.add(kFile, "mine");
  CHECK(folder.taken().file == kFile);
  CHECK(folder.copy() == "mine");
}

TEST_CASE("names of any bytes are students like others") {
  const tools::TemporaryFolder folder;
  const std::vector<std::string> names = {"=1+1", "a\nb", "a\"b'", "\xff\xfe", "-rf", "Zoë", "..."};
  for (const std::string& name : names) folder.write("class/" + name + "/" + kFile, name);
  const Class all = take_class(folder.path() / "class", {grade_test::exercise()},
                               folder.path() / "copies", Shard{});
  std::set<std::string> folders;
  for (const Student& one : all.students) folders.insert(one.folder);
  // A folder whose name begins with a dot belongs to no student.
  CHECK(all.students.size() == names.size() - 1);
  CHECK(folders.size() == all.students.size());
  CHECK(json_of(class_of(json_of(all))).dump() == json_of(all).dump());
}

TEST_CASE("a copy is what is graded, whatever becomes of the folder") {
  Folder folder;
  folder.add(kFile, "before");
  folder.taken();
  folder.add(kFile, "after");
  CHECK(folder.copy() == "before");
}

TEST_CASE("every student is in one part of the class, whoever else is in it") {
  std::map<int, int> sizes;
  for (int student = 0; student < 1000; ++student) {
    const std::string name = "student" + std::to_string(student);
    int parts = 0;
    for (int part = 1; part <= 20; ++part)
      if (Shard{part, 20}.has(name)) {
        ++parts;
        ++sizes[part];
      }
    CHECK(parts == 1);
  }
  for (const auto& [part, size] : sizes) CHECK(std::clamp(size, 25, 75) == size);
  CHECK(sizes.size() == 20);
}

TEST_CASE("a Gradescope export names the people behind its folders") {
  const std::string list =
      "---\nsubmission_11:\n  :submitters:\n  - :name: \"Zo\\u00EB O'Neil\"\n    :sid: '007'\n"
      "    :email: zoe@example.org\n  - :name: =2+2\n    :sid:\n    :email: b@example.org\n"
      "  :created_at: 2026-01-01 10:00:00.000000000 Z\n  :score: 0.0\n  :status: processed\n"
      "submission_12:\n  :submitters: []\n";
  for (const bool wrapped : {false, true}) {
    const tools::TemporaryFolder folder;
    const std::string in = wrapped ? "class/assignment_1_export/" : "class/";
    folder.write(in + "submission_11/" + kFile, "text");
    folder.write(in + "submission_12/" + kFile, "text");
    folder.write(in + kGradescopeList, list);
    const Class all = take_class(folder.path() / "class", {grade_test::exercise()},
                                 folder.path() / "copies", Shard{});
    REQUIRE(all.students.size() == 2);
    REQUIRE(all.students[0].people.size() == 2);
    CHECK(all.students[0].people[0].name == "Zoë O'Neil");
    CHECK(all.students[0].people[0].id == "007");
    CHECK(all.students[0].people[1].email == "b@example.org");
    CHECK(all.students[1].people.empty());
    CHECK(all.notes.empty());
  }
  for (const char* other : {"", "[1, 2]", "a: *b", "{", "submission_1: 3\n", "\x01\xff"})
    CHECK(read_people(other).empty());
}

TEST_CASE("what lies beside the students' folders is said, and no folder at all is an error") {
  const tools::TemporaryFolder folder;
  fs::create_directory(folder.path() / "class");
  const auto take = [&] {
    return take_class(folder.path() / "class", {grade_test::exercise()}, folder.path() / "copies",
                      Shard{});
  };
  CHECK_THROWS_WITH_AS(take(), doctest::Contains("no student's folder"), std::runtime_error);
  folder.write("class/" + kFile, "whose?");
  CHECK_THROWS_AS(take(), std::runtime_error);
  fs::create_directory(folder.path() / "class/anna");
  REQUIRE(take().notes.size() == 1);
  CHECK(take().notes[0].find(kFile) != std::string::npos);
}

TEST_CASE("who is in the list without a folder is named, and so are folders with a dot") {
  const tools::TemporaryFolder folder;
  folder.write("class/submission_1/" + kFile, "text");
  folder.write("class/.git/config", "");
  folder.write("class/.DS_Store", "");
  folder.write("class/.submission_3/" + kFile, "text");
  folder.write(std::string("class/") + kGradescopeList,
               "submission_1:\n  :submitters:\n  - :name: Ada\n"
               "submission_2:\n  :submitters:\n  - :name: Bob\n  - :name: Eve\n");
  const Class all = take_class(folder.path() / "class", {grade_test::exercise()},
                               folder.path() / "copies", Shard{});
  CHECK(all.students.size() == 1);
  REQUIRE(all.notes.size() == 2);
  CHECK(all.notes[0] == "These folders begin with a dot, and were not looked at: .submission_3.");
  CHECK(all.notes[1] ==
        "submission_metadata.yml names people whose folder is not there, and who get no marks: Bob "
        "(submission_2), Eve (submission_2).");
}
