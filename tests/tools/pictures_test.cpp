/// Tests docs/pictures: the committed pictures are up to date, shown on a page, and described.

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/quick_sizes.hpp"
#include "tools/support/json.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

fs::path pictures() { return tools::source_folder() / "docs/pictures"; }

json list_of_pictures() {
  return tools::parse_json(tools::read_file(pictures() / "pictures.json"));
}

tools::CommandResult draw(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {COURSE_PROGRAM_FOLDER "/draw"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return tools::run_command(command);
}

/// Returns the file names of the pictures in a folder.
std::set<std::string> drawn_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".svg") names.insert(entry.path().filename().string());
  return names;
}

/// Returns the alternative texts in Markdown files, by picture.
std::map<std::string, std::string> alternative_texts() {
  static const tools::Pattern kImage(R"(!\[([^\]]*)\]\(([^)]*docs/pictures/([^)/]+)\.svg)\))");
  std::map<std::string, std::string> texts;
  for (const fs::path& file : tools::prose_files()) {
    const std::string text = tools::read_file(file);
    for (const tools::Match& image : kImage.all(text)) {
      CHECK_MESSAGE(fs::exists(file.parent_path() / image[2]),
                    file << " shows " << image.str(2) << ", which is not there");
      texts[image.str(3)] = image[1];
    }
  }
  return texts;
}

/// The kinds of memory that a kernel uses, or that a picture shows.
struct Memory {
  bool global = false, shared = false;
};

using Kernels = std::map<std::string, Memory>;  // by name, with the namespace: "naive::sgemm"

/// Returns the memory that the first blocks of a program's launches access.
Kernels asked_by(const std::vector<std::string>& words) {
  const tools::TemporaryFolder folder;
  const std::string file = (folder.path() / "trace.json").string();
  tools::CommandOptions options;
  options.environment = {{"COURSE_TRACE", file}, {"COURSE_TRACE_REQUESTS", "1"}};
  std::vector<std::string> command = words;
  command[0] = COURSE_PROGRAM_FOLDER "/" + command[0];
  const auto result = tools::run_command(command, options);
  REQUIRE_MESSAGE(result.status == 0, result.err);
  Kernels kernels;
  const json trace = tools::parse_json(tools::read_file(file));
  for (const json& launch : trace["launches"]) {
    // "void tuned::sgemm<...>(int, ...)"
    static const tools::Pattern kName(R"(^(?:void )?([\w:]+))");
    const std::string signature = launch["signature"];
    const tools::Match name = kName.search(signature);
    REQUIRE(name);
    Memory& memory = kernels[name.str(1)];
    for (const json& warp : launch["warps"])
      for (const json& request : warp["requests"])
        (request["space"] == "shared" ? memory.shared : memory.global) = true;
  }
  return kernels;
}

/// Returns the kernels in a chapter's sources. Exercises (.cu) are left out: their accesses are for
/// readers to find out.
std::set<std::string> kernels_in(const fs::path& chapter) {
  static const tools::Pattern kNamespace(R"(^namespace (\w+) \{)");
  std::set<std::string> kernels;
  for (const auto& entry : fs::recursive_directory_iterator(chapter)) {
    if (entry.path().extension() != ".cuh") continue;
    const auto lines = tools::read_lines(entry.path());
    std::string scope;
    for (const std::string& line : lines)
      if (const tools::Match match = kNamespace.search(line)) scope = match.str(1) + "::";
    for (const auto& function : tools::functions_in(lines))
      if (function.is_kernel) kernels.insert(scope + function.name);
  }
  return kernels;
}

/// Returns what the pictures show of each kernel: sectors of global memory, banks of shared memory.
Kernels drawn_of(const std::string& chapter) {
  Kernels kernels;
  for (const json& picture : list_of_pictures()) {
    for (const json& own : picture["panels"]) {
      json panel = picture;
      panel.update(own);
      if (!panel.contains("program") || panel["program"][0] != chapter) continue;
      const json named = panel["kernel"];
      for (const std::string kernel : named.is_array() ? named : json::array({named})) {
        const bool is_overview = panel["kind"] == "overview";
        if (is_overview || panel["kind"] == "requests") kernels[kernel].global = true;
        if ((is_overview && panel.value("shared", true)) || panel["kind"] == "banks")
          kernels[kernel].shared = true;
      }
    }
  }
  return kernels;
}

/// Arguments with which programs launch kernels that they do not launch otherwise.
const std::vector<std::vector<std::string>> kRarelyLaunched = {
    {"09_sgemm", "--kernel", "even_shares", "--m", "1536", "--n", "768", "--k", "448"},
    {"09_sgemm", "--kernel", "tma", "--m", "33", "--n", "33", "--k", "33"},
    {"11_tensor_cores", "--kernel", "warp_products", "--kernel", "group_products", "--kernel",
     "ring", "--kernel", "tile_order", "--kernel", "resident_blocks", "--kernel", "bulk_store",
     "--m", "33", "--n", "72", "--k", "40"},
    {"11_tensor_cores", "--kernel", "short_sums", "--kernel", "promoted_sums", "--kernel",
     "block_scales", "--m", "33", "--n", "72", "--k", "48"}};
