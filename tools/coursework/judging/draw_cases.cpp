#include "tools/coursework/judging/draw_cases.hpp"

#include <cstddef>
#include <numeric>
#include <utility>

#include "course/inputs.hpp"

namespace coursework {
namespace {

/// Returns the numbers 0 to count - 1: the least first, the greatest last, the others in random
/// order.
std::vector<std::size_t> layers(std::size_t count, course::Random& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t left = count; left > 3; --left)
    std::swap(order[left - 2], order[1 + random.below(left - 2)]);
  return order;
}

/// Draws a value from one layer of a range that is cut into layers of equal size.
std::int64_t draw_from(const Range& range, std::size_t layer, std::size_t layers,
                       course::Random& random) {
  const auto values = static_cast<std::size_t>((range.to - range.from) / range.step + 1);
  const std::size_t begin = layer * values / layers, end = (layer + 1) * values / layers;
  const std::size_t index = begin + (end > begin + 1 ? random.below(end - begin) : 0);
  return range.from + range.step * static_cast<std::int64_t>(index);
}

}  // namespace

std::vector<Case> draw_cases(const Exercise& exercise, const std::string& name,
                             std::uint64_t seed) {
  const CaseGroup& group = exercise.groups.at(name);
  std::uint64_t stream = 0;
  for (const char c : exercise.id + name) stream = stream * 131 + static_cast<unsigned char>(c);
  course::Random random(course::derive_seed(seed, stream));
  std::vector<Case> drawn(group.drawn);
  for (const auto& [size, range] : group.ranges) {
    const std::vector<std::size_t> order = layers(drawn.size(), random);
    const std::size_t choices = range.choices.size();
    const std::uint64_t first = choices == 0 ? 0 : random.below(choices);
    for (std::size_t i = 0; i < drawn.size(); ++i)
      drawn[i][size] = choices != 0 ? range.choices[(first + order[i]) % choices]
                                    : draw_from(range, order[i], drawn.size(), random);
  }
  return drawn;
}

}  // namespace coursework
