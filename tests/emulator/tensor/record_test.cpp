// Tests that Hopper's model returns the same bits as an H200's tensor cores.
#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "tensor/multiply.hpp"
#include "tensor_cases.hpp"
#include "types.hpp"

namespace {

/// Returns a tile's line in the format of tensor_record.cu.
std::string line_of(const tensor::Shape& shape, int index, const emu::tensor::Model& model) {
  const tensor::Tile tile = tensor::make_tile(shape, index);
  std::vector<std::uint32_t> columns, d(tile.c.size());
  for (int j = 0; j < shape.n; ++j)
    for (int p = 0; p < shape.k; ++p)
      columns.push_back(tile.b[static_cast<std::size_t>(p * shape.n + j)]);
  emu::tensor::multiply(model, tensor::shape_of(shape), tile.a.data(), columns.data(),
                        tile.c.data(), d.data());
  constexpr int kStep = 37;  // from tile to tile
  const std::size_t shown = static_cast<std::size_t>(index * kStep) % d.size();
  char line[32];
  std::snprintf(line, sizeof line, "%08x %x", tensor::digest(d.data(), d.size()), d[shown]);
  return line;
}

/// Returns the lines of each instruction, in the record's order.
std::vector<std::vector<std::string>> recorded() {
  std::vector<std::vector<std::string>> all;
  std::ifstream record("tensor_h200.txt");
  for (std::string line; std::getline(record, line);) {
    if (line.starts_with('#') || line.starts_with("layout")) continue;
    if (line.find("mma.") != std::string::npos) {
      REQUIRE(all.size() < std::size(tensor::kShapes));
      REQUIRE(line == tensor::kShapes[all.size()].name);
      all.emplace_back();
    } else {
      REQUIRE_FALSE(all.empty());
      all.back().push_back(line);
    }
  }
  return all;
}

/// Returns the number of tiles with a difference.
int differing(const tensor::Shape& shape, const std::vector<std::string>& lines,
              const emu::tensor::Model& model) {
  int count = 0;
  for (int tile = 0; tile < tensor::tiles_of(shape); ++tile)
    count += line_of(shape, tile, model) != lines[static_cast<std::size_t>(tile)];
  return count;
}

}  // namespace

TEST_CASE("every instruction returns what an H200 returned, for 163,840 sums each") {
  const std::vector<std::vector<std::string>> record = recorded();
  REQUIRE(record.size() == std::size(tensor::kShapes));
  for (std::size_t i = 0; i < record.size(); ++i) {
    const tensor::Shape& shape = tensor::kShapes[i];
    CAPTURE(shape.name);
    REQUIRE(record[i].size() == static_cast<std::size_t>(tensor::tiles_of(shape)));
    CHECK(differing(shape, record[i], emu::tensor::kHopper) == 0);
  }
}

TEST_CASE("the record tells a bit more, a bit less, and shorter steps") {
  const std::vector<std::vector<std::string>> record = recorded();
  for (const emu::tensor::Step step : {emu::tensor::Step{16, 24, 23}, {16, 26, 23}, {8, 25, 23}}) {
    emu::tensor::Model model = emu::tensor::kHopper;
    model.sixteen_bits = step;
    CHECK(differing(tensor::kShapes[1], record[1], model) > 0);
  }
}
