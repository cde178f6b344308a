#include "course/html.hpp"

#include <doctest/doctest.h>

TEST_CASE("text as HTML: the four characters that mean something there") {
  CHECK(course::escape_html("a<b> & \"c\"") == "a&lt;b&gt; &amp; &quot;c&quot;");
  CHECK(course::escape_html("it's \n plain") == "it's \n plain");
  CHECK(course::escape_html("") == "");
}

TEST_CASE("HTML as text: the entities that our programs write, once; others stay") {
  CHECK(course::unescape_html("&lt;&gt;&quot;&#39;&#160;&nbsp;& &amp;amp; &x;") ==
        "<>\"'  & &amp; &x;");
}
