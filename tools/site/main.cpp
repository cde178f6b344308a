/// Builds the site around Doxygen. `site count` runs first, for each chapter; then `site prepare`,
/// Doxygen, and `site finish`.
///
///     site count PROJECT OUTPUT PROGRAMS CHAPTER
///     site prepare PROJECT OUTPUT
///     site finish PROJECT OUTPUT
///
/// PROJECT is the project's folder, OUTPUT the folder that Doxygen reads and writes, PROGRAMS the
/// folder with the chapters' programs, CHAPTER a chapter's name.
/// Exit status: 0, or 2 with one line on standard error.

#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "tools/site/finish.hpp"
#include "tools/site/prepare.hpp"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto is = [&](const char* command, std::size_t count) {
    return words.size() == count && words[0] == command;
  };
  try {
    if (is("count", 5)) {
      site::count(words[1], std::filesystem::path("chapters") / words[4], words[3], words[2]);
    } else if (is("prepare", 3)) {
      site::prepare(site::Book(words[1]), words[2]);
    } else if (is("finish", 3)) {
      site::finish(site::Book(words[1]), words[2]);
    } else {
      std::cerr << "usage: site count PROJECT OUTPUT PROGRAMS CHAPTER | site prepare PROJECT "
                   "OUTPUT | site finish PROJECT OUTPUT\n";
      return 2;
    }
  } catch (const std::exception& error) {
    std::cerr << "site: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
