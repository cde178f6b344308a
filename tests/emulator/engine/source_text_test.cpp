#include "engine/report/source_text.hpp"

#include <doctest/doctest.h>

#include "tools/support/subprocess.hpp"

using namespace emu;

TEST_CASE("a source's lines: without line ends, printable whatever the file holds") {
  const tools::TemporaryFolder folder;
  const std::string bad = "\xef\xbf\xbd";
  const auto file = folder.write(
      "a.cu",
      "one\r\n\ttwo \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\n\nfo\x01ur\xff \xc3(\xed\xa0\x80");
  const auto lines = read_source(file.string());
  REQUIRE(lines.has_value());
  CHECK(*lines == SourceLines{"one", "\ttwo \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "",
                              "fo" + bad + "ur" + bad + " " + bad + "(" + bad + bad + bad});
  CHECK_FALSE(read_source((folder.path() / "none.cu").string()).has_value());
  CHECK_FALSE(read_source(folder.path().string()).has_value());
}
