/// @file
/// Reports reads of small structs that have padding.
///
/// initcheck checks reads of up to four bytes to the byte. So the engine must know which bytes of a
/// struct are padding.
#include "device_functions.hpp"
#include "passes.hpp"

namespace {

constexpr unsigned kSmallStruct = 4;

/// Returns a mask of the bytes of a type that hold members; the type begins at byte `offset`.
unsigned used_bytes(tree type, unsigned HOST_WIDE_INT offset) {
  const auto bits = [](unsigned HOST_WIDE_INT first, unsigned HOST_WIDE_INT last) {
    unsigned all = 0;
    for (; first < last && first < kSmallStruct; ++first) all |= 1u << first;
    return all;
  };
  if (!TYPE_SIZE_UNIT(type) || !tree_fits_uhwi_p(TYPE_SIZE_UNIT(type))) return ~0u;
  const unsigned HOST_WIDE_INT bytes = tree_to_uhwi(TYPE_SIZE_UNIT(type));
  unsigned used = 0;
  if (TREE_CODE(type) == ARRAY_TYPE) {
    const tree size = TYPE_SIZE_UNIT(TREE_TYPE(type));
    if (!size || !tree_fits_uhwi_p(size) || tree_to_uhwi(size) == 0) return ~0u;
    for (unsigned HOST_WIDE_INT at = 0; at < bytes; at += tree_to_uhwi(size))
      used |= used_bytes(TREE_TYPE(type), offset + at);
    return used;
  }
  if (!RECORD_OR_UNION_TYPE_P(type)) return bits(offset, offset + bytes);
  for (tree field = TYPE_FIELDS(type); field; field = DECL_CHAIN(field)) {
    if (TREE_CODE(field) != FIELD_DECL || !DECL_SIZE(field) || integer_zerop(DECL_SIZE(field)))
      continue;
    if (!tree_fits_uhwi_p(DECL_SIZE(field))) return ~0u;
    constexpr unsigned kByte = 8;
    const unsigned HOST_WIDE_INT first = int_bit_position(field);
    if (DECL_BIT_FIELD(field))
      used |= bits(offset + first / kByte,
                   offset + (first + tree_to_uhwi(DECL_SIZE(field)) + kByte - 1) / kByte);
    else if (!is_empty_class(TREE_TYPE(field)))
      used |= used_bytes(TREE_TYPE(field), offset + first / kByte);
  }
  return used;
}

/// Returns a mask of the padding bytes of a type; 0 if it is no small struct.
unsigned padding_of(tree type) {
  if (!RECORD_OR_UNION_TYPE_P(type) || !TYPE_SIZE_UNIT(type) ||
      !tree_fits_uhwi_p(TYPE_SIZE_UNIT(type)))
    return 0;
  const unsigned HOST_WIDE_INT bytes = tree_to_uhwi(TYPE_SIZE_UNIT(type));
  if (bytes > kSmallStruct) return 0;
  return ~used_bytes(type, 0) & ((1u << bytes) - 1);
}

/// Returns the replacement for a call by which the pass `tsan` reports a read of `bytes` bytes;
/// null for other calls.
const char* instead_of(const gimple* call, unsigned HOST_WIDE_INT bytes) {
  const tree called = is_gimple_call(call) ? gimple_call_fndecl(call) : NULL_TREE;
  if (!called) return nullptr;
  if (fndecl_built_in_p(called, BUILT_IN_TSAN_READ_RANGE)) return "emu_read_padded_range";
  const bool is_whole = (bytes == 1 && fndecl_built_in_p(called, BUILT_IN_TSAN_READ1)) ||
                        (bytes == 2 && fndecl_built_in_p(called, BUILT_IN_TSAN_READ2)) ||
                        (bytes == 4 && fndecl_built_in_p(called, BUILT_IN_TSAN_READ4));
  return is_whole ? "emu_read_padded" : nullptr;
}

/// Replaces the call that reports a statement's read by one with the padding.
void tell_of_padding(gimple_stmt_iterator at, unsigned padding) {
  const tree type = TREE_TYPE(gimple_assign_rhs1(gsi_stmt(at)));
  const unsigned HOST_WIDE_INT bytes = tree_to_uhwi(TYPE_SIZE_UNIT(type));
  for (gsi_prev(&at); !gsi_end_p(at); gsi_prev(&at)) {
    gimple* const call = gsi_stmt(at);
    if (gimple_vdef(call) && !is_gimple_call(call)) return;  // another access
    const char* const name = instead_of(call, bytes);
    if (!name) continue;
    const tree function = build_fn_decl(
        name, build_function_type_list(void_type_node, ptr_type_node, unsigned_type_node,
                                       unsigned_type_node, NULL_TREE));
    gcall* const other = gimple_build_call(function, 3, gimple_call_arg(call, 0),
                                           build_int_cst(unsigned_type_node, bytes),
                                           build_int_cst(unsigned_type_node, padding));
    gimple_set_location(other, gimple_location(call));
    gimple_move_vops(other, call);
    gsi_replace(&at, other, false);
    return;
  }
}

const pass_data kPaddedStructs = {
    GIMPLE_PASS, "padded_structs", OPTGROUP_NONE, TV_NONE, PROP_ssa, 0, 0, 0, TODO_update_ssa};

class PaddedStructs : public gimple_opt_pass {
 public:
  explicit PaddedStructs(gcc::context* context) : gimple_opt_pass(kPaddedStructs, context) {}

  unsigned execute(function* one) override {
    if (!runs_on_device(one->decl)) return 0;
    basic_block block;
    FOR_EACH_BB_FN(block, one) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        if (!gimple_assign_load_p(gsi_stmt(at))) continue;
        if (const unsigned padding = padding_of(TREE_TYPE(gimple_assign_rhs1(gsi_stmt(at)))))
          tell_of_padding(at, padding);
      }
    }
    return 0;
  }
};

}  // namespace

opt_pass* padded_structs(gcc::context* context) { return new PaddedStructs(context); }
