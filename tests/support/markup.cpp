#include "support/markup.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <system_error>

#include "tools/support/subprocess.hpp"

namespace test_support {
namespace {

/// Returns whether xmllint's status means that an XPath expression selected nothing: 10 up to
/// libxml2 2.9, then 11.
bool selected_nothing(int status) { return status == 10 || status == 11; }

tools::CommandResult ids_in(const std::string& text) {
  tools::CommandOptions options;
  options.input = text;
  try {
    return tools::run_command({"xmllint", "--nonet", "--xpath", "//@id", "-"}, options);
  } catch (const std::system_error&) {
    throw std::runtime_error("there is no xmllint: apt-get install libxml2-utils");
  }
}

/// Returns "line 3: ..." for xmllint's "-:3: parser error : ...".
std::string first_fault(const std::string& err) {
  static const std::string kInput = "-:", kBehindKind = " : ";
  for (const std::string& line : tools::lines_of(err)) {
    const std::size_t colon = line.find(':', kInput.size()), kind = line.find(kBehindKind);
    if (line.starts_with(kInput) && colon < kind && kind != line.npos)
      return "line " + line.substr(kInput.size(), colon - kInput.size()) + ": " +
             line.substr(kind + kBehindKind.size());
  }
  return err;
}

/// Describes the second occurrence of `attribute`, which xmllint writes as ` id="a"`.
std::string repetition_of(const std::string& attribute, const std::string& text) {
  const std::size_t second = text.find(attribute, text.find(attribute) + 1);
  const auto behind = text.begin() + static_cast<std::ptrdiff_t>(std::min(second, text.size()));
  const auto line = 1 + std::count(text.begin(), behind, '\n');
  return "line " + std::to_string(line) + ": a second" + attribute;
}

}  // namespace

std::string markup_fault(const std::string& text) {
  const tools::CommandResult result = ids_in(text);
  if (selected_nothing(result.status)) return {};
  if (result.status != 0 || !result.err.empty()) return first_fault(result.err);
  std::set<std::string> ids;
  for (const std::string& attribute : tools::lines_of(result.out))
    if (!ids.insert(attribute).second) return repetition_of(attribute, text);
  return {};
}

}  // namespace test_support
