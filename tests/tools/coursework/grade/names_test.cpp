#include "tools/coursework/grade/names.hpp"

#include <doctest/doctest.h>

#include <set>

#include "tools/coursework/grade/digest.hpp"

using namespace coursework;

TEST_CASE("any name prints on one line as UTF-8, and says which bytes were none") {
  CHECK(printable("Zoë O'Neil") == "Zoë O'Neil");
  CHECK(printable("a\nb") == "a%0Ab");
  CHECK(printable("caf\xe9") == "caf%E9");
  CHECK(printable("\xc0\xaf") == "%C0%AF");         // an overlong encoding of /
  CHECK(printable("\xed\xa0\x80") == "%ED%A0%80");  // half of a surrogate pair
  CHECK(printable("a\u202Eb") == "a%E2%80%AEb");    // reverses the following text
  CHECK(printable("100 %") == "100 %");
  CHECK(printable("%0A") == "%250A");
  for (const char* name : {"x\xff", "\n\r\t", "\x1b[31m", "a\u200Bb"}) {
    CHECK(is_utf8(printable(name)));
    CHECK(printable(name).find_first_of("\n\r\t\x1b") == std::string::npos);
  }
}

TEST_CASE("a folder's name is harmless, and different names stay different") {
  CHECK(folder_name("anna") == "anna");
  CHECK(folder_name(".hidden") == "%2Ehidden");
  CHECK(folder_name("-rf") == "%2Drf");
  CHECK(folder_name("a/b") == "a%2Fb");
  CHECK(folder_name("..") == "%2E%2E");
  CHECK(folder_name("a \"b\"") == "a %22b%22");
  const std::string long_name(250, 'x');
  const std::set<std::string> names = {folder_name(long_name), folder_name(long_name + "y"),
                                       folder_name("a%2Fb"),   folder_name("a/b"),
                                       folder_name("a "),      folder_name("a"),
                                       folder_name("a%20"),    folder_name("\xff"),
                                       folder_name("%FF"),     folder_name("")};
  CHECK(names.size() == 10);
  for (const std::string& one : names) CHECK(one.size() <= 140);
}

TEST_CASE("a field of the table is one field, and no formula") {
  CHECK(csv_field("plain") == "plain");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("say \"hi\"") == "\"say \"\"hi\"\"\"");
  CHECK(csv_field("two\nlines") == "\"two\nlines\"");
  CHECK(csv_field("") == "");
  CHECK(csv_field(" ") == " ");
  CHECK(csv_field(" a = b") == " a = b");
  CHECK(csv_field("張=三") == "張=三");
  for (const char* formula : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", "＋1", "－1",
                              "＠A1", " =1+1", "\u3000\u00a0 ＝1", "\n=1"}) {
    CAPTURE(formula);
    CHECK(csv_field(formula) == "\"'" + std::string(formula) + "\"");
  }
}

TEST_CASE("digests are those of sha256sum") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_of_all({"ab", "c"}) != sha256_of_all({"a", "bc"}));
}
