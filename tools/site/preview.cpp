#include "tools/site/preview.hpp"

#include <stdexcept>

#include "tools/site/home.hpp"
#include "tools/site/output_folder.hpp"
#include "tools/site/text.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace site {

namespace {

/// Returns the bars of the home page's first plot, without the link below them.
std::string ladder(const Book& book) {
  static const tools::Pattern kPlot(R"re(^!\[[^\]]*\]\(docs/plots/(\w+)\.svg\))re");
  static const tools::Pattern kLink(R"re(<nav[^>]*><a[^>]*>[^<]*</a></nav>\n)re");
  for (const std::string& line : tools::read_lines(book.root() / "README.md"))
    if (const tools::Match plot = kPlot.search(line))
      return kLink.replace(ladder_of_home(book, plot.str(1), ""), "");
  return "";
}

}  // namespace

std::string preview_page(const Book& book) {
  return "<!DOCTYPE html>\n<html lang=\"en\" class=\"light-mode\">\n<head>\n<meta "
         "charset=\"utf-8\">\n<title>Warp by Warp</title>\n<style>\n" +
         tools::read_file(book.root() / "tools/site/theme/site.css") + R"(
body { display: block; width: 1200px; height: 630px; box-sizing: border-box; padding: 56px 64px; overflow: hidden; }
h1 { margin: 0; font-size: 68px; line-height: 1; letter-spacing: -.02em; }
p { margin: 18px 0 30px; font-size: 28px; line-height: 1.35; text-wrap: balance; }
.ladder { font-size: 21px; }
.ladder figcaption strong { font-size: 24px; }
.rung { height: 22px; }
</style>
</head>
<body>
<h1>Warp by Warp</h1>
<p>)" + kPromise +
         "</p>\n<div class=\"textblock\">" + ladder(book) + "</div>\n</body>\n</html>\n";
}

std::string preview_words(const Book& book) {
  std::string words = std::string(kPromise) + '\n';
  for (const std::string& line : split_lines(replace_all(ladder(book), "</span>", " </span>")))
    if (const std::string text = tools::trimmed(plain_text(line)); !text.empty())
      words += text + '\n';
  return words;
}

void draw_preview(const Book& book) {
  const tools::TemporaryFolder folder;
  folder.write("preview.html", preview_page(book));
  const std::filesystem::path site = book.root() / "tools/site";
  const auto result = tools::run_command({"chromium", "--headless", "--no-sandbox", "--disable-gpu",
                                          "--hide-scrollbars", "--window-size=1200,630",
                                          "--screenshot=" + (site / "theme/preview.png").string(),
                                          "file://" + (folder.path() / "preview.html").string()});
  if (result.status != 0)
    throw std::runtime_error("Chromium cannot draw the preview: " + result.err);
  write_if_changed(site / "preview.txt", preview_words(book));
}

}  // namespace site
