/// Draws the pictures of the READMEs from what the emulator traces (COURSE_TRACE).
///
///     ./course --backend emulator test -R pictures     compares them with what is committed
///     build/emulator/bin/draw                          draws them again
///     build/emulator/bin/draw 03_offsets               draws one of them
///     build/emulator/bin/draw --into FOLDER            draws to another folder
///
/// docs/pictures/pictures.json says what to draw: the programs, and which requests of their
/// launches.
/// Every number on a picture is counted or computed by the emulator.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/draw/panels.hpp"
#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

namespace pictures {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double kAbovePanel = 14, kHeadingHeight = 26, kCaptionHeight = 20;

const std::map<std::string, void (*)(Svg&, const Scene&)> kPainters = {
    {"requests", draw_requests}, {"banks", draw_banks},       {"elements", draw_elements},
    {"block", draw_block},       {"sequence", draw_sequence}, {"overview", draw_overview},
    {"image", draw_image},       {"mirror", draw_mirror}};

/// Painters of panels that show numbers instead of a program's requests.
const std::map<std::string, void (*)(Svg&, const json&)> kPaintersOfNumbers = {
    {"halves", draw_halves},     {"cut", draw_cut},     {"ring", draw_ring},
    {"shuffles", draw_shuffles}, {"turns", draw_turns}, {"machine", draw_machine},
    {"terminal", draw_terminal}};

std::vector<std::string> kernels_of(const json& panel) {
  const json& kernel = panel.at("kernel");
  return kernel.is_array() ? kernel.get<std::vector<std::string>>()
                           : std::vector<std::string>{kernel};
}

class Artist {
 public:
  explicit Artist(fs::path programs) : programs_(std::move(programs)) {}

  std::string draw(const json& picture) {
    Svg svg(picture.at("title"), picture.at("description"));
    json panels = json::array();
    for (const json& own : picture.at("panels")) {
      json& panel = panels.emplace_back(picture);  // settings shared by the panels
      panel.erase("panels");
      panel.update(own);
    }
    for (const json& panel : panels) {
      if (const auto found = kPaintersOfNumbers.find(panel.at("kind"));
          found != kPaintersOfNumbers.end()) {
        svg.y += kAbovePanel;
        found->second(svg, panel);
        continue;
      }
      const std::string chapter = panel.at("program").at(0);
      const Scene scene{trace_of(panel), panel, fs::path(COURSE_SOURCE_DIR) / "chapters" / chapter,
                        programs_};
      svg.y += kAbovePanel;
      kPainters.at(panel.at("kind"))(svg, scene);
    }
    for (const auto draw_key :
         {draw_requests_key, draw_banks_key, draw_elements_key, draw_sequence_key,
          draw_overview_key, draw_turns_key, draw_shuffles_key})
      draw_key(svg, panels);
    return svg.finish();
  }

 private:
  /// Traces of programs; pictures often show several parts of one run.
  const Trace& trace_of(const json& panel) {
    constexpr unsigned kFew = 8;
    auto command = panel.at("program").get<std::vector<std::string>>();
    const unsigned requests = panel.value("requests_per_instruction", kFew);
    command[0] = (programs_ / command[0]).string();
    if (std::ranges::find(command, "--kernel") == command.end())
      for (const std::string& kernel : kernels_of(panel))
        command.insert(command.end(), {"--kernel", option_of(kernel)});
    std::vector<std::string> key = command;
    key.push_back(std::to_string(requests));
    const auto known = traces_.find(key);
    return known != traces_.end() ? known->second
                                  : traces_.try_emplace(key, command, requests).first->second;
  }

  fs::path programs_;
  std::map<std::vector<std::string>, Trace> traces_;
};

/// Layout of a key in pixels: from a mark to its words, the width of a letter in the widest font,
/// and the right edge, which no usual font reaches then.
constexpr double kToWords = 19, kLetter = 6.4, kKeyRight = 700;

constexpr int kUsageError = 2;

int usage() {
  std::cerr << "usage: draw [--into FOLDER] [PICTURE...]\n";
  return kUsageError;
}

}  // namespace

std::string option_of(const std::string& kernel) { return kernel.substr(0, kernel.find(':')); }

std::vector<const Launch*> Scene::launches() const {
  std::vector<const Launch*> launches;
  for (const std::string& kernel : kernels_of(panel))
    launches.push_back(&trace.launch(kernel, panel.value("launch", std::size_t{0})));
  return launches;
}

