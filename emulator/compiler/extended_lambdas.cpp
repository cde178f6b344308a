/// @file
/// Reports `__device__` lambdas in host code that C++ allows and nvcc refuses.
#include "extended_lambdas.hpp"

#include "sides.hpp"

namespace {

/// Returns the name of the variable that a lambda keeps in a field: g++ puts two underscores before
/// it.
const char* captured_name(tree field) { return IDENTIFIER_POINTER(DECL_NAME(field)) + 2; }

void look_at_captures(tree lambda, location_t place) {
  for (tree one = LAMBDA_EXPR_CAPTURE_LIST(lambda); one; one = TREE_CHAIN(one)) {
    const tree field = TREE_PURPOSE(one);
    if (!field || TREE_CODE(field) != FIELD_DECL) continue;
    if (TYPE_REF_P(TREE_TYPE(field))) {
      error_at(place,
               "a %<__device__%> lambda cannot capture %qs by reference, which is an address of "
               "the host: capture by value",
               captured_name(field));
      return;
    }
    if (is_local_class(strip_array_types(TREE_TYPE(field)))) {
      error_at(place,
               "a %<__device__%> lambda cannot capture %qs, whose type is declared in a function",
               captured_name(field));
      return;
    }
  }
}

/// Refuses a lambda in a function that nvcc's generated code cannot name.
void look_at_function_around(tree around, location_t place) {
  if (TREE_PRIVATE(around) || TREE_PROTECTED(around))
    error_at(place,
             "a %<__device__%> lambda cannot stand in %qD, which is a private or protected member: "
             "make that public",
             around);
  else if (FNDECL_USED_AUTO(around))
    error_at(place,
             "a %<__device__%> lambda cannot stand in %qD, whose type is deduced: write the type",
             around);
}

/// Called when a function is complete.
void look_at_lambda(void* declaration, void*) {
  const tree function = static_cast<tree>(declaration);
  if (!LAMBDA_FUNCTION_P(function) || DECL_IN_SYSTEM_HEADER(function)) return;
  if (!is_marked_for_device(function)) return;
  const tree around = decl_function_context(function);
  if (!around || LAMBDA_FUNCTION_P(around) || side_of(around) != Side::host) return;
  const location_t place = DECL_SOURCE_LOCATION(function);
  look_at_captures(CLASSTYPE_LAMBDA_EXPR(DECL_CONTEXT(function)), place);
  look_at_function_around(around, place);
}

}  // namespace

bool is_local_class(tree type) {
  return CLASS_TYPE_P(type) && !LAMBDA_TYPE_P(type) &&
         decl_function_context(TYPE_MAIN_DECL(type)) != NULL_TREE;
}

void refuse_extended_lambdas(const char* plugin) {
  register_callback(plugin, PLUGIN_PRE_GENERICIZE, look_at_lambda, nullptr);
}
