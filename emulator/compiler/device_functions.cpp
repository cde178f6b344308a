#include "device_functions.hpp"

namespace {

/// Lines of a source that hold a function of the device.
struct Lines {
  std::string file;
  int first, last;
};

/// The records of the rewriter, as text.
std::string records() {
  varpool_node* variable;
  FOR_EACH_VARIABLE(variable) {
    const tree name = DECL_NAME(variable->decl);
    const tree text = DECL_INITIAL(variable->decl);
    if (name && std::string(IDENTIFIER_POINTER(name)) == "emu_places" && text &&
        TREE_CODE(text) == STRING_CST)
      return std::string(TREE_STRING_POINTER(text),
                         static_cast<std::size_t>(TREE_STRING_LENGTH(text)));
  }
  return {};
}

/// The device's functions of this source.
std::vector<Lines> read_functions() {
  std::vector<Lines> all;
  std::istringstream in(records());
  std::string file;
  for (std::string line; std::getline(in, line);) {
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

bool runs_on_device(const function* one) {
  if (is_everywhere) return true;
  static const std::vector<Lines> functions = read_functions();  // of one source, when it is parsed
  const expanded_location place = expand_location(DECL_SOURCE_LOCATION(one->decl));
  if (!place.file) return false;
  return std::any_of(functions.begin(), functions.end(), [&](const Lines& lines) {
    return lines.first <= place.line && place.line <= lines.last && lines.file == place.file;
  });
}