const Launch& Scene::launch() const {
  const auto all = launches();
  if (all.size() > 1) throw std::runtime_error("a panel shows several kernels as one");
  return *all[0];
}

bool matches(const Request& request, const json& which) {
  return which.at("kind_of_request") == request.kind &&
         request.is_shared == (which.at("space") == "shared");
}

const Request& Scene::request(const json& which) const {
  const auto request_of = [&](const Launch& launch) -> const Request& {
    const TracedWarp& warp = launch.warps.at(which.value("warp", std::size_t{0}));
    std::size_t number = which.value("request", std::size_t{0});
    if (!which.contains("kind_of_request")) return warp.requests.at(number);
    for (const Request& request : warp.requests)
      if (matches(request, which) && number-- == 0) return request;
    throw std::runtime_error("there are fewer such requests: " + which.dump());
  };
  const auto all = launches();
  const Pattern pattern = pattern_of(*all[0], request_of(*all[0]));
  for (const Launch* other : all)
    if (pattern_of(*other, request_of(*other)) != pattern)
      throw std::runtime_error(other->kernel + " makes another request than " + all[0]->kernel);
  return request_of(*all[0]);
}

void draw_heading(Svg& svg, const std::string& code, const std::string& words) {
  constexpr double kCodeLetter = 7.3, kLetter = 6.9, kApart = 8;  // pixels, in a wide font
  if (kCodeLetter * static_cast<double>(code.size()) + kLetter * static_cast<double>(words.size()) +
          kApart >
      kDrawnWidth)
    throw std::runtime_error("a heading is too long: " + code + " " + words);
  svg.text(kLeft, svg.y + 12, code, "code strong");
  svg.text(kRight, svg.y + 12, words, "muted", Anchor::end);
  svg.y += kHeadingHeight;
}

void make_room(Svg& svg, double* x, const std::string& words) {
  const double width = kToWords + kLetter * static_cast<double>(words.size());
  if (kLeft + width > kKeyRight) throw std::runtime_error("a key is too long: " + words);
  if (*x + width <= kKeyRight) return;
  *x = kLeft;
  svg.y += kKeyHeight;
}

void draw_swatch(Svg& svg, double* x, const std::string& marks, const std::string& words) {
  constexpr double kWidth = 14, kHeight = 11, kApart = 12;
  make_room(svg, x, words);
  if (!marks.empty()) svg.rect(*x, svg.y, kWidth, kHeight, marks);
  svg.text(*x + kToWords, svg.y + kHeight - 1, words, "small muted");
  *x += kToWords + kLetter * static_cast<double>(words.size()) + kApart;
}

std::string counted(std::size_t number, const char* one) {
  return fmt::format("{} {}{}", number, one, number == 1 ? "" : "s");
}

void draw_caption(Svg& svg, const std::string& words) {
  svg.text(kLeft, svg.y + 14, words, "strong");
  svg.y += kCaptionHeight;
}

}  // namespace pictures

int main(int argc, char** argv) {
  using namespace pictures;
  fs::path folder = fs::path(COURSE_SOURCE_DIR) / "docs/pictures";
  const json all = tools::parse_json(tools::read_file(folder / "pictures.json"));
  std::vector<std::string> wanted(argv + 1, argv + argc);
  if (!wanted.empty() && wanted[0] == "--into") {
    if (wanted.size() < 2) return usage();
    folder = wanted[1];
    wanted.erase(wanted.begin(), wanted.begin() + 2);
  }
  if (std::ranges::any_of(wanted, [](const auto& word) { return word.starts_with('-'); }))
    return usage();
  for (const std::string& name : wanted)
    if (!all.contains(name)) {
      std::cerr << "draw: docs/pictures/pictures.json has no picture " << name << '\n';
      return kUsageError;
    }
  try {
    Artist artist(fs::read_symlink("/proc/self/exe").parent_path());
    for (const auto& [name, picture] : all.items()) {
      if (!wanted.empty() && std::ranges::find(wanted, name) == wanted.end()) continue;
      const fs::path file = folder / (name + ".svg");
      const std::string drawn = artist.draw(picture);
      std::ofstream out(file);
      out << drawn;
      if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "draw: " << error.what() << '\n';
    return 1;
  }
}
