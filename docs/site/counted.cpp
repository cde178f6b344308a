#include "site/counted.hpp"

#include <set>
#include <stdexcept>

#include "site/lesson.hpp"
#include "site/text.hpp"
#include "support/subprocess.hpp"

namespace site {

namespace fs = std::filesystem;

namespace {

/// What COURSE_PROFILE=html writes of a program's run, from the first kernel to the last.
std::string listing_of(const fs::path& program) {
  const test_support::TemporaryFolder folder;
  const fs::path file = folder.path() / "listing.html";
  test_support::CommandOptions options;
  options.environment = {{"COURSE_PROFILE", "html:" + file.string()}};
  const auto result = test_support::run_command({program.string()}, options);
  if (result.status != 0)
    throw std::runtime_error(program.string() + " ended with " + std::to_string(result.status) +
                             ": " + result.err);
  const std::string html = test_support::read_file(file), end = "</section>";
  const std::size_t first = html.find("<section"), last = html.rfind(end);
  if (first == std::string::npos || last == std::string::npos)
    throw std::runtime_error(program.string() + " wrote a listing without a kernel");
  return html.substr(first, last + end.size() - first) + "\n";
}

/// The text between the first <code> behind `from` and its end.
std::string code_behind(const std::string& html, std::size_t from) {
  const std::string open = "<code>";
  const std::size_t begin = html.find(open, from) + open.size();
  return plain_text(html.substr(begin, html.find("</code>", begin) - begin));
}

}  // namespace

std::string counted_id(const fs::path& chapter) { return "counted_" + chapter.filename().string(); }

std::string counted_page(const Book& book, const fs::path& chapter, const fs::path& programs) {
  const Page& lesson = *book.page_of(chapter / "README.md");
  const std::string number = lesson.label.substr(0, lesson.label.find(' '));
  std::string html = listing_of(programs / chapter.filename());

  // An instantiation is called name<types>; the first of them gets the kernel's anchor.
  std::set<std::string> seen;
  const std::string section = "<section";
  for (std::size_t at = 0; (at = html.find(section, at)) != std::string::npos;) {
    const std::string full = code_behind(html, at), name = full.substr(0, full.find('<'));
    const std::string anchor =
        seen.insert(name).second ? "<span id=\"" + name + "\"></span>\n" : std::string();
    html.insert(at, anchor);
    at += anchor.size() + section.size();
  }
  for (const Kernel& kernel : kernels_of(book.root(), chapter))
    if (!seen.contains(kernel.name))
      throw std::runtime_error(chapter.filename().string() + " did not run " + kernel.name);

  const std::string introduction =
      "<p>What the emulator counted while the program of <a href=\"" + lesson.id + ".html\">" +
      lesson.label +
      "</a> ran with its default sizes: below each line, its accesses; how many "
      "requests they made, what one of them cost on average, what would be ideal, and how many "
      "lanes took part. The line with most to save is marked. <code>./course profile " +
      number +
      "</code> prints the same, and <code>--help</code> behind <code>--</code> lists the sizes "
      "to try.</p>\n";
  return doxygen_page(counted_id(chapter), lesson.label + ", line by line", introduction + html);
}

}  // namespace site
