#include "preprocessed_text.hpp"

namespace {

struct Line {
  int number;
  std::string text;
};

/// Returns the lines of each file, as the compiler's input has them.
std::map<std::string, std::vector<Line>> read_input() {
  std::map<std::string, std::vector<Line>> files;
  std::ifstream in(num_in_fnames > 0 ? in_fnames[0] : "");
  std::vector<Line>* file = nullptr;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    const std::size_t name = line.find('"');
    if (line.rfind("# ", 0) == 0 && name != std::string::npos) {
      const std::size_t name_end = line.find('"', name + 1);
      file = &files[line.substr(name + 1, name_end - name - 1)];
      number = std::atoi(line.c_str() + 2);
    } else {
      if (file && !line.empty()) file->push_back({number, line});
      ++number;
    }
  }
  return files;
}

bool is_of_name(char one) { return ISALNUM(one) || one == '_'; }

/// Returns the index of the first character behind `from` that is no space.
std::size_t skip_spaces(const std::string& text, std::size_t from) {
  while (from < text.size() && ISSPACE(text[from])) ++from;
  return from;
}

/// Returns the index behind the bracket that belongs to the one at `from`.
std::size_t behind_brackets(const std::string& text, std::size_t from) {
  int depth = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (std::string("([{").find(text[i]) != std::string::npos) ++depth;
    if (std::string(")]}").find(text[i]) != std::string::npos && --depth == 0) return i + 1;
  }
  return text.size();
}

/// Returns the index behind a statement.
std::size_t behind_statement(const std::string& text, std::size_t from) {
  if (from < text.size() && text[from] == '{') return behind_brackets(text, from);
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '{' || text[i] == '[') i = behind_brackets(text, i) - 1;
    if (i < text.size() && text[i] == ';') return i + 1;
  }
  return text.size();
}

/// Returns the index behind a list of template arguments that may begin at `from`.
std::size_t behind_template_arguments(const std::string& text, std::size_t from) {
  if (from >= text.size() || text[from] != '<') return from;
  int depth = 0;
  for (std::size_t i = from; i < text.size() && text[i] != ';'; ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>' && --depth == 0) return i + 1;
  }
  return from;
}

void blank(std::string& text, std::size_t begin, std::size_t end) {
  std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin),
            text.begin() + static_cast<std::ptrdiff_t>(std::min(end, text.size())), ' ');
}

/// Blanks the insides of strings and characters.
void blank_strings(std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool separates_digits =
        text[i] == '\'' && i > 0 && is_of_name(text[i - 1]) && text[i - 1] != 'L';
    if ((text[i] != '"' && text[i] != '\'') || separates_digits) continue;
    const char quote = text[i];
    std::size_t end = i + 1;
    while (end < text.size() && text[end] != quote) end += text[end] == '\\' ? 2 : 1;
    blank(text, i + 1, end);
    i = end;
  }
}

/// Blanks what follows a word if it is evaluated nowhere, or not as part of the function.
void blank_behind(std::string& text, const std::string& word, std::size_t end) {
  static const std::string kLaunch = "::emu::launch";  // the rewriter's, with constants of the head
  static const std::set<std::string> kUnevaluated = {"sizeof",     "decltype", "noexcept",
                                                     "alignof",    "typeid",   "__typeof__",
                                                     "__decltype", "typeof",   "__alignof__"};
  std::size_t next = skip_spaces(text, end);
  const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : '\0'; };
  const bool is_launch =
      end >= kLaunch.size() && text.compare(end - kLaunch.size(), kLaunch.size(), kLaunch) == 0;
  if (word == "launch_pending") blank(text, 0, end);  // the kernel's head, before the rewriter's
  if (kUnevaluated.count(word) || is_launch) {
    if (at(next) == '(')
      blank(text, next, behind_brackets(text, next));
    else if (word == "sizeof")
      blank(text, next, behind_statement(text, next));
  } else if (word == "requires") {
    const std::size_t body =
        at(next) == '(' ? skip_spaces(text, behind_brackets(text, next)) : next;
    blank(text, next, at(body) == '{' ? behind_brackets(text, body) : body);
  } else if (word == "struct" || word == "class" || word == "union") {
    const std::size_t stop = text.find_first_of("{;()>=,", end);
    if (at(stop) == '{') blank(text, stop, behind_brackets(text, stop));
  } else if (word == "constexpr" && at(next) == '(') {  // of `if constexpr`
    next = skip_spaces(text, behind_brackets(text, next));
    const std::size_t behind = behind_statement(text, next);
    blank(text, next, behind);
    next = skip_spaces(text, behind);
    const bool has_other = text.compare(next, 4, "else") == 0;
    const std::size_t other = has_other ? skip_spaces(text, next + 4) : next;
    if (has_other && text.compare(other, 2, "if") != 0)
      blank(text, other, behind_statement(text, other));
  }
}

