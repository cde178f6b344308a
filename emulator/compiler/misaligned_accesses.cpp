/// @file
/// Reports accesses to a variable at an address that is no multiple of their size.
///
/// g++ sees such an address at compile time and instruments the access as unaligned, as if it were
/// to a packed struct. On a device the type decides. So this pass reports the access as an ordinary
/// one beforehand, and the engine ends the kernel.
#include "device_functions.hpp"
#include "passes.hpp"

namespace {

/// Returns the engine's function for an access of `bytes` bytes.
tree report_of(bool is_store, HOST_WIDE_INT bytes) {
  switch (bytes) {
    case 2:
      return builtin_decl_explicit(is_store ? BUILT_IN_TSAN_WRITE2 : BUILT_IN_TSAN_READ2);
    case 4:
      return builtin_decl_explicit(is_store ? BUILT_IN_TSAN_WRITE4 : BUILT_IN_TSAN_READ4);
    case 8:
      return builtin_decl_explicit(is_store ? BUILT_IN_TSAN_WRITE8 : BUILT_IN_TSAN_READ8);
    case 16:
      return builtin_decl_explicit(is_store ? BUILT_IN_TSAN_WRITE16 : BUILT_IN_TSAN_READ16);
    default:
      return NULL_TREE;
  }
}

/// Returns whether the access reads or writes a variable as another type, at an offset where that
/// type cannot begin.
bool is_misaligned(tree access) {
  if (TREE_CODE(access) != MEM_REF || TREE_CODE(TREE_OPERAND(access, 0)) != ADDR_EXPR) return false;
  const tree variable = get_base_address(access);
  if (!variable || !VAR_P(variable) || !is_global_var(variable)) return false;
  const poly_int64 offset = mem_ref_offset(access).force_shwi();
  HOST_WIDE_INT bytes;
  if (!offset.is_constant(&bytes)) return false;
  const HOST_WIDE_INT multiple = TYPE_ALIGN_UNIT(TREE_TYPE(access));
  return DECL_ALIGN_UNIT(variable) >= multiple && bytes % multiple != 0;
}

void report(gimple_stmt_iterator* at, tree access, bool is_store) {
  const tree type = TREE_TYPE(access);
  if (!is_misaligned(access) || !tree_fits_shwi_p(TYPE_SIZE_UNIT(type))) return;
  const tree reporter = report_of(is_store, tree_to_shwi(TYPE_SIZE_UNIT(type)));
  if (!reporter) return;
  const tree address = build_fold_addr_expr(unshare_expr(access));
  gcall* const call = gimple_build_call(
      reporter, 1, force_gimple_operand_gsi(at, address, true, NULL_TREE, true, GSI_SAME_STMT));
  gimple_set_location(call, gimple_location(gsi_stmt(*at)));
  gsi_insert_before(at, call, GSI_SAME_STMT);
}

const pass_data kMisalignedAccesses = {
    GIMPLE_PASS, "misaligned_accesses", OPTGROUP_NONE, TV_NONE, PROP_ssa, 0, 0, 0, TODO_update_ssa};

class MisalignedAccesses : public gimple_opt_pass {
 public:
  explicit MisalignedAccesses(gcc::context* context)
      : gimple_opt_pass(kMisalignedAccesses, context) {}

  unsigned execute(function* one) override {
    if (!runs_on_device(one->decl)) return 0;
    basic_block block;
    FOR_EACH_BB_FN(block, one) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        const gimple* const statement = gsi_stmt(at);
        if (!gimple_assign_single_p(statement)) continue;
        if (gimple_store_p(statement)) report(&at, gimple_assign_lhs(statement), true);
        if (gimple_assign_load_p(statement)) report(&at, gimple_assign_rhs1(statement), false);
      }
    }
    return 0;
  }
};

}  // namespace

opt_pass* misaligned_accesses(gcc::context* context) { return new MisalignedAccesses(context); }
