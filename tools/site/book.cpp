#include "tools/site/book.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "tools/site/text.hpp"
#include "tools/support/json.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace site {

namespace fs = std::filesystem;

namespace {

/// Returns the entries of a folder that `wanted` accepts, sorted, relative to `root`.
template <class Wanted>
std::vector<fs::path> sorted_entries(const fs::path& root, const fs::path& folder, Wanted wanted) {
  std::vector<fs::path> found;
  if (!fs::is_directory(root / folder)) return found;
  for (const auto& entry : fs::directory_iterator(root / folder))
    if (wanted(entry.path())) found.push_back(fs::relative(entry.path(), root));
  std::sort(found.begin(), found.end());
  return found;
}

/// Returns the first sentence of documentation lines that begin with "///".
std::string first_sentence(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    const std::string words = tools::trimmed(line.substr(3));
    if (words.empty() || (!text.empty() && words.starts_with("@"))) break;
    if (words.starts_with("@")) continue;
    if (!text.empty()) text += ' ';
    text += words;
    const std::size_t stop = text.find(". ");
    if (stop != std::string::npos) return text.substr(0, stop + 1);
  }
  return text;
}

/// Returns the name of a file or folder as words.
std::string in_words(const fs::path& name) { return replace_all(name.string(), "_", " "); }

/// Returns the home page's name for a chapter: the text of a link that begins with the chapter's
/// number, as in the list of chapters; otherwise the folder's name in words.
std::string label_of(const fs::path& root, const fs::path& chapter) {
  const std::string target = "](" + (chapter / "README.md").string() + ")";
  const std::string folder = chapter.filename().string();
  const std::string number = folder.substr(0, folder.find('_'));
  for (const std::string& line : tools::read_lines(root / "README.md")) {
    const std::size_t end = line.find(target);
    if (end == std::string::npos || end == 0) continue;
    const std::size_t begin = line.rfind('[', end) + 1;
    if (line.compare(begin, number.size(), number) == 0) return line.substr(begin, end - begin);
  }
  return in_words(chapter.filename());
}

/// See Book::live_figures().
std::map<std::string, std::string> read_live_figures(const fs::path& pictures) {
  std::map<std::string, std::string> figures;
  if (!fs::exists(pictures)) return figures;
  const nlohmann::json all = tools::parse_json(tools::read_file(pictures));
  for (const auto& [name, picture] : all.items()) {
    if (!picture.contains("live")) continue;
    nlohmann::json figure = picture.at("live");
    if (!figure.contains("title")) figure["title"] = picture.at("title");
    figures[name] = figure.dump();
  }
  return figures;
}

/// See Book::picture_titles().
std::map<std::string, std::string> read_titles(const fs::path& docs) {
  std::map<std::string, std::string> titles;
  const auto add = [&](const std::string& name, const nlohmann::json& picture) {
    if (picture.is_object() && picture.contains("title")) titles[name] = picture.at("title");
  };
  const fs::path pictures = docs / "pictures/pictures.json", plots = docs / "plots/plots.json";
  if (fs::exists(pictures)) {
    const nlohmann::json all = tools::parse_json(tools::read_file(pictures));
    for (const auto& [name, picture] : all.items()) add(name, picture);
  }
  if (fs::exists(plots)) {
    const nlohmann::json all = tools::parse_json(tools::read_file(plots));
    for (const nlohmann::json& plot : all.at("pictures")) add(plot.at("name"), plot);
  }
  return titles;
}

/// Returns Markdown as plain words, without the links to chapters that end a glossary's entry.
std::string plain_words(const std::string& markdown) {
  static const tools::Pattern kComment(R"(<!--.*?-->)");
  static const tools::Pattern kChapter(R"( *\[Chapter[^\]]*\]\([^)]*\)\.?)");
  static const tools::Pattern kLink(R"(\[([^\]]*)\]\([^)]*\))");
  std::string words = kLink.replace(kChapter.replace(kComment.replace(markdown, ""), ""), "$1");
  std::erase_if(words, [](char c) { return c == '`' || c == '*'; });
  return tools::trimmed(words);
}

/// See Book::glossary(). The meaning is an entry's first paragraph.
std::map<std::string, std::string> read_glossary(const fs::path& file) {
  const std::string heading = "### ";
  std::map<std::string, std::string> glossary;
  std::string word, meaning;
  bool is_whole = false;
  const auto add = [&] {
    const std::string plain = plain_words(meaning);
    if (!word.empty()) glossary[slug(word)] = plain.empty() ? word : word + '\n' + plain;
    word.clear(), meaning.clear();
    is_whole = false;
  };
  for (const std::string& line : tools::read_lines(file)) {
    if (line.starts_with("#")) {
      add();
      if (line.starts_with(heading)) word = line.substr(heading.size());
    } else if (line.empty()) {
      is_whole = !meaning.empty();
    } else if (!is_whole) {
      meaning += (meaning.empty() ? "" : " ") + line;
    }
  }
  add();
  return glossary;
}

}  // namespace

