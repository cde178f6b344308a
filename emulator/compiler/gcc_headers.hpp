/// @file
/// The parts of g++'s interface that the plugin uses, for all supported versions.
///
/// No other file of the plugin tests the version. Where versions differ, a function below hides the
/// difference. CMakeLists.txt compiles this header as a test, and leaves out the plugin if that
/// fails.
#pragma once

// The STL comes first: g++'s headers forbid some of what it uses.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

// g++'s headers need this order.
// clang-format off
#include <gcc-plugin.h>
#include <context.h>
#include <opts.h>
#include <tree.h>
#include <cp/cp-tree.h>  // before the headers for diagnostics
#include <basic-block.h>
#include <gimple.h>
#include <gimple-iterator.h>
#include <cgraph.h>
#include <fold-const.h>
#include <real.h>
#include <ssa.h>
#include <tree-pass.h>
#include <gimplify.h>
#include <gimplify-me.h>
#include <gimple-walk.h>
#include <calls.h>
#include <gimple-fold.h>
#include <cfgloop.h>
#include <cfghooks.h>
#include <tree-cfg.h>
#include <tree-cfgcleanup.h>
#include <tree-dfa.h>
#include <tree-inline.h>
#include <tree-into-ssa.h>
#include <tree-ssa-loop.h>
#include <cfgloopmanip.h>
#include <tree-ssa-loop-manip.h>
#include <tree-ssa-loop-niter.h>
#include <tree-scalar-evolution.h>
#include <tree-chrec.h>
#include <tree-data-ref.h>
#include <internal-fn.h>
#include <attribs.h>
#include <stringpool.h>
#include <memmodel.h>
#include <builtins.h>
#include <diagnostic-core.h>
#include <plugin-version.h>
#if GCCPLUGIN_VERSION >= 13000
#include <value-range.h>
#endif
// clang-format on

#if GCCPLUGIN_VERSION_MAJOR < 11 || GCCPLUGIN_VERSION_MAJOR > 16
#error "The plugin was tried with g++ 11 to 16. Add yours here once the tests pass with it."
#endif

/// Tells the optimiser that an unsigned SSA name has a value in [least, most].
inline void set_bounds(tree name, unsigned least, unsigned most) {
  const unsigned bits = TYPE_PRECISION(TREE_TYPE(name));
  const wide_int from = wi::uhwi(least, bits), to = wi::uhwi(most, bits);
#if GCCPLUGIN_VERSION >= 13000
  const int_range<1> range(TREE_TYPE(name), from, to);
  set_range_info(name, range);
#else
  set_range_info(name, VR_RANGE, from, to);
#endif
}

/// Lets the pass `vrp` use the ranges of set_bounds(). Only g++ 12 has another mode.
inline void find_ranges_by_bounds([[maybe_unused]] gcc_options& options) {
#if GCCPLUGIN_VERSION >= 12000 && GCCPLUGIN_VERSION < 13000
  options.x_param_vrp1_mode = VRP_MODE_RANGER;
#endif
}

/// Returns whether the compiler suppresses warnings at the moment, as a reference.
inline bool& are_warnings_off() {
#if GCCPLUGIN_VERSION >= 14000
  return global_dc->m_inhibit_warnings;
#else
  return global_dc->dc_inhibit_warnings;
#endif
}

#if GCCPLUGIN_VERSION >= 14000
/// Returns the last statement of a block that is more than a debugger's, or null.
inline gimple* last_stmt(basic_block block) { return *gsi_last_nondebug_bb(block); }
#endif

/// Returns the value of `value` as an expression that g++ neither looks into nor takes apart.
inline tree as_opaque(tree value) {
#if GCCPLUGIN_VERSION >= 12000
  return build1(PAREN_EXPR, TREE_TYPE(value), value);
#else  // which stops at one where it looks for constants
  const tree saved = build1(SAVE_EXPR, TREE_TYPE(value), value);
  TREE_SIDE_EFFECTS(saved) = 1;
  return saved;
#endif
}

/// Returns whether warnings of a statement are suppressed.
inline bool is_without_warnings(const gimple* statement) {
#if GCCPLUGIN_VERSION >= 12000
  return warning_suppressed_p(statement);
#else
  return gimple_no_warning_p(statement);
#endif
}

/// Returns the loops of a function that `flags` (LI_...) asks for.
inline std::vector<loop_p> loops_of(function* one, unsigned flags) {
  std::vector<loop_p> loops;
#if GCCPLUGIN_VERSION >= 12000
  for (const loop_p loop : loops_list(one, flags)) loops.push_back(loop);
#else
  loop_p loop;
  FOR_EACH_LOOP_FN(one, loop, flags) loops.push_back(loop);
#endif
  return loops;
}

/// Returns a copy of a function with its body, named after it and `suffix`, or null if g++ cannot
/// copy it.
inline cgraph_node* copy_of(cgraph_node* function, const char* suffix) {
#if GCCPLUGIN_VERSION >= 12000
  return function->create_version_clone_with_body(vNULL, NULL, NULL, NULL, NULL, suffix, NULL_TREE,
                                                  false);
#else
  cgraph_node* const copy =
      function->create_version_clone_with_body(vNULL, NULL, NULL, NULL, NULL, suffix);
  if (copy) {  // the copy has a number behind its name
    const tree name = clone_function_name(function->decl, suffix);
    DECL_NAME(copy->decl) = name;
    symtab->change_decl_assembler_name(copy->decl, name);
  }
  return copy;
#endif
}

/// Returns statements that do the same as `statement`, where signed numbers may overflow.
inline gimple_seq with_defined_overflow(gimple* statement) {
#if GCCPLUGIN_VERSION >= 16000
  return rewrite_to_defined_unconditional(statement);
#else
  return rewrite_to_defined_overflow(statement);
#endif
}
