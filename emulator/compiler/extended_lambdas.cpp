/// @file
/// Reports `__device__` lambdas in host code that C++ allows and nvcc refuses.
#include "extended_lambdas.hpp"

#include "sides.hpp"

namespace {

/// Returns the name of the variable that a lambda keeps in a field: g++ puts two underscores before
/// it, but for a capture that has a name of its own.
const char* captured_name(tree field) {
  return IDENTIFIER_POINTER(DECL_NAME(field)) + (DECL_NORMAL_CAPTURE_P(field) ? 2 : 0);
}

/// Returns whether a field keeps an element of a parameter pack, which g++ calls `name#2`.
bool keeps_element_of_pack(tree field) {
  return std::string(IDENTIFIER_POINTER(DECL_NAME(field))).find('#') != std::string::npos;
}

void look_at_captures(tree lambda, location_t place, bool is_for_both) {
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
    if (is_local_type(strip_array_types(TREE_TYPE(field)))) {
      error_at(place,
               "a %<__device__%> lambda cannot capture %qs, whose type is declared in a function",
               captured_name(field));
      return;
    }
    if (is_private_type(strip_array_types(TREE_TYPE(field)))) {
      error_at(place,
               "a %<__device__%> lambda cannot capture %qs, whose type is a private or protected "
               "member of a class",
               captured_name(field));
      return;
    }
    if (keeps_element_of_pack(field)) {
      error_at(place,
               "a %<__device__%> lambda cannot capture an element of a parameter pack: copy it to "
               "a variable first");
      return;
    }
    if (is_for_both && !DECL_NORMAL_CAPTURE_P(field)) {
      error_at(place,
               "a %<__host__ __device__%> lambda cannot capture with an initialiser, as it does "
               "for %qs",
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
  else if (DECL_CONSTRUCTOR_P(around) || DECL_DESTRUCTOR_P(around))
    error_at(place,
             "a %<__device__%> lambda cannot stand in %qD, a constructor or destructor: write it "
             "in another member function",
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
  const bool is_for_both = side_of(function) == Side::both;
  if (is_for_both && generic_lambda_fn_p(function))
    error_at(place,
             "a %<__host__ __device__%> lambda cannot have parameters whose type is "
             "%<auto%>: write the types");
  look_at_captures(CLASSTYPE_LAMBDA_EXPR(DECL_CONTEXT(function)), place, is_for_both);
  look_at_function_around(around, place);
}

}  // namespace

bool is_local_type(tree type) {
  if (!OVERLOAD_TYPE_P(type) || LAMBDA_TYPE_P(type)) return false;
  return decl_function_context(TYPE_MAIN_DECL(type)) != NULL_TREE;
}

bool is_private_type(tree type) {
  if (!OVERLOAD_TYPE_P(type) || LAMBDA_TYPE_P(type) || !TYPE_CLASS_SCOPE_P(type)) return false;
  const tree name = TYPE_MAIN_DECL(type);
  return (TREE_PRIVATE(name) || TREE_PROTECTED(name)) && !decl_function_context(name);
}

void refuse_extended_lambdas(const char* plugin) {
  register_callback(plugin, PLUGIN_PRE_GENERICIZE, look_at_lambda, nullptr);
}
