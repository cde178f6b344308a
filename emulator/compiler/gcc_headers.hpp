/// @file
/// What the plugin needs of g++.
#pragma once

// The STL first: g++'s headers forbid some of what it uses.
#include <algorithm>
#include <cstdint>
#include <fstream>
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
#include <builtins.h>
#include <diagnostic-core.h>
#include <plugin-version.h>
// clang-format on
