#pragma once

/// @file
/// Matrices that make a product easy or hard to get right.

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>
#include <vector>

#include "course/inputs.hpp"
#include "course/sgemm_check.hpp"

namespace inputs {

enum class Kind {
  even,      ///< between -1 and 1, evenly
  normal,    ///< Gaussian
  positive,  ///< between 0 and 1: sums only grow
  rows,      ///< Gaussian; rows of A and columns of B have exponents of their own
  elements,  ///< Gaussian; every element has an exponent of its own, from -20 to 20
  opposed,   ///< A D and D^-1 B, D diagonal with powers of two
  far,       ///< the same with exponents from -100 to 100
};

struct Name {
  Kind kind;
  std::string_view name;
};
inline constexpr std::array kAll = {
    Name{Kind::even, "even"}, Name{Kind::normal, "normal"},     Name{Kind::positive, "positive"},
    Name{Kind::rows, "rows"}, Name{Kind::elements, "elements"}, Name{Kind::opposed, "opposed"},
    Name{Kind::far, "far"}};

/// Random A and B of that kind, those of `rows` and `opposed` with exponents from -most to most.
/// `expected` stays empty: nobody compares with it.
inline course::SgemmProblem make(Kind kind, const course::SgemmSize& size, std::uint64_t seed,
                                 int most = 40) {
  constexpr int kElements = 20, kFar = 100;
  if (kind == Kind::far) return make(Kind::opposed, size, seed, kFar);
  const auto& [m, n, k] = size;
  course::SgemmProblem problem = course::make_sgemm_problem(size, seed);
  problem.expected.clear();
  course::Random random(seed);
  const auto exponents = [&](int count, int most_of_all) {
    std::vector<int> values;
    for (int i = 0; i < count; ++i)
      values.push_back(static_cast<int>(random.below(2 * most_of_all + 1)) - most_of_all);
    return values;
  };
  const auto gaussian = [&](float& x) {
    const double radius = std::sqrt(-2.0 * std::log((random.unit_double() + 1.0) / 2.0 + 1e-300));
    x = static_cast<float>(radius * std::cos(std::numbers::pi * random.unit_double()));
  };
  if (kind == Kind::even) return problem;
  for (std::vector<float>* matrix : {&problem.a, &problem.b})
    for (float& x : *matrix) {
      if (kind == Kind::positive)
        x = std::abs(x);
      else
        gaussian(x);
      if (kind == Kind::elements) x = std::ldexp(x, exponents(1, kElements).front());
    }
  const std::vector<int> of_row = exponents(m, most), of_col = exponents(n, most);
  const std::vector<int> diagonal = exponents(k, most);
  for (std::size_t i = 0; i < problem.a.size(); ++i) {
    if (kind == Kind::rows) problem.a[i] = std::ldexp(problem.a[i], of_row[i / k]);
    if (kind == Kind::opposed) problem.a[i] = std::ldexp(problem.a[i], diagonal[i % k]);
  }
  for (std::size_t i = 0; i < problem.b.size(); ++i) {
    if (kind == Kind::rows) problem.b[i] = std::ldexp(problem.b[i], of_col[i % n]);
    if (kind == Kind::opposed) problem.b[i] = std::ldexp(problem.b[i], -diagonal[i / n]);
  }
  return problem;
}

}  // namespace inputs
