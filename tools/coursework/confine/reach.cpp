#include "reach.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace coursework::confine {
namespace {

/// An object of a data section with its labels and directives.
struct Item {
  std::vector<Statement>* section;
  std::size_t begin, end;  // statement indices
  bool is_written = false;
};

std::vector<Item> items_of(std::vector<Statement>& section, bool is_written) {
  std::vector<Item> items;
  bool has_data = true;
  for (std::size_t i = 0; i < section.size(); ++i) {
    const bool is_data = section[i].kind == Statement::Kind::data;
    if (has_data && !is_data) items.push_back({&section, i, i, is_written});
    if (items.empty()) items.push_back({&section, i, i, is_written});
    has_data = is_data;
    items.back().end = i + 1;
  }
  return items;
}

/// Calls `use` with every word of a line that could be a symbol; registers could not.
template <class Use>
void for_words(std::string_view line, const Use& use) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = line[i] == '$' ? ++i : i;  // skips the sign of an immediate operand
    while (end < line.size() && is_part(line[end])) ++end;
    const bool is_register = i > 0 && line[i - 1] == '%';
    if (end > i && !is_register) use(line.substr(i, end - i));
    i = end + 1;
  }
}

std::string_view text_of(const Statement& statement) {
  return statement.kind == Statement::Kind::instruction ? statement.instruction.text
                                                        : statement.text;
}

/// Functions and data by name, and those that a set of names reaches.
class Reach {
 public:
  explicit Reach(Assembly& assembly) : assembly_(assembly) {
    for (std::size_t i = 0; i < assembly.functions.size(); ++i)
      functions_[assembly.functions[i].name] = i;
    for (const auto& [name, target] : assembly.constant_aliases) constants_[name] = target.symbol;
    add_section(assembly.constants, false);
    add_section(assembly.shared, true);
    for (auto& [name, section] : assembly.variables) add_section(section, true);
  }

  /// Marks everything that this name reaches.
  void follow(std::string_view name) {
    open_.emplace_back(name, 0);
    while (!open_.empty()) {
      const auto [next, line] = open_.back();
      open_.pop_back();
      visit(next, line);
    }
  }

  bool has_function(std::size_t i) const { return seen_functions_.count(i) != 0; }
  bool has_item(std::size_t i) const { return seen_items_.count(i) != 0; }
  int line_of_item(std::size_t i) const { return seen_items_.at(i); }
  const std::set<std::size_t>& functions() const { return seen_functions_; }
  const std::vector<Item>& items() const { return items_; }
  /// Returns forbidden variables with the lines that mention them first.
  const std::vector<std::pair<std::string, int>>& forbidden() const { return forbidden_; }

 private:
  void add_section(std::vector<Statement>& section, bool is_written) {
    for (const Item& item : items_of(section, is_written)) {
      for (std::size_t i = item.begin; i < item.end; ++i)
        if (section[i].kind == Statement::Kind::label) data_[section[i].text] = items_.size();
      items_.push_back(item);
    }
  }

  void visit(std::string_view name, int line) {
    if (!seen_.insert(name).second) return;
    if (const auto alias = assembly_.aliases.find(std::string(name));
        alias != assembly_.aliases.end())
      open_.emplace_back(alias->second, line);
    if (const auto alias = constants_.find(name); alias != constants_.end())
      open_.emplace_back(alias->second, line);
    if (const auto found = functions_.find(name); found != functions_.end()) {
      seen_functions_.insert(found->second);
      for (const Statement& one : assembly_.functions[found->second].body)
        if (one.kind == Statement::Kind::instruction || one.kind == Statement::Kind::unknown)
          follow_words(one, one.line);
    }
    if (const auto found = data_.find(name); found != data_.end()) {
      const Item& item = items_[found->second];
      seen_items_.emplace(found->second, line);
      for (std::size_t i = item.begin; i < item.end; ++i)
        if (!symbol_in((*item.section)[i]).empty()) follow_words((*item.section)[i], line);
    }
    if (assembly_.forbidden.count(std::string(name))) forbidden_.emplace_back(name, line);
  }

  void follow_words(const Statement& statement, int line) {
    for_words(text_of(statement), [&](std::string_view word) {
      if (!seen_.count(word)) open_.emplace_back(word, line);
    });
  }

