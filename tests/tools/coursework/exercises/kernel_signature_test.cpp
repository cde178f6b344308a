#include "tools/coursework/exercises/kernel_signature.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using coursework::read_signature;

TEST_CASE("a signature says what the kernel is called, and how many arguments lie on the stack") {
  CHECK(read_signature("void scale(int n, float* data)").name == "scale");
  CHECK(read_signature("void k(int n, float* a)").stack_words == 0);
  CHECK(read_signature("void k()").stack_words == 0);
  CHECK(
      read_signature("void k(int a, int b, int c, const float* d, const float* e, float* f, int g)")
          .stack_words == 1);
  CHECK(read_signature("void k(float a, double b, float c, float d, float e, float f, float g, "
                       "float h, float i, double j, int k)")
            .stack_words == 2);
}

TEST_CASE("what is no kernel of numbers and pointers is refused") {
  for (const char* text : {"int k(int n)", "void k(float4 v)", "void k(int n); int x", "void",
                           "void k", "k(int n)", "void k(int n", "", "void 3(int n)"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(read_signature(text), std::invalid_argument);
  }
}
