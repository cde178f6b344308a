/// @file
/// Reports calls of functions of the other side, which nvcc refuses.
///
/// Device code may call `__device__` functions, implicit functions (such as a generated
/// constructor), lambdas, and library functions that CUDA has for devices. A constexpr function
/// belongs to the host unless `--expt-relaxed-constexpr` says otherwise. A function of both sides
/// may call anything; nvcc warns. In a device function that no kernel needs and no other file can
/// call, nvcc refuses only calls of constexpr functions.
#include "calls_between_sides.hpp"

#include "device_functions.hpp"
#include "sides.hpp"

namespace {

bool is_constexpr_for_all = false;
std::string cuda_headers;  // their folder

using Words = std::set<std::string>;

/// C functions that CUDA has for devices, beside those of math.h.
const Words kOfC = {"memcpy", "memset", "malloc", "free",          "printf", "vprintf", "clock",
                    "abs",    "labs",   "llabs",  "__assert_fail", "alloca", "__assert"};

/// Functions of namespace std that nvcc accepts on both sides.
const Words kOfStd = {"move", "forward"};

/// The emulator's headers whose functions are only for device code: atomics, and functions whose
/// names begin with two underscores.
const Words kDeviceHeaders = {"device_arithmetic.h", "device_atomics.h", "device_conversions.h",
                              "device_integers.h",   "device_math.h",    "device_memory.h",
                              "device_misc.h",       "device_simd.h",    "device_warp.h"};

std::string plain_name(tree function) {
  return DECL_NAME(function) ? IDENTIFIER_POINTER(DECL_NAME(function)) : "";
}

/// Returns the path of the file that declares a function.
std::string path_of(tree function) {
  const expanded_location place = expand_location(DECL_SOURCE_LOCATION(function));
  return place.file ? place.file : "";
}

/// Returns the name of that file, without its folder.
std::string file_of(tree function) {
  const std::string path = path_of(function);
  return path.substr(path.rfind('/') + 1);
}

/// Returns whether CUDA has the function only for device code.
bool is_of_device_headers(tree function) {
  if (!DECL_IN_SYSTEM_HEADER(function) || CP_DECL_CONTEXT(function) != global_namespace)
    return false;
  const std::string name = plain_name(function);
  return (name.rfind("__", 0) == 0 || name.rfind("atomic", 0) == 0) &&
         kDeviceHeaders.count(file_of(function));
}

/// Returns whether a library file has mathematical functions, of which CUDA has nearly all for
/// devices.
bool is_mathematical(const std::string& name) {
  return name == "cmath" || name == "std_abs.h" || name == "math.h" ||
         name.rfind("mathcalls", 0) == 0;
}

bool is_in_std(tree function) {
  for (tree space = decl_namespace_context(function); space != global_namespace;
       space = CP_DECL_CONTEXT(space))
    if (space == std_node || (DECL_NAME(space) && id_equal(DECL_NAME(space), "__gnu_cxx")))
      return true;
  return false;
}

bool is_of_initializer_list(tree function) {
  return DECL_CLASS_SCOPE_P(function) && is_std_init_list(DECL_CONTEXT(function));
}

/// Returns whether CUDA has this library function for devices.
bool has_device_form(tree function) {
  const std::string name = plain_name(function), file = file_of(function);
  if (file.empty() || file[0] == '<') return true;  // g++'s own
  if (is_mathematical(file)) return true;
  if (is_in_std(function)) return kOfStd.count(name) || is_of_initializer_list(function);
  if (!DECL_EXTERN_C_P(function)) return true;  // operator new
  return path_of(function).rfind(cuda_headers, 0) == 0 || kOfC.count(name);
}

/// Returns whether the source includes a header of cuda::std, which is the library's std here
/// (include/emulator/device_standard.h). Then it is unknown which of the two a name means.
bool has_cuda_std() {
  const tree cuda = get_namespace_binding(global_namespace, get_identifier("cuda"));
  return cuda && TREE_CODE(cuda) == NAMESPACE_DECL &&
         get_namespace_binding(cuda, get_identifier("std"));
}

bool device_can_call(tree called) {
  if (side_of(called) != Side::host) return true;
  if (id_equal(DECL_NAME(called), "__dynamic_cast")) return false;
  if (DECL_ARTIFICIAL(called) || DECL_DEFAULTED_FN(called) || LAMBDA_FUNCTION_P(called))
    return true;
  if (DECL_DECLARED_CONSTEXPR_P(called) && is_constexpr_for_all) return true;
  const bool is_small = DECL_DECLARED_CONSTEXPR_P(called) || DECL_NAMESPACE_SCOPE_P(called);
  if (is_small && is_in_std(called) && has_cuda_std()) return true;
  return DECL_IN_SYSTEM_HEADER(called) && has_device_form(called);
}

/// Returns whether a variable belongs to the host and may change. Of a constant, nvcc gives device
/// code the value.
bool is_variable_of_host(tree variable) {
  if (!is_global_var(variable) || DECL_THREAD_LOCAL_P(variable) || DECL_ARTIFICIAL(variable))
    return false;
  // A declaration `extern` inside a function may name any variable.
  if (DECL_EXTERNAL(variable)) return false;
  if (DECL_IN_SYSTEM_HEADER(variable) || TREE_READONLY(variable) ||
      DECL_DECLARED_CONSTEXPR_P(variable) ||
      (DECL_LANG_SPECIFIC(variable) && DECL_TEMPLATE_INFO(variable)))
    return false;
  return !qualifier_of(variable) && !lookup_attribute("section", DECL_ATTRIBUTES(variable));
}

/// A call, or a use of a variable.
struct Call {
  location_t place;
  tree called;
};

/// Calls that are refused if their function is compiled.
std::map<tree, std::vector<Call>>& calls_in_question() {
  static std::map<tree, std::vector<Call>> all;
  return all;
}

void refuse_in_device_code(location_t place, tree called) {
  if (VAR_P(called))
    error_at(place,
             "device code cannot use %qD, a variable of the host: give a kernel its value, or make "
             "it a %<__device__%> variable",
             called);
  else if (id_equal(DECL_NAME(called), "__dynamic_cast"))
    error_at(place, "device code cannot use %<dynamic_cast%>");
  else if (DECL_DECLARED_CONSTEXPR_P(called))
    error_at(place,
             "device code cannot call %qD, a %<constexpr%> function of the host; with "
             "%<--expt-relaxed-constexpr%> it can",
             called);
  else
    error_at(place,
             "device code cannot call %qD, a host function: call a %<__device__%> function instead",
             called);
}

/// Collects the calls of one function.
class Calls {
 public:
  explicit Calls(tree function) : function_(function), side_(side_of(function)) {}

