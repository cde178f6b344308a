#include "course/arithmetic.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

namespace {

double value(std::string_view expression) {
  return course::evaluate(expression, [](const std::string& name) -> double {
    if (name == "k") return 12;
    if (name == "tflops(naive, 1024)") return 3;
    if (name == "file/copy(n=2,m=(3))/time_ms") return 0.5;
    throw std::runtime_error("no " + name);
  });
}

}  // namespace

TEST_CASE("arithmetic: from the left, powers first, then products, then sums") {
  CHECK(value("7") == 7);
  CHECK(value(" 1.5 + 2 ") == 3.5);
  CHECK(value("10 - 4 - 3") == 3);
  CHECK(value("48 / 4 / 3") == 4);
  CHECK(value("2 + 3 * 4") == 14);
  CHECK(value("2 * 3 ^ 2") == 18);
  CHECK(value("(2 + 3) * 4") == 20);
  CHECK(value("100 / ( 2 * (4 + 1) ) - 1") == 9);
}

TEST_CASE("arithmetic: names hold parentheses in pairs, and blanks only between them") {
  CHECK(value("k") == 12);
  CHECK(value("(k + 3) / 5") == 3);
  CHECK(value("2 * (k)") == 24);
  CHECK(value("file/copy(n=2,m=(3))/time_ms * k") == 6);
  CHECK(value("(file/copy(n=2,m=(3))/time_ms) + 1") == 1.5);
  CHECK(value("k / tflops(naive, 1024) + 1") == 5);
  CHECK(value("(tflops(naive, 1024) + 1)") == 4);
}

TEST_CASE("arithmetic: names may end at operators, so that no blanks are needed") {
  const auto value_between_operators = [](std::string_view expression) {
    return course::evaluate(
        expression, [](const std::string& name) { return name == "copy:ms" ? 4.0 : 12.0; },
        course::Names::end_at_operators);
  };
  CHECK(value_between_operators("ms/copy:ms") == 3);
  CHECK(value_between_operators("ms / copy:ms + ms") == 15);
  CHECK(value_between_operators("(ms+copy:ms)*2") == 32);
  CHECK(value_between_operators("copy:ms^2-1") == 15);
  CHECK_THROWS_WITH(value_between_operators("ms/"), R"(a number or a name is missing in "ms/")");
}

TEST_CASE("arithmetic: what is no expression is refused, in words") {
  CHECK_THROWS_WITH(value(""), R"(a number or a name is missing in "")");
  CHECK_THROWS_WITH(value("1 +"), R"(a number or a name is missing in "1 +")");
  CHECK_THROWS_WITH(value("1 + 2)"), R"x(cannot read ")" in "1 + 2)")x");
  CHECK_THROWS_WITH(value("1 2"), R"(cannot read "2" in "1 2")");
  CHECK_THROWS_WITH(value("(1 + 2"), R"x(a parenthesis is not closed in "(1 + 2")x");
  CHECK_THROWS_WITH(value("2k"), R"("2k" is not a number in "2k")");
  CHECK_THROWS_WITH(value("1 + n"), "no n");
}

TEST_CASE("arithmetic: names can be replaced, and nothing else changes") {
  const auto replaced = [](std::string_view expression) {
    return course::replace_names(expression,
                                 [](const std::string& name) { return "<" + name + ">"; });
  };
  CHECK(replaced("k") == "<k>");
  CHECK(replaced(" 2 * (k - 1.5) ^ 3 ") == " 2 * (<k> - 1.5) ^ 3 ");
  CHECK(replaced("100 * f(a, 1) / (file/copy(n=2)/time_ms)") ==
        "100 * <f(a, 1)> / (<file/copy(n=2)/time_ms>)");
  CHECK(replaced("") == "");
}
