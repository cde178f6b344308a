/// @file
/// What the plugin needs of g++.
#pragma once

// The STL first: g++'s headers forbid some of what it uses.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

// g++'s headers need one another in this order.
// clang-format off
#include <gcc-plugin.h>
#include <context.h>
#include <opts.h>
#include <tree.h>
#include <cp/cp-tree.h>  // before what prints diagnostics
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
// clang-format on