void blank_what_is_not_evaluated(std::string& text) {
  std::string before;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_of_name(text[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && is_of_name(text[i])) ++i;
    const std::string word = text.substr(begin, i - begin);
    if (before != "enum") blank_behind(text, word, i);
    before = word;
  }
}

/// Returns a location in a line of the file that has another location.
location_t location_in(location_t in_file, int number) {
  const expanded_location file = expand_location(in_file);
  const line_map_ordinary* best = nullptr;
  for (unsigned i = 0; i < LINEMAPS_ORDINARY_USED(line_table); ++i) {
    const line_map_ordinary* const map = LINEMAPS_ORDINARY_MAP_AT(line_table, i);
    if (map->to_file && file.file && std::string(map->to_file) == file.file &&
        static_cast<int>(map->to_line) <= number)
      best = map;
  }
  if (!best) return in_file;
  return linemap_position_for_line_and_column(line_table, best, static_cast<linenum_type>(number),
                                              0);
}

}  // namespace

FunctionText::FunctionText(location_t begin, location_t end) : begin_(begin) {
  static const std::map<std::string, std::vector<Line>> files = read_input();
  const expanded_location first = expand_location(begin), last = expand_location(end);
  const auto file = files.find(first.file ? first.file : "");
  if (file == files.end() || !last.file || file->first != last.file) return;
  for (const Line& line : file->second) {
    if (line.number < first.line || line.number > last.line) continue;
    text_ += line.text + '\n';
    lines_.resize(text_.size(), line.number);
  }
  blank_strings(text_);
  blank_what_is_not_evaluated(text_);
}

location_t FunctionText::place_of_call(const std::string& sign, bool is_constructor,
                                       bool is_member) const {
  const auto at = [&](std::size_t i) { return i < text_.size() ? text_[i] : '\0'; };
  const bool is_name = is_of_name(sign[0]), is_literal = sign.rfind("\"\"", 0) == 0;
  const std::string word = is_literal ? sign.substr(2) : sign;
  for (std::size_t i = text_.find(word); i != std::string::npos; i = text_.find(word, i + 1)) {
    const char before = i == 0 ? ' ' : text_[i - 1];
    const std::size_t end = i + word.size();
    if (is_literal) {
      if ((!is_of_name(before) && before != '"' && before != '\'') || is_of_name(at(end))) continue;
    } else if (is_name) {
      if (is_of_name(before) || is_of_name(at(end))) continue;
      const std::size_t next =
          skip_spaces(text_, behind_template_arguments(text_, skip_spaces(text_, end)));
      const bool follows_object = before == '.' || (before == '>' && i > 1 && text_[i - 2] == '-');
      if (is_constructor ? at(next) == '*' || at(next) == '&'
                         : at(next) != '(' || (follows_object && !is_member))
        continue;
    }
    return location_in(begin_, lines_[i]);
  }
  return UNKNOWN_LOCATION;
}
