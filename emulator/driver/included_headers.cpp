#include "included_headers.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace emulator_nvcc {
namespace {

/// Returns the text between the first of `open` and the next of `close`; empty if there is none.
std::string_view between(std::string_view line, std::string_view open, std::string_view close) {
  const std::size_t begin = line.find_first_of(open);
  if (begin == line.npos) return {};
  const std::size_t end = line.find_first_of(close, begin + 1);
  return end == line.npos ? std::string_view() : line.substr(begin + 1, end - begin - 1);
}

}  // namespace

std::set<std::string> take_includes(std::string& preprocessed, const std::string& cuda_headers) {
  std::set<std::string> headers;
  std::vector<bool> of_cuda = {false};  // for each file that is open
  for (std::size_t begin = 0; begin < preprocessed.size();) {
    const std::size_t end = std::min(preprocessed.find('\n', begin), preprocessed.size());
    const std::string_view line = std::string_view(preprocessed).substr(begin, end - begin);
    if (line.starts_with("# ")) {
      const std::string_view file = between(line, "\"", "\"");
      const std::string_view flags = line.substr(std::min(line.rfind('"'), line.size()));
      if (flags.find(" 1") != flags.npos) {
        const bool is_of_cuda = file.starts_with(cuda_headers + "/");
        if (!of_cuda.back() && !is_of_cuda) headers.emplace(file.substr(file.rfind('/') + 1));
        of_cuda.push_back(of_cuda.back() || is_of_cuda);
      } else if (flags.find(" 2") != flags.npos && of_cuda.size() > 1) {
        of_cuda.pop_back();
      }
    } else if (line.starts_with("#include") || line.starts_with("#import")) {
      if (!of_cuda.back()) headers.emplace(between(line, "<\"", ">\""));
      std::fill(preprocessed.begin() + static_cast<std::ptrdiff_t>(begin),
                preprocessed.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    }
    begin = end + 1;
  }
  return headers;
}

}  // namespace emulator_nvcc
