/// @file
/// Writes features.txt as C++: a table for unsupported.cpp, and a function for each `call`.
///
///     write_unsupported features.txt TABLE.hpp CALLS.cpp

#include <algorithm>
#include <array>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// A line of the list below a feature: what gives the feature away.
struct Signs {
  std::string feature;
  std::string kind;
  std::vector<std::string> names;
};

constexpr std::array<std::string_view, 8> kKinds = {"header", "library", "option", "file",
                                                    "word",   "call",    "code",   "case"};

/// Whether a line of this kind has one name, which may have blanks.
bool has_one_name(const std::string& kind) { return kind == "code" || kind == "case"; }

bool is_identifier(std::string_view name) {
  constexpr std::string_view kLetters =
      "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  return !name.empty() && name.find_first_not_of(kLetters) == name.npos &&
         !(name[0] >= '0' && name[0] <= '9');
}

/// @throws std::runtime_error naming the file and the line
std::vector<Signs> read_features(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot read " + file);
  std::vector<Signs> all;
  std::string feature;
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const auto throw_at_line = [&](const std::string& what) {
      throw std::runtime_error(file + ":" + std::to_string(number) + ": " + what);
    };
    if (line.empty() || line[0] == '#') continue;
    if (line[0] != ' ') {
      feature = line;
      continue;
    }
    std::istringstream words(line);
    Signs signs{feature, {}, {}};
    words >> signs.kind >> std::ws;
    if (std::ranges::find(kKinds, signs.kind) == kKinds.end())
      throw_at_line("\"" + signs.kind + "\" is no kind of sign");
    if (feature.empty()) throw_at_line("no feature stands above it");
    if (has_one_name(signs.kind)) {
      std::getline(words, signs.names.emplace_back());
    } else {
      for (std::string name; words >> name;) signs.names.push_back(name);
    }
    if (signs.names.empty() || signs.names[0].empty()) throw_at_line("it names nothing");
    for (const std::string& name : signs.names)
      if (signs.kind == "call" && !is_identifier(name))
        throw_at_line("\"" + name + "\" is no function");
    all.push_back(signs);
  }
  if (all.empty()) throw std::runtime_error(file + ": it lists nothing");
  return all;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string table_of(const std::vector<Signs>& features) {
  std::string text =
      "// Written by write_unsupported from features.txt.\n#pragma once\n\n"
      "#include \"unsupported.hpp\"\n\n"
      "namespace emu {\n"
      "inline constexpr UnsupportedSign kUnsupportedSigns[] = {\n";
  for (const Signs& signs : features)
    for (const std::string& name : signs.names)
      text += "    {Sign::of_" + signs.kind + ", " + quoted(name) + ", " + quoted(signs.feature) +
              "},\n";
  return text + "};\n}  // namespace emu\n";
}

/// Without CUDA's declarations: under C linkage, the name alone makes the function.
std::string calls_of(const std::vector<Signs>& features) {
  std::string text =
      "// Written by write_unsupported from features.txt.\n#include \"emulator/device.h\"\n\n";
  for (const Signs& signs : features) {
    if (signs.kind != "call") continue;
    for (const std::string& name : signs.names)
      text += "extern \"C\" void " + name + "() { emu::unsupported(" + quoted(name) + "); }\n";
  }
  return text;
}

void write(const std::string& file, const std::string& text) {
  std::ofstream stream(file);
  stream << text;
  if (!stream.flush()) throw std::runtime_error("cannot write " + file);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4)
    throw std::runtime_error("usage: write_unsupported features.txt TABLE.hpp CALLS.cpp");
  const std::vector<Signs> features = read_features(argv[1]);
  write(argv[2], table_of(features));
  write(argv[3], calls_of(features));
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
