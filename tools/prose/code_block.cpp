#include "tools/prose/code_block.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "tools/prose/line_diff.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace prose {
namespace {

using tools::words_in;

namespace fs = std::filesystem;

/// Removes the common indent of the lines.
std::vector<std::string> dedented(std::vector<std::string> lines) {
  std::size_t indent = std::string::npos;
  for (const std::string& line : lines)
    if (!line.empty()) indent = std::min(indent, line.find_first_not_of(' '));
  for (std::string& line : lines)
    if (!line.empty()) line.erase(0, indent);
  return lines;
}

/// Returns whether the lines of `part` appear consecutively in `whole`, ignoring their common
/// indent.
bool is_excerpt(const std::vector<std::string>& part, const std::vector<std::string>& whole) {
  if (part.empty()) return false;
  for (std::size_t first = 0; first + part.size() <= whole.size(); ++first) {
    const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(part.size());
    if (dedented({begin, end}) == dedented(part)) return true;
  }
  return false;
}

constexpr std::size_t kDiffContext = 1;
constexpr std::size_t kScreenLines = 45;

/// Returns the code of a source to compare: without documentation and without a header's frame.
std::vector<std::string> code_of(std::vector<std::string> lines) {
  std::erase_if(lines, is_frame_of_code);
  return lines;
}

/// Returns the section of a profile for one kernel, or all of it if `kernel` is empty. A section
/// begins with a line such as "twice(int, float*): 1 launch", and ends with empty lines.
std::vector<std::string> profile_of_kernel(const std::string& profile, const std::string& kernel) {
  static const tools::Pattern kHeading(R"((\w+)(<.*>)?\(.*\): \d+ launch(es)?)");
  std::vector<std::string> part;
  bool is_wanted = kernel.empty();
  for (const std::string& line : tools::lines_of(profile)) {
    if (!kernel.empty())
      if (const tools::Match heading = kHeading.matches(line)) is_wanted = heading[1] == kernel;
    if (is_wanted) part.push_back(line);
  }
  while (!part.empty() && part.back().empty()) part.pop_back();
  return part;
}

class BlockReader {
 public:
  BlockReader(const CodeBlock& block, const fs::path& folder, const Library& library)
      : block_(block), folder_(folder), library_(library) {}

  BlockProof run() {
    if (block_.kind == "source") {
      compare_source();
    } else if (block_.kind == "diff") {
      compare_diff();
    } else if (block_.kind == "output") {
      compare_output();
    } else if (block_.kind == "profile") {
      compare_profile();
    } else if (block_.kind.empty() && block_.language == "sh") {
      check_commands();
    } else if (block_.kind.empty()) {
      fault("a code block without a comment that says where it comes from");
    }
    return std::move(proof_);
  }

 private:
  void fault(const std::string& what) { proof_.faults.push_back(what); }

  void correct(const std::string& what, std::vector<std::string> right) {
    proof_.correction = what;
    proof_.right = std::move(right);
  }

  std::vector<std::string> source_lines(const std::string& place) const {
    const std::size_t hash = place.find('#');
    const fs::path beside = folder_ / place.substr(0, hash);
    const fs::path path = fs::exists(beside) ? beside : library_.root / place.substr(0, hash);
    if (hash == std::string::npos) return tools::read_lines(path);
    return tools::passage_named(path, place.substr(hash + 1));
  }

  void compare_source() {
    proof_.is_compared = true;
    const std::vector<std::string> places = words_in(block_.comment);
    const bool is_diff = block_.language == "diff" && places.size() == 2;
    if (places.size() != (is_diff ? 2u : 1u)) {
      fault("a block names one source, a diff of two sources both");
      return;
    }
    for (std::size_t side = 0; side < places.size(); ++side) {
      std::vector<std::string> part;
      for (const std::string& line : block_.lines) {
        if (!is_diff) {
          part.push_back(line);
        } else if (line.empty() || line[0] != (side == 0 ? '+' : '-')) {
          part.push_back(line.empty() ? line : line.substr(1));
        }
      }
      if (!is_excerpt(part, source_lines(places[side])))
        fault("the code is not what stands in " + places[side]);
    }
  }

  void compare_diff() {
    proof_.is_compared = true;
    const std::vector<std::string> places = words_in(block_.comment);
    if (places.size() != 2 || block_.language != "diff") {
      fault("a diff is a block of `diff` and names two sources");
      return;
    }
    const std::vector<std::string> diff =
        line_diff(code_of(source_lines(places[0])), code_of(source_lines(places[1])), kDiffContext);
    if (diff.empty()) fault("nothing changes from " + places[0] + " to " + places[1]);
    if (diff.size() > kScreenLines)
      fault("a diff of " + std::to_string(diff.size()) + " lines is more than a screen, " +
            std::to_string(kScreenLines));
    if (diff == block_.lines) return;
    correct("the diff is another one: " + block_.comment, diff);
  }

  void compare_output() {
    if (!library_.output_of) return;
    proof_.is_compared = true;
    const auto output = tools::lines_of(library_.output_of(words_in(block_.comment)));
    if (output == block_.lines) return;
    correct("the program prints something else: " + block_.comment, output);
  }

  void compare_profile() {
    if (!library_.profile_of) return;
    proof_.is_compared = true;
    std::vector<std::string> command = words_in(block_.comment);
    const std::size_t hash = command.at(0).find('#');
    const std::string kernel = hash == std::string::npos ? "" : command[0].substr(hash + 1);
    command[0] = command[0].substr(0, hash);
    const auto profile = profile_of_kernel(library_.profile_of(command), kernel);
    if (profile.empty()) fault("no kernel in the profile: " + block_.comment);
    if (profile.empty() || profile == block_.lines) return;
    correct("the profile is another one: " + block_.comment, profile);
  }

  /// Checks that commands call this project's front door and name existing chapters.
  void check_commands() {
    proof_.is_compared = true;
    for (const std::string& line : block_.lines) {
      const std::vector<std::string> words = words_in(line);
      if (words.size() < 3 || words[0] != "./course") continue;
      if (words[1] != "run" && words[1] != "check") continue;
      if (std::isdigit(static_cast<unsigned char>(words[2][0])))
        tools::chapter_numbered(library_.root, words[2].substr(0, 2));
    }
  }

  const CodeBlock& block_;
  const fs::path& folder_;
  const Library& library_;
  BlockProof proof_;
};

}  // namespace

BlockProof compare_block(const CodeBlock& block, const fs::path& folder, const Library& library) {
  return BlockReader(block, folder, library).run();
}

}  // namespace prose
