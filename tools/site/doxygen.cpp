#include "tools/site/doxygen.hpp"

#include <map>
#include <set>
#include <string>

#include "tools/site/frame.hpp"
#include "tools/site/output_folder.hpp"
#include "tools/site/reference.hpp"
#include "tools/site/search_index.hpp"
#include "tools/site/text.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/subprocess.hpp"

namespace site {

namespace fs = std::filesystem;

namespace {

/// Returns comments that make Doxygen document the chapters' files.
std::string file_comments(const Book& book) {
  struct Kind {
    const char* file;
    const char* what;
  };
  constexpr Kind kKinds[] = {{"kernels.cuh", "The kernels of chapter "},
                             {"main.cu", "The experiment of chapter "},
                             {"alone.cu", "A whole program, of chapter "}};
  std::string text;
  const auto comment = [&](const fs::path& file, const std::string& brief) {
    text += "/** @file " + file.string() + "\n *  @brief " + brief + "\n */\n";
  };
  for (const fs::path& chapter : book.chapters()) {
    const std::string label = book.page_of(chapter / "README.md")->label;
    for (const auto& [file, what] : kKinds)
      if (fs::exists(book.root() / chapter / file)) comment(chapter / file, what + label);
    std::string before;
    for (const Kernel& kernel : kernels_of(book.root(), chapter)) {
      if (kernel.file.parent_path() == chapter || kernel.file.string() == before) continue;
      before = kernel.file.string();
      comment(kernel.file, "A step of chapter " + label);
    }
  }
  return text;
}

/// Returns the text of the first <tag> of a piece of XML.
std::string element(std::string_view xml, const std::string& tag) {
  const std::string open = "<" + tag + ">";
  const std::size_t begin = xml.find(open);
  if (begin == std::string_view::npos) return "";
  const std::size_t text = begin + open.size();
  return plain_text(xml.substr(text, xml.find('<', text) - text));
}

/// Returns what stands between two marks.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  if (from == std::string::npos) return "";
  const std::size_t inside = from + begin.size();
  return text.substr(inside, text.find(end, inside) - inside);
}

/// Doxygen's pages, as its tag file lists them.
class DoxygenPages {
 public:
  DoxygenPages(const fs::path& root, const fs::path& folder) : root_(root), folder_(folder) {
    const std::string xml = tools::read_file(folder / "tags.xml");
    const std::string compound = "<compound kind=\"", end = "</compound>";
    for (std::size_t at = 0; (at = xml.find(compound, at)) != std::string::npos;) {
      at += compound.size();
      const std::size_t close = xml.find(end, at);
      add(xml.substr(at, xml.find('"', at) - at), std::string_view(xml).substr(at, close - at));
    }
    for (const auto& [file, text] : files_) add_types(file, text);
    const std::string source = "_source.html";
    for (const auto& entry : fs::directory_iterator(folder / "html")) {
      const std::string name = entry.path().filename();
      if (name.ends_with(source) && !names_.contains(name))
        add_bare_source(name, name.substr(0, name.size() - source.size()));
    }
  }

  const Reference& reference() const { return reference_; }
  /// The pages' names; behind that of a file or of its listing stands the file.
  const std::map<std::string, std::string>& names() const { return names_; }
  std::string text(const std::string& name) const {
    return tools::read_file(folder_ / "html" / name);
  }

 private:
  void add(const std::string& kind, std::string_view xml) {
    std::string page = element(xml, "filename");
    const std::string html = ".html";
    if (page.ends_with(html)) page.erase(page.size() - html.size());  // not in all versions
    if (kind == "file") {
      add_file(xml, page);
    } else if (kind == "struct" || kind == "class" || kind == "union") {
      names_[page + html];
      types_[element(xml, "name")] = page + html;
    } else if (kind == "namespace" && fs::exists(folder_ / "html" / (page + html))) {
      names_[page + html];
    }
  }

  void add_file(std::string_view xml, const std::string& page) {
    fs::path folder = element(xml, "path");
    if (folder.is_absolute()) folder = folder.lexically_relative(root_);  // older versions' way
    const std::string file = (folder / element(xml, "name")).generic_string();
    reference_.add_file(file, page);
    names_[page + ".html"] = names_[page + "_source.html"] = file;
    files_[file] = xml;
    add_members(file, xml);
    add_listed_members(file, page + ".html");
  }