  void look_at_call(tree call) {
    const tree called = cp_get_callee_fndecl_nofold(call);
    if (!called) return;
    const location_t place = cp_expr_loc_or_input_loc(call);
    if (side_ == Side::device)
      look_at_device_call(place, called);
    else
      look_at_host_call(place, call, called);
  }

  /// Notes a kernel call that belongs to a launch: the rewriter turns `k<<<grid, block>>>(x)` into
  /// `(push_launch(grid, block), k(x))`.
  void look_at_comma(tree comma) {
    const tree first = called_by(TREE_OPERAND(comma, 0));
    const tree name = first ? cp_get_callee_fndecl_nofold(first) : NULL_TREE;
    if (name && DECL_NAME(name) && id_equal(DECL_NAME(name), "push_launch"))
      launched_ = called_by(TREE_OPERAND(comma, 1));
  }

  void look_at_variable(tree variable) {
    if (side_ != Side::device || !is_variable_of_host(variable)) return;
    if (!refused_.insert(variable).second) return;
    const location_t place = place_ == UNKNOWN_LOCATION ? DECL_SOURCE_LOCATION(function_) : place_;
    if (was_external(function_))
      refuse_in_device_code(place, variable);
    else
      calls_in_question()[function_].push_back({place, variable});
  }
  /// Remembers the location of the expression, because a variable in it has none.
  void look_at_place(tree expression) {
    if (EXPR_HAS_LOCATION(expression)) place_ = EXPR_LOCATION(expression);
  }

  void look_at_address(tree address) {
    if (side_ == Side::device && TREE_CODE(TREE_OPERAND(address, 0)) == LABEL_DECL)
      error_at(DECL_SOURCE_LOCATION(function_),
               "device code cannot take the address of a label, as %qD does", function_);
  }

