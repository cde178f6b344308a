#include "edits.hpp"

#include <algorithm>
#include <utility>

namespace emulator_nvcc {

void Edits::replace(std::size_t token, std::string text) {
  Change& change = changes_[token];
  change.replacement = std::move(text);
  change.replaced = true;
}

void Edits::erase(std::size_t first, std::size_t last) {
  for (std::size_t i = first; i <= last; ++i) erase(i);
}

bool Edits::erased(std::size_t token) const {
  const auto found = changes_.find(token);
  return found != changes_.end() && found->second.replaced && found->second.replacement.empty();
}

std::string Edits::on_one_line(std::size_t first, std::size_t last) const {
  std::string result;
  for (std::size_t i = first; i <= last; ++i) {
    const auto found = changes_.find(i);
    const Change none;
    const Change& change = found == changes_.end() ? none : found->second;
    if (i > first) result += change.before;
    result += change.replaced ? change.replacement : std::string(source_.spelling(i));
    if (i == last) break;
    result += change.after;
    if (!source_.touches_next(i) && !result.empty() && result.back() != ' ') result += ' ';
  }
  return result;
}

std::string Edits::apply() const {
  struct Piece {
    std::size_t begin, end;
    std::string text;
  };
  std::vector<Piece> pieces;
  for (const auto& [token, change] : changes_) {
    if (token >= source_.size()) break;  // the source is cut off
    const Token& t = source_.tokens()[token];
    pieces.push_back(
        {t.begin, t.end,
         change.before +
             (change.replaced ? change.replacement : std::string(source_.spelling(token))) +
             change.after});
  }
  for (const Directive& d : directives_) pieces.push_back({d.begin, d.end, {}});
  std::sort(pieces.begin(), pieces.end(),
            [](const Piece& a, const Piece& b) { return a.begin < b.begin; });

  const std::string& text = source_.text();
  std::string result;
  result.reserve(text.size() + 64 * pieces.size());
  std::size_t done = 0;
  for (const Piece& piece : pieces) {
    result.append(text, done, piece.begin - done);
    result += piece.text;
    done = piece.end;
  }
  result.append(text, done);
  return result;
}

}  // namespace emulator_nvcc
