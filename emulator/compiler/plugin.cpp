/// @file
/// A plugin of g++ that gives device code a device's meaning. Its arguments
/// (-fplugin-arg-device_code-...):
///
/// - `everywhere`: all functions are device functions;
/// - `one-form`: kernels have only the instrumented form;
/// - `relaxed-constexpr`: device code may call constexpr functions;
/// - `device-by-default`: functions without a qualifier belong to both sides;
/// - `separate-compilation`: device code may ask the device for work;
/// - `headers=FOLDER`: the folder of CUDA's headers.
#include "calls_between_sides.hpp"
#include "declarations.hpp"
#include "device_constants.hpp"
#include "device_functions.hpp"
#include "extended_lambdas.hpp"
#include "passes.hpp"
#include "quick_form.hpp"
#include "sides.hpp"

int plugin_is_GPL_compatible;

namespace {

void add(const plugin_name_args* self, opt_pass* one, const char* beside,
         pass_positioning_ops where) {
  register_pass_info pass = {};
  pass.pass = one;
  pass.reference_pass_name = beside;
  pass.ref_pass_instance_number = 1;
  pass.pos_op = where;
  register_callback(self->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &pass);
}

/// Called when a pass begins. Suppresses warnings in quick forms, so that each text is warned of
/// only once.
void warn_of_one_form(void*, void*) {
  static const bool is_quiet = are_warnings_off();
  are_warnings_off() = is_quiet || (current_function_decl && is_quick_form(current_function_decl));
}

/// Keeps `__shared__` variables at their declared alignment. g++ would raise that of variables
/// which a quick form reads as vectors, and the instrumented form would then read a struct in one
/// access instead of two. Arrays of narrow elements begin where wide accesses may, like other
/// variables, so that a misaligned address in one is misaligned wherever the array lies.
void align_shared_variable(void* declaration, void*) {
  const tree variable = static_cast<tree>(declaration);
  if (!VAR_P(variable) || !DECL_THREAD_LOCAL_P(variable) || DECL_USER_ALIGN(variable)) return;
  const tree type = TREE_TYPE(variable);
  if (type == error_mark_node || !COMPLETE_TYPE_P(type) || dependent_type_p(type)) return;
  constexpr unsigned kByte = 8, kAlignment = 16 * kByte, kNarrow = 4 * kByte;
  const tree size = TYPE_SIZE(type);
  if (TREE_CODE(type) == ARRAY_TYPE && TYPE_ALIGN(type) < kNarrow && size &&
      tree_fits_uhwi_p(size) && tree_to_uhwi(size) >= kAlignment)
    SET_DECL_ALIGN(variable, kAlignment);
  DECL_USER_ALIGN(variable) = 1;
}

/// Puts variables that a template makes into the section that the template names, which g++
/// forgets.
void keep_section(void* declaration, void*) {
  const tree variable = static_cast<tree>(declaration);
  if (!VAR_P(variable) || !TREE_STATIC(variable) || DECL_SECTION_NAME(variable) ||
      processing_template_decl)
    return;
  tree named = lookup_attribute("section", DECL_ATTRIBUTES(variable));
  if (!named && DECL_LANG_SPECIFIC(variable) && DECL_TEMPLATE_INFO(variable)) {
    const tree made_by = DECL_TI_TEMPLATE(variable);
    if (TREE_CODE(made_by) != TEMPLATE_DECL) return;
    const tree pattern = DECL_TEMPLATE_RESULT(most_general_template(made_by));
    named = lookup_attribute("section", DECL_ATTRIBUTES(pattern));
  }
  if (!named) return;
  // Each gets a section name of its own, behind the begin of a comment
  // (rewriter/rewrite_variable.cpp).
  const std::string name = std::string(TREE_STRING_POINTER(TREE_VALUE(TREE_VALUE(named)))) + "." +
                           IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(variable));
  set_decl_section_name(variable, name.c_str());
}

