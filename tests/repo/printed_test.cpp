/// Tests that what readers type works: runs every `sh` block of every page and compares the output
/// with the page. Blocks that cannot run here are listed with the reason.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/long_tests.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;
using tools::Match;
using tools::Pattern;

namespace {

using Lines = std::vector<std::string>;

/// A fenced block of a page, and the text between it and the previous block.
struct Block {
  std::string text;      ///< headings and all
  std::string kind;      ///< kind of the comment above: "output", "profile"; empty if there is none
  std::string language;  ///< after the fence
  Lines lines;

  bool is_typed() const { return language == "sh"; }
};

std::vector<Block> blocks_of(const fs::path& page) {
  static const Pattern kComment("<!-- (\\w+):? ?.*-->");
  std::vector<Block> blocks;
  Block next;
  bool is_code = false;
  std::string above;
  for (const std::string& line : tools::read_lines(page)) {
    if (line.starts_with("```")) {
      if (is_code) {
        blocks.push_back(next);
        next = {};
      } else {
        next.language = line.substr(3);
        if (const Match comment = kComment.matches(above)) next.kind = comment.str(1);
      }
      is_code = !is_code;
    } else if (is_code) {
      next.lines.push_back(line);
    } else {
      next.text += line + '\n';
    }
    above = line;
  }
  blocks.push_back(next);  // the text after the last block
  return blocks;
}

/// Returns the pages with commands: path below the project's root, and its blocks.
std::map<std::string, std::vector<Block>> pages() {
  std::map<std::string, std::vector<Block>> pages;
  for (const fs::path& file : tools::prose_files()) {
    std::vector<Block> blocks = blocks_of(file);
    if (std::ranges::any_of(blocks, &Block::is_typed))
      pages[file.lexically_relative(tools::source_folder()).string()] = std::move(blocks);
  }
  return pages;
}

enum class When : std::uint8_t { never, in_long_tests };

/// A block that is never run, or only in long tests.
struct Exception {
  std::string page, first_line;
  When when;
  std::string reason;
};

const std::vector<Exception> kExceptions = {
    {"README.md", "./course run 00", When::never, "runs all tests, this one too"},
    {"CONTRIBUTING.md", "./course test -R '^test_02_coalescing$'", When::never, "builds tests"},
    {"CONTRIBUTING.md", "cmake --preset ide && cmake --build build/ide --target test_02_coalescing",
     When::never, "builds everything once more, and needs gdb"},
    {"CONTRIBUTING.md", "cmake --preset emulator -DCOURSE_ALL_MUTANTS=ON", When::never,
     "changes the build"},
    {"CONTRIBUTING.md",
     "tests/systems/fresh_systems --system debian-13 --as root --do 'tests/systems/package make'",
     When::never, "needs root and the network"},
    {"CONTRIBUTING.md",
     "tests/systems/fresh_systems --system debian-13 --as user --do tests/systems/whole_way",
     When::never, "needs root and the network"},
    {"chapters/02_coalescing/README.md",
     "./course --backend cuda run 02 -- --kernel sgemm_naive --k 4097", When::never, "needs a GPU"},
    {"docs/measuring.md", "./course --backend cuda run 02", When::never, "needs a GPU"},
    {"docs/measuring.md", "./course --backend cuda test", When::never, "needs a GPU"},
    {"docs/measuring.md", "cuobjdump -sass build/cuda/bin/09_sgemm |", When::never, "needs nvcc"},
    {"docs/measuring.md",
     "build/cuda/bin/09_sgemm --kernel ways --way 512,512,512,16,4096,4096 --json ways.json",
     When::never, "needs a GPU"},
    {"docs/nvprof.md",
     "ncu --metrics l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,"
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum build/cuda/bin/02_coalescing",
     When::never, "needs a GPU"},
    {"docs/own_project.md", "cmake --workflow --preset package", When::never, "installs a package"},
    {"docs/own_project.md", "cmake --preset package", When::never, "builds the emulator once more"},
    {"docs/own_project.md", "cmake -S . -B build -DCMAKE_CUDA_COMPILER=$(warp-nvcc --print-path)",
     When::never, "test_package does it"},
    {"docs/own_project.md", "make CUDA_HOME=$(warp-nvcc --print-toolkit)", When::never,
     "test_package does it"},
    {"docs/own_project.md", "warp-nvcc sums.cu sums_test.cu -o sums_test", When::never,
     "test_package does it"},
    {"docs/own_project.md", "COURSE_CHECK=all ctest --test-dir build", When::never,
     "test_package does it"},
    {"docs/own_project.md", "COURSE_COUNTERS=table ./sums_test", When::never,
     "test_package does it"},
    {"docs/setup.md", "./course run 02", When::never, "watches without end, opens a browser"},
    {"docs/setup.md", "./course --backend cuda run 07", When::never, "needs a GPU"},
    {"docs/setup.md", "docker build -f Containerfile -t warp-by-warp .", When::never,
     "needs Docker and the network"},
    {"docs/setup.md", "cmake --workflow --preset emulator", When::never, "builds everything"},
    {"docs/teaching.md", "./course handout 02 09 --out handout", When::in_long_tests, ""},
    {"docs/teaching.md", "./course grade 02 --submissions submissions --out marks", When::never,
     "needs a class's submissions"},
    {"docs/teaching.md", "./course handout 02_1 --no-hints --out exam", When::in_long_tests, ""},
    {"docs/teaching.md", "./course grade 02 --submissions submissions --out marks --seed 20260601",
     When::never, "needs a class's submissions"},
    {"docs/teaching.md",
     "./course bundle gradescope 02 --out autograder.zip --visibility loads=after_due_date",
     When::in_long_tests, ""},
    {"docs/teaching.md", "./course bundle classroom50 02 --out coalescing", When::in_long_tests,
     ""},
    {"docs/teaching.md", "./course bundle github 02 --out handout", When::never,
     "puts files into a handout that is there"},
};

/// A file that the page asks the reader to write before using it.
struct Written {
  std::string page, file, like;
};

const std::vector<Written> kWritten = {
    {"chapters/00_first_kernel/README.md", "add.cu", "chapters/00_first_kernel/alone.cu"},
    {"docs/setup.md", "program.cu", "chapters/00_first_kernel/alone.cu"},
};

/// Returns whether a block checks an answer, which takes long: outside of long tests, one check is
/// enough.
bool is_check(const Block& block) { return block.lines.at(0).starts_with("./course check "); }

const Exception* exception_of(const std::string& page, const Block& block) {
  static const Exception kCheck{"", "", When::in_long_tests, ""};
  if (is_check(block) && !page.starts_with("chapters/00_")) return &kCheck;
  const auto found = std::ranges::find_if(kExceptions, [&](const Exception& one) {
    return one.page == page && one.first_line == block.lines.at(0);
  });
  return found == kExceptions.end() ? nullptr : &*found;
}

/// A reader's folder: the project's files, and a front door that finds everything built.
class Desk {
 public:
  Desk() {
    for (const auto& entry : fs::directory_iterator(tools::source_folder())) {
      const std::string name = entry.path().filename().string();
      if (name != "build" && name != "answers" && !name.starts_with("."))
        fs::create_symlink(entry.path(), path() / name);
    }
    const fs::path built = folder_.path() / "built/emulator/bin";
    fs::create_directories(built);
    for (const auto& entry : fs::directory_iterator(COURSE_PROGRAM_FOLDER))
      if (entry.path().filename() != "coursework")
        fs::create_symlink(entry.path(), built / entry.path().filename());
    // The reader's own answers are not touched.
    folder_.write_program("built/emulator/bin/coursework",
                          "#!/bin/sh\ncommand=$1\nshift\n"
                          "[ \"$command\" != check ] || set -- \"$@\" --answers \"$PWD/answers\"\n"
                          "exec \"" COURSE_PROGRAM_FOLDER "/coursework\" \"$command\" \"$@\"\n");
    // Nothing is configured, built or installed here.
    folder_.write_program("tools/cmake",
                          "#!/bin/sh\ncase \"$*\" in\n"
                          "  --version) echo 'cmake version 99.0.0' ;;\n"
                          "  *' -n') echo 'ninja: no work to do.' ;;\nesac\n");
    for (const char* name : {"sudo", "apt-get", "dnf", "pacman", "zypper"})
      folder_.write_program(std::string("tools/") + name, "#!/bin/sh\nexit 1\n");
  }

