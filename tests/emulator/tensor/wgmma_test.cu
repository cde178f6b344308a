// wgmma through inline PTX finds in shared memory what the host has put there, and adds it up as
// the model does.
#include <doctest/doctest.h>

#include "tensor/multiply.hpp"
#include "types.hpp"
#include "wgmma_cases.cuh"

namespace {

/// D as the model has it, step by step of k.
std::vector<std::uint32_t> expected(const wgmma::Case& one, const wgmma::Matrices& m) {
  emu::tensor::Shape shape = tensor::shape_of(one.shape);
  shape.saturates = one.saturates;
  std::vector<std::uint32_t> d = m.c;
  if (!one.adds) d.assign(d.size(), 0);
  const auto part = [&](const std::vector<std::uint32_t>& all, int rows, int first, int sign,
                        const tensor::Format& format) {
    std::vector<std::uint32_t> words;
    for (int row = 0; row < rows; ++row)
      for (int p = 0; p < shape.k; ++p)
        words.push_back(all[static_cast<std::size_t>(row * one.k + first + p)] ^
                        (sign < 0 ? tensor::detail::sign_bit(format) : 0));
    return words;
  };
  for (int first = 0; first < one.k; first += shape.k) {
    const auto a = part(m.a, shape.m, first, one.a_sign, one.shape.a);
    const auto b = part(m.b, shape.n, first, one.b_sign, one.shape.b);
    emu::tensor::multiply(emu::tensor::kHopper, shape, a.data(), b.data(), d.data(), d.data());
  }
  return d;
}

}  // namespace

TEST_CASE("wgmma reads A and B as their descriptors say, in every layout") {
  for (const wgmma::Case& one : wgmma::all_cases()) {
    INFO(one.name);
    const wgmma::Matrices m = wgmma::matrices(one.shape, one.k, one.seed());
    CHECK(one.run(one, m) == expected(one, m));
  }
}
