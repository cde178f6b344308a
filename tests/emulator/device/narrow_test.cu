// Tests that cuda_fp16.h, cuda_bf16.h and cuda_fp8.h return the same bits as an H200.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "narrow_results.cuh"

TEST_CASE("every function of half, bfloat16 and 8-bit floats returns what an H200 returned") {
  constexpr std::size_t kFunctions = 500;  // at least
  std::ifstream record("narrow_h200.txt");
  std::vector<std::string> expected, got;
  for (std::string line; std::getline(record, line);)
    if (!line.starts_with('#')) expected.push_back(line);
  for (const narrow::Results& one : narrow::run()) got.push_back(narrow::record_line(one));
  REQUIRE(expected.size() > kFunctions);
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == expected[i]);
}
