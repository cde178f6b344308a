#pragma once

/// @file
/// A Markdown file as a page of the site.
///
/// The prose is rendered by cmark-gfm, the renderer of a well-known code host: a page of the site
/// cannot look otherwise than the file it is made from. What the comments for the proofreader say
/// (see tools/prose/prose.hpp) becomes visible: a figure tells what it was read from, and a code
/// block where it stands.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tools/site/book.hpp"
#include "tools/site/coloured_code.hpp"
#include "tools/site/figure_tips.hpp"
#include "tools/site/frame.hpp"
#include "tools/site/reference.hpp"

namespace site {

/// A page whose Markdown has been rendered.
class Draft {
 public:
  /// @throws std::runtime_error naming the page if a figure cannot be worked out, or cmark-gfm is
  ///         not there
  Draft(const Book& book, const Page& page);

  const Book& book() const { return book_; }
  const Page& page() const { return page_; }
  const FigureTips& figures() const { return figures_; }
  /// What cmark-gfm has made of it.
  const std::vector<std::string>& lines() const { return lines_; }
  /// The pieces of code that a lesson shows in colours.
  std::vector<std::string> code() const;
  /// How many numbered figures it has: the pictures of a chapter's page.
  int numbered_figures() const;

 private:
  const Book& book_;
  const Page& page_;
  FigureTips figures_;
  std::vector<std::string> lines_;
};

/// The line that begins the text of what stands above it as a table. `</details>` ends it.
inline constexpr std::string_view kAsPrinted = "<details class=\"as-printed\">";

/// The beginning of the line that leads to a step's code where the text does not show it.
inline constexpr std::string_view kStepCode = "<div class=\"code-caption step-code\"";

/// A numbered figure of a chapter.
struct NumberedFigure {
  std::string number;   ///< "02.3"
  std::string address;  ///< "chapter_02_coalescing.html#figure-02-3"
  std::string title;
};

/// A page, ready for its frame.
struct Lesson {
  Contents page;
  std::vector<NumberedFigure> figures;
  std::vector<std::filesystem::path> copied;  ///< files that the page shows or links
};

/// Makes a page of a draft, whose code has been coloured.
///
/// Links to pages lead to pages, links to sources to their listings in the reference, other links
/// into the project to copies below `files/`.
/// @throws std::runtime_error naming the page and what is wrong: a link to nothing, a heading
///         missing
/// @param figures_before  how many numbered figures the chapter's earlier pages have
Lesson make_lesson(const Draft& draft, const Reference& reference, const ColouredCode& colours,
                   int figures_before = 0);

/// All pages of a book, in its order. What Pygments has coloured is kept in `output`.
std::vector<Lesson> make_lessons(const Book& book, const Reference& reference,
                                 const std::filesystem::path& output);

/// Returns a sentence of a comment as HTML; words between backticks become code.
std::string with_code(const std::string& text);

/// The kernels of a chapter as a table: documentation, what they do, source, counted source.
std::string kernel_table(const Reference& reference, const std::filesystem::path& chapter,
                         const std::vector<Kernel>& kernels);

}  // namespace site
