/// Makes the site around Doxygen: `site prepare` before it, `site finish` after it.
///
///     site prepare PROJECT OUTPUT PROGRAMS
///     site finish PROJECT OUTPUT
///
/// PROJECT is the folder of the project, OUTPUT the one that Doxygen reads and writes, PROGRAMS the
/// one with the chapters' programs.
/// Exit status: 0, or 2 with one line on standard error.

#include <iostream>
#include <string>
#include <vector>

#include "tools/site/finish.hpp"
#include "tools/site/prepare.hpp"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool prepares = words.size() == 4 && words[0] == "prepare";
  const bool finishes = words.size() == 3 && words[0] == "finish";
  if (!prepares && !finishes) {
    std::cerr << "usage: site prepare PROJECT OUTPUT PROGRAMS | site finish PROJECT OUTPUT\n";
    return 2;
  }
  try {
    const site::Book book(words[1]);
    if (prepares) {
      site::prepare(book, words[3], words[2]);
    } else {
      site::finish(book, words[2]);
    }
  } catch (const std::exception& error) {
    std::cerr << "site: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
