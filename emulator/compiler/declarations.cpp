#include "declarations.hpp"

#include "sides.hpp"

namespace {

constexpr unsigned HOST_WIDE_INT kMostParameterBytes = 32764;  // from sm_70 on
constexpr unsigned HOST_WIDE_INT kMostSharedBytes = 48 * 1024, kMostConstantBytes = 64 * 1024;

/// Checks that all declarations of `extern __shared__` memory with one name in a namespace have one
/// type.
void look_at_dynamic_shared(tree variable) {
  static std::map<std::pair<tree, tree>, tree> known;
  tree around = CP_DECL_CONTEXT(variable);
  while (around && TREE_CODE(around) != NAMESPACE_DECL)
    around = TYPE_P(around) ? CP_TYPE_CONTEXT(around) : CP_DECL_CONTEXT(around);
  const auto [entry, is_new] = known.try_emplace({around, DECL_NAME(variable)}, variable);
  if (is_new || same_type_p(TREE_TYPE(entry->second), TREE_TYPE(variable))) return;
  error_at(
      DECL_SOURCE_LOCATION(variable),
      "the %<extern __shared__%> variable %qD is declared with two types: give each type a name of "
      "its own",
      variable);
  inform(DECL_SOURCE_LOCATION(entry->second), "the first declaration is here");
}

tree find_call(tree* expression, int*, void*) {
  const tree_code code = TREE_CODE(*expression);
  return code == CALL_EXPR || code == AGGR_INIT_EXPR ? *expression : NULL_TREE;
}

/// Returns whether a variable's class has a trivial default constructor and destructor. g++ puts
/// arrays of such a class into `static_aggregates` as well if the class has other constructors.
bool is_of_trivial_class(tree variable) {
  const tree type = strip_array_types(TREE_TYPE(variable));
  return CLASS_TYPE_P(type) && TYPE_HAS_TRIVIAL_DFLT(type) && !TYPE_HAS_NONTRIVIAL_DESTRUCTOR(type);
}

bool is_trivial(tree variable, tree initialiser) {
  return is_of_trivial_class(variable) &&
         !cp_walk_tree_without_duplicates(&initialiser, find_call, nullptr);
}

/// Static variables of device functions, by their mangled names.
std::map<std::string, tree>& static_variables() {
  static std::map<std::string, tree> all;
  return all;
}

unsigned HOST_WIDE_INT bytes_of(tree variable) {
  const tree size = DECL_SIZE_UNIT(variable);
  return size && tree_fits_uhwi_p(size) ? tree_to_uhwi(size) : 0;
}

/// The `__shared__` variables that each function declares.
std::map<tree, std::vector<tree>>& shared_variables() {
  static std::map<tree, std::vector<tree>> all;
  return all;
}

/// Notes a `__shared__` variable, and adds up the size of `__constant__` memory.
void look_at_size(tree variable) {
  static unsigned HOST_WIDE_INT constant = 0;
  const tree function = DECL_FUNCTION_SCOPE_P(variable) ? DECL_CONTEXT(variable) : NULL_TREE;
  const char* const kind = qualifier_of(variable);
  if (kind && std::string(kind) == "__constant__") {
    constant += bytes_of(variable);
    if (constant > kMostConstantBytes)
      error_at(DECL_SOURCE_LOCATION(variable),
               "with %qD, there are %wu bytes of %<__constant__%> memory, and there may be %wu",
               variable, constant, kMostConstantBytes);
  } else if (function && DECL_THREAD_LOCAL_P(variable) && side_of(function) == Side::device) {
    shared_variables()[function].push_back(variable);
  }
}

/// Called when a function is complete. Checks that it declares no more shared memory than a block
/// gets by default. Unused variables do not count.
void look_at_shared_memory_of(tree function) {
  const auto found = shared_variables().find(function);
  if (found == shared_variables().end()) return;
  unsigned HOST_WIDE_INT bytes = 0;
  for (const tree variable : found->second) {
    if (!TREE_USED(variable)) continue;
    bytes += bytes_of(variable);
    if (bytes <= kMostSharedBytes) continue;
    error_at(DECL_SOURCE_LOCATION(variable),
             "with %qD, %qD has %wu bytes of %<__shared__%> memory, and there may be %wu: more is "
             "dynamic shared memory, which a launch asks for",
             variable, function, bytes, kMostSharedBytes);
    return;
  }
}

/// Finds the address of a function or variable that is the host's alone.
tree find_address_of_host(tree* expression, int* walks_on, void*) {
  if (TYPE_P(*expression)) *walks_on = 0;
  if (TREE_CODE(*expression) != ADDR_EXPR) return NULL_TREE;
  const tree of = get_base_address(TREE_OPERAND(*expression, 0));
  if (!of || !DECL_P(of) || DECL_IN_SYSTEM_HEADER(of) || DECL_ARTIFICIAL(of)) return NULL_TREE;
  if (TREE_CODE(of) == FUNCTION_DECL)
    return side_of(of) == Side::host && !DECL_DECLARED_CONSTEXPR_P(of) && !LAMBDA_FUNCTION_P(of)
               ? of
               : NULL_TREE;
  const bool is_of_host =
      VAR_P(of) && !is_in_device_memory(of) && !DECL_THREAD_LOCAL_P(of) && !DECL_EXTERNAL(of);
  return is_of_host ? of : NULL_TREE;
}

/// Refuses a variable of the device that begins with an address which only the host has. Managed
/// memory may: the host has it, too.
void look_at_initialiser(tree variable) {
  const char* const kind = qualifier_of(variable);
  if (!kind || std::string(kind) == "__managed__" || !DECL_INITIAL(variable)) return;
  tree first = DECL_INITIAL(variable);
  if (const tree of = cp_walk_tree_without_duplicates(&first, find_address_of_host, nullptr))
    error_at(DECL_SOURCE_LOCATION(variable),
             "the %qs variable %qD cannot begin with the address of %qD, which only the host has",
             kind, variable, of);
}

/// Refuses managed memory that cannot change, or is another name for something.
void look_at_managed(tree variable) {
  const char* const kind = qualifier_of(variable);
  if (!kind || std::string(kind) != "__managed__") return;
  if (TREE_READONLY(variable) || TYPE_READONLY(strip_array_types(TREE_TYPE(variable))))
    error_at(DECL_SOURCE_LOCATION(variable), "the %<__managed__%> variable %qD cannot be %<const%>",
             variable);
  else if (TYPE_REF_P(TREE_TYPE(variable)))
    error_at(DECL_SOURCE_LOCATION(variable),
             "the %<__managed__%> variable %qD cannot be a reference", variable);
}

/// Called when a variable is declared. If it needs code before or after main, g++ has just put it
/// at the head of `static_aggregates`.
void look_at_variable(void* declaration, void*) {
  const tree variable = static_cast<tree>(declaration);
  if (VAR_P(variable) && is_dynamic_shared(variable) && !processing_template_decl)
    look_at_dynamic_shared(variable);
  if (!VAR_P(variable) || processing_template_decl) return;
  if (TREE_STATIC(variable)) look_at_size(variable);
  look_at_initialiser(variable);
  look_at_managed(variable);
  if (DECL_FUNCTION_SCOPE_P(variable) && TREE_STATIC(variable) && qualifier_of(variable))
    static_variables()[IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(variable))] = variable;
  if (!static_aggregates || TREE_VALUE(static_aggregates) != variable ||
      is_trivial(variable, TREE_PURPOSE(static_aggregates)))
    return;
  if (const char* const kind = qualifier_of(variable))
    error_at(DECL_SOURCE_LOCATION(variable),
             "no constructor, destructor or computed initialiser can run for the %qs variable %qD: "
             "initialise it with a constant, or set it with %<cudaMemcpyToSymbol%>",
             kind, variable);
}

