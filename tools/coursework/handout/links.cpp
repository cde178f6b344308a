#include "tools/coursework/handout/links.hpp"

#include <functional>

#include "tools/support/pattern.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;

/// Returns the target of a link in `file`, below the root; empty for web addresses and for links
/// within the text.
std::string target_of(const fs::path& file, std::string link) {
  if (link.find(':') != std::string::npos || link.starts_with("#")) return {};
  link = link.substr(0, link.find('#'));
  return (file.parent_path() / link).lexically_normal().string();
}

using Replace = std::function<std::string(const tools::Match& link)>;

std::string replace_links(const std::string& text, const Replace& replace) {
  static const tools::Pattern kLink(R"(!?\[([^\]\[]+)\]\(([^)\s]+)\))");
  return kLink.replace(text, replace);
}

/// Applies `change` to the parts of a text outside of code, and returns the whole text.
std::string change_prose(const std::string& text,
                         const std::function<std::string(const std::string&)>& change) {
  std::string result, part;
  bool is_code = false;
  for (const std::string& line : tools::lines_of(text)) {
    const bool is_fence = line.starts_with("```");
    if (is_fence && !is_code) {
      result += change(part);
      part.clear();
    }
    part += line + "\n";
    if (is_fence && is_code) {
      result += part;
      part.clear();
    }
    if (is_fence) is_code = !is_code;
  }
  return result + (is_code ? part : change(part));
}

bool leads_somewhere(const std::string& target, const ExtractedFiles& files) {
  if (files.contains(target)) return true;
  const std::string folder = target.ends_with("/") ? target : target + "/";
  const auto next = files.lower_bound(folder);
  return next != files.end() && next->first.string().starts_with(folder);
}

}  // namespace

std::vector<std::string> links_in(const fs::path& file, const std::string& text) {
  std::vector<std::string> links;
  change_prose(text, [&](const std::string& part) {
    return replace_links(part, [&](const tools::Match& link) {
      const std::string target = target_of(file, link.str(2));
      if (!target.empty()) links.push_back(target);
      return link.str();
    });
  });
  return links;
}

std::string without_dead_links(const fs::path& file, const std::string& text,
                               const ExtractedFiles& files) {
  return change_prose(text, [&](const std::string& part) {
    return replace_links(part, [&](const tools::Match& link) {
      const std::string target = target_of(file, link.str(2));
      return link.str(target.empty() || leads_somewhere(target, files) ? 0 : 1);
    });
  });
}

}  // namespace coursework
