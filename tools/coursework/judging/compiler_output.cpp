#include "tools/coursework/judging/compiler_output.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include "tools/support/pattern.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

constexpr std::size_t kMostMessages = 10;

struct Diagnostic {
  std::string file;
  std::string position;  ///< "12:5" or "12"
  std::string kind;      ///< "error", "fatal error", "warning", "note"
  std::string text;
  std::string cause;  ///< the line of the student's file that caused an error in another file
  std::vector<std::string> rows;  ///< the source lines that the compiler quotes

  bool is_error() const { return kind.ends_with("error"); }
};

/// Parses the compiler's output line by line.
class Parser {
 public:
  explicit Parser(std::string source_name) : source_name_(std::move(source_name)) {}

  void take(const std::string& line) {
    static const tools::Pattern kMessage(
        R"(^([^:]+):(\d+(?::\d+)?): (fatal error|error|warning|note): (.*)$)");
    static const tools::Pattern kInstance(
        R"(^([^:]+):(\d+(?::\d+)?):   (?:recursively )?required .*$)");
    static const tools::Pattern kContext(
        R"(^(In file included from |                 from |[^:]+: In ).*$)");
    if (const tools::Match message = kMessage.matches(line)) {
      messages_.push_back(
          {message.str(1), message.str(2), message.str(3), message.str(4), led_by_, {}});
    } else if (const tools::Match instance = kInstance.matches(line)) {
      if (is_source(instance[1])) led_by_ = instance[2];
      open_ = false;
      return;
    } else if (kContext.matches(line)) {
      led_by_.clear();
      open_ = false;
      return;
    } else if (open_ && !line.empty() && line[0] == ' ') {
      messages_.back().rows.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
      return;
    } else {
      if (line.starts_with("emulator-nvcc: ")) explained_ += line + "\n";
      open_ = false;
      return;
    }
    open_ = true;
  }

  /// Returns the emulator's own explanations of the compiler's messages.
  const std::string& explained() const { return explained_; }

  bool is_source(std::string_view file) const {
    return std::filesystem::path(file).filename() == source_name_;
  }

  const std::vector<Diagnostic>& messages() const { return messages_; }

 private:
  std::string source_name_;
  std::vector<Diagnostic> messages_;
  std::string led_by_, explained_;
  bool open_ = false;  // following rows belong to the last message
};

std::string shown(const std::string& name, const Diagnostic& message, bool is_own) {
  std::string text = name + ":" + (is_own ? message.position : message.cause) + ": " +
                     message.kind + ": " + message.text + "\n";
  if (!is_own)
    text += "    in " + std::filesystem::path(message.file).filename().string() + ":" +
            message.position + "\n";
  for (const std::string& row : message.rows)
    if (is_own) text += row + "\n";
  return text;
}

}  // namespace

std::string cut_to(const std::string& source_name, const std::string& output) {
  Parser parser(source_name);
  for (const std::string& line : tools::lines_of(output)) parser.take(line);

  std::string cut;
  std::set<std::string> reported;  // kinds and positions of earlier messages
  std::size_t left_out = 0;
  bool kept = false;  // whether the last message that is not a note was kept
  for (const Diagnostic& one : parser.messages()) {
    const bool own = parser.is_source(one.file);
    if (one.kind == "note") {
      if (kept && own) cut += shown(source_name, one, own);
      continue;
    }
    kept = (own || (one.is_error() && !one.cause.empty())) &&
           reported.insert(one.kind + (own ? one.position : one.cause)).second;
    if (!kept) continue;
    if (reported.size() > kMostMessages) {
      kept = false;
      ++left_out;
    } else {
      cut += shown(source_name, one, own);
    }
  }
  if (left_out > 0) cut += "... and " + std::to_string(left_out) + " more\n";
  const bool has_error = std::any_of(parser.messages().begin(), parser.messages().end(),
                                     [](const Diagnostic& one) { return one.is_error(); });
  if (cut.empty() && (has_error || parser.messages().empty())) return output;
  return cut + parser.explained();
}

}  // namespace coursework
