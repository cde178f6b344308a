#include "support/markup.hpp"

#include <doctest/doctest.h>

using test_support::markup_fault;

TEST_CASE("well-formed markup has no fault") {
  for (const char* text : {
           "<p>text</p>",
           "<!DOCTYPE html>\n<html lang=\"en\"><br /><!-- < & --><p id=\"a\">1 &lt; 2</p></html>\n",
           "<td colspan=\"2\"></td>",
           "<p title=\"a &amp; b > c\"/>",
       }) {
    CAPTURE(text);
    CHECK(markup_fault(text) == "");
  }
}

TEST_CASE("every fault is found, with its line") {
  for (const char* text : {
           "",
           "text",
           "<p>",
           "</p>",
           "<p></b>",
           "<p><b></p></b>",
           "<p>1 < 2</p>",
           "<p>a & b</p>",
           "<p>&nbsp;</p>",
           "<p class=a></p>",
           "<p class></p>",
           "<p a=\"1\" a=\"2\"></p>",
           "<p a=\"<\"></p>",
           "<p></p><p></p>",
           "<p></p> text",
           "<p>\x01</p>",
           "<p>\xff</p>",
           "<!-- <p></p>",
           "<p><b id=\"a\"></b><b id=\"a\"></b></p>",
       }) {
    CAPTURE(text);
    CHECK(markup_fault(text) != "");
  }
  CHECK(markup_fault("<p>\n\n</b>") == "line 3: Opening and ending tag mismatch: p line 1 and b");
  CHECK(markup_fault("<!DOCTYPE html>\n<p>\n&nbsp;</p>") == "line 3: Entity 'nbsp' not defined");
  CHECK(markup_fault("<p>\n<b id=\"a\"/>\n<b id=\"a\"/></p>") == "line 3: a second id=\"a\"");
}
