#include "engine/program/kernel_name.hpp"

#include <algorithm>

namespace emu {

std::string short_name(const std::string& signature) {
  int depth = 0;  // nesting of template arguments
  std::string name;
  for (std::size_t i = 0; i < signature.size(); ++i) {
    const char c = signature[i];
    if (depth == 0 && (c == '{' || signature.compare(i, 11, "(anonymous ") == 0)) {
      i = signature.find("::", i);
      if (i == std::string::npos) break;
      ++i;  // behind both colons
    } else if (depth == 0 && c == '(') {
      break;  // the parameters follow
    } else if (depth == 0 && c == ' ') {
      name.clear();  // what came so far was the return type
    } else {
      depth += c == '<' ? 1 : c == '>' ? -1 : 0;
      name += c;
    }
  }
  return name.empty() ? signature : name;
}

bool is_meant(std::string_view wanted, std::string_view short_name) {
  const bool wants_arguments = wanted.find('<') != std::string_view::npos;
  const std::size_t arguments = std::min(short_name.find('<'), short_name.size());
  for (std::size_t begin = 0; begin < arguments;) {
    const std::string_view rest = short_name.substr(begin);
    if (rest.starts_with(wanted)) {
      const std::string_view left_out = rest.substr(wanted.size());
      if (left_out.empty()) return true;
      if (!wants_arguments && (left_out.starts_with('<') || left_out.starts_with("::")))
        return true;
    }
    begin = std::min(short_name.find("::", begin), arguments) + 2;
  }
  return false;
}

}  // namespace emu