Book::Book(fs::path root) : root_(std::move(root)), measurements_(root_ / "docs/measurements") {
  chapters_ = sorted_entries(root_, "chapters",
                             [](const fs::path& path) { return fs::exists(path / "README.md"); });

  pages_.push_back({"index", "README.md", "Home", "Course"});
  pages_.push_back({"setup", "docs/setup.md", "Set-up", "Course"});
  for (const fs::path& chapter : chapters_) {
    const std::string name = chapter.filename();
    pages_.push_back(
        {"chapter_" + name, chapter / "README.md", label_of(root_, chapter), "Chapters"});
    const auto is_further_page = [](const fs::path& path) {
      return path.extension() == ".md" && path.filename() != "README.md";
    };
    for (const fs::path& page : sorted_entries(root_, chapter, is_further_page))
      pages_.push_back({"chapter_" + name + "_" + page.stem().string(), page,
                        label_of(root_, chapter) + ", " + in_words(page.stem()), "Chapters"});
  }
  pages_.push_back({"glossary", "docs/glossary.md", "Glossary", "Background"});
  pages_.push_back({"nvprof", "docs/nvprof.md", "From nvprof to Nsight Compute", "Background"});
  pages_.push_back(
      {"own_project", "docs/own_project.md", "Test your CUDA code without a GPU", "Background"});
  pages_.push_back(
      {"conformance", "docs/conformance.md", "What of CUDA the emulator has", "Background"});
  pages_.push_back({"emulator", "emulator/README.md", "How the emulator counts", "Background"});
  pages_.push_back({"inline_ptx", "docs/inline_ptx.md", "Inline PTX", "Background"});
  pages_.push_back(
      {"tensor_cores", "docs/tensor_cores.md", "Tensor cores in the emulator", "Background"});
  pages_.push_back({"architecture", "docs/architecture.md", "Architecture", "Background"});
  pages_.push_back({"measuring", "docs/measuring.md", "How to measure on a GPU", "Background"});
  pages_.push_back({"teaching", "docs/teaching.md", "Teaching", "Background"});
  pages_.push_back({"confinement", "tools/coursework/confine/README.md", "How answers are confined",
                    "Background"});
  pages_.push_back(
      {"sandbox", "tools/coursework/sandbox/README.md", "The grader's sandbox", "Background"});
  pages_.push_back({"changes", "CHANGELOG.md", "Changes", "Background"});
  pages_.push_back({"contributing", "CONTRIBUTING.md", "Contributing", "Background"});
  for (const Page& page : pages_)
    if (!fs::exists(root_ / page.source))
      throw std::runtime_error("a page of the site is missing: " + page.source.string());

  if (has_explorer()) live_figures_ = read_live_figures(root_ / "docs/pictures/pictures.json");

  picture_titles_ = read_titles(root_ / "docs");
  glossary_ = read_glossary(root_ / "docs/glossary.md");
}

const Page* Book::page_of(const fs::path& source) const {
  const auto page = std::find_if(pages_.begin(), pages_.end(),
                                 [&](const Page& candidate) { return candidate.source == source; });
  return page == pages_.end() ? nullptr : &*page;
}

bool Book::has_explorer() const { return fs::exists(root_ / "docs/explorer/index.html"); }

std::string Book::edition() const {
  static const tools::Pattern kHeading(R"(^## (\d+\.\d+\.\d+), (\d{4}-\d\d-\d\d)$)");
  for (const std::string& line : tools::read_lines(root_ / "CHANGELOG.md"))
    if (const tools::Match heading = kHeading.search(line))
      return heading.str(1) + " of " + heading.str(2);
  throw std::runtime_error("CHANGELOG.md: no heading names a version and its date");
}

std::vector<Kernel> kernels_of(const fs::path& root, const fs::path& chapter) {
  const auto is_step_file = [](const fs::path& path) {
    return path.extension() == ".cuh" &&
           std::isdigit(static_cast<unsigned char>(path.filename().string()[0])) != 0;
  };
  std::vector<fs::path> files = sorted_entries(root, chapter / "steps", is_step_file);
  if (fs::exists(root / chapter / "kernels.cuh"))
    files.insert(files.begin(), chapter / "kernels.cuh");

  std::vector<Kernel> kernels;
  for (const fs::path& file : files) {
    const std::vector<std::string> lines = tools::read_lines(root / file);
    auto from = lines.begin();
    for (const tools::Function& function : tools::functions_in(lines)) {
      if (!function.is_kernel) continue;
      if (function.documentation_lines == 0)
        throw std::runtime_error(file.string() + ": " + function.name + " has no documentation");
      from = std::search(from, lines.end(), function.lines.begin(), function.lines.end());
      const auto documentation = static_cast<std::ptrdiff_t>(function.documentation_lines);
      const auto first = static_cast<int>(from - lines.begin()) + 1;
      const bool is_step = file.parent_path() != chapter;
      const std::string step = is_step ? tools::step_name(file) : "";
      kernels.push_back({.name = is_step ? step : function.name,
                         .function = function.name,
                         .listed = is_step ? step + "::" + function.name : function.name,
                         .file = file,
                         .first_line = first + static_cast<int>(documentation),
                         .last_line = first + static_cast<int>(function.lines.size()) - 1,
                         .summary = first_sentence(
                             {function.lines.begin(), function.lines.begin() + documentation})});
    }
  }
  return kernels;
}

std::string summary_of(const fs::path& file) {
  std::vector<std::string> comment;
  bool in_comment = false;
  for (const std::string& line : tools::read_lines(file)) {
    if (line.starts_with("/// @file")) {
      in_comment = true;
    } else if (in_comment && line.starts_with("///")) {
      comment.push_back(line);
    } else if (in_comment) {
      break;
    }
  }
  if (comment.empty()) throw std::runtime_error(file.string() + " has no @file comment");
  return first_sentence(comment);
}

std::vector<fs::path> public_headers(const fs::path& root) {
  const auto is_header = [](const fs::path& path) { return path.extension() == ".hpp"; };
  std::vector<fs::path> headers = sorted_entries(root, "common/include/course", is_header);
  for (const fs::path& header : sorted_entries(root, "common/counters/include/course", is_header))
    headers.push_back(header);
  // The other headers of this folder hold CUDA's own functions, and calls that the rewriter
  // inserts.
  for (const char* name : {"check.h", "counters.h", "device.h", "launch.h", "memory.h"})
    headers.push_back(fs::path("emulator/include/emulator") / name);
  return headers;
}

}  // namespace site
