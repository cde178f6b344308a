#include "course/device_buffer.hpp"

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "common/device_for_test.hpp"
#include "course/error.hpp"

using course::DeviceBuffer;

namespace {

/// Writes at `offset` bytes into a buffer, like a kernel that misses by that much.
void write_at(void* buffer, std::ptrdiff_t offset, const void* bytes, std::size_t count) {
  course::check(
      cudaMemcpy(static_cast<std::byte*>(buffer) + offset, bytes, count, cudaMemcpyHostToDevice));
}

}  // namespace

TEST_CASE("values go there and come back") {
  REQUIRE_DEVICE();
  std::vector<int> values(1000);
  std::iota(values.begin(), values.end(), -500);
  DeviceBuffer<int> buffer(values, "values");
  CHECK(buffer.size() == 1000);
  CHECK(buffer.name() == "values");
  CHECK(buffer.to_host() == values);
  values[999] = 7;
  buffer.from_host(values);
  CHECK(buffer.to_host() == values);
  CHECK(buffer.guards_intact());
}

TEST_CASE("poison is NaN, or bytes 0xFF: from the start, and again when asked for") {
  REQUIRE_DEVICE();
  DeviceBuffer<float> floats(33);
  for (const float value : floats.to_host()) CHECK(std::isnan(value));
  floats.from_host(std::vector<float>(33, 1.0f));
  CHECK(floats.to_host()[32] == 1.0f);
  floats.poison();
  for (const float value : floats.to_host()) CHECK(std::isnan(value));
  for (const double value : DeviceBuffer<double>(3).to_host()) CHECK(std::isnan(value));
  for (const int value : DeviceBuffer<int>(3).to_host()) CHECK(value == -1);
  for (const unsigned char value : DeviceBuffer<unsigned char>(3).to_host()) CHECK(value == 0xFF);
}

TEST_CASE("an empty buffer has an address and guards") {
  REQUIRE_DEVICE();
  DeviceBuffer<float> empty(0);
  CHECK(empty.data() != nullptr);
  CHECK(empty.to_host().empty());
  empty.poison();
  empty.from_host({});
  CHECK(empty.guards_intact());
  const float value = 1.0f;
  write_at(empty.data(), 0, &value, sizeof(value));
  CHECK_FALSE(empty.guards_intact());
}

TEST_CASE("a write outside is seen on either side, near and at the far end") {
  REQUIRE_DEVICE();
  const float value = 1.0f;
  const auto guard = static_cast<std::ptrdiff_t>(course::kGuardBytes);
  const std::ptrdiff_t end = 10 * sizeof(float);
  for (const std::ptrdiff_t offset : {end, end + 4, end + guard - 4, -std::ptrdiff_t{4}, -guard}) {
    CAPTURE(offset);
    DeviceBuffer<float> buffer(10, "C");
    REQUIRE(buffer.guards_intact());
    write_at(buffer.data(), offset, &value, sizeof(value));
    CHECK_FALSE(buffer.guards_intact());
    CHECK_THROWS_AS(buffer.to_host(), std::runtime_error);
  }
}

TEST_CASE("a single byte outside a buffer of odd size is seen, and its place told") {
  REQUIRE_DEVICE();
  const unsigned char byte = 0;
  DeviceBuffer<unsigned char> behind(13, "bytes");
  write_at(behind.data(), 13, &byte, 1);
  CHECK_THROWS_WITH(behind.to_host(), "a kernel wrote directly behind the end of bytes");
  DeviceBuffer<unsigned char> before(13, "bytes");
  write_at(before.data(), -9, &byte, 1);
  CHECK_THROWS_WITH(before.to_host(), "a kernel wrote 8 bytes before the start of bytes");
}

TEST_CASE("guards read as NaN, and another buffer's guard is no guard") {
  REQUIRE_DEVICE();
  DeviceBuffer<float> from(8);
  DeviceBuffer<float> to(8);
  std::vector<float> guard(course::kGuardBytes / sizeof(float));
  course::check(
      cudaMemcpy(guard.data(), from.data() + 8, course::kGuardBytes, cudaMemcpyDeviceToHost));
  for (const float value : guard) REQUIRE(std::isnan(value));
  std::vector<double> pairs(guard.size() / 2);
  std::memcpy(pairs.data(), guard.data(), course::kGuardBytes);
  for (const double value : pairs) REQUIRE(std::isnan(value));
  // A copy kernel that runs one element too far copies one guard over the other.
  write_at(to.data(), 8 * sizeof(float), guard.data(), sizeof(float));
  CHECK_FALSE(to.guards_intact());
}

TEST_CASE("damage in words") {
  CHECK(course::GuardDamage{.before = false, .distance = 0}.describe("C") ==
        "wrote directly behind the end of C");
  CHECK(course::GuardDamage{.before = true, .distance = 12}.describe("C") ==
        "wrote 12 bytes before the start of C");
}

TEST_CASE("moving a buffer moves its memory and its guards") {
  REQUIRE_DEVICE();
  DeviceBuffer<int> first(std::vector<int>{1, 2, 3}, "first");
  const int* address = first.data();
  DeviceBuffer<int> second(std::move(first));
  CHECK(second.data() == address);
  CHECK(second.to_host() == std::vector<int>{1, 2, 3});
  DeviceBuffer<int> third(5, "third");
  third = std::move(second);
  CHECK(third.to_host() == std::vector<int>{1, 2, 3});
  CHECK(third.name() == "first");
}

TEST_CASE("a size mismatch is named") {
  REQUIRE_DEVICE();
  DeviceBuffer<int> buffer(3, "C");
  CHECK_THROWS_WITH_AS(buffer.from_host(std::vector<int>(4)),
                       "C holds 3 elements, but 4 were given", std::length_error);
}

TEST_CASE("too much is one clear line, and the device is as good as before") {
  REQUIRE_DEVICE();
  CHECK_THROWS_WITH_AS(
      DeviceBuffer<double>(~std::size_t{0} / 4, "C"),
      "C is too large: 4611686018427387903 elements of 8 bytes; choose smaller sizes",
      course::UsageError);
  CHECK_THROWS_AS(DeviceBuffer<char>(~std::size_t{0}, "C"), course::UsageError);
  try {
    DeviceBuffer<double> huge(std::size_t{1} << 50, "C");
    FAIL("8 PiB were promised");
  } catch (const course::UsageError& error) {
    const std::string text = error.what();
    CAPTURE(text);
    CHECK(text.starts_with("C needs 8.0 PiB of "));
    CHECK(text.ends_with("free; choose smaller sizes"));
  }
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(DeviceBuffer<int>(std::vector<int>{1}).to_host()[0] == 1);
}