  /// A file without documentation, of which tags.xml says nothing: its listing says where it is.
  void add_bare_source(const std::string& name, const std::string& page) {
    static const tools::Pattern kFolder(R"re(<li class="navelem">(.*?)</li>)re");
    const std::string html = text(name);
    const std::string path = between(html, "<div id=\"nav-path\"", "</div>");
    fs::path file;
    for (const tools::Match& folder : kFolder.all(path)) file /= plain_text(folder[1]);
    file /= plain_text(between(html, "<div class=\"title\">", "</div>"));
    reference_.add_file(file.generic_string(), page);
    names_[name] = file.generic_string();
  }

  /// The functions and constants of a file that tags.xml knows.
  void add_members(const std::string& file, std::string_view xml) {
    const std::string_view begin = "<member ", end = "</member>";
    for (std::size_t at = 0; (at = xml.find(begin, at)) != std::string_view::npos; ++at) {
      const std::string_view member = xml.substr(at, xml.find(end, at) - at);
      reference_.add_member(file, element(member, "name"),
                            element(member, "anchorfile") + "#" + element(member, "anchor"));
    }
  }

  /// Those that the page of `file` lists. (Newer versions leave those that stand in a namespace
  /// out of what tags.xml tells of the file.)
  void add_listed_members(const std::string& file, const std::string& page) {
    static const tools::Pattern kEntry(
        R"re(ItemRight"[^>]*><a class="el" href="([^"#]*)(#[^"]*)">([^<]*)</a>)re");
    if (!fs::exists(folder_ / "html" / page)) return;
    for (const std::string& line : split_lines(text(page))) {
      if (line.find("ItemRight\"") == std::string::npos) continue;
      if (const tools::Match entry = kEntry.search(line))
        reference_.add_member(file, entry.str(3),
                              (entry[1].empty() ? page : entry.str(1)) + entry.str(2));
    }
  }

  /// Notes which types a file defines, by what tags.xml says of it.
  void add_types(const std::string& file, const std::string& xml) {
    static const tools::Pattern kType(R"re(<class kind="\w+">([^<]*)</class>)re");
    for (const tools::Match& type : kType.all(xml)) {
      const auto page = types_.find(plain_text(type[1]));
      if (page == types_.end()) continue;
      reference_.add_member(file, page->first.substr(page->first.rfind(':') + 1), page->second);
    }
  }

  fs::path root_, folder_;
  Reference reference_;
  std::map<std::string, std::string> types_;  ///< pages by name
  std::map<std::string, std::string> files_;  ///< what tags.xml says of them
  std::map<std::string, std::string> names_;
};

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

/// What stands on one of Doxygen's pages. Members of bases are always shown: no script is needed.
std::string contents_of(const std::string& page) {
  static const tools::Pattern kFold(R"re( onclick="[^"]*"><img [^>]*/>)re");
  std::string html;
  for (const std::string& line :
       split_lines(between(page, "<div class=\"contents\">\n", "</div><!-- contents -->"))) {
    if (line.find("class=\"line\"") != std::string::npos)
      html += with_cuda_words(line);
    else
      html += line.find("inherit_header") == std::string::npos ? line : kFold.replace(line, ">");
    html += '\n';
  }
  return html;
}

}  // namespace

void prepare_reference(const Book& book, const fs::path& output) {
  write_if_changed(output / "doxygen/files.dox", file_comments(book));
  write_if_changed(output / "frame.html", make_frame(book));
}

void write_reference(const fs::path& root, const fs::path& output) {
  const std::string frame = tools::read_file(output / "frame.html");
  const DoxygenPages pages(root, output / "doxygen");
  OutputFolder html(output / "html", output / "reference.list");
  SearchIndex index;
  for (const auto& [name, file] : pages.names()) {
    const std::string page = pages.text(name);
    const std::string title = file.empty() ? between(page, "<div class=\"title\">", "</div>")
                                           : replace_all(file, "/", "/<wbr>");
    const Contents contents = {name, title, contents_of(page)};
    html.write(name, framed(frame, contents, Styles::of_doxygen));
    if (name.ends_with("_source.html"))
      index.add_source(contents);
    else
      index.add_sections(contents, "reference");
  }
  for (const auto& entry : fs::directory_iterator(output / "doxygen/html")) {
    const fs::path extension = entry.path().extension();
    if (extension == ".css" || extension == ".png" || extension == ".svg")
      html.copy(entry.path(), entry.path().filename());
  }
  html.write("search_reference.js", index.script("courseSearchReference"));
  html.finish();
  pages.reference().save(output / "reference.json");
}

}  // namespace site
