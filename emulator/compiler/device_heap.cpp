/// @file
/// malloc, free, new and delete of device code are the engine's, which knows whose memory it is
/// (runtime/kernels_heap.cpp).
///
/// A destructor that nobody wrote has no line of its own, so what frees is replaced there, too.
#include "device_functions.hpp"
#include "passes.hpp"

namespace {

bool is_nothrow(tree reference) {
  if (TREE_CODE(reference) != REFERENCE_TYPE) return false;
  const tree name = TYPE_NAME(TREE_TYPE(reference));
  return name && TREE_CODE(name) == TYPE_DECL &&
         std::string("nothrow_t") == IDENTIFIER_POINTER(DECL_NAME(name));
}

/// What the call is to be instead; null: it stays. That of a class, or one that is given a place,
/// stays.
const char* engine_name_of(tree called, bool on_device) {
  if (on_device && fndecl_built_in_p(called, BUILT_IN_MALLOC)) return "emu_malloc";
  if (on_device && fndecl_built_in_p(called, BUILT_IN_FREE)) return "emu_free";
  const bool deletes = DECL_IS_OPERATOR_DELETE_P(called);
  if (!deletes && !(on_device && DECL_IS_OPERATOR_NEW_P(called))) return nullptr;
  if (DECL_CONTEXT(called) && TREE_CODE(DECL_CONTEXT(called)) != TRANSLATION_UNIT_DECL &&
      !(TREE_CODE(DECL_CONTEXT(called)) == NAMESPACE_DECL &&
        DECL_CONTEXT(called) == global_namespace))
    return nullptr;
  const tree parameters = TYPE_ARG_TYPES(TREE_TYPE(called));
  const int count = list_length(parameters) - 1;  // void ends the list
  const tree second = count == 2 ? TREE_VALUE(TREE_CHAIN(parameters)) : NULL_TREE;
  if (count == 1) return deletes ? "emu_delete" : "emu_new";
  if (!second) return nullptr;
  if (deletes && same_type_p(second, size_type_node)) return "emu_delete_sized";
  return !deletes && is_nothrow(second) ? "emu_new_nothrow" : nullptr;
}

const pass_data kDeviceHeap = {GIMPLE_PASS, "device_heap",  OPTGROUP_NONE, TV_NONE, PROP_ssa, 0, 0,
                               0,           TODO_update_ssa};

class DeviceHeap : public gimple_opt_pass {
 public:
  explicit DeviceHeap(gcc::context* context) : gimple_opt_pass(kDeviceHeap, context) {}

  unsigned execute(function* one) override {
    const bool on_device = runs_on_device(one->decl);
    if (!on_device && !DECL_ARTIFICIAL(one->decl)) return 0;
    basic_block block;
    FOR_EACH_BB_FN(block, one) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        gimple* const statement = gsi_stmt(at);
        const tree called = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
        const char* const wanted = called ? engine_name_of(called, on_device) : nullptr;
        if (!wanted) continue;
        const tree instead = build_fn_decl(wanted, TREE_TYPE(called));
        TREE_NOTHROW(instead) = TREE_NOTHROW(called);
        gimple_call_set_fndecl(statement, instead);
        update_stmt(statement);
      }
    }
    return 0;
  }
};

}  // namespace

opt_pass* device_heap(gcc::context* context) { return new DeviceHeap(context); }
