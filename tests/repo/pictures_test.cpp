/// docs/pictures: what is committed is what is drawn, and every picture is shown and described.

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "repo/library.hpp"
#include "support/subprocess.hpp"

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

fs::path pictures() { return repo::source_folder() / "docs/pictures"; }

json list_of_pictures() {
  return json::parse(test_support::read_file(pictures() / "pictures.json"));
}

test_support::CommandResult draw(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {COURSE_PROGRAM_FOLDER "/draw"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return test_support::run_command(command);
}

/// File names of the pictures in a folder.
std::set<std::string> drawn_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".svg") names.insert(entry.path().filename().string());
  return names;
}

/// What the Markdown files say instead of each picture, by its name.
std::map<std::string, std::string> alternative_texts() {
  static const std::regex kImage(R"(!\[([^\]]*)\]\(([^)]*docs/pictures/([^)/]+)\.svg)\))");
  std::map<std::string, std::string> texts;
  for (const fs::path& file : repo::prose_files()) {
    const std::string text = test_support::read_file(file);
    for (std::sregex_iterator image(text.begin(), text.end(), kImage), end; image != end; ++image) {
      CHECK_MESSAGE(fs::exists(file.parent_path() / (*image)[2].str()),
                    file << " shows " << (*image)[2].str() << ", which is not there");
      texts[(*image)[3]] = (*image)[1];
    }
  }
  return texts;
}

}  // namespace

TEST_CASE("the pictures come out again to the byte") {
  const test_support::TemporaryFolder folder;
  const auto result = draw({"--into", folder.path().string()});
  REQUIRE_MESSAGE(result.status == 0, result.err);
  CHECK(drawn_in(folder.path()) == drawn_in(pictures()));
  for (const std::string& name : drawn_in(folder.path())) {
    const bool is_the_same =
        test_support::read_file(folder.path() / name) == test_support::read_file(pictures() / name);
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

TEST_CASE(
    "pictures can be read: no letter below 11 pixels, both colour schemes, a card of their own") {
  static const std::regex kFontSize(R"(font(?:-size)?:(\d+)px)");
  for (const std::string& name : drawn_in(pictures())) {
    CAPTURE(name);
    const std::string text = test_support::read_file(pictures() / name);
    CHECK(text.find("width=\"700\"") != std::string::npos);
    CHECK(text.find("prefers-color-scheme:dark") != std::string::npos);
    CHECK(text.find("class=\"card\"") != std::string::npos);
    CHECK(text.find("<title id=") != std::string::npos);
    CHECK(text.find("<desc id=") != std::string::npos);
    int sizes = 0;
    for (std::sregex_iterator size(text.begin(), text.end(), kFontSize), end; size != end; ++size) {
      CHECK(std::stoi((*size)[1]) >= 11);
      ++sizes;
    }
    CHECK(sizes >= 3);
  }
}

TEST_CASE("one picture alone; what is no picture is refused") {
  const test_support::TemporaryFolder folder;
  CHECK(draw({"--into", folder.path().string(), "09_banks"}).status == 0);
  CHECK(drawn_in(folder.path()) == std::set<std::string>{"09_banks.svg"});
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"no_such_picture"}, {"--into"}, {"--help"}}) {
    const auto result = draw(arguments);
    CHECK(result.status == 2);
    CHECK(test_support::lines_of(result.err).size() == 1);
  }
  CHECK(draw({"--into", "/nowhere", "09_banks"}).status == 1);
}