/// Kernels that prepare matrices for the vendor's library, which the emulator lacks, and kernels of
/// chapter 09 for chapter 11, which make the same requests as steps 16 and 17.
const std::set<std::string> kForOthers = {"three_calls::split_evenly", "on_demand::align_rows",
                                          "on_demand::sgemm"};

}  // namespace

TEST_CASE("the pictures come out again to the byte") {
  const tools::TemporaryFolder folder;
  const auto result = draw({"--into", folder.path().string()});
  REQUIRE_MESSAGE(result.status == 0, result.err);
  CHECK(drawn_in(folder.path()) == drawn_in(pictures()));
  for (const std::string& name : drawn_in(folder.path())) {
    const bool is_the_same =
        tools::read_file(folder.path() / name) == tools::read_file(pictures() / name);
    CHECK_MESSAGE(is_the_same,
                  name << " is not what is drawn now; to accept it: build/emulator/bin/draw");
  }
}

TEST_CASE("every picture is shown, and described as it describes itself") {
  const auto shown = alternative_texts();
  const json pictures = list_of_pictures();
  for (const auto& [name, picture] : pictures.items()) {
    CAPTURE(name);
    REQUIRE(shown.contains(name));
    const std::string description = picture["description"];
    CHECK(description.size() > 40);
    CHECK(shown.at(name) == description);
  }
  CHECK(shown.size() == pictures.size());
}

TEST_CASE("every kernel is drawn: its sectors if it asks global memory, its banks if shared") {
  std::size_t in_all = 0;
  CHECK(test_support::kQuickSizes.size() == tools::chapter_folders().size());
  for (const auto& [chapter, arguments] : test_support::kQuickSizes) {
    const fs::path folder = tools::source_folder() / "chapters" / chapter;
    std::vector<std::string> command = {chapter};
    command.insert(command.end(), arguments.begin(), arguments.end());
    Kernels asked = asked_by(command);
    for (const auto& words : kRarelyLaunched)
      if (words[0] == chapter) asked.merge(asked_by(words));
    Kernels drawn = drawn_of(chapter);
    for (const std::string& kernel : kernels_in(folder)) {
      if (kForOthers.contains(kernel)) continue;
      CHECK_MESSAGE(asked.contains(kernel),
                    chapter << " does not launch " << kernel << ": add a run to kRarelyLaunched");
      const std::string todo = "; an \"overview\" in docs/pictures/pictures.json would do";
      CHECK_MESSAGE((drawn[kernel].global || !asked[kernel].global),
                    "no picture shows the sectors that " << kernel << " touches" << todo);
      CHECK_MESSAGE((drawn[kernel].shared || !asked[kernel].shared),
                    "no picture shows the banks that " << kernel << " uses" << todo);
      ++in_all;
    }
  }
  CHECK(in_all > 90);  // of nine chapters
}

TEST_CASE(
    "pictures can be read: no letter below 11 pixels, both colour schemes, a card of their own") {
  static const tools::Pattern kFontSize(R"(font(?:-size)?:(\d+)px)");
  for (const std::string& name : drawn_in(pictures())) {
    CAPTURE(name);
    const std::string text = tools::read_file(pictures() / name);
    CHECK(text.find("width=\"700\"") != std::string::npos);
    CHECK(text.find("prefers-color-scheme:dark") != std::string::npos);
    CHECK(text.find("class=\"card\"") != std::string::npos);
    CHECK(text.find("<title id=") != std::string::npos);
    CHECK(text.find("<desc id=") != std::string::npos);
    int sizes = 0;
    for (const tools::Match& size : kFontSize.all(text)) {
      CHECK(std::stoi(size.str(1)) >= 11);
      ++sizes;
    }
    CHECK(sizes >= 3);
  }
}

TEST_CASE("a terminal shows what its page has: tests of pages run that") {
  int lines = 0;
  for (const json& picture : list_of_pictures())
    for (const json& panel : picture["panels"]) {
      if (!panel.contains("lines") || !panel.contains("page")) continue;
      const std::string page =
          "\n" + tools::read_file(tools::source_folder() / panel["page"].get<std::string>());
      for (const std::string line : panel["lines"]) {
        const std::string text = line.starts_with("$ ") ? line.substr(2) : line;
        CHECK_MESSAGE(page.find("\n" + text + "\n") != std::string::npos, text);
        ++lines;
      }
    }
  CHECK(lines > 8);
}

TEST_CASE("one picture alone; what is no picture is refused") {
  const tools::TemporaryFolder folder;
  CHECK(draw({"--into", folder.path().string(), "10_banks"}).status == 0);
  CHECK(drawn_in(folder.path()) == std::set<std::string>{"10_banks.svg"});
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"no_such_picture"}, {"--into"}, {"--help"}}) {
    const auto result = draw(arguments);
    CHECK(result.status == 2);
    CHECK(tools::lines_of(result.err).size() == 1);
  }
  CHECK(draw({"--into", "/nowhere", "10_banks"}).status == 1);
}