  const fs::path& path() const { return path_; }

  tools::CommandResult type(const Lines& lines) const {
    // Status 1 of a check means that an answer is not right yet. A file that is typed ends with
    // END.
    std::string script;
    bool is_file = false;
    for (const std::string& line : lines) {
      is_file = (is_file || line.ends_with(" <<'END'")) && line != "END";
      if (is_file) {
        script += line + "\n";
        continue;
      }
      const bool may_be_wrong = line.starts_with("./course check ");
      script += line + "\nstatus=$?; [ $status -le " + (may_be_wrong ? "1" : "0") +
                " ] || exit $status\n";
    }
    tools::CommandOptions options;
    options.directory = path();
    options.time_limit = std::chrono::seconds(600);
    options.environment = {
        {"PATH", (folder_.path() / "tools").string() + ":" + std::getenv("PATH")},
        {"COURSE_BUILD_DIR", (folder_.path() / "built").string()},
        {"CUDA_VISIBLE_DEVICES", ""}};
    options.unset = {"COURSE_CHECK", "COURSE_COUNTERS", "COURSE_PROFILE"};
    return tools::run_command({"bash", "-c", script}, options);
  }

 private:
  tools::TemporaryFolder folder_;
  fs::path path_ = [this] {
    fs::create_directories(folder_.path() / "desk");
    return folder_.path() / "desk";
  }();
};

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

/// Renames sources in a program's output as the pages name them: relative to the project's root,
/// and a copy by its original's name.
std::string under_original_names(std::string printed,
                                 const std::map<std::string, std::string>& originals) {
  const std::string root = "\n" + tools::source_folder().string() + "/";
  printed = "\n" + printed;
  for (std::size_t at = 0; (at = printed.find(root, at)) != printed.npos;)
    printed.replace(at, root.size(), "\n");
  for (const auto& [copy, original] : originals) {
    const std::string line = "\n" + copy + "\n";
    for (std::size_t at = 0; (at = printed.find(line, at)) != printed.npos;)
      printed.replace(at, line.size(), "\n" + original + "\n");
  }
  return printed.substr(1);
}

bool has_heading(const std::string& text) { return ("\n" + text).find("\n## ") != text.npos; }

/// Returns the output that the page shows for a command: blocks after it, up to the next command or
/// section, and quotations after "it prints".
Lines shown_behind(const std::vector<Block>& blocks, std::size_t typed) {
  static const Pattern kPrints("It\\s+prints\\s+`([^`]*)`");
  const std::string kind =
      blocks[typed].lines.back().starts_with("./course profile") ? "profile" : "output";
  Lines shown;
  for (std::size_t i = typed + 1; i < blocks.size(); ++i) {
    const bool ends = has_heading(blocks[i].text);
    const std::string text =
        blocks[i].text.substr(0, ends ? blocks[i].text.find("\n## ") : std::string::npos);
    for (const Match& prints : kPrints.all(text)) shown.push_back(prints.str(1));
    if (ends || blocks[i].is_typed()) break;
    if (blocks[i].kind == kind || blocks[i].kind == "printed")
      shown.push_back(joined(blocks[i].lines));
  }
  return shown;
}

}  // namespace