/// Returns whether the plugin was built for this version of the compiler. The configuration may
/// differ: another build of a distribution has other folders and the same interface.
bool are_one_version(const plugin_gcc_version& one, const plugin_gcc_version& other) {
  const auto is_same = [](const char* a, const char* b) { return std::string(a) == b; };
  return is_same(one.basever, other.basever) && is_same(one.datestamp, other.datestamp) &&
         is_same(one.devphase, other.devphase) && is_same(one.revision, other.revision);
}

/// Called when all functions are complete. Gives `warpSize` its value, which nothing in the source
/// could use as a constant until now.
void give_value_to_warp_size(void*, void*) {
  constexpr int kWarpSize = 32;
  const tree variable = get_global_binding(get_identifier("warpSize"));
  if (!variable || !VAR_P(variable) || !DECL_EXTERNAL(variable) || DECL_INITIAL(variable) ||
      !DECL_IN_SYSTEM_HEADER(variable))
    return;
  DECL_INITIAL(variable) = build_int_cst(TREE_TYPE(variable), kWarpSize);
  varpool_node::get_create(variable);
}

}  // namespace

int plugin_init(plugin_name_args* self, plugin_gcc_version* version) {
  if (!are_one_version(*version, gcc_version)) {
    error("the emulator was built for another %<g++%> than this one; build it again");
    return 1;
  }
  bool one_form = false, is_everywhere = false, relaxed_constexpr = false;
  bool separate_compilation = false;
  std::string headers;
  for (int i = 0; i < self->argc; ++i) {
    const std::string key = self->argv[i].key;
    is_everywhere |= key == "everywhere";
    one_form |= key == "one-form";
    relaxed_constexpr |= key == "relaxed-constexpr";
    if (key == "device-by-default") give_both_sides_to_unmarked();
    separate_compilation |= key == "separate-compilation";
    if (key == "headers") headers = self->argv[i].value;
  }
  if (is_everywhere) all_run_on_device();
  register_side_attributes(self->base_name);
  if (!is_everywhere) {
    refuse_calls_between_sides(self->base_name, headers, relaxed_constexpr, separate_compilation);
    refuse_declarations(self->base_name);
    refuse_extended_lambdas(self->base_name);
  }
  compute_constants_like_device(self->base_name);
  register_callback(self->base_name, PLUGIN_FINISH_DECL, align_shared_variable, nullptr);
  register_callback(self->base_name, PLUGIN_FINISH_DECL, keep_section, nullptr);
  register_callback(self->base_name, PLUGIN_ALL_IPA_PASSES_START, give_value_to_warp_size, nullptr);
  register_callback(self->base_name, PLUGIN_PASS_EXECUTION, warn_of_one_form, nullptr);
  add(self, device_arithmetic(g), "ssa", PASS_POS_INSERT_AFTER);
  add(self, device_calls(g), "ssa", PASS_POS_INSERT_AFTER);
  if (!is_everywhere) {
    add(self, host_accesses(g), "ssa", PASS_POS_INSERT_AFTER);
    add(self, kernel_refusals(g), "ssa", PASS_POS_INSERT_AFTER);
  }
  add(self, argument_lines(g), "tsan", PASS_POS_INSERT_BEFORE);
  // before a load can be replaced by the stored value, and again when everything is inlined
  add(self, misaligned_accesses(g), "forwprop", PASS_POS_INSERT_AFTER);
  add(self, misaligned_accesses(g), "tsan", PASS_POS_INSERT_BEFORE);
  add(self, padded_structs(g), "tsan", PASS_POS_INSERT_AFTER);
  if (one_form) return 0;
  add(self, quick_forms(g), "opt_local_passes", PASS_POS_INSERT_BEFORE);
  add(self, right_structs(g), "esra", PASS_POS_INSERT_BEFORE);
  add(self, lane_loops(g), "post_ipa_warn", PASS_POS_INSERT_BEFORE);
  add(self, quick_checks(g), "tsan", PASS_POS_INSERT_BEFORE);
  add(self, row_sums(g), "unswitch", PASS_POS_INSERT_AFTER);
  add(self, right_reductions(g), "vect", PASS_POS_INSERT_BEFORE);
  return 0;
}
