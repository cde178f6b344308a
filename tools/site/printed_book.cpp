#include "tools/site/printed_book.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <set>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "course/html.hpp"
#include "tools/site/output_folder.hpp"
#include "tools/site/reference.hpp"
#include "tools/site/text.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/subprocess.hpp"

namespace site {

namespace fs = std::filesystem;
using tools::Match;
using tools::Pattern;

namespace {

constexpr std::chrono::seconds kTimeLimit{600};

/// What the end of a chapter has behind its id.
constexpr const char* kEnd = "--end";
/// The height of a chapter's last line, in points above the bottom of A4, from which on its page is
/// nearly empty.
constexpr double kNearlyEmpty = 630;
/// Characters of a PDF that hold a place which links lead to.
constexpr std::size_t kMostOfPlace = 80;

/// Whether a page of the site is in the book.
bool is_in_book(const Page& page) {
  return page.part == "Chapters" || page.id == "setup" || page.id == "glossary";
}

/// Part of a picture, in its own units.
struct Slice {
  int top = 0, height = 0;
};

/// A picture cut above its panels' names into parts that fit on a page, with letters that can be
/// read; one part if it needs no cut.
std::vector<Slice> slices_of(const std::string& svg, int height) {
  constexpr int kMostUnits = 900, kAbove = 20;
  static const Pattern kPanel(R"re(<text x="\d+" y="(\d+)" class="code strong">)re");
  std::vector<int> cuts;  // where it may be cut
  int before = 0;
  for (const std::string& line : split_lines(svg)) {
    const Match panel = kPanel.search(line);
    if (!panel) continue;
    const int y = std::stoi(panel.str(1));
    if (y > before + kAbove) cuts.push_back(y - kAbove);  // else it is the name's second line
    before = y;
  }
  std::vector<Slice> slices;
  int top = 0;
  cuts.push_back(height);
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const bool is_last = i + 1 == cuts.size();
    if (!is_last && cuts[i + 1] - top <= kMostUnits) continue;
    slices.push_back({top, cuts[i] - top});
    top = cuts[i];
  }
  return slices;
}

/// A lesson of the book as a chapter of it.
class Chapter {
 public:
  /// @param root  the project's folder, whose tall pictures are cut for paper; else empty
  Chapter(const std::string& id, const Lesson& lesson, const std::set<std::string>& ids,
          const std::string& folder, fs::path root)
      : id_(id), title_(lesson.page.title), ids_(ids), folder_(folder), root_(std::move(root)) {
    std::vector<std::string> lines = split_lines(lesson.page.html);
    lines.pop_back();  // it closes what begins before the list of sections
    std::string skipped_to;
    for (const std::string& line : lines) {
      // What is only of use on a screen: lists of links, the kernels' among them, and a second form
      // of what a table shows.
      if (line.find("<nav class=\"") != std::string::npos ||
          line.starts_with("<h2 id=\"the-kernels\""))
        skipped_to = "</nav>";
      else if (line == kAsPrinted)
        skipped_to = "</details>";
      else if (line == kDots)
        skipped_to = "</figure>";
      else if (line.starts_with(kStepCode))
        skipped_to = "</div>";
      if (skipped_to.empty() && !line.starts_with("<script") && !line.starts_with("<link"))
        add(line);
      if (!skipped_to.empty() && line.find(skipped_to) != std::string::npos) skipped_to.clear();
    }
  }

  std::string html(bool is_tight) const {
    std::string text = text_;
    if (!answers_.empty())
      text += "<h2 id=\"answers\">Answers</h2>\n<div class=\"answers\">\n" + answers_ + "</div>\n";
    // A link to the end makes the PDF tell where it is.
    const std::string end =
        root_.empty()
            ? ""
            : fmt::format("<p class=\"end\"><a id=\"{0}{1}\" href=\"#{0}{1}\">&#160;</a></p>\n",
                          id_, kEnd);
    return std::string("<section class=\"chapter") + (is_tight ? " tight" : "") + "\">\n<h1 id=\"" +
           id_ + "\">" + title_ + "</h1>\n" + linked(text) + end + "</section>\n";
  }

 private:
  void add(const std::string& line) {
    static const Pattern kBegin(R"re(^<div class="(fragment[ a-z]*)">(.*)$)re");
    if (const Match begin = kBegin.matches(line)) {
      code_kind_ = begin[1];
      code_ = code_line(begin.str(2));
    } else if (!code_kind_.empty()) {
      if (line == "</div>")
        end_code();
      else
        code_ += code_line(line);
    } else {
      add_prose(line);
    }
  }