TEST_CASE("what a page tells its reader to type works, and prints what the page shows") {
  static const Pattern kCopy("cp (\\S+) (\\S+)");
  std::size_t run = 0, compared = 0;
  for (const auto& [page, blocks] : pages()) {
    CAPTURE(page);
    const Desk desk;
    std::map<std::string, std::string> originals;  // by a copy's name
    for (const Written& one : kWritten) {
      if (one.page != page) continue;
      fs::copy_file(tools::source_folder() / one.like, desk.path() / one.file);
      originals[one.file] = one.like;
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (!blocks[i].is_typed()) continue;
      const std::string typed = joined(blocks[i].lines);
      CAPTURE(typed);
      const Exception* const exception = exception_of(page, blocks[i]);
      if (exception && (exception->when == When::never || !test_support::is_long_run())) continue;
      const tools::CommandResult result = desk.type(blocks[i].lines);
      CAPTURE(result.err);
      CHECK(result.status == 0);
      ++run;
      for (const Match& copied : kCopy.all(typed)) originals[copied.str(2)] = copied.str(1);
      const std::string printed = under_original_names(result.out, originals);
      for (const std::string& shown : shown_behind(blocks, i)) {
        CAPTURE(shown);
        CAPTURE(printed);
        CHECK(printed.find(shown) != std::string::npos);
        ++compared;
      }
    }
  }
  CHECK(run >= 25);
  CHECK(compared >= 20);
}

TEST_CASE("what a page shows as printed stands behind commands that the test runs") {
  std::size_t found = 0;
  for (const fs::path& file : tools::prose_files()) {
    const std::string page = file.lexically_relative(tools::source_folder()).string();
    const std::vector<Block> blocks = blocks_of(file);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i].kind != "printed") continue;
      CAPTURE(page);
      CAPTURE(joined(blocks[i].lines));
      ++found;
      std::size_t typed = i;
      while (typed > 0 && !blocks[typed].is_typed()) --typed;
      REQUIRE(blocks[typed].is_typed());
      CHECK_FALSE(exception_of(page, blocks[typed]));
      const Lines shown = shown_behind(blocks, typed);
      CHECK(std::ranges::count(shown, joined(blocks[i].lines)) == 1);
    }
  }
  CHECK(found >= 12);
}

TEST_CASE("blocks that are not run, and files that a reader writes, are there; reasons are given") {
  const auto all = pages();
  for (const Exception& one : kExceptions) {
    CAPTURE(one.page);
    CAPTURE(one.first_line);
    REQUIRE(all.contains(one.page));
    CHECK(std::ranges::count_if(all.at(one.page), [&](const Block& block) {
            return block.is_typed() && block.lines.at(0) == one.first_line;
          }) == 1);
    CHECK(one.reason.empty() == (one.when == When::in_long_tests));
  }
  for (const Written& one : kWritten) {
    CAPTURE(one.file);
    REQUIRE(all.contains(one.page));
    CHECK(std::ranges::any_of(all.at(one.page), [&](const Block& block) {
      return block.is_typed() &&
             joined(block.lines).find(" " + one.file + " ") != std::string::npos;
    }));
  }
}
