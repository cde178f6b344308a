#include "tools/coursework/judging/figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>
#include <string_view>
#include <tuple>

namespace coursework {
namespace {

std::string with_places(double value, int places) {
  std::array<char, 400> text{};  // the largest double has 309 digits
  std::snprintf(text.data(), text.size(), "%.*f", places, value);
  return text.data();
}

/// Removes zeros at the end: "0.5" of "0.50".
std::string without_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// Returns a unit in the singular. Units joined by "and" stay as they are.
std::string singular(const std::string& unit) {
  // The first of these words ends the noun.
  static const std::set<std::string_view> kBehindNoun = {
      "at", "by",       "for",     "loaded", "more",   "moved",   "of",
      "on", "per",      "read",    "said",   "stored", "than",    "that",
      "to", "together", "touched", "where",  "with",   "written", "you"};
  std::size_t end = 0;  // end of the noun
  for (std::size_t begin = 0; begin < unit.size();) {
    const std::size_t stop = std::min(unit.find(' ', begin), unit.size());
    const std::string_view word = std::string_view(unit).substr(begin, stop - begin);
    if (word == "and" || word == "times") return unit;
    if (kBehindNoun.contains(word)) break;
    end = stop;
    begin = stop + 1;
  }
  const std::string noun = unit.substr(0, std::min(end, unit.find(',')));
  if (!noun.ends_with('s') || noun.ends_with("ss")) return unit;
  const std::size_t plural = noun.ends_with("sses") ? 2 : 1;
  return noun.substr(0, noun.size() - plural) + unit.substr(noun.size());
}

}  // namespace

bool is_same_figure(double a, double b) {
  return std::abs(a - b) <= kFigureRounding * (1 + std::abs(b));
}

bool is_whole(double value) { return is_same_figure(value, std::round(value)); }

std::string figure(double value, double other) {
  constexpr int kPlaces = 2, kMostPlaces = 9;
  if (!std::isfinite(value)) return "no";
  if (is_whole(value)) return with_places(std::abs(value) < 0.5 ? 0.0 : value, 0);
  const double size = std::floor(std::log10(std::abs(value)));
  int places = std::clamp(kPlaces - 1 - static_cast<int>(size), kPlaces, kMostPlaces);
  if (!is_same_figure(value, other))
    while (places < kMostPlaces && with_places(value, places) == with_places(other, places))
      ++places;
  return without_zeros(with_places(value, places));
}

std::string figure_with_unit(const std::string& figure, const std::string& unit) {
  return figure + " " + (figure == "1" ? singular(unit) : unit);
}

std::size_t clearest_trial(const std::vector<MeasuredTrial>& trials) {
  const auto rank = [&](std::size_t i) {
    const MeasuredTrial& one = trials[i];
    const int crooked = (is_whole(one.value) ? 0 : 1) + (is_whole(one.bound) ? 0 : 1);
    const auto index = static_cast<std::ptrdiff_t>(i);
    return std::tuple(one.holds, crooked, !one.has_clue, one.drawn, one.holds ? -index : index);
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < trials.size(); ++i)
    if (rank(i) < rank(best)) best = i;
  return best;
}

}  // namespace coursework
