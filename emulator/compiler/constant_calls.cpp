/// @file
/// g++ replaces a call in a constant expression by its value as soon as it has read it. What it
/// does keep is the mark of a function that was named (`TREE_USED`). The marks of the host's
/// constexpr functions are therefore removed before a device function is read, and looked at
/// afterwards.
///
/// A function is also marked if it is named in an operand of `sizeof`, or in the declaration of a
/// template that is called, and nvcc takes both. So the call must stand in the function's own text.
/// What is left open there is taken: a call under `if constexpr`, which may be discarded, and a
/// conversion or a call operator, whose use has no name.
#include "constant_calls.hpp"

#include <target.h>

#include "calls_between_sides.hpp"
#include "preprocessed_text.hpp"
#include "sides.hpp"

namespace {

/// constexpr functions of the host, in the order in which g++ gets to know them.
std::vector<tree>& known_functions() {
  static std::vector<tree> all;
  return all;
}

/// Returns what a text has where it calls the function; empty if that is nothing of its own.
std::string sign_of(tree function) {
  if (DECL_CONSTRUCTOR_P(function)) {
    const tree name = TYPE_IDENTIFIER(DECL_CONTEXT(function));
    return name && !IDENTIFIER_ANON_P(name) ? IDENTIFIER_POINTER(name) : "";
  }
  const tree identifier = DECL_NAME(function);
  if (!identifier || DECL_DESTRUCTOR_P(function) || LAMBDA_FUNCTION_P(function) ||
      IDENTIFIER_CONV_OP_P(identifier))
    return "";
  const std::string name = IDENTIFIER_POINTER(identifier);
  const std::string kOperator = "operator";
  if (!IDENTIFIER_ANY_OP_P(identifier) && !UDLIT_OPER_P(identifier)) return name;
  const std::string symbol = name.substr(kOperator.size());
  if (symbol == "[]") return "[";
  return symbol == "()" || symbol[0] == ' ' ? "" : symbol;
}

void note(tree declaration) {
  static std::set<tree> noted;
  const tree function = as_written(declaration);
  if (!DECL_DECLARED_CONSTEXPR_P(function) || DECL_IMMEDIATE_FUNCTION_P(function) ||
      decl_function_context(function) || device_can_call(function))
    return;
  const std::string sign = sign_of(function);
  // A template's declaration in the library names such functions of its own.
  const bool is_of_library = DECL_IN_SYSTEM_HEADER(function) && sign[0] == '_';
  if (!sign.empty() && !is_of_library && noted.insert(function).second)
    known_functions().push_back(function);
}

void note_members(tree type) {
  if (!CLASS_TYPE_P(type) || !COMPLETE_TYPE_P(type)) return;
  for (tree member = TYPE_FIELDS(type); member; member = DECL_CHAIN(member))
    if (TREE_CODE(member) == FUNCTION_DECL) note(member);
}

/// Notes a function, the members of a class, and what a template has been made into.
void note_all_in(tree declaration) {
  if (TREE_CODE(declaration) == FUNCTION_DECL) {
    note(declaration);
  } else if (TREE_CODE(declaration) == OVERLOAD) {
    for (const tree one : ovl_range(declaration)) note_all_in(one);
  } else if (TREE_CODE(declaration) == TYPE_DECL) {
    note_members(TREE_TYPE(declaration));
  } else if (TREE_CODE(declaration) == TEMPLATE_DECL) {
    for (tree one = DECL_TEMPLATE_INSTANTIATIONS(declaration); one; one = TREE_CHAIN(one)) {
      const tree made = TREE_VALUE(one);
      if (made && TYPE_P(made)) note_members(made);
      if (made && TREE_CODE(made) == FUNCTION_DECL) note(made);
    }
  } else if (TREE_CODE(declaration) == NAMESPACE_DECL && !DECL_NAMESPACE_ALIAS(declaration)) {
    for (tree one = NAMESPACE_LEVEL(declaration)->names; one; one = TREE_CHAIN(one))
      note_all_in(one);
  }
}

/// A device function that g++ is reading, and which of the known functions were marked before.
struct Reading {
  tree function;
  std::vector<bool> was_marked;
};

std::vector<Reading>& being_read() {
  static std::vector<Reading> all;
  return all;
}

void (*set_current_function_of_target)(tree) = nullptr;

/// Looks at a function that g++ begins to read, or to make by a template.
void begin(tree function) {
  static std::set<tree> begun;
  if (symtab->state != PARSING || processing_template_decl || !begun.insert(function).second)
    return;
  if (side_of(function) != Side::device) return note(function);
  if (DECL_IN_SYSTEM_HEADER(function) || DECL_ARTIFICIAL(function) != LAMBDA_FUNCTION_P(function))
    return;
  static const bool has_library = (note_all_in(std_node), true);  // of precompiled headers, too
  (void)has_library;
  Reading reading = {function, {}};
  for (const tree known : known_functions()) {
    reading.was_marked.push_back(TREE_USED(known));
    TREE_USED(known) = 0;
  }
  being_read().push_back(std::move(reading));
}

tree collect_called(tree* expression, int*, void* called) {
  const tree_code code = TREE_CODE(*expression);
  const tree function = code == CALL_EXPR || code == AGGR_INIT_EXPR
                            ? cp_get_callee_fndecl_nofold(*expression)
                            : NULL_TREE;
  if (function) static_cast<std::set<tree>*>(called)->insert(as_written(function));
  return NULL_TREE;
}

/// Called when a function is complete.
void look_at(void* declaration, void*) {
  const tree function = static_cast<tree>(declaration);
  if (being_read().empty() || being_read().back().function != function) return;
  std::vector<tree> marked;
  for (const tree known : known_functions())
    if (TREE_USED(known)) marked.push_back(known);
  if (marked.empty()) return;
  // Other calls are still there, and are looked at like those of any host function.
  std::set<tree> called;
  cp_walk_tree_without_duplicates(&DECL_SAVED_TREE(function), collect_called, &called);
  const FunctionText text(DECL_SOURCE_LOCATION(function), input_location);
  for (const tree known : marked) {
    if (called.count(known)) continue;
    const location_t place =
        text.place_of_call(sign_of(known), DECL_CONSTRUCTOR_P(known), DECL_CLASS_SCOPE_P(known));
    if (place != UNKNOWN_LOCATION) refuse_in_device_code(place, known);
  }
}

/// Called when g++ turns to a function, or away from functions (null).
void turn_to(tree function) {
  if (set_current_function_of_target) set_current_function_of_target(function);
  if (function) begin(function);
}

/// Called when g++ has read a function. Restores the marks.
void end(void* declaration, void*) {
  if (being_read().empty() || being_read().back().function != static_cast<tree>(declaration))
    return;
  const std::vector<bool>& was_marked = being_read().back().was_marked;
  for (std::size_t i = 0; i < was_marked.size(); ++i)
    if (was_marked[i]) TREE_USED(known_functions()[i]) = 1;
  being_read().pop_back();
}

}  // namespace

void refuse_constant_calls(const char* plugin) {
  set_current_function_of_target = targetm.set_current_function;
  targetm.set_current_function = turn_to;
  register_callback(plugin, PLUGIN_PRE_GENERICIZE, look_at, nullptr);
  register_callback(plugin, PLUGIN_FINISH_PARSE_FUNCTION, end, nullptr);
}