/// Finds the guard variable of a static variable and returns the static variable. The guard of
/// `_Zname` is `_ZGVname`.
tree find_initialised(tree* expression, int*, void*) {
  const tree guard = *expression;
  if (!VAR_P(guard) || !DECL_ARTIFICIAL(guard) || !DECL_NAME(guard)) return NULL_TREE;
  const std::string name = IDENTIFIER_POINTER(DECL_NAME(guard));
  if (name.rfind("_ZGV", 0) != 0) return NULL_TREE;
  const auto found = static_variables().find("_Z" + name.substr(4));
  return found != static_variables().end() && !is_of_trivial_class(found->second) ? found->second
                                                                                  : NULL_TREE;
}

/// Renames a variable that a template of dynamic shared memory has made to the name of that memory.
/// For other variables the rewriter does it with a label, which does not apply to those that a
/// template makes.
tree rename_dynamic_shared(tree* expression, int*, void*) {
  const tree variable = *expression;
  if (VAR_P(variable) && DECL_EXTERNAL(variable) && is_of_dynamic_shared_template(variable))
    symtab->change_decl_assembler_name(variable, get_identifier("*emu_dynamic_shared_memory"));
  return NULL_TREE;
}

unsigned HOST_WIDE_INT parameter_bytes(tree kernel) {
  unsigned HOST_WIDE_INT bytes = 0;
  for (tree one = DECL_ARGUMENTS(kernel); one; one = DECL_CHAIN(one)) {
    const tree type = DECL_BY_REFERENCE(one) ? TREE_TYPE(TREE_TYPE(one)) : TREE_TYPE(one);
    if (!COMPLETE_TYPE_P(type) || !tree_fits_uhwi_p(TYPE_SIZE_UNIT(type))) continue;
    const unsigned HOST_WIDE_INT alignment = TYPE_ALIGN_UNIT(type);
    bytes = (bytes + alignment - 1) / alignment * alignment + tree_to_uhwi(TYPE_SIZE_UNIT(type));
  }
  return bytes;
}

