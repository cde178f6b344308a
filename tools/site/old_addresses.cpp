#include "tools/site/old_addresses.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "course/html.hpp"
#include "tools/site/text.hpp"
#include "tools/support/source_text.hpp"

namespace site {
namespace {

namespace fs = std::filesystem;

const fs::path kList = "docs/renumbered.txt";

[[noreturn]] void throw_list_error(const std::string& what) {
  throw std::runtime_error(kList.string() + ": " + what);
}

/// Reads the old and the new name of each renumbered chapter.
std::vector<std::pair<std::string, std::string>> read_list(const Book& book) {
  std::vector<std::pair<std::string, std::string>> list;
  if (!fs::exists(book.root() / kList)) return list;
  for (const std::string& line : tools::read_lines(book.root() / kList)) {
    if (line.empty() || line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string before, now, more;
    if (!(words >> before >> now) || words >> more)
      throw_list_error("not an old name and a new one: " + line);
    const std::vector<fs::path>& chapters = book.chapters();
    if (std::find(chapters.begin(), chapters.end(), fs::path("chapters") / now) == chapters.end())
      throw_list_error("there is no chapter " + now);
    list.emplace_back(before, now);
  }
  return list;
}

/// Returns a folder's name as Doxygen writes it in page names.
std::string in_doxygen(const std::string& name) { return replace_all(name, "_", "__"); }

std::string page_that_leads_to(const std::string& page) {
  const std::string to = course::escape_html(page);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<title>This page has moved</title>\n"
         "<script>location.replace('" +
         to +
         "' + location.hash)</script>\n"
         "<meta http-equiv=\"refresh\" content=\"0; url=" +
         to + "\">\n<link rel=\"canonical\" href=\"" + to +
         "\">\n</head>\n<body>\n<main>\n<h1>This page has moved</h1>\n<p>It is <a href=\"" + to +
         "\">here</a> now.</p>\n</main>\n</body>\n</html>\n";
}

}  // namespace

std::map<std::string, std::string> old_addresses(const Book& book,
                                                 const std::set<std::string>& pages) {
  std::map<std::string, std::string> leading;
  for (const auto& [before, now] : read_list(book)) {
    for (const std::string& page : pages) {
      std::string old = replace_all(page, now, before);
      old = replace_all(old, in_doxygen(now), in_doxygen(before));
      if (old == page) continue;
      if (pages.contains(old)) throw_list_error("there is a page " + old + " today");
      leading[old] = page_that_leads_to(page);
    }
  }
  return leading;
}

}  // namespace site
