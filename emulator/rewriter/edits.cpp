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

namespace {

/// Text that replaces bytes [begin, end) of the source. The token's own text begins behind `lead`.
struct Piece {
  std::size_t begin, end;
  std::string text;
  std::size_t lead;
};

/// Computes columns in a text, line by line.
class Columns {
 public:
  explicit Columns(const std::string& text) : text_(text) {}
  std::size_t column_of(std::size_t offset) {
    for (std::size_t end = text_.find('\n', line_begin_); end < offset;
         end = text_.find('\n', line_begin_))
      line_begin_ = end + 1;
    return offset - line_begin_ + 1;
  }

 private:
  const std::string& text_;
  std::size_t line_begin_ = 0;
};

std::size_t column_at(const std::string& text, std::size_t offset) {
  const std::size_t line_end = offset == 0 ? text.npos : text.rfind('\n', offset - 1);
  return line_end == text.npos ? offset + 1 : offset - line_end;
}

/// Ends `result` so that a token gets the column that it has in the source, where g++'s messages
/// point to. The token is the next one to be copied.
void restore_column(const Source& source, std::size_t token, std::string& result) {
  const std::size_t wanted = column_at(source.text(), source.tokens()[token].begin);
  const std::size_t column = column_at(result, result.size());
  if (column > wanted) {
    result += line_marker(source, token);
    result.append(wanted - 1, ' ');
  } else {
    result.append(wanted - column, ' ');
  }
}

}  // namespace

std::string line_marker(const Source& s, std::size_t token) {
  std::string name;
  for (const char ch : s.file(token)) {
    if (ch == '\\' || ch == '"') name += '\\';
    name += ch;
  }
  const Token& t = s.tokens()[token];
  return "\n# " + std::to_string(t.line) + " \"" + name + "\"" + (t.system_header ? " 3\n" : "\n");
}

std::string Edits::apply(std::vector<std::size_t>* columns, bool keeps_columns) const {
  std::vector<Piece> pieces;
  for (const auto& [token, change] : changes_) {
    if (token >= source_.size()) break;  // the source is cut off
    const Token& t = source_.tokens()[token];
    pieces.push_back(
        {t.begin, t.end,
         change.before +
             (change.replaced ? change.replacement : std::string(source_.spelling(token))) +
             change.after,
         change.before.size()});
  }
  for (const Directive& d : directives_) pieces.push_back({d.begin, d.end, {}, 0});
  std::sort(pieces.begin(), pieces.end(),
            [](const Piece& a, const Piece& b) { return a.begin < b.begin; });

  const std::string& text = source_.text();
  std::string result;
  result.reserve(text.size() + 64 * pieces.size());
  std::vector<std::size_t> offsets;
  std::size_t done = 0, token = 0, next = 0;
  const auto copy_until = [&](std::size_t end) {
    for (; columns && token < source_.size() && source_.tokens()[token].begin < end; ++token)
      offsets.push_back(result.size() + source_.tokens()[token].begin - done);
    result.append(text, done, end - done);
  };
  for (const Piece& piece : pieces) {
    copy_until(piece.begin);
    if (columns && token < source_.size() && source_.tokens()[token].begin == piece.begin) {
      offsets.push_back(result.size() + piece.lead);
      ++token;
    }
    result += piece.text;
    done = piece.end;
    if (!keeps_columns) continue;
    while (next < source_.size() && source_.tokens()[next].begin < piece.end) ++next;
    // What follows on the line, unless it is changed as well.
    if (next < source_.size() && !source_.tokens()[next].system_header && !changes_.count(next) &&
        text.find('\n', piece.begin) > source_.tokens()[next].begin) {
      done = source_.tokens()[next].begin;
      restore_column(source_, next, result);
    }
  }
  copy_until(text.size());
  if (columns) {
    Columns lines(result);
    for (std::size_t& offset : offsets) offset = lines.column_of(offset);
    *columns = std::move(offsets);
  }
  return result;
}

}  // namespace emulator_nvcc
