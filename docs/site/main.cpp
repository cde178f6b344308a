/// Makes the site around Doxygen: `site prepare` before it, `site finish` after it.
///
///     site prepare|finish PROJECT OUTPUT
///
/// PROJECT is the folder of the project, OUTPUT the one that Doxygen reads and writes.
/// Exit status: 0, or 2 with one line on standard error.

#include <iostream>
#include <string>

#include "site/finish.hpp"
#include "site/prepare.hpp"

int main(int argc, char** argv) {
  constexpr int kArguments = 4;
  const std::string step = argc == kArguments ? argv[1] : "";
  if (step != "prepare" && step != "finish") {
    std::cerr << "usage: site prepare|finish PROJECT OUTPUT\n";
    return 2;
  }
  try {
    const site::Book book(argv[2]);
    if (step == "prepare") {
      site::prepare(book, argv[3]);
    } else {
      site::finish(book, argv[3]);
    }
  } catch (const std::exception& error) {
    std::cerr << "site: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
