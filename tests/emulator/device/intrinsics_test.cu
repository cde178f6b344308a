// Tests that the device library returns what an H200 returned: equal bits or, for transcendental
// functions, results within the error that CUDA documents.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "intrinsic_results.cuh"

namespace {

struct Recorded {
  std::string name;
  int bytes = 0, is_float = 0, max_ulps = 0;
  std::vector<std::uint64_t> values;
};

std::vector<Recorded> read_record(const char* file) {
  std::ifstream in(file);
  std::vector<Recorded> all;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    Recorded one;
    const std::size_t colon = line.find(':');
    std::istringstream head(line.substr(0, colon)), values(line.substr(colon + 1));
    head >> one.bytes >> one.is_float >> one.max_ulps >> std::ws;
    std::getline(head, one.name);
    for (std::uint64_t value = 0; values >> std::hex >> value;) one.values.push_back(value);
    all.push_back(std::move(one));
  }
  return all;
}

bool is_zero(std::uint64_t bits, int bytes) { return bits << (64 - 8 * bytes) << 1 == 0; }

}  // namespace

TEST_CASE("every function returns what an H200 returned") {
  const std::vector<Recorded> record = read_record("intrinsics_h200.txt");
  const std::vector<intrinsics::Results> results = intrinsics::run();
  REQUIRE(record.size() > 400);
  REQUIRE(results.size() == record.size());
  for (std::size_t i = 0; i < record.size(); ++i) {
    const Recorded& expected = record[i];
    const intrinsics::Results& got = results[i];
    CAPTURE(got.name);
    REQUIRE(expected.name == got.name);
    REQUIRE(expected.bytes == got.bytes);
    if (got.max_ulps == 0) {
      CHECK(expected.values == std::vector<std::uint64_t>{intrinsics::digest(got.bits)});
      continue;
    }
    const std::vector<std::uint64_t> kept = intrinsics::kept_values(got, i);
    REQUIRE(expected.values.size() == kept.size());
    for (std::size_t j = 0; j < kept.size(); ++j) {
      CAPTURE(j);
      CHECK(intrinsics::distance(kept[j], expected.values[j], got.bytes) <=
            static_cast<std::uint64_t>(got.max_ulps));
      if (is_zero(expected.values[j], got.bytes))
        CHECK(kept[j] == expected.values[j]);  // its sign too
    }
  }
}

TEST_CASE("distances count representable numbers") {
  using intrinsics::bits_of;
  using intrinsics::distance;
  CHECK(distance(bits_of(1.0f), bits_of(1.0f + 0x1p-23f), 4) == 1);
  CHECK(distance(bits_of(0.0f), bits_of(-0.0f), 4) == 0);
  CHECK(distance(bits_of(-0x1p-149f), bits_of(0x1p-149f), 4) == 2);
  CHECK(distance(bits_of(2.0), bits_of(1.0), 8) == std::uint64_t{1} << 52);
}
