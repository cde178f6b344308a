#include "tools/site/finish.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <vector>

#include "tools/site/old_addresses.hpp"
#include "tools/site/search_index.hpp"
#include "tools/site/text.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/subprocess.hpp"

namespace site {

namespace fs = std::filesystem;

namespace {

/// The addresses that Doxygen gave to what it documents.
struct Addresses {
  std::map<std::string, std::string> pages;    ///< "chapters/.../kernels.cuh" to "x_8cuh"
  std::map<std::string, std::string> members;  ///< "chapters/.../kernels.cuh#name" to "x.html#a0"
  std::map<std::string, std::string> files;    ///< "x_8cuh_source.html" to the path of the file
};

/// Returns the text of the first <tag> in `xml` at or after `from`.
std::string element(const std::string& xml, const std::string& tag, std::size_t from,
                    std::size_t end) {
  const std::string open = "<" + tag + ">";
  const std::size_t begin = xml.find(open, from);
  if (begin == std::string::npos || begin >= end) return "";
  const std::size_t text = begin + open.size();
  return plain_text(xml.substr(text, xml.find('<', text) - text));
}

/// Adds the functions that a file's page lists. (Newer versions of Doxygen omit functions of a
/// namespace elsewhere.)
void add_members(Addresses& addresses, const std::string& file, const fs::path& page) {
  static const tools::Pattern kEntry(
      R"re(ItemRight"[^>]*><a class="el" href="([^"#]*)(#[^"]*)">([^<]*)</a>)re");
  if (!fs::exists(page)) return;
  for (const std::string& line : split_lines(tools::read_file(page)))
    if (const tools::Match entry = kEntry.search(line)) {  // types have pages of their own
      const std::string on = entry[1].empty() ? page.filename().string() : entry.str(1);
      addresses.members[file + "#" + entry.str(3)] = on + entry.str(2);
    }
}

Addresses read_addresses(const fs::path& root, const fs::path& output) {
  const std::string xml = tools::read_file(output / "tags.xml");
  Addresses addresses;
  const std::string compound = "<compound kind=\"file\">";
  for (std::size_t at = 0; (at = xml.find(compound, at)) != std::string::npos; ++at) {
    const std::size_t end = xml.find("</compound>", at);
    fs::path folder = element(xml, "path", at, end);
    // Older versions of Doxygen
    if (folder.is_absolute()) folder = folder.lexically_relative(root);
    const std::string file = (folder / element(xml, "name", at, end)).generic_string();
    std::string page = element(xml, "filename", at, end);
    if (page.ends_with(".html")) page.erase(page.size() - std::string_view(".html").size());
    addresses.pages[file] = page;
    addresses.files[page + "_source.html"] = file;
    addresses.files[page + ".html"] = file;
    add_members(addresses, file, output / "html" / (page + ".html"));
  }
  return addresses;
}

/// Returns Doxygen's address for "doc:FILE", "doc:FILE#function" or "src:FILE#L12".
std::string address_of(const std::string& link, const Addresses& addresses) {
  const std::string kind = link.substr(0, 4), target = link.substr(4);
  const std::size_t hash = std::min(target.find('#'), target.size());
  const auto page = addresses.pages.find(target.substr(0, hash));
  if (page == addresses.pages.end()) throw std::runtime_error("Doxygen does not list " + target);
  const std::string anchor = target.substr(std::min(hash + 1, target.size()));
  if (kind == "src:") {
    if (anchor.empty()) return page->second + "_source.html";
    std::string line = anchor.substr(1);
    constexpr std::size_t kDigits = 5;
    return page->second + "_source.html#l" + std::string(kDigits - line.size(), '0') + line;
  }
  if (anchor.empty()) return page->second + ".html";
  const auto member = addresses.members.find(target);
  if (member == addresses.members.end())
    throw std::runtime_error("Doxygen does not know " + target);
  return member->second;
}

/// Marks CUDA's keywords in a line of highlighted code.
std::string with_cuda_words(const std::string& line) {
  static const tools::Pattern kWord(
      R"re(<span class="comment">[^<]*</span>|<[^>]*>|&\w+;)re"  // skipped
      R"re(|\b__(?:global|device|host|shared|constant|managed|restrict|launch_bounds)__\b)re"
      R"re(|\b(?:threadIdx|blockIdx|blockDim|gridDim|warpSize)\b)re"
      R"re(|\bu?(?:char|short|int|long|float|double)[1-4]\b)re");
  return kWord.replace(line, [](const tools::Match& match) {
    const std::string word = match.str();
    if (word[0] == '<' || word[0] == '&') return word;
    const char* kind = word[0] == '_' ? "keyword" : word.back() <= '4' ? "keywordtype" : "builtin";
    return "<span class=\"" + std::string(kind) + "\">" + word + "</span>";
  });
}

/// Returns whether a page of Doxygen's only lists other pages. The navigation and the search do
/// that better, so such pages are removed.
bool is_list_of_pages(const std::string& name) {
  static const tools::Pattern kName(
      R"re((dir_|functions|globals|namespacemembers).*\.html)re"
      R"re(|(annotated|classes|doxygen_crawl|files|hierarchy|inherits|namespaces|pages|topics)\.html)re");
  return static_cast<bool>(kName.matches(name));
}

/// Removes links to such lists from a line, and scripts that this version of Doxygen does not
/// write.
std::string without_what_is_not_there(std::string line, const fs::path& html) {
  static const tools::Pattern kLink(R"re(<a [^>]*href="([^"#]*)[^"]*"[^>]*>(.*?)</a>)re");
  static const tools::Pattern kScript(R"re(<script src="([^":]*)" defer></script>)re");
  line = kLink.replace(line, [](const tools::Match& link) {
    return link.str(is_list_of_pages(link.str(1)) ? 2 : 0);
  });
  return kScript.replace(line, [&](const tools::Match& script) {
    return fs::exists(html / script.str(1)) ? script.str() : "";
  });
}

std::string finished(const std::string& html, const std::string& name, const Addresses& addresses,
                     const fs::path& folder) {
  static const tools::Pattern kTitle(R"re(<div class="title">(.*)</div>)re");
  static const tools::Pattern kLink(R"re(href="((?:doc|src):[^"]*)")re");
  const auto listed = addresses.files.find(name);
  const std::string here = "href=\"" + name + "\"";
  std::string result;
  bool in_navigation = false;
  for (const std::string& original : split_lines(html)) {
    std::string line = kLink.replace(original, [&](const tools::Match& match) {
      return "href=\"" + address_of(match.str(1), addresses) + "\"";
    });
    line = without_what_is_not_there(std::move(line), folder);
    line = kTitle.replace(line, [&](const tools::Match& match) {
      const std::string title = listed == addresses.files.end()
                                    ? match.str(1)
                                    : replace_all(listed->second, "/", "/<wbr>");
      return "<h1 class=\"title\">" + title + "</h1>";
    });
    if (line.find("<nav id=\"site-nav\"") != std::string::npos) in_navigation = true;
    if (in_navigation) line = replace_all(line, here, here + " aria-current=\"page\"");
    // Doxygen's arrow before inherited members.
    line = replace_all(line, "alt=\"-\"", "alt=\"shows or hides the list\"");
    if (line.find("</nav>") != std::string::npos) in_navigation = false;
    if (line.find("class=\"line\"") != std::string::npos) line = with_cuda_words(line);
    result += line + '\n';
  }
  return result;
}

/// Returns the names of the pages reachable from the home page. Doxygen also writes lists that
/// nobody needs here, such as a class hierarchy, and no setting turns them off.
std::set<std::string> reached(const std::map<std::string, std::string>& pages) {
  static const tools::Pattern kPage(R"re(href="([^"#/:]+\.html)["#])re");
  std::vector<std::string> open = {"index.html"};
  std::set<std::string> known = {"index.html"};
  while (!open.empty()) {
    const auto page = pages.find(open.back());
    open.pop_back();
    if (page == pages.end()) continue;
    for (const tools::Match& link : kPage.all(page->second))
      if (known.insert(link.str(1)).second) open.push_back(link.str(1));
  }
  return known;
}

}  // namespace

void finish(const Book& book, const fs::path& output) {
  const Addresses addresses = read_addresses(book.root(), output);
  std::map<std::string, std::string> pages;
  for (const auto& entry : fs::directory_iterator(output / "html")) {
    if (entry.path().extension() != ".html") continue;
    const std::string name = entry.path().filename();
    pages[name] = finished(tools::read_file(entry.path()), name, addresses, output / "html");
  }
  const std::set<std::string> in_use = reached(pages);

  SearchIndex index(book);
  for (const auto& [name, html] : pages) {
    const fs::path page = output / "html" / name;
    if (!in_use.contains(name)) {
      fs::remove(page);
      continue;
    }
    std::ofstream(page) << html;
    const auto file = addresses.files.find(name);
    index.add(name, html, file == addresses.files.end() ? "" : file->second);
  }
  std::ofstream(output / "html/search_index.js") << index.script();

  std::set<std::string> there;
  for (const auto& [name, html] : pages)
    if (in_use.contains(name)) there.insert(name);
  for (const auto& [name, html] : old_addresses(book, there))
    std::ofstream(output / "html" / name) << html;
}

}  // namespace site
