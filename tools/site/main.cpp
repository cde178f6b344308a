/// Makes the site: its pages of the Markdown files, and its reference of what Doxygen writes.
///
///     site count PROJECT OUTPUT PROGRAMS CHAPTER   for each chapter
///     site prepare PROJECT OUTPUT                  before Doxygen
///     site reference PROJECT OUTPUT                behind it
///     site pages PROJECT OUTPUT                    last
///     site pdf PROJECT OUTPUT                      the lessons as a book, if that is wanted
///     site epub PROJECT OUTPUT                     the same for readers of e-books
///     site preview PROJECT                         the picture of shared links, drawn anew
///
/// PROJECT is the folder of the project, OUTPUT the one with all that is made, PROGRAMS the one
/// with the chapters' programs, CHAPTER a chapter's name. Exit status: 0, or 2 with one line on
/// standard error.

#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "tools/site/counted.hpp"
#include "tools/site/doxygen.hpp"
#include "tools/site/pages.hpp"
#include "tools/site/preview.hpp"
#include "tools/site/printed_book.hpp"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto is = [&](const char* command, std::size_t count) {
    return words.size() == count && words[0] == command;
  };
  try {
    if (is("count", 5)) {
      site::count(words[1], std::filesystem::path("chapters") / words[4], words[3], words[2]);
    } else if (is("prepare", 3)) {
      site::prepare_reference(site::Book(words[1]), words[2]);
    } else if (is("reference", 3)) {
      site::write_reference(words[1], words[2]);
    } else if (is("pages", 3)) {
      site::write_pages(site::Book(words[1]), words[2]);
    } else if (is("pdf", 3)) {
      std::cout << site::write_pdf(site::Book(words[1]), words[2]).string() << '\n';
    } else if (is("epub", 3)) {
      std::cout << site::write_epub(site::Book(words[1]), words[2]).string() << '\n';
    } else if (is("preview", 2)) {
      site::draw_preview(site::Book(words[1]));
    } else {
      std::cerr << "usage: site count PROJECT OUTPUT PROGRAMS CHAPTER | site "
                   "prepare|reference|pages|pdf|epub PROJECT OUTPUT | site preview PROJECT\n";
      return 2;
    }
  } catch (const std::exception& error) {
    std::cerr << "site: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