  static std::string code_line(const std::string& line) {
    static const Pattern kLine(R"re(^<div class="(line[ a-z]*)">(.*)</div>$)re");
    const Match match = kLine.matches(line);
    if (!match) return line + '\n';
    return "<span class=\"" + match.str(1) + "\">" + match.str(2) + "</span>\n";
  }

  void end_code() {
    const bool is_diff = code_kind_.find("diff") != std::string::npos;
    const bool is_cuda = code_.find("<span class=\"k") != std::string::npos;
    const bool is_printed = code_kind_.find("printed") != std::string::npos;
    out() += std::string("<pre class=\"") +
             (is_diff      ? "diff"
              : is_cuda    ? "cpp"
              : is_printed ? "printed"
                           : "plain") +
             "\"><code>" + code_ + "</code></pre>\n";
    code_kind_.clear();
  }

  void add_prose(const std::string& line) {
    static const Pattern kTag(R"re(^</?live-figure[^>]*>|</live-figure>$)re");
    if (line.starts_with("<div class=\"prediction\"")) {
      is_prediction_ = true;
    } else if (is_prediction_ && line == "<details>") {
      const std::string number = std::to_string(++predictions_);
      const auto link = [&](const char* from, const char* to, const std::string& text) {
        return "<div class=\"to-" + std::string(to) + "\" id=\"" + from + "-" + number +
               "\"><p><a href=\"#" + to + "-" + number + "\">" + text + "</a></p></div>\n";
      };
      text_ +=
          link("question", "answer", "Answer " + number + " stands at the end of the chapter.");
      answers_ += link("answer", "question", "Answer " + number);
      is_answer_ = true;
    } else if (is_answer_ && line == "</details>") {
      is_answer_ = false;
    } else if (is_prediction_ && line == "</div>") {
      is_prediction_ = false;
    } else if (line.starts_with("<summary>")) {
      if (!is_answer_) out() += "<p class=\"fold-title\">" + plain(between_tags(line)) + "</p>\n";
    } else if (line == "<details>") {
      out() += "<div class=\"fold\">\n";
    } else if (line == "</details>") {
      out() += "</div>\n";
    } else {
      const std::string text = kTag.replace(line, "");
      out() += (root_.empty() ? text : cut(text)) + '\n';
    }
  }

  /// A line with a picture as several pictures, if it is tall.
  std::string cut(const std::string& line) const {
    static const Pattern kPicture(
        R"re(<p><img (?:width="\d+" height="\d+" )?src="files/([^"]*\.svg)" alt="([^"]*)" /></p>)re");
    static const Pattern kBox(R"re( viewBox="0 0 (\d+) (\d+)")re");
    const Match picture = kPicture.matches(line);
    if (!picture) return line;
    const std::string svg = tools::read_file(root_ / picture.str(1));
    const Match box = kBox.search(svg);
    const std::vector<Slice> slices =
        box ? slices_of(svg, std::stoi(box.str(2))) : std::vector<Slice>();
    if (slices.size() < 2) return line;
    std::string html;
    for (const auto& [top, height] : slices)
      html += fmt::format(
          "<p><img src=\"files/{0}#svgView(viewBox(0,{1},{2},{3}))\" style=\"width: 100%; "
          "aspect-ratio: {2} / {3}\" alt=\"{4}\" /></p>\n",
          picture.str(1), top, box.str(1), height, picture.str(2));
    return html;
  }

  static std::string between_tags(const std::string& line) {
    const std::size_t begin = line.find('>') + 1;
    return line.substr(begin, line.rfind("</") - begin);
  }

  static std::string plain(const std::string& html) {
    return course::escape_html(plain_text(html));
  }

  /// Where an address of the site stands in the book; empty if it is not there.
  std::string place_of(const std::string& address) const {
    static const Pattern kElsewhere(R"re(^[a-z]+:.*)re");
    if (kElsewhere.matches(address)) return address;
    const std::size_t hash = std::min(address.find('#'), address.size());
    const std::string page = address.substr(0, hash), html = ".html";
    const std::string anchor = hash == address.size() ? "" : "--" + address.substr(hash + 1);
    if (page.empty()) return "#" + id_ + anchor;
    if (!page.ends_with(html)) return "";
    const std::string id = page.substr(0, page.size() - html.size());
    return ids_.contains(id) ? "#" + id + anchor : "";
  }

