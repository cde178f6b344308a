#include "block_form.hpp"

#include "assembly_for_counting.hpp"

bool is_named(tree declaration, const char* name) {
  return DECL_NAME(declaration) && strcmp(IDENTIFIER_POINTER(DECL_NAME(declaration)), name) == 0;
}

bool is_index(tree variable, const char* name) {
  return VAR_P(variable) && DECL_THREAD_LOCAL_P(variable) && TREE_PUBLIC(variable) &&
         is_named(variable, name);
}

namespace {

/// Returns whether a function belongs to the engine: a member of one of its classes, too.
bool is_of_engine(tree function) {
  tree scope = DECL_CONTEXT(function);
  while (scope && TYPE_P(scope)) scope = TYPE_CONTEXT(scope);
  for (; scope && TREE_CODE(scope) == NAMESPACE_DECL; scope = DECL_CONTEXT(scope))
    if (is_named(scope, "emu")) return true;
  return false;
}

bool ends_with(const std::string& text, const char* end) {
  const std::size_t length = strlen(end);
  return text.size() >= length && text.compare(text.size() - length, length, end) == 0;
}

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* one) { return name == one; });
}

std::string name_of(tree declaration) {
  return DECL_NAME(declaration) ? IDENTIFIER_POINTER(DECL_NAME(declaration)) : "";
}

/// Returns whether a block form may call a function of the C library or a built-in of g++.
bool allow_built_in(tree function) {
  const std::string name = name_of(function);
  if (name.rfind("__atomic_", 0) == 0 || name.rfind("__sync_", 0) == 0 ||
      name.rfind("__tsan_", 0) == 0)
    return false;
  for (const char* const part : {"print", "put", "alloc", "free", "setjmp", "longjmp", "apply",
                                 "return_address", "frame_address", "va_", "write"})
    if (name.find(part) != name.npos) return false;
  return true;
}

/// Finds a statement that uses the address of threadIdx, which does not exist in a block form.
tree find_thread_index(tree* operand, int*, void* found) {
  if (TREE_CODE(*operand) == ADDR_EXPR) {
    const tree base = get_base_address(TREE_OPERAND(*operand, 0));
    if (base && VAR_P(base) && is_named(base, "threadIdx")) *static_cast<bool*>(found) = true;
  }
  return NULL_TREE;
}

bool takes_thread_index(gimple* statement) {
  bool found = false;
  if (const gphi* const phi = dyn_cast<gphi*>(statement)) {
    for (unsigned i = 0; i < gimple_phi_num_args(phi); ++i) {
      tree value = gimple_phi_arg_def(phi, i);
      find_thread_index(&value, nullptr, &found);
    }
    return found;
  }
  if (is_gimple_call(statement))  // passed by value
    for (unsigned i = 0; i < gimple_call_num_args(statement); ++i)
      if (VAR_P(gimple_call_arg(statement, i)) &&
          is_named(gimple_call_arg(statement, i), "threadIdx"))
        return true;
  walk_stmt_info info;
  memset(&info, 0, sizeof info);
  info.info = &found;
  const auto look = [](tree* operand, int* subtrees, void* data) {
    return find_thread_index(operand, subtrees, static_cast<walk_stmt_info*>(data)->info);
  };
  walk_gimple_op(statement, look, &info);
  return found;
}

}  // namespace

bool is_engine_function(tree function, const char* name) {
  return is_named(function, name) && is_of_engine(function);
}

bool is_barrier(tree function) { return is_engine_function(function, "block_sync"); }

namespace {

/// Returns whether a function has a local array that is too large for registers: with barriers,
/// each thread would need its own. Only the pass `lane_loops` can tell for certain; this check
/// saves making a form that it refuses.
bool has_large_array(tree function) {
  constexpr unsigned HOST_WIDE_INT kMostBytes = 64;
  unsigned i;
  tree variable;
  FOR_EACH_LOCAL_DECL(DECL_STRUCT_FUNCTION(function), i, variable) {
    const tree type = TREE_TYPE(variable);
    if (TREE_CODE(type) == ARRAY_TYPE && auto_var_in_fn_p(variable, function) &&
        (!tree_fits_uhwi_p(TYPE_SIZE_UNIT(type)) ||
         tree_to_uhwi(TYPE_SIZE_UNIT(type)) > kMostBytes))
      return true;
  }
  return false;
}

}  // namespace