/// `__grid_constant__` belongs to a kernel's parameter that is constant, and no reference.
void look_at_grid_constants(tree function) {
  for (tree one = DECL_ARGUMENTS(function); one; one = DECL_CHAIN(one)) {
    if (!is_grid_constant(one)) continue;
    const tree type = DECL_BY_REFERENCE(one) ? TREE_TYPE(TREE_TYPE(one)) : TREE_TYPE(one);
    if (!is_kernel(function) || !TYPE_READONLY(type) || TREE_CODE(TREE_TYPE(one)) == REFERENCE_TYPE)
      error_at(DECL_SOURCE_LOCATION(one),
               "%<__grid_constant__%> belongs to a parameter of a %<__global__%> function that is "
               "%<const%> and no reference");
  }
}

/// Refuses kinds of parameters that a launch cannot copy.
void look_at_parameters(tree kernel) {
  for (tree one = DECL_ARGUMENTS(kernel); one; one = DECL_CHAIN(one)) {
    const tree type = TREE_TYPE(one);
    if (TREE_CODE(type) == REFERENCE_TYPE && TYPE_REF_IS_RVALUE(type))
      error_at(DECL_SOURCE_LOCATION(one),
               "the kernel %qD cannot have an rvalue reference as a parameter", kernel);
    else if (is_std_init_list(type))
      error_at(DECL_SOURCE_LOCATION(one),
               "the kernel %qD cannot have a %<std::initializer_list%> as a parameter", kernel);
    else if (same_type_p(type, va_list_type_node) ||
             (POINTER_TYPE_P(type) && TREE_CODE(va_list_type_node) == ARRAY_TYPE &&
              same_type_p(TREE_TYPE(type), TREE_TYPE(va_list_type_node))))
      error_at(DECL_SOURCE_LOCATION(one), "the kernel %qD cannot have a %<va_list%> as a parameter",
               kernel);
  }
}

/// Refuses a virtual function on another side than the one that it overrides.
void look_at_overridden(tree function, tree binfo) {
  tree base = NULL_TREE;
  for (unsigned i = 0; BINFO_BASE_ITERATE(binfo, i, base); ++i) {
    const tree overridden = look_for_overrides_here(BINFO_TYPE(base), function);
    if (overridden && side_of(overridden) != side_of(function))
      error_at(DECL_SOURCE_LOCATION(function),
               "%qD overrides %qD, which has other qualifiers: both must be for the host, or for "
               "the device, or for both",
               function, overridden);
    else
      look_at_overridden(function, base);
  }
}

/// Called when a function is complete.
void look_at_declared_function(void* declaration, void*) {
  const tree function = static_cast<tree>(declaration);
  if (DECL_VIRTUAL_P(function) && !DECL_ARTIFICIAL(function) && !DECL_DESTRUCTOR_P(function) &&
      !DECL_IN_SYSTEM_HEADER(function))
    look_at_overridden(function, TYPE_BINFO(DECL_CONTEXT(function)));
  cp_walk_tree_without_duplicates(&DECL_SAVED_TREE(function), rename_dynamic_shared, nullptr);
  if (side_of(function) != Side::device) return;
  look_at_shared_memory_of(function);
  look_at_grid_constants(function);
  if (is_kernel(function)) look_at_parameters(function);
  if (is_kernel(function) && parameter_bytes(function) > kMostParameterBytes)
    error_at(DECL_SOURCE_LOCATION(function),
             "the parameters of the kernel %qD take more than %wu bytes: pass a pointer to device "
             "memory instead",
             function, kMostParameterBytes);
  if (const tree variable =
          cp_walk_tree_without_duplicates(&DECL_SAVED_TREE(function), find_initialised, nullptr))
    error_at(DECL_SOURCE_LOCATION(variable),
             "no constructor, destructor or computed initialiser can run for the static variable "
             "%qD of device code: initialise it with a constant",
             variable);
}

}  // namespace

void refuse_declarations(const char* plugin) {
  register_callback(plugin, PLUGIN_FINISH_DECL, look_at_variable, nullptr);
  register_callback(plugin, PLUGIN_PRE_GENERICIZE, look_at_declared_function, nullptr);
}