  /// A text with its links, anchors and images as they are in the book.
  std::string linked(const std::string& html) const {
    static const Pattern kHere(R"re(<a class="here"[^>]*></a>)re");
    static const Pattern kFigure(R"re(<span class="figure" title="[^"]*">([^<]*)</span>)re");
    static const Pattern kLink(R"re(<a [^>]*?href="([^"]*)"[^>]*>([^]*?)</a>)re");
    static const Pattern kId(R"re(<(h\d|figure|div class="to-\w+") id="([^"]*)")re");
    static const Pattern kImage(R"re(<img ((?:width="\d+" height="\d+" )?)src="([^":]*)")re");
    static const Pattern kFigureCell(R"re((<td [^>]*class="[^"]*figure") title="[^"]*")re");
    std::string text = kFigure.replace(kHere.replace(html, ""), "$1");
    text = kFigureCell.replace(text, "$1");
    text = kLink.replace(text, [&](const Match& match) {
      const std::string place = place_of(match.str(1));
      return place.empty() ? match.str(2) : "<a href=\"" + place + "\">" + match.str(2) + "</a>";
    });
    text = kId.replace(text, "<$1 id=\"" + id_ + "--$2\"");
    return kImage.replace(text, "<img $1src=\"" + folder_ + "$2\"");
  }

  std::string& out() { return is_answer_ ? answers_ : text_; }

  std::string id_, title_;
  const std::set<std::string>& ids_;
  std::string folder_;
  fs::path root_;
  std::string text_, answers_, code_, code_kind_;
  int predictions_ = 0;
  bool is_prediction_ = false, is_answer_ = false;
};

/// Runs the first of these programs that there is.
tools::CommandResult run_first(const std::vector<std::string>& programs,
                               std::vector<std::string> arguments) {
  tools::CommandOptions options;
  options.time_limit = kTimeLimit;
  arguments.insert(arguments.begin(), "");
  for (const std::string& program : programs) {
    arguments[0] = program;
    try {
      return tools::run_command(arguments, options);
    } catch (const std::system_error&) {
      continue;  // it is not there
    }
  }
  throw std::runtime_error("the book needs " + programs[0]);
}

/// Writes the book's page, and returns where it is.
fs::path write_html(const fs::path& root, const fs::path& output, const std::string& html) {
  for (const char* sheet : {"book.css", "paper.css"})
    write_if_changed(output / "book" / sheet, tools::read_file(root / "tools/site/theme" / sheet));
  write_if_changed(output / "book/book.html", html);
  return fs::absolute(output / "book/book.html");
}

/// Prints a page with Chromium.
void print(const fs::path& page, const fs::path& pdf) {
  const tools::TemporaryFolder profile;
  fs::remove(pdf);
  const auto result =
      run_first({"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"},
                // The page is ours and has no scripts; a container may have no sandbox to offer.
                {"--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
                 "--generate-pdf-document-outline", "--user-data-dir=" + profile.path().string(),
                 "--print-to-pdf=" + pdf.string(), "file://" + page.string()});
  if (result.status != 0 || !fs::exists(pdf))
    throw std::runtime_error("Chromium cannot print the book: " + result.err);
}

}  // namespace

std::string book_html(const Book& book, const std::vector<Lesson>& lessons,
                      const std::string& folder, Medium medium, const PaperLayout& layout) {
  std::set<std::string> ids;
  for (const Page& page : book.pages())
    if (is_in_book(page)) ids.insert(page.id);

  std::string contents, chapters, last;
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    const Page& page = book.pages()[i];
    if (!ids.contains(page.id)) continue;
    const std::string chapter =
        Chapter(page.id, lessons[i], ids, folder, medium == Medium::paper ? book.root() : "")
            .html(layout.tight.contains(page.id));
    (page.id == "glossary" ? last : chapters) += chapter;
    const auto number = layout.first_pages.find(page.id);
    contents += "<li><a href=\"#" + page.id + "\">" + lessons[i].page.title + "<span>" +
                (number == layout.first_pages.end() ? "" : std::to_string(number->second)) +
                "</span></a></li>\n";
  }
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<title>Warp by Warp</title>\n<link rel=\"stylesheet\" href=\"book.css\"/>\n"
      "<link rel=\"stylesheet\" href=\"paper.css\"/>\n</head>\n<body>\n";
  if (medium == Medium::paper)
    html +=
        "<header class=\"cover\">\n<p class=\"title\">Warp by Warp</p>\n"
        "<p class=\"subtitle\">A CUDA performance course</p>\n<p>Edition " +
        book.edition() +
        "</p>\n<p>The Warp by Warp authors. MIT licence.</p>\n</header>\n"
        "<nav class=\"contents\">\n<h1 id=\"contents\">Contents</h1>\n<ul>\n" +
        contents + "</ul>\n</nav>\n";
  return html + chapters + last + "</body>\n</html>\n";
}

PaperLayout layout_of(const std::string& pdf, const Book& book) {
  // Chromium writes lists of pages ("/Kids [5 0 R 9 0 R]"), and behind them lists of these.
  std::map<int, int> numbers;
  const std::string kids = "/Kids [";
  for (std::size_t at = 0; (at = pdf.find(kids, at)) != std::string::npos;) {
    at += kids.size();
    std::istringstream list(pdf.substr(at, pdf.find(']', at) - at));
    int object = 0, generation = 0;
    for (std::string word; list >> object >> generation >> word;)
      numbers.emplace(object, static_cast<int>(numbers.size()) + 1);
  }
  /// The page of a place that links lead to, and how high on it: "/setup [7 0 R /XYZ 6 841 0]".
  const auto place_of = [&](const std::string& id) {
    const std::string name = "/" + id + " [";
    int object = 0, generation = 0;
    double left = 0, height = 0;
    std::string word;
    if (const std::size_t at = pdf.find(name); at != std::string::npos)
      std::istringstream(pdf.substr(at + name.size(), kMostOfPlace)) >> object >> generation >>
          word >> word >> left >> height;
    const auto number = numbers.find(object);
    return std::pair(number == numbers.end() ? 0 : number->second, height);
  };
  PaperLayout layout;
  for (const Page& page : book.pages()) {
    const int first = place_of(page.id).first;
    const auto [last, height] = place_of(page.id + kEnd);
    if (first > 0) layout.first_pages[page.id] = first;
    if (last > first && height > kNearlyEmpty) layout.tight.insert(page.id);
  }
  return layout;
}

fs::path write_pdf(const Book& book, const fs::path& output) {
  const Reference reference(output / "reference.json");
  const std::vector<Lesson> lessons = make_lessons(book, reference, output);
  const fs::path pdf = fs::absolute(output / "warp_by_warp.pdf");
  const auto print_as = [&](const PaperLayout& layout) {
    const std::string html = book_html(book, lessons, "../html/", Medium::paper, layout);
    print(write_html(book.root(), output, html), pdf);
    return layout_of(tools::read_file(pdf), book);
  };
  // The first print tells which chapters end with a few lines on a page of their own, the next on
  // which pages the chapters begin.
  PaperLayout layout = print_as({});
  if (!layout.tight.empty()) layout.first_pages = print_as(layout).first_pages;
  print_as(layout);
  return pdf;
}

fs::path write_epub(const Book& book, const fs::path& output) {
  const Reference reference(output / "reference.json");
  const std::string html =
      book_html(book, make_lessons(book, reference, output), "../html/", Medium::e_book, {});
  const fs::path page = write_html(book.root(), output, html);
  const fs::path epub = fs::absolute(output / "warp_by_warp.epub");
  const auto result = run_first({"pandoc"}, {page.string(),
                                             "--from",
                                             "html",
                                             "--to",
                                             "epub3",
                                             "--output",
                                             epub.string(),
                                             "--css",
                                             (page.parent_path() / "book.css").string(),
                                             "--resource-path",
                                             page.parent_path().string(),
                                             "--toc",
                                             "--toc-depth",
                                             "2",
                                             "--epub-chapter-level",
                                             "1",
                                             "--metadata",
                                             "title=Warp by Warp",
                                             "--metadata",
                                             "author=The Warp by Warp authors",
                                             "--metadata",
                                             "lang=en",
                                             "--metadata",
                                             "rights=MIT licence",
                                             "--metadata",
                                             "edition=" + book.edition()});
  if (result.status != 0) throw std::runtime_error("Pandoc cannot make the book: " + result.err);
  return epub;
}

}  // namespace site
