/// Tests docs/plots: pictures are up to date, legible, and shown on pages.

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "tools/plot/svg_card.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;
using tools::CommandResult;
using tools::Match;
using tools::Pattern;
using tools::read_file;
using tools::TemporaryFolder;

namespace {

const fs::path kPictures = tools::source_folder() / "docs/plots";
const fs::path kMadeUp = tools::source_folder() / "tests/tools/plots_made_up.json";

CommandResult run_plot(const std::vector<std::string>& arguments,
                       const std::map<std::string, std::string>& environment = {}) {
  std::vector<std::string> command = {COURSE_PROGRAM_FOLDER "/plot"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  tools::CommandOptions options;
  options.environment = environment;
  return tools::run_command(command, options);
}

std::set<std::string> pictures_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".svg") names.insert(entry.path().filename().string());
  return names;
}

/// Pictures of made-up measurements of the SGEMM ladder alone.
struct MadeUp {
  TemporaryFolder folder;
  CommandResult result = run_plot({kMadeUp.string(), folder.path().string()});
  std::string picture(const std::string& name) const { return read_file(folder.path() / name); }
};

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

/// Returns the contrast as WCAG defines it, from 1 to 21.
double contrast(const std::string& one, const std::string& other) {
  const auto luminance = [](const std::string& colour) {
    double sum = 0.0;
    constexpr double kWeights[] = {0.2126, 0.7152, 0.0722};
    for (std::size_t i = 0; i < 3; ++i) {
      const double value = std::stoi(colour.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
      sum +=
          kWeights[i] * (value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4));
    }
    return sum;
  };
  const auto [low, high] = std::minmax({luminance(one), luminance(other)});
  return (high + 0.05) / (low + 0.05);
}

}  // namespace

TEST_CASE("the pictures of docs/plots come out again") {
  const TemporaryFolder folder;
  const auto result = run_plot(
      {(tools::source_folder() / "docs/measurements/h200.json").string(), folder.path().string()});
  REQUIRE_MESSAGE(result.status == 0, result.err);
  const auto names = pictures_in(folder.path());
  CHECK(names == pictures_in(kPictures));
  CHECK(names.size() >= 4);
  for (const std::string& name : names) {
    if (!fs::exists(kPictures / name)) continue;
    CAPTURE(name);
    const std::string ours = read_file(folder.path() / name), theirs = read_file(kPictures / name);
    const std::string now = plot::origin_of(ours), then = plot::origin_of(theirs);
    REQUIRE(then.find('\n') != std::string::npos);
    const char* help = "to accept the new pictures: build/emulator/bin/plot";
    CHECK_MESSAGE(now.substr(now.find('\n')) == then.substr(then.find('\n')), help);
    // Versions of gnuplot write the same picture differently.
    if (now.substr(0, now.find('\n')) == then.substr(0, then.find('\n')))
      CHECK_MESSAGE(ours == theirs, help);
  }
}

TEST_CASE("made-up measurements of SGEMM become a ladder and curves") {
  const MadeUp made_up;
  REQUIRE_MESSAGE(made_up.result.status == 0, made_up.result.err);
  const std::string ladder = made_up.picture("sgemm_ladder.svg");
  for (const char* text : {">naive<", ">coalesced<", ">register_order<", ">cublas<", ">12,346<",
                           ">52,000<", ">nothing but FFMA: 63,500<",
                           "Stand-in 9000, CUDA 13.0, 2026-01-01", "for matrices of 4096 x 4096"})
    CHECK_MESSAGE(ladder.find(text) != std::string::npos, text);
  CHECK(count(ladder, "fill-one\" points") == 4);  // four steps, and a yardstick in another colour
  CHECK(count(ladder, "fill-two\" points") == 1);

  const std::string sizes = made_up.picture("sgemm_sizes.svg");
  for (const char* text : {">double_buffer<", ">register_order<", ">cublas<", " 512<", " 4096<"})
    CHECK_MESSAGE(sizes.find(text) != std::string::npos, text);
  CHECK(sizes.find("candidates") == std::string::npos);
  CHECK(sizes.find(">any_shape<") == std::string::npos);  // not selected by the picture
  CHECK(sizes.find(">naive<") == std::string::npos);      // measured at one size only
  CHECK(count(sizes.substr(sizes.find("</style>")), "color-two") == 4);  // cuBLAS, at four sizes
}

TEST_CASE("what was not measured has no picture, and loses the one that it had") {
  const TemporaryFolder folder;
  folder.write("stride.svg", "of yesterday");
  folder.write("other.svg", "not ours");
  const auto result = run_plot({kMadeUp.string(), folder.path().string()});
  CHECK(result.status == 0);
  CHECK(result.err.find("plot: no stride.svg: not measured\n") != std::string::npos);
  CHECK(pictures_in(folder.path()) == std::set<std::string>{"other.svg", "sgemm_ladder.svg",
                                                            "sgemm_rungs.svg", "sgemm_sizes.svg"});
}