  Assembly& assembly_;
  std::unordered_map<std::string_view, std::size_t> functions_, data_;
  std::unordered_map<std::string_view, std::string_view> constants_;  // aliases
  std::vector<Item> items_;
  std::vector<std::pair<std::string_view, int>> open_;
  std::set<std::string_view> seen_;
  std::set<std::size_t> seen_functions_;
  std::map<std::size_t, int> seen_items_;  // with the lines that mention them first
  std::vector<std::pair<std::string, int>> forbidden_;
};

int first_line(const Function& function) {
  const auto found = std::find_if(function.body.begin(), function.body.end(),
                                  [](const Statement& one) { return one.line > 0; });
  return found == function.body.end() ? 0 : found->line;
}

/// Refuses an initialiser whose effect a kernel would miss.
void check_initialiser(const std::string& name, Assembly& assembly, const Reach& kernels) {
  Reach reach(assembly);
  reach.follow(name);
  bool is_missed = false;
  for (std::size_t i = 0; i < reach.items().size(); ++i)
    is_missed |= reach.has_item(i) && kernels.has_item(i) && reach.items()[i].is_written;
  int line = 0;
  for (const std::size_t i : reach.functions()) {
    const Function& function = assembly.functions[i];
    if (function.name != name) continue;
    is_missed |= kernels.has_function(i);
    line = first_line(function);
  }
  if (!is_missed) return;
  throw Refused({line, "constructor",
                 "something outside of functions has a constructor or an initialiser that runs "
                 "when the program starts; only constants are allowed there"});
}

void check_reached(const Assembly& assembly, const Reach& kernels) {
  for (const std::size_t i : kernels.functions())
    if (const Function& function = assembly.functions[i]; function.fault)
      throw Refused(*function.fault);
  for (const auto& [name, line] : kernels.forbidden()) {
    Refusal refusal = assembly.forbidden.at(name);
    if (line > 0) refusal.line = line;
    throw Refused(refusal);
  }
}

/// Leaves out functions, but keeps their labels, which the debug information uses.
void leave_out_functions(Assembly& assembly, const Reach& kernels) {
  std::vector<Function> kept;
  for (std::size_t i = 0; i < assembly.functions.size(); ++i) {
    Function& function = assembly.functions[i];
    if (kernels.has_function(i)) {
      kept.push_back(std::move(function));
      continue;
    }
    assembly.left_out.insert(function.name);
    for (Statement& one : function.body) {
      if (one.kind != Statement::Kind::label) continue;
      if (kept.empty())
        assembly.leading.push_back(one.text);
      else
        kept.back().body.push_back(std::move(one));
    }
  }
  assembly.functions = std::move(kept);
}

void leave_out_data(Assembly& assembly, const Reach& kernels) {
  std::vector<Statement>* section = nullptr;
  std::vector<std::pair<std::vector<Statement>*, std::vector<Statement>>> kept;
  for (std::size_t i = 0; i < kernels.items().size(); ++i) {
    const Item& item = kernels.items()[i];
    if (item.section != section)
      kept.emplace_back(section = item.section, std::vector<Statement>());
    for (std::size_t j = item.begin; j < item.end; ++j) {
      Statement& one = (*section)[j];
      if (kernels.has_item(i)) one.line = kernels.line_of_item(i);
      if (kernels.has_item(i))
        kept.back().second.push_back(std::move(one));
      else if (one.kind == Statement::Kind::label)
        assembly.left_out.insert(one.text);
    }
  }
  for (auto& [where, statements] : kept) *where = std::move(statements);
  for (const auto& [name, refusal] : assembly.forbidden) assembly.left_out.insert(name);
  std::erase_if(assembly.variables, [](const auto& one) { return one.second.empty(); });
}

}  // namespace

void leave_out_unreached(Assembly& assembly) {
  Reach kernels(assembly);
  for (const auto& [number, symbol] : assembly.kernels) kernels.follow(symbol);
  check_reached(assembly, kernels);
  for (const std::string& name : assembly.initialisers) check_initialiser(name, assembly, kernels);
  leave_out_functions(assembly, kernels);
  leave_out_data(assembly, kernels);
  const auto is_left_out = [&](const std::string& name) {
    return assembly.left_out.count(name) != 0;
  };
  std::erase_if(assembly.aliases, [&](const auto& one) { return is_left_out(one.second); });
  std::erase_if(assembly.constant_aliases,
                [&](const auto& one) { return is_left_out(one.second.symbol); });
}

}  // namespace coursework::confine
