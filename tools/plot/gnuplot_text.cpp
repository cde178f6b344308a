#include <algorithm>

#include "tools/plot/kinds.hpp"

namespace plot {

std::string in_quotes(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string block(const std::string& name, const std::vector<std::string>& rows) {
  std::string text = "$" + name + " << END\n";
  for (const std::string& row : rows) text += row + "\n";
  return text + "END\n";
}

void spread(std::vector<double>* places, double distance) {
  std::vector<std::size_t> order(places->size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return (*places)[i]; });
  constexpr int kRounds = 1000;
  for (int round = 0; round < kRounds; ++round) {
    bool moved = false;
    for (std::size_t i = 1; i < order.size(); ++i) {
      double &low = (*places)[order[i - 1]], &high = (*places)[order[i]];
      const double missing = distance - (high - low);
      if (missing <= 1e-9) continue;
      low -= missing / 2.0;
      high += missing / 2.0;
      moved = true;
    }
    if (!moved) break;
  }
}

}  // namespace plot