bool BlockFormRules::allow(cgraph_node* body) {
  if (!allow_function(body)) return false;
  // Includes the functions between `body` and each barrier: `body` is the function of a kernel, or
  // calls it.
  if (!has_barrier(body)) return true;
  return std::none_of(with_barrier_.begin(), with_barrier_.end(), [&](cgraph_node* one) {
    return calls(body, one) && has_large_array(one->decl);
  });
}

bool BlockFormRules::calls(cgraph_node* from, cgraph_node* to) const {
  if (from == to) return true;
  for (const cgraph_edge* call = from->callees; call; call = call->next_callee) {
    cgraph_node* const next = call->callee->ultimate_alias_target();
    if (with_barrier_.count(next) && next != from && calls(next, to)) return true;
  }
  return false;
}

bool BlockFormRules::allow_function(cgraph_node* function) {
  const auto known = known_.find(function);
  if (known != known_.end()) return known->second;
  if (!inside_.insert(function).second) return false;
  function->get_untransformed_body();
  bool well = DECL_STRUCT_FUNCTION(function->decl) != nullptr;
  if (well) {
    basic_block block;
    FOR_EACH_BB_FN(block, DECL_STRUCT_FUNCTION(function->decl)) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); well && !gsi_end_p(at); gsi_next(&at))
        well = allow_statement(function, gsi_stmt(at));
      for (gphi_iterator at = gsi_start_phis(block); well && !gsi_end_p(at); gsi_next(&at))
        well = !takes_thread_index(at.phi());
    }
  }
  inside_.erase(function);
  return known_[function] = well;
}

bool BlockFormRules::allow_statement(cgraph_node* function, gimple* statement) {
  if (gimple_has_volatile_ops(statement) && !gimple_clobber_p(statement)) {
    const gasm* const assembly = dyn_cast<gasm*>(statement);
    if (!assembly || !is_for_counting(assembly)) return false;
  }
  if (takes_thread_index(statement)) return false;
  switch (gimple_code(statement)) {
    case GIMPLE_ASM:
      return is_for_counting(as_a<gasm*>(statement));
    case GIMPLE_CALL:
      return allow_call(function, statement);
    case GIMPLE_ASSIGN:
    case GIMPLE_COND:
    case GIMPLE_SWITCH:
    case GIMPLE_LABEL:
    case GIMPLE_RETURN:
    case GIMPLE_DEBUG:
    case GIMPLE_NOP:
    case GIMPLE_PREDICT:
    case GIMPLE_RESX:  // exception handling around the launch
      return true;
    default:
      return false;
  }
}

bool BlockFormRules::allow_call(cgraph_node* function, gimple* call) {
  if (gimple_call_internal_p(call)) return true;
  const tree called = gimple_call_fndecl(call);
  if (!called) return false;
  if (is_engine_function(called, "launch")) return true;  // the code that launches is not run
  if (gimple_call_flags(call) & ECF_NORETURN) return true;
  if (is_barrier(called)) {
    with_barrier_.insert(function);
    return true;
  }
  if (fndecl_built_in_p(called)) return allow_built_in(called);
  cgraph_node* const node = cgraph_node::get(called);
  cgraph_node* const target = node ? node->ultimate_alias_target() : nullptr;
  if (!target || !target->has_gimple_body_p() || target->thunk)
    return allow_external(called, function);
  if (!allow_function(target)) return false;
  if (has_barrier(target)) with_barrier_.insert(function);
  // A thread that uses the result may wait for another one to change the value. Functions in CUDA's
  // headers pass the result on to a caller, which must not use it either.
  if (!atomic_.count(target) || gimple_call_lhs(call) == NULL_TREE) return true;
  if (!ends_with(DECL_SOURCE_FILE(function->decl), "/emulator/device_nv_atomics.h")) return false;
  atomic_.insert(function);
  return true;
}

bool BlockFormRules::allow_external(tree called, cgraph_node* caller) {
  const std::string name = name_of(called);
  if (!is_of_engine(called)) return (flags_from_decl_or_type(called) & (ECF_CONST | ECF_PURE)) != 0;
  if (is_one_of(name, {"atomic_add", "atomic_subtract", "atomic_min", "atomic_max", "atomic_and",
                       "atomic_or", "atomic_xor", "atomic_increment", "atomic_decrement"})) {
    atomic_.insert(caller);
    return DECL_IN_SYSTEM_HEADER(caller->decl);
  }
  if (is_one_of(name,
                {"dynamic_shared", "copy_recorded", "move_recorded", "fill_recorded", "fence"}))
    return true;
  const std::string file = DECL_SOURCE_FILE(called);
  return ends_with(file, "/emulator/device_math.h") ||
         ends_with(file, "/emulator/device_arithmetic.h");
}
