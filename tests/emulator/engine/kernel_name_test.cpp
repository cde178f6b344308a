#include "engine/program/kernel_name.hpp"

#include <doctest/doctest.h>

using namespace emu;

TEST_CASE("a kernel's short name: no return type, no parameters, no namespace without a name") {
  CHECK(short_name("copy(float*, float const*)") == "copy");
  CHECK(short_name("void copy<float>(float*)") == "copy<float>");
  CHECK(short_name("naive::sgemm(int, float (*)[4])") == "naive::sgemm");
  CHECK(short_name("void a::b::copy<a::Shape<4, 2>, (a::Kind)1>(float*)") ==
        "a::b::copy<a::Shape<4, 2>, (a::Kind)1>");
  CHECK(short_name("(anonymous namespace)::copy(float*)") == "copy");
  CHECK(short_name("void (anonymous namespace)::copy<(anonymous namespace)::T>(float*)") ==
        "copy<(anonymous namespace)::T>");
  CHECK(short_name("a::(anonymous namespace)::b::copy()") == "a::b::copy");
  CHECK(short_name("void run<main::{lambda(int)#1}>(main::{lambda(int)#1})") ==
        "run<main::{lambda(int)#1}>");
  // g++'s own spelling of a function.
  CHECK(short_name("void {anonymous}::copy(T*) [with T = float]") == "copy");
  CHECK(short_name("") == "");
}

TEST_CASE("who is meant: outer namespaces and template arguments may be left out") {
  for (const char* wanted : {"a::b::copy<a::T>", "a::b::copy", "b::copy", "copy", "copy<a::T>",
                             "b::copy<a::T>", "a::b", "a", "b"}) {
    CAPTURE(wanted);
    CHECK(is_meant(wanted, "a::b::copy<a::T>"));
  }
  for (const char* wanted : {"cop", "opy", "copy<", "copy<a", "copy<a::T", "T>", "T", "a::copy",
                             "a::", "::copy", "copy<b::T>", "b::copy<T>", "copy::b"}) {
    CAPTURE(wanted);
    CHECK_FALSE(is_meant(wanted, "a::b::copy<a::T>"));
  }
  CHECK(is_meant("copy", "copy"));
  CHECK_FALSE(is_meant("copy", "copy_all"));
}
