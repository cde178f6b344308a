/// Tests that every step returns the same bits as on an H200.

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "digest.hpp"
#include "tensor_ladder.hpp"

namespace tensor_test {

TEST_CASE("every step returns what it returned on an H200") {
  constexpr std::uint64_t kSeed = 1;  // the programs' default
  std::ifstream record(std::filesystem::path(__FILE__).parent_path() / "digests_h200.txt");
  int compared = 0;
  for (std::string line; std::getline(record, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    SgemmSize size;
    std::string digest, name;
    words >> size.m >> size.n >> size.k >> digest;
    const SgemmProblem problem = course::make_sgemm_problem(size, kSeed);
    for (; words >> name; ++compared) {
      CAPTURE(size);
      CAPTURE(name);
      const Step one = step(name);
      if (is_tested(one)) CHECK(digest_of(sgemm_test::run(one, problem).c) + ":" == digest);
    }
  }
  CHECK(compared == 13);
}

}  // namespace tensor_test
