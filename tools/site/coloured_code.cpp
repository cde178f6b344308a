#include "tools/site/coloured_code.hpp"

#include <cctype>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tools/site/output_folder.hpp"
#include "tools/site/text.hpp"
#include "tools/support/json.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/subprocess.hpp"

namespace site {

namespace {

constexpr char kBetweenPieces = '\f';

/// Whether a name is linked wherever it stands: a type or a constant. Else it must be called or
/// indexed, for a variable of the code at hand may have the name of a function.
bool is_distinct(const std::string& name) {
  const auto is_upper = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  return name.size() > 1 && (is_upper(name[0]) || (name[0] == 'k' && is_upper(name[1])));
}

}  // namespace

ColouredCode::ColouredCode(std::filesystem::path lexer, std::filesystem::path memory)
    : lexer_(std::move(lexer)), memory_(std::move(memory)) {}

void ColouredCode::prepare(const std::vector<std::string>& pieces) {
  const std::string lexer = tools::read_file(lexer_);
  nlohmann::json before = nlohmann::json::object();
  if (std::filesystem::exists(memory_)) before = tools::parse_json(tools::read_file(memory_));
  const bool is_usable = before.contains("lexer") && before.at("lexer") == lexer;
  const auto known =
      is_usable ? before.at("coloured").get<std::map<std::string, std::string>>() : coloured_;

  coloured_.clear();
  std::vector<std::string> added;
  std::string text;
  for (const std::string& piece : pieces) {
    const auto [place, is_new] = coloured_.try_emplace(piece);
    if (!is_new) continue;
    if (const auto found = known.find(piece); found != known.end()) {
      place->second = found->second;
      continue;
    }
    added.push_back(piece);
    text += piece + kBetweenPieces;
  }
  if (!added.empty()) {
    tools::CommandOptions options;
    options.input = text;
    const auto result =
        tools::run_command({"pygmentize", "-x", "-l", lexer_.string() + ":CudaBlocks", "-f", "html",
                            "-O", "nowrap", "-P", "stripnl=False", "-P", "ensurenl=False"},
                           options);
    if (result.status != 0) throw std::runtime_error("pygmentize cannot colour: " + result.err);
    std::string_view rest = result.out;
    for (const std::string& piece : added) {
      const std::size_t end = rest.find(kBetweenPieces);
      if (end == std::string_view::npos)
        throw std::runtime_error("pygmentize has coloured only some of the code");
      coloured_[piece] = rest.substr(0, end);
      rest.remove_prefix(end + 1);
    }
  }
  write_if_changed(memory_, nlohmann::json{{"lexer", lexer}, {"coloured", coloured_}}.dump());
}

std::vector<std::string> ColouredCode::lines_of(
    const std::string& piece,
    const std::function<std::optional<std::string>(const std::string& name)>& address_of) const {
  static const tools::Pattern kName(R"re(<span class="n[cfln]?">(\w+)</span>(?=([(\[]|&lt;)?))re");
  std::vector<std::string> lines;
  for (const std::string& line : split_lines(coloured_.at(piece)))
    lines.push_back(kName.replace(line, [&](const tools::Match& match) {
      const std::string name = match.str(1);
      const auto address = is_distinct(name) || match.has(2) ? address_of(name) : std::nullopt;
      return address ? "<a href=\"" + *address + "\">" + name + "</a>" : name;
    }));
  return lines;
}

}  // namespace site
