#include "course/memory.hpp"

#include <doctest/doctest.h>

#include <string>

#include "course/error.hpp"

using course::format_bytes;

TEST_CASE("bytes in words") {
  CHECK(format_bytes(0) == "0 bytes");
  CHECK(format_bytes(1023) == "1023 bytes");
  CHECK(format_bytes(1024) == "1.0 KiB");
  CHECK(format_bytes(1536) == "1.5 KiB");
  CHECK(format_bytes((1 << 20) - 1) == "1.0 MiB");
  CHECK(format_bytes(std::uint64_t{3} << 30) == "3.0 GiB");
  CHECK(format_bytes(~std::uint64_t{0}) == "16.0 EiB");
}

TEST_CASE("a size that overflows is refused and named") {
  CHECK(course::checked_bytes(3, 4, "C") == 12);
  CHECK(course::checked_bytes(0, 4, "C") == 0);
  CHECK(course::checked_bytes(~std::size_t{0} / 4, 4, "C") == ~std::size_t{0} - 3);
  CHECK_THROWS_WITH_AS(
      course::checked_bytes(std::size_t{1} << 62, 4, "C"),
      "C is too large: 4611686018427387904 elements of 4 bytes; choose smaller sizes",
      course::UsageError);
}

TEST_CASE("the machine has memory, but not without end") {
  CHECK(course::available_host_bytes() > (std::uint64_t{16} << 20));
  CHECK_NOTHROW(course::require_host_memory(0, "C"));
  CHECK_NOTHROW(course::require_host_memory(std::uint64_t{8} << 20, "C"));
  try {
    course::require_host_memory(std::uint64_t{1} << 60, "C");
    FAIL("an exbibyte was promised");
  } catch (const course::UsageError& error) {
    const std::string text = error.what();
    CHECK(text.starts_with("C needs 1.0 EiB of host memory and "));
    CHECK(text.ends_with(" are free; choose smaller sizes"));
  }
}
