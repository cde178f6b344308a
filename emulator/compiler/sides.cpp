#include "sides.hpp"

namespace {

constexpr char kDevice[] = "emu_device", kHost[] = "emu_host", kKernel[] = "emu_kernel",
               kExternal[] = "emu_external", kDynamicShared[] = "emu_dynamic_shared",
               kDynamicSharedTemplate[] = "emu_dynamic_shared_template",
               kGridConstant[] = "emu_grid_constant";

tree keep_attribute(tree*, tree, tree, int, bool*) { return NULL_TREE; }

attribute_spec attribute(const char* name) {
  return {name, 0, 0, true, false, false, false, keep_attribute, nullptr};
}

void register_all(void*, void*) {
  static const attribute_spec all[] = {attribute(kDevice),        attribute(kHost),
                                       attribute(kKernel),        attribute(kExternal),
                                       attribute(kDynamicShared), attribute(kDynamicSharedTemplate),
                                       attribute(kGridConstant)};
  for (const attribute_spec& one : all) register_attribute(&one);
}

bool is_unmarked_of_both_sides = false;

/// Returns whether a function, or the template that it comes from, has the attribute.
bool has(tree function, const char* name) {
  if (lookup_attribute(name, DECL_ATTRIBUTES(function))) return true;
  if (!DECL_LANG_SPECIFIC(function) || !DECL_TEMPLATE_INFO(function)) return false;
  const tree made_by = DECL_TI_TEMPLATE(function);
  if (TREE_CODE(made_by) != TEMPLATE_DECL) return false;
  const tree pattern = DECL_TEMPLATE_RESULT(most_general_template(made_by));
  return pattern && lookup_attribute(name, DECL_ATTRIBUTES(pattern));
}

}  // namespace

tree as_written(tree function) {
  return DECL_LANG_SPECIFIC(function) && DECL_CLONED_FUNCTION_P(function)
             ? DECL_CLONED_FUNCTION(function)
             : function;
}

void register_side_attributes(const char* plugin) {
  register_callback(plugin, PLUGIN_ATTRIBUTES, register_all, nullptr);
}

bool is_kernel(tree function) { return has(function, kKernel); }

bool is_marked_for_device(tree function) { return has(function, kDevice); }

bool was_external(tree function) { return has(function, kExternal); }

Side side_of(tree function) {
  function = as_written(function);
  if (is_kernel(function)) return Side::device;
  if (has(function, kDevice)) return has(function, kHost) ? Side::both : Side::device;
  if (const tree around = decl_function_context(function)) return side_of(around);
  const bool is_of_both =
      is_unmarked_of_both_sides && !has(function, kHost) && !DECL_IN_SYSTEM_HEADER(function);
  return is_of_both ? Side::both : Side::host;
}

void give_both_sides_to_unmarked() { is_unmarked_of_both_sides = true; }

bool is_dynamic_shared(tree variable) {
  return lookup_attribute(kDynamicShared, DECL_ATTRIBUTES(variable)) != NULL_TREE;
}

bool is_grid_constant(tree parameter) {
  return lookup_attribute(kGridConstant, DECL_ATTRIBUTES(parameter)) != NULL_TREE;
}

bool is_of_dynamic_shared_template(tree variable) {
  return lookup_attribute(kDynamicSharedTemplate, DECL_ATTRIBUTES(variable)) != NULL_TREE;
}

const char* qualifier_of(tree variable) {
  if (!variable || !VAR_P(variable) || !is_global_var(variable)) return nullptr;
  const char* const name = DECL_SECTION_NAME(variable);
  const auto begins_with = [name](const std::string& begin) {
    return name && begin.compare(0, begin.size(), name, 0, begin.size()) == 0;
  };
  if (begins_with("emu_device")) return "__device__";
  if (begins_with("emu_constant")) return "__constant__";
  if (begins_with("emu_managed")) return "__managed__";
  return nullptr;
}

bool is_in_device_memory(tree variable) {
  if (qualifier_of(variable) || lookup_attribute("section", DECL_ATTRIBUTES(variable))) return true;
  if (!DECL_LANG_SPECIFIC(variable) || !DECL_TEMPLATE_INFO(variable)) return false;
  // g++ forgets the attributes of a template's variables.
  const tree made_by = DECL_TI_TEMPLATE(variable);
  if (TREE_CODE(made_by) != TEMPLATE_DECL) return false;
  const tree pattern = DECL_TEMPLATE_RESULT(most_general_template(made_by));
  return pattern && VAR_P(pattern) && lookup_attribute("section", DECL_ATTRIBUTES(pattern));
}