TEST_CASE("what is drawn is data: the program knows no chapter") {
  for (const auto& entry : fs::directory_iterator(tools::source_folder() / "tools/plot")) {
    if (entry.path().extension() == ".gp") continue;  // a script labels its own picture
    CAPTURE(entry.path().string());
    const std::string text = read_file(entry.path());
    for (const fs::path& chapter : tools::chapter_folders()) {
      CHECK_MESSAGE(text.find(chapter.filename().string()) == std::string::npos, chapter.string());
      for (const std::string& kernel : tools::kernel_names(chapter))
        if (kernel.find('_') != std::string::npos)  // names without _ are also ordinary words
          CHECK_MESSAGE(!Pattern("\\b" + kernel + "\\b").search(text), kernel);
    }
  }
}

TEST_CASE("mistakes on purpose, and kernels that compute nothing, are not under the roof") {
  const std::string roofline = read_file(kPictures / "roofline.svg");
  CHECK(roofline.find(">read_offset_unroll4<") != std::string::npos);
  for (const char* kernel : {"published", "unsynchronised", "copy_strided", "tickets_plain"})
    CHECK_MESSAGE(roofline.find(kernel) == std::string::npos, kernel);
}

TEST_CASE("a card has a title, a description, and colours for light and dark pages alone") {
  for (const std::string& name : pictures_in(kPictures)) {
    CAPTURE(name);
    const std::string card = read_file(kPictures / name);
    CHECK(card.find("role=\"img\" aria-labelledby=\"title description\"") != std::string::npos);
    CHECK(card.find("<title id=\"title\">") != std::string::npos);
    CHECK(count(card, "<title") == 1);
    CHECK(count(card, "<g") == count(card, "</g>"));
    const std::string drawing = card.substr(card.find("</style>"));
    CHECK(drawing.find("rgb(") == std::string::npos);
    CHECK_FALSE(Pattern(R"re((fill|stroke|color)="(#|black|gray))re").search(drawing));
  }
}

TEST_CASE("every colour but the grid's can be read on the paper, light and dark") {
  const std::string card = read_file(kPictures / "roofline.svg");
  const std::string sheet =
      card.substr(card.find("<style>"), card.find("</style>") - card.find("<style>"));
  const std::size_t dark = sheet.find("@media (prefers-color-scheme:dark)");
  REQUIRE(dark != std::string::npos);
  for (const std::string& rules : {sheet.substr(0, dark), sheet.substr(dark)}) {
    std::map<std::string, std::string> colours;
    for (const Match& rule : Pattern(R"(\.fill-(\w+)\{fill:(#[0-9a-f]{6})\})").all(rules))
      colours[rule.str(1)] = rule[2];
    REQUIRE(colours.size() == 8);
    for (const auto& [name, colour] : colours) {
      if (name == "paper" || name == "grid") continue;
      CAPTURE(name);
      CHECK(contrast(colour, colours["paper"]) >= 4.5);  // WCAG's AA for text
    }
  }
}

TEST_CASE("colours that style.gp does not name, and what is no picture, are refused") {
  const plot::Caption caption = {"title", "description"};
  CHECK_THROWS_AS(plot::as_card("no picture", caption, ""), std::runtime_error);
  CHECK_THROWS_AS(plot::as_card("<svg ><path stroke='rgb( 12, 0, 3)'/></svg>", caption, ""),
                  std::runtime_error);
}

TEST_CASE("every picture stands in a README, with words for those who do not see it") {
  std::set<std::string> shown;
  const Pattern embedded(R"re(!\[([^\]]{40,})\]\((?:(?:\.\./)*docs/)?plots/(\w+\.svg)\))re");
  for (const auto& file : tools::prose_files()) {
    const std::string text = read_file(file);
    for (const Match& picture : embedded.all(text)) shown.insert(picture.str(2));
  }
  CHECK(shown == pictures_in(kPictures));
}

TEST_CASE("bad input is one line and exit status 2") {
  const auto is_refused = [](const CommandResult& result, const std::string& words) {
    CHECK(result.status == 2);
    const auto lines = tools::lines_of(result.err);
    // Earlier lines name missing measurements.
    const std::string last_line = lines.empty() ? "" : lines.back();
    CHECK_MESSAGE(last_line.find(words) != std::string::npos, result.err);
  };
  const TemporaryFolder folder;
  is_refused(run_plot({"--help"}), "usage: plot [MEASUREMENTS.json [FOLDER]]");
  is_refused(run_plot({"/nowhere.json"}), "cannot read /nowhere.json");
  is_refused(run_plot({folder.write("a.json", "{}").string()}), "plot: ");
  is_refused(run_plot({kMadeUp.string(), "/nowhere"}), "cannot write /nowhere/sgemm_ladder.svg");
  const std::string long_name =
      Pattern("Stand-in 9000").replace(read_file(kMadeUp), "Stand-in " + std::string(80, '9'));
  is_refused(run_plot({folder.write("long.json", long_name).string(), folder.path().string()}),
             "plot: this line is too long: Stand-in 9999");
  is_refused(run_plot({kMadeUp.string(), folder.path().string()}, {{"PATH", "/nowhere"}}),
             "there is no gnuplot: apt-get install gnuplot-nox");
}
