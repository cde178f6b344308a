#include "device_functions.hpp"

namespace {

/// The lines of a device function.
struct Lines {
  std::string file;
  int first, last;
};

/// Returns the rewriter's records, one per line. They stand at the end of the source file, which
/// g++ has not read yet when they are first needed.
std::vector<std::string> records() {
  std::ifstream source(num_in_fnames > 0 ? in_fnames[0] : "");
  std::vector<std::string> lines;
  bool is_record = false;
  for (std::string line; std::getline(source, line);) {
    if (is_record) lines.push_back(line);
    if (line == "# 1 \"<emulator>\" 3") {
      lines.clear();
      is_record = true;
    }
  }
  return lines;
}

/// Returns the text in a line of a string literal, without quotes and line end. Nothing in it is
/// escaped.
std::string text_of(const std::string& literal) {
  std::string text;
  for (std::size_t i = 1; i < literal.size() && literal[i] != '"'; ++i) {
    if (literal[i] == '\\' && literal[++i] == 'n') break;
    text += literal[i];
  }
  return text;
}

/// Returns the device functions of this source.
std::vector<Lines> read_functions() {
  std::vector<Lines> all;
  std::string file;
  for (const std::string& record : records()) {
    const std::string line = text_of(record);
    if (line.rfind("F ", 0) == 0) file = line.substr(2);
    if (line.rfind("R ", 0) != 0) continue;
    std::istringstream numbers(line.substr(2));
    Lines one{file, 0, 0};
    if (numbers >> one.first >> one.last) all.push_back(one);
  }
  return all;
}

bool is_everywhere = false;

}  // namespace

void all_run_on_device() { is_everywhere = true; }

bool runs_on_device(tree function) {
  if (is_everywhere) return true;
  static const std::vector<Lines> functions = read_functions();
  const expanded_location place = expand_location(DECL_SOURCE_LOCATION(function));
  if (!place.file) return false;
  return std::any_of(functions.begin(), functions.end(), [&](const Lines& lines) {
    return lines.first <= place.line && place.line <= lines.last && lines.file == place.file;
  });
}