 private:
  void look_at_device_call(location_t place, tree called) {
    if (device_can_call(called) || !refused_.insert(called).second) return;
    if (DECL_DECLARED_CONSTEXPR_P(called) || was_external(function_))
      refuse_in_device_code(place, called);
    else
      calls_in_question()[function_].push_back({place, called});
  }

  void look_at_host_call(location_t place, tree call, tree called) {
    if (is_kernel(called)) {
      refuse_lambdas_of_host(place, called);
      if (call != launched_)
        error_at(place,
                 "the kernel %qD is called like a function: launch it with %<<<<grid, block>>>%>",
                 called);
    } else if ((side_of(called) == Side::device || is_of_device_headers(called)) &&
               refused_.insert(called).second) {
      error_at(place, "host code cannot call %qD, a device function: call it in a kernel", called);
    }
  }

  /// Returns the call that an expression consists of, or null.
  static tree called_by(tree expression) {
    while (expression && (CONVERT_EXPR_P(expression) || UNARY_CLASS_P(expression) ||
                          TREE_CODE(expression) == CLEANUP_POINT_EXPR))
      expression = TREE_OPERAND(expression, 0);
    const bool is_call = expression && (TREE_CODE(expression) == CALL_EXPR ||
                                        TREE_CODE(expression) == AGGR_INIT_EXPR);
    return is_call ? expression : NULL_TREE;
  }

  /// Refuses a lambda of host code as a kernel's argument unless it is marked for device code.
  void refuse_lambdas_of_host(location_t place, tree kernel) {
    if (!DECL_TEMPLATE_INFO(kernel)) return;
    const tree arguments = INNERMOST_TEMPLATE_ARGS(DECL_TI_ARGS(kernel));
    for (int i = 0; i < NUM_TMPL_ARGS(arguments); ++i) {
      const tree type = TREE_VEC_ELT(arguments, i);
      if (!TYPE_P(type) || !LAMBDA_TYPE_P(type)) continue;
      const tree function = lambda_function(type);
      if (function && !runs_on_device(function) && refused_.insert(function).second)
        error_at(place,
                 "the kernel %qD gets a lambda of host code: write %<[=] __device__ (...)%>, and "
                 "compile with %<--extended-lambda%>",
                 kernel);
    }
  }

  tree function_;
  Side side_;
  std::set<tree> refused_;  // functions refused so far
  location_t place_ = UNKNOWN_LOCATION;
  tree launched_ = NULL_TREE;  // the next call of a kernel is a launch of this one
};

tree look_at_one(tree* expression, int* walks_on, void* calls) {
  const tree_code code = TREE_CODE(*expression);
  if (code == SIZEOF_EXPR || code == ALIGNOF_EXPR) *walks_on = 0;  // sizeof calls nothing
  Calls& all = *static_cast<Calls*>(calls);
  if (EXPR_P(*expression)) all.look_at_place(*expression);
  if (code == VAR_DECL) all.look_at_variable(*expression);
  if (code == COMPOUND_EXPR) all.look_at_comma(*expression);
  if (code == ADDR_EXPR) all.look_at_address(*expression);
  if (code == CALL_EXPR || code == AGGR_INIT_EXPR) all.look_at_call(*expression);
  return NULL_TREE;
}

/// Called when a function is complete and none of its calls is folded yet.
void look_at_function(void* declaration, void*) {
  const tree function = static_cast<tree>(declaration);
  const bool is_written = LAMBDA_FUNCTION_P(function) || !DECL_ARTIFICIAL(function);
  if (!is_written || DECL_IN_SYSTEM_HEADER(function)) return;
  if (side_of(function) == Side::both) return;
  Calls calls(function);
  cp_walk_tree_without_duplicates(&DECL_SAVED_TREE(function), look_at_one, &calls);
}

}  // namespace

void refuse_calls_in(tree function) {
  const auto found = calls_in_question().find(as_written(function));
  if (found == calls_in_question().end()) return;
  for (const Call& call : found->second) refuse_in_device_code(call.place, call.called);
  calls_in_question().erase(found);
}

void refuse_calls_between_sides(const char* plugin, const std::string& headers,
                                bool relaxed_constexpr) {
  is_constexpr_for_all = relaxed_constexpr;
  cuda_headers = headers;
  register_callback(plugin, PLUGIN_PRE_GENERICIZE, look_at_function, nullptr);
}
