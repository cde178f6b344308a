#include "tools/prose/figures.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "tools/prose/limits.hpp"
#include "tools/prose/markdown.hpp"
#include "tools/support/arithmetic.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/source_text.hpp"

namespace prose {
namespace {

namespace fs = std::filesystem;
using tools::Match;
using tools::Pattern;
using tools::trimmed;
using tools::words_in;

constexpr int kMaxDepth = 50;  // depth of definitions that use others
constexpr std::string_view kGeomean = "geomean(";

const Pattern kHead(R"(([a-z][a-z0-9_]*)(?:\(([^()]*)\))? *=(.*))");
const Pattern kPublished(R"(published (\d[\d,]*(?:\.\d+)?): *(\S.*))");
const Pattern kGeomeanInside(
    R"(geomean\( *([a-z][a-z0-9_]*(?: +[a-z][a-z0-9_]*)*?) +in +([^:]*):(.*)\))");
const Pattern kCall(R"(([a-z][a-z0-9_]*)(?:\((.*)\))?)");

[[noreturn]] void throw_figure_error(const std::string& what) { throw std::runtime_error(what); }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::size_t indent_of(const std::string& line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

bool says_nothing(const std::string& line) {
  const std::string text = trimmed(line);
  return text.empty() || text[0] == '#';
}

/// Returns the edit distance of two texts: letters to insert, delete or change.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// Returns the entry with this name; an exception suggests the nearest name.
template <class T>
const T& entry(const std::map<std::string, T>& entries, const std::string& name, const char* kind) {
  const auto found = entries.find(name);
  if (found != entries.end()) return found->second;
  std::string message = std::string("no ") + kind + " is called \"" + name + "\"";
  const auto nearest =
      std::min_element(entries.begin(), entries.end(), [&](const auto& a, const auto& b) {
        return distance(a.first, name) < distance(b.first, name);
      });
  if (nearest != entries.end() && distance(nearest->first, name) <= name.size() / 2)
    message += "; is \"" + nearest->first + "\" meant?";
  throw_figure_error(message);
}

/// Returns the first `$name` of a geometric mean in the expression that is also a parameter, or
/// occurs in a parameter's value; empty if there is none.
std::string ambiguous_word(const std::string& expression, const Words& words) {
  static const Pattern kVariables(R"(geomean\( *([a-z0-9_ ]*?) +in )");
  for (const Match& match : kVariables.all(expression)) {
    for (const std::string& variable : words_in(match.str(1)))
      for (const auto& [parameter, value] : words)
        if (parameter == variable || with_words(value, {{variable, ""}}) != value) return variable;
  }
  return "";
}

/// Returns a run's name as "SOURCE/CHAPTER/KERNEL(PARAMETERS)", followed by FIELD.
std::string spelled(const RunName& run, const std::string& chapter, const std::string& field) {
  std::string text = run.source + "/";
  if (run.chapter != chapter) text += run.chapter + "/";
  text += run.kernel;
  std::string parameters;
  for (const auto& [key, value] : run.parameters)
    parameters += (parameters.empty() ? "" : ",") + key + "=" + value;
  if (!parameters.empty()) text += "(" + parameters + ")";
  return text + "/" + field;
}

}  // namespace

std::string with_words(const std::string& text, const Words& words) {
  static const Pattern kWord(R"(\$([a-z][a-z0-9_]*))");
  return kWord.replace(text, [&](const Match& match) {
    const auto word = words.find(match.str(1));
    return word == words.end() ? match.str() : word->second;
  });
}

std::vector<std::string> split_outside_parentheses(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  int open = 0;
  for (const char c : text) {
    if (c == '(') ++open;
    if (c == ')') --open;
    if (c == separator && open == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (std::string& part : parts) part = trimmed(part);
  return parts;
}

Figures::Figures(const fs::path& file, const fs::path& root, const Measurements& measurements)
    : file_(file), root_(root), measurements_(measurements) {
  const fs::path folder = file.parent_path();
  if (folder.parent_path().filename() == "chapters") chapter_ = folder.filename().string();
  if (fs::exists(file)) read(tools::read_lines(file));
}

std::string Figures::place(int line) const {
  return fs::relative(file_, root_).string() + ":" + std::to_string(line);
}

void Figures::fault(int line, const std::string& what) {
  faults_.push_back(place(line) + ": " + what);
}

void Figures::read(const std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (columns_of(lines[i]) > kMaxColumns) fault(static_cast<int>(i) + 1, too_long_line());
  for (std::size_t i = 0; i < lines.size();) {
    if (says_nothing(lines[i])) {
      ++i;
    } else if (lines[i].starts_with("table ")) {
      i = read_table(lines, i);
    } else {
      FiguresLine line = {static_cast<int>(i) + 1, trimmed(lines[i])};
      if (indent_of(lines[i]) > 0) fault(line.number, "an indented line continues nothing");
      for (++i; i < lines.size() && indent_of(lines[i]) > 0 && !says_nothing(lines[i]); ++i)
        line.text += " " + trimmed(lines[i]);
      read_name(line);
    }
  }
}

bool Figures::is_new(const std::string& name, int line) {
  if (definitions_.contains(name) || tables_.contains(name)) {
    fault(line,
          "\"" + name + "\" is defined in line " + std::to_string(line_of(name)) + " already");
    return false;
  }
  return true;
}

/// Returns the first line after the table.
std::size_t Figures::read_table(const std::vector<std::string>& lines, std::size_t first) {
  const std::string name = trimmed(lines[first].substr(std::string_view("table ").size()));
  TableDescription table = {static_cast<int>(first) + 1, {}};
  std::size_t indent = 0, i = first + 1;
  for (; i < lines.size() && (indent_of(lines[i]) > 0 || says_nothing(lines[i])); ++i) {
    if (says_nothing(lines[i])) continue;
    if (indent == 0) indent = indent_of(lines[i]);
    if (indent_of(lines[i]) > indent)
      table.lines.back().text += " " + trimmed(lines[i]);
    else
      table.lines.push_back({static_cast<int>(i) + 1, trimmed(lines[i])});
  }
  if (is_new(name, table.line)) tables_[name] = std::move(table);
  return i;
}

void Figures::read_name(const FiguresLine& line) {
  const Match match = kHead.matches(line.text);
  if (!match) {
    fault(line.number, "neither NAME = EXPRESSION nor a table: " + line.text);
    return;
  }
  const std::string name = match.str(1);
  Definition definition;
  definition.line = line.number;
  if (match.has(2)) definition.parameters = split_outside_parentheses(match[2], ',');
  definition.expression = trimmed(match[3]);
  if (definition.expression.starts_with("list ")) {
    definition.is_list = true;
    definition.expression.erase(0, std::string_view("list ").size());
  } else if (definition.expression.starts_with("published ")) {
    const Match published = kPublished.matches(definition.expression);
    if (!published) {
      fault(line.number, "a published figure reads: published NUMBER: where");
      return;
    }
    definition.published_in = published[2];
    definition.expression = published.str(1);
  }
  if (is_new(name, line.number)) definitions_[name] = std::move(definition);
}

const Definition& Figures::definition(const std::string& name) const {
  const Definition& found = entry(definitions_, name, "figure");
  used_.insert(name);
  return found;
}

const TableDescription& Figures::table(const std::string& name) const {
  const TableDescription& found = entry(tables_, name, "table");
  used_.insert(name);
  return found;
}

std::vector<std::string> Figures::names() const {
  std::vector<std::string> names;
  for (const auto& [name, definition] : definitions_) names.push_back(name);
  for (const auto& [name, table] : tables_) names.push_back(name);
  return names;
}

int Figures::line_of(const std::string& name) const {
  const auto found = definitions_.find(name);
  return found != definitions_.end() ? found->second.line : tables_.at(name).line;
}

Figure Figures::figure(const std::string& name) const {
  const Definition& definition = this->definition(name);
  if (definition.is_list) throw_figure_error("\"" + name + "\" is a list");
  if (!definition.parameters.empty())
    throw_figure_error("\"" + name + "\" wants values for its parameters");
  return evaluate(name, {});
}

Figure Figures::evaluate(const std::string& expression, const std::optional<RunName>& run) const {
  Figure figure;
  figure.resolved = resolve(expression, run, &figure.published, 0);
  // A single operand needs no parentheses.
  if (kCall.matches(expression) && figure.resolved.starts_with('('))
    figure.resolved = figure.resolved.substr(1, figure.resolved.size() - 2);
  figure.value =
      tools::evaluate(figure.resolved, [&](const std::string& name) { return value_of(name); });
  if (!std::isfinite(figure.value))
    throw_figure_error("no number comes out of \"" + expression + "\"");
  return figure;
}

std::optional<std::string> Figures::published(const std::string& name) const {
  const auto found = definitions_.find(name);
  if (found == definitions_.end() || found->second.published_in.empty()) return {};
  return found->second.expression;
}

std::vector<std::string> Figures::list(const std::string& text) const {
  const std::vector<std::string> words = words_in(text);
  std::vector<std::string> all;
  for (const std::string& word : words) {
    const auto found = definitions_.find(word);
    const bool is_list = found != definitions_.end() && found->second.is_list;
    if (words.size() == 1 && found != definitions_.end() && !is_list)
      throw_figure_error("\"" + word + "\" is no list");
    if (!is_list) {
      all.push_back(word);
      continue;
    }
    used_.insert(word);
    for (std::string& part : words_in(found->second.expression)) all.push_back(std::move(part));
  }
  return all;
}

RunName Figures::run_named(const std::string& text) const {
  const std::vector<std::string> parts = split_outside_parentheses(text, '/');
  if (parts.size() > 3) throw_figure_error("a run's name has too many parts: " + text);
  RunName run;
  run.chapter = parts.size() == 3 ? parts[1] : chapter_;
  read_kernel(parts.back(), &run);
  run.source = parts.size() == 1 ? std::exchange(run.kernel, "") : parts[0];
  return run;
}

/// Replaces every name of the file in `expression` by its definition.
std::string Figures::resolve(const std::string& expression, const std::optional<RunName>& run,
                             std::set<PublishedNumber>* published, int depth) const {
  if (depth > kMaxDepth) throw_figure_error("a definition leads back to itself: " + expression);
  return tools::replace_names(expression, [&](const std::string& name) {
    return resolve_name(name, run, published, depth);
  });
}

std::string Figures::resolve_name(const std::string& name, const std::optional<RunName>& run,
                                  std::set<PublishedNumber>* published, int depth) const {
  if (name.starts_with(kGeomean)) {
    const Match match = kGeomeanInside.matches(name);
    if (!match)
      throw_figure_error("a geometric mean reads: geomean(NAMES in WORDS: EXPRESSION), not " +
                         name);
    return "geomean(" + match.str(1) + " in " + joined(list(match.str(2))) + ": " +
           resolve(trimmed(match[3]), run, published, depth + 1) + ")";
  }
  if (name.starts_with('$')) return name;  // a variable of an enclosing geometric mean
  if (split_outside_parentheses(name, '/').size() > 1) return resolve_measured(name, run);
  const Match match = kCall.matches(name);
  if (!match) throw_figure_error("cannot read \"" + name + "\"");
  const std::string called = match.str(1);
  if (run && !match.has(2)) {
    const bool is_field = measurements_.has(*run, called);
    if (is_field && definitions_.contains(called))
      throw_figure_error(
          "\"" + called +
          "\" is a figure, and a field of the run too: give the figure another name");
    if (is_field || !definitions_.contains(called)) return spelled(*run, chapter_, called);
  }

  const Definition& definition = this->definition(called);
  if (definition.is_list) throw_figure_error("\"" + called + "\" is a list, not a number");
  if (!definition.published_in.empty()) {
    published->insert({definition.expression, definition.published_in});
    std::string digits = definition.expression;
    std::erase(digits, ',');
    return digits;
  }
  Words words;
  const std::vector<std::string> values =
      match.has(2) ? split_outside_parentheses(match[2], ',') : std::vector<std::string>();
  if (values.size() != definition.parameters.size())
    throw_figure_error("\"" + called + "\" has " + std::to_string(definition.parameters.size()) +
                       " parameters, and is given " + std::to_string(values.size()) + " in " +
                       name);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (words_in(values[i]).size() != 1)
      throw_figure_error("not one word or number: \"" + values[i] + "\"");
    words[definition.parameters[i]] = values[i];
  }
  const std::string ambiguous = ambiguous_word(definition.expression, words);
  if (!ambiguous.empty())
    throw_figure_error("$" + ambiguous + " means two things in \"" + called +
                       "\": rename that of the mean");
  const std::string resolved =
      resolve(with_words(definition.expression, words), {}, published, depth + 1);
  const bool is_one_word = split_outside_parentheses(resolved, ' ').size() == 1;
  return is_one_word ? resolved : "(" + resolved + ")";
}

/// Resolves a name with slashes; "SOURCE/FIELD" is a field of the same run in another file.
std::string Figures::resolve_measured(const std::string& name,
                                      const std::optional<RunName>& run) const {
  const std::vector<std::string> parts = split_outside_parentheses(name, '/');
  if (parts.size() > 2) return name;
  if (!run) throw_figure_error("\"" + name + "\" names no kernel");
  RunName other_source = *run;
  other_source.source = parts[0];
  return spelled(other_source, chapter_, parts[1]);
}

/// Returns the value of a resolved name: a run's field, or a geometric mean.
double Figures::value_of(const std::string& name) const {
  if (const Match match = kGeomeanInside.matches(name)) {
    const std::vector<std::string> variables = words_in(match.str(1)),
                                   words = words_in(match.str(2));
    const std::string body = match.str(3);
    if (words.empty() || words.size() % variables.size() != 0)
      throw_figure_error("a geometric mean takes " + std::to_string(variables.size()) +
                         " words at a time: " + name);
    double product = 1.0;
    for (std::size_t i = 0; i < words.size(); i += variables.size()) {
      Words values;
      for (std::size_t j = 0; j < variables.size(); ++j) values[variables[j]] = words[i + j];
      product *= tools::evaluate(with_words(body, values),
                                 [&](const std::string& inner) { return value_of(inner); });
    }
    const std::size_t factors = words.size() / variables.size();
    return std::pow(product, 1.0 / static_cast<double>(factors));
  }
  const std::size_t slash = name.rfind('/');
  if (slash == std::string::npos) throw_figure_error("no figure is called \"" + name + "\"");
  return measurements_.value(run_named(name.substr(0, slash)), name.substr(slash + 1));
}

}  // namespace prose
