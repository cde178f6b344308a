/// Draws the pictures of docs/plots from docs/measurements, with gnuplot.
///
///     ./course --backend emulator test -R plots   compares docs/plots/*.svg
///     build/emulator/bin/plot                     draws them again
///
/// docs/plots/plots.json lists the pictures. Each is made from the data that its kind (kinds.hpp)
/// selects, `style.gp`, and a script of its own. If measurements are missing, there is no picture.

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "tools/plot/kinds.hpp"
#include "tools/plot/svg_card.hpp"
#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string gnuplot_output(const std::vector<std::string>& arguments, const std::string& input) {
  std::vector<std::string> command = {"gnuplot"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  tools::CommandOptions options;
  options.input = input;
  options.environment["LC_ALL"] = "C.UTF-8";
  tools::CommandResult result;
  try {
    result = tools::run_command(command, options);
  } catch (const std::system_error&) {
    throw std::runtime_error("there is no gnuplot: apt-get install gnuplot-nox");
  }
  // gnuplot reports warnings and undefined names on stderr only.
  if (result.status != 0 || !result.err.empty())
    throw std::runtime_error("gnuplot says:\n" + result.err);
  return result.out;
}

plot::Data data_of(const json& picture, const plot::Measured& measured) {
  static const std::map<std::string, plot::Data (*)(const json&, const plot::Measured&)> kKinds = {
      {"use_and_movement", plot::use_and_movement},
      {"bars", plot::bars},
      {"curves", plot::curves},
      {"ladder", plot::ladder},
      {"sizes", plot::sizes},
      {"errors", plot::errors},
      {"roofline", plot::roofline}};
  const auto kind = kKinds.find(picture.at("kind"));
  if (kind == kKinds.end())
    throw std::runtime_error("plots.json: there is no kind " + picture.at("kind").dump());
  return kind->second(picture, measured);
}

/// Returns the conditions of the measurements in one line. Throws if the line is wider than the
/// picture, because gnuplot would draw beyond the edge.
std::string line_of_conditions(const std::string& machine, const std::string& conditions) {
  constexpr std::ptrdiff_t kMostLetters = 97;  // of 6.9 pixels, in a wide font
  const std::string line = machine + "; " + conditions;
  const auto letters = std::ranges::count_if(
      // Count first bytes of UTF-8 characters.
      line, [](unsigned char c) { return (c & 0xC0U) != 0x80U; });
  if (letters > kMostLetters) throw std::runtime_error("this line is too long: " + line);
  return line;
}

/// Returns the picture as SVG; nothing if measurements are missing.
std::optional<std::string> drawn(const json& picture, const plot::Measured& measured,
                                 const fs::path& scripts) {
  const plot::Data data = data_of(picture, measured);
  if (!data) return std::nullopt;
  const plot::Caption caption = {picture.at("title"), picture.at("description")};
  const std::string conditions = picture.at("conditions"), name = picture.at("script");
  const std::string script =
      *data + "heading = " + plot::in_quotes(caption.title) +
      "\nsubheading = " + plot::in_quotes(line_of_conditions(measured.machine, conditions)) +
      "\n\n" + tools::read_file(scripts / "style.gp") + "\n" + tools::read_file(scripts / name);
  const std::string version = gnuplot_output({"--version"}, "");
  return plot::as_card(gnuplot_output({"-"}, script), caption, version + "\n" + script);
}

}  // namespace

int main(int argc, char** argv) {
  const fs::path source = COURSE_SOURCE_DIR;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() > 2 || (!arguments.empty() && arguments[0].starts_with("-"))) {
    std::cerr << "usage: plot [MEASUREMENTS.json [FOLDER]]\n";
    return 2;
  }
  const fs::path file =
      arguments.empty() ? source / "docs/measurements/h200.json" : fs::path(arguments[0]);
  const fs::path folder = arguments.size() < 2 ? source / "docs/plots" : fs::path(arguments[1]);
  try {
    const json plots = tools::parse_json(tools::read_file(source / "docs/plots/plots.json"));
    const plot::Measured measured = plot::read_measured(file, plots);
    for (const json& picture : plots.at("pictures")) {
      const fs::path target = folder / (picture.at("name").get<std::string>() + ".svg");
      const auto svg = drawn(picture, measured, source / "tools/plot");
      if (!svg) {
        std::cerr << "plot: no " << target.filename().string() << ": not measured\n";
        fs::remove(target);
        continue;
      }
      std::ofstream out(target);
      out << *svg;
      if (!out.flush()) throw std::runtime_error("cannot write " + target.string());
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "plot: " << error.what() << '\n';
    return 2;
  }
}
