/// @file
/// Reports calls of functions of the other side, which nvcc refuses.
///
/// Device code may call `__device__` functions, implicit functions (such as a generated
/// constructor), lambdas, and library functions that CUDA has for devices. A constexpr function
/// belongs to the host unless `--expt-relaxed-constexpr` says otherwise. In a device function that
/// no kernel needs and no other file can call, nvcc refuses only calls of constexpr functions.
///
/// A function of both sides may call host functions: nvcc warns. It may not call device functions,
/// except behind a question about where it runs, and except in calls that depend on the arguments
/// of a template. It may use the host's variables only if no device code needs it.
///
/// Most functions of the runtime that device code may call need separate compilation.
#include "calls_between_sides.hpp"

#include "device_library.hpp"
#include "extended_lambdas.hpp"
#include "sides.hpp"

namespace {

bool is_constexpr_for_all = false, has_device_runtime = false;

bool device_can_call(tree called) {
  if (!has_device_runtime && is_of_device_runtime(called)) return false;
  if (side_of(called) != Side::host) return true;
  if (id_equal(DECL_NAME(called), "__dynamic_cast")) return false;
  if (plain_name(called).rfind("__sync_", 0) == 0) return false;
  // A lambda outside of all functions is a constexpr function of the host.
  const bool is_of_file =
      LAMBDA_FUNCTION_P(called) && !decl_function_context(called) && !DECL_IN_SYSTEM_HEADER(called);
  if (!is_of_file && (DECL_ARTIFICIAL(called) || DECL_DEFAULTED_FN(called))) return true;
  if (DECL_DECLARED_CONSTEXPR_P(called) && is_constexpr_for_all) return true;
  const bool is_small = DECL_DECLARED_CONSTEXPR_P(called) || DECL_NAMESPACE_SCOPE_P(called);
  if (is_small && is_in_std(called) && has_cuda_std()) return true;
  return DECL_IN_SYSTEM_HEADER(called) && has_device_form(called);
}

/// `std::cout`, `stderr` and their kin.
bool is_stream_of_library(tree variable) {
  static const std::set<std::string> kAll = {"cin",   "cout",   "cerr",  "clog",
                                             "stdin", "stdout", "stderr"};
  return DECL_IN_SYSTEM_HEADER(variable) && DECL_NAME(variable) &&
         kAll.count(IDENTIFIER_POINTER(DECL_NAME(variable))) && !qualifier_of(variable);
}

/// Returns whether a variable belongs to the host and may change. Of a constant, nvcc gives device
/// code the value.
bool is_variable_of_host(tree variable) {
  // The rewriter makes `__shared__` variables thread-local by g++'s own word.
  const bool is_shared = DECL_THREAD_LOCAL_P(variable) && DECL_GNU_TLS_P(variable);
  if (!is_global_var(variable) || is_shared || DECL_ARTIFICIAL(variable)) return false;
  // A declaration `extern` inside a function may name any variable.
  if (DECL_EXTERNAL(variable)) return is_stream_of_library(variable);
  if (DECL_IN_SYSTEM_HEADER(variable) || TREE_READONLY(variable) ||
      DECL_DECLARED_CONSTEXPR_P(variable))
    return false;
  return !is_in_device_memory(variable);
}

/// Returns whether a variable is a constant of the host that the source declares in a namespace.
bool is_constant_of_namespace(tree variable) {
  return is_global_var(variable) && TREE_READONLY(variable) && DECL_NAMESPACE_SCOPE_P(variable) &&
         !DECL_ARTIFICIAL(variable) && !DECL_IN_SYSTEM_HEADER(variable) &&
         !(DECL_LANG_SPECIFIC(variable) && DECL_TEMPLATE_INFO(variable)) &&
         !is_in_device_memory(variable);
}

/// A call, or the use of a variable, or an exception that is thrown.
struct Call {
  location_t place;
  tree called;  ///< null for an exception
};

/// Calls that are refused if their function is compiled.
std::map<tree, std::vector<Call>>& calls_in_question() {
  static std::map<tree, std::vector<Call>> all;
  return all;
}

void refuse_in_device_code(location_t place, tree called) {
  if (!called)
    error_at(place, "device code cannot throw exceptions");
  else if (VAR_P(called) && TREE_READONLY(called))
    error_at(
        place,
        "device code can use the value of the host constant %qD only if that is a number: make "
        "it %<__constant__%>",
        called);
  else if (VAR_P(called))
    error_at(place,
             "device code cannot use %qD, a variable of the host: give a kernel its value, or make "
             "it a %<__device__%> variable",
             called);
  else if (id_equal(DECL_NAME(called), "__dynamic_cast"))
    error_at(place, "device code cannot use %<dynamic_cast%>");
  else if (is_of_device_runtime(called))
    error_at(place, "device code that calls %qD needs separate compilation: %<-rdc=true%>", called);
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

/// Returns, for a call of a virtual function, the one of the static type; null for any other call.
tree virtual_function_of(tree call) {
  const tree reference = TREE_CODE(call) == CALL_EXPR ? CALL_EXPR_FN(call) : NULL_TREE;
  if (!reference || TREE_CODE(reference) != OBJ_TYPE_REF) return NULL_TREE;
  const tree number = OBJ_TYPE_REF_TOKEN(reference),
             binfo = TYPE_BINFO(obj_type_ref_class(reference));
  if (!binfo || !tree_fits_uhwi_p(number)) return NULL_TREE;
  tree entry = BINFO_VIRTUALS(binfo);
  for (unsigned HOST_WIDE_INT i = tree_to_uhwi(number); i > 0 && entry; --i)
    entry = TREE_CHAIN(entry);
  return entry ? BV_FN(entry) : NULL_TREE;
}

/// Collects the calls of one function.
class Calls {
 public:
  explicit Calls(tree function) : function_(function), side_(side_of(function)) {}

  void look_at_call(tree call) {
    tree called = cp_get_callee_fndecl_nofold(call);
    if (!called && side_ == Side::device) called = virtual_function_of(call);
    if (!called) return;
    const location_t place = cp_expr_loc_or_input_loc(call);
    if (DECL_ARTIFICIAL(function_) && !LAMBDA_FUNCTION_P(function_))
      return look_at_implicit_call(called);
    if (is_kernel(called) && side_ != Side::host) return refuse_kernel(place, call, called);
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
    if (!name || !DECL_NAME(name) || !id_equal(DECL_NAME(name), "push_launch")) return;
    launched_ = called_by(TREE_OPERAND(comma, 1));
    const tree called = launched_ ? cp_get_callee_fndecl_nofold(launched_) : NULL_TREE;
    if (called && !is_kernel(called))
      error_at(cp_expr_loc_or_input_loc(launched_),
               "%qD cannot be launched, because it is no kernel: make it %<__global__%>", called);
  }

  void look_at_variable(tree variable) {
    if (side_ == Side::host) return;
    look_at_pointer(variable);
    if (is_variable_of_host(variable)) look_at_use(variable);
  }

  /// Refuses a variable of the host's, or null for an exception, where its function is, or becomes,
  /// device code.
  void look_at_use(tree used) {
    if (side_ == Side::host || !refused_.insert(used).second) return;
    const location_t place = place_ == UNKNOWN_LOCATION ? DECL_SOURCE_LOCATION(function_) : place_;
    if (is_always_device_code())
      refuse_in_device_code(place, used);
    else
      calls_in_question()[function_].push_back({place, used});
  }

  /// Refuses an element of a constant array of the host's. g++ would take its value; nvcc takes the
  /// value of a number alone.
  void look_at_element(tree element) {
    const tree base = get_base_address(element);
    if (base && VAR_P(base) && is_constant_of_namespace(base)) look_at_use(base);
  }
  /// Refuses a constant pointer of the host's, for the same reason.
  void look_at_pointer(tree variable) {
    const tree first = DECL_INITIAL(variable);
    if (TREE_CODE(TREE_TYPE(variable)) == POINTER_TYPE && is_constant_of_namespace(variable) &&
        !DECL_DECLARED_CONSTEXPR_P(variable) && !(first && integer_zerop(first)))
      look_at_use(variable);
  }

  /// Looks at `if (::emu::in_kernel())`, by which a function has code for one side alone. Returns
  /// false for any other condition.
  bool look_at_branches(tree statement);

  /// Remembers the location of the expression, because a variable in it has none.
  void look_at_place(tree expression) {
    if (EXPR_HAS_LOCATION(expression)) place_ = EXPR_LOCATION(expression);
  }

  /// Remembers an address that a reference stands for.
  void look_at_conversion(tree conversion) {
    const tree operand = TREE_OPERAND(conversion, 0);
    if (TYPE_REF_P(TREE_TYPE(conversion)) && operand && TREE_CODE(operand) == ADDR_EXPR)
      referred_.insert(operand);
  }

  void look_at_address(tree address) {
    if (side_ != Side::device) return;
    const tree of = TREE_OPERAND(address, 0);
    if (!TYPE_REF_P(TREE_TYPE(address)) && !referred_.count(address)) refuse_address(of);
    if (TREE_CODE(of) == FUNCTION_DECL && !is_kernel(of)) look_at_device_call(place_, of);
    if (TREE_CODE(of) == LABEL_DECL)
      error_at(DECL_SOURCE_LOCATION(function_),
               "device code cannot take the address of a label, as %qD does", function_);
  }

 private:
  /// Refuses the address of a built-in variable, or of its member.
  void refuse_address(tree of) {
    const tree variable = get_base_address(of);
    if (!variable || !VAR_P(variable) || !DECL_EXTERNAL(variable) ||
        !DECL_IN_SYSTEM_HEADER(variable) || !DECL_NAME(variable))
      return;
    for (const char* const name : {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"})
      if (id_equal(DECL_NAME(variable), name))
        error_at(place_, "the built-in variable %qD has no address", variable);
  }

  void look_at_device_call(location_t place, tree called) {
    if (device_can_call(called) || !refused_.insert(called).second) return;
    if (DECL_DECLARED_CONSTEXPR_P(called) || is_always_device_code())
      refuse_in_device_code(place, called);
    else
      calls_in_question()[function_].push_back({place, called});
  }

  /// Returns whether nvcc makes device code of the function, needed or not.
  bool is_always_device_code() const {
    if (side_ == Side::device) return was_external(function_);
    return TREE_PUBLIC(function_) && !DECL_DECLARED_INLINE_P(function_) &&
           !DECL_TEMPLATE_INSTANTIATION(function_);
  }

  /// Notes what an implicit function calls, such as the constructor of a member: device code may
  /// need the implicit function or not.
  void look_at_implicit_call(tree called) {
    if (!device_can_call(called) && refused_.insert(called).second)
      calls_in_question()[function_].push_back({DECL_SOURCE_LOCATION(function_), called});
  }

  /// Refuses a kernel that device code calls. The rewriter has a kernel call itself, in a lambda.
  void refuse_kernel(location_t place, tree call, tree called) {
    if (call == launched_) return refuse_objects(place, called);
    if (LAMBDA_FUNCTION_P(function_) && decl_function_context(function_) == called) return;
    error_at(place, "device code cannot call the kernel %qD: only a launch runs it", called);
  }

  /// Refuses parameters of a kernel that device code launches which are more than their bytes.
  static void refuse_objects(location_t place, tree kernel) {
    for (tree one = FUNCTION_FIRST_USER_PARMTYPE(kernel); one && one != void_list_node;
         one = TREE_CHAIN(one)) {
      const tree type = TREE_VALUE(one);
      if (CLASS_TYPE_P(type) &&
          (TYPE_HAS_NONTRIVIAL_DESTRUCTOR(type) || type_has_nontrivial_copy_init(type)))
        error_at(place,
                 "device code cannot launch %qD with %qT, a type that has a copy constructor or a "
                 "destructor of its own",
                 kernel, type);
    }
  }

  void look_at_host_call(location_t place, tree call, tree called) {
    if (is_kernel(called)) {
      refuse_types_of_host(place, called);
      if (call != launched_)
        error_at(place,
                 "the kernel %qD is called like a function: launch it with %<<<<grid, block>>>%>",
                 called);
    } else if (is_for_device_alone(called) && !is_left_open(place, called) &&
               refused_.insert(called).second) {
      if (side_ == Side::host)
        error_at(place, "host code cannot call %qD, a device function: call it in a kernel",
                 called);
      else
        error_at(place,
                 "%qD is for host and device, and cannot call %qD, a device function: ask "
                 "%<#ifdef __CUDA_ARCH__%> first",
                 function_, called);
    }
  }

  static bool is_for_device_alone(tree called) {
    return is_for_device_code_alone(called) ||
           (side_of(called) == Side::device &&
            !(DECL_DECLARED_CONSTEXPR_P(called) && is_constexpr_for_all));
  }

  /// Returns whether nvcc takes a call of a device function in a function of both sides: it does
  /// not look at constructors of members, nor at a call whose meaning depends on a template's
  /// arguments.
  bool is_left_open(location_t place, tree called) const {
    if (side_ != Side::both) return false;
    if (DECL_CONSTRUCTOR_P(called) || DECL_DESTRUCTOR_P(called)) return true;
    for (tree one = function_; one; one = decl_function_context(one)) {
      if (!DECL_TEMPLATE_INSTANTIATION(one)) continue;
      return one != function_ || !is_independent_call(one, place);
    }
    return false;
  }

  /// Returns whether the template that made a function has a call at this place whose type it
  /// knows.
  static bool is_independent_call(tree function, location_t place) {
    const tree made_by = DECL_TI_TEMPLATE(function);
    if (TREE_CODE(made_by) != TEMPLATE_DECL) return false;
    const tree pattern = DECL_TEMPLATE_RESULT(most_general_template(made_by));
    return cp_walk_tree_without_duplicates(&DECL_SAVED_TREE(pattern), find_typed_call, &place);
  }

  static tree find_typed_call(tree* expression, int*, void* place) {
    const bool is_it = TREE_CODE(*expression) == CALL_EXPR && TREE_TYPE(*expression) &&
                       EXPR_LOCATION(*expression) == *static_cast<location_t*>(place);
    return is_it ? *expression : NULL_TREE;
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

  /// Refuses a lambda of host code as a kernel's argument unless it is marked for device code, and
  /// a class that is declared in a function.
  void refuse_types_of_host(location_t place, tree kernel) {
    if (!DECL_TEMPLATE_INFO(kernel)) return;
    const tree arguments = INNERMOST_TEMPLATE_ARGS(DECL_TI_ARGS(kernel));
    for (int i = 0; i < NUM_TMPL_ARGS(arguments); ++i) {
      const tree type = TREE_VEC_ELT(arguments, i);
      if (!TYPE_P(type)) continue;
      if (is_local_type(type) && refused_.insert(type).second)
        error_at(place,
                 "the kernel %qD gets %qT, a type that is declared in a function: declare it "
                 "outside",
                 kernel, type);
      if (is_private_type(type) && refused_.insert(type).second)
        error_at(
            place,
            "the kernel %qD gets %qT, a private or protected member of a class: make it public",
            kernel, type);
      if (!LAMBDA_TYPE_P(type)) continue;
      const tree function = lambda_function(type);
      if (function && side_of(function) != Side::host && !decl_function_context(function) &&
          refused_.insert(function).second)
        error_at(place,
                 "the kernel %qD gets a lambda that stands outside of all functions: write it in "
                 "the function that launches the kernel",
                 kernel);
      if (function && side_of(function) == Side::host && refused_.insert(function).second)
        error_at(place,
                 "the kernel %qD gets a lambda of host code: write %<[=] __device__ (...)%>, and "
                 "compile with %<--extended-lambda%>",
                 kernel);
    }
  }

  tree function_;
  Side side_;
  std::set<tree> refused_;   // functions refused so far
  std::set<tree> referred_;  // addresses that references stand for
  location_t place_ = UNKNOWN_LOCATION;
  tree launched_ = NULL_TREE;  // the next call of a kernel is a launch of this one
};

tree look_at_one(tree* expression, int* walks_on, void* calls) {
  const tree_code code = TREE_CODE(*expression);
  if (code == SIZEOF_EXPR || code == ALIGNOF_EXPR) *walks_on = 0;  // sizeof calls nothing
  Calls& all = *static_cast<Calls*>(calls);
  if (EXPR_P(*expression)) all.look_at_place(*expression);
  if (code == IF_STMT && all.look_at_branches(*expression)) *walks_on = 0;
  if (code == VAR_DECL) all.look_at_variable(*expression);
  if (code == THROW_EXPR) all.look_at_use(NULL_TREE);
  if (code == ARRAY_REF) all.look_at_element(*expression);
  if (code == COMPOUND_EXPR) all.look_at_comma(*expression);
  if (code == NOP_EXPR) all.look_at_conversion(*expression);
  if (code == ADDR_EXPR) all.look_at_address(*expression);
  if (code == CALL_EXPR || code == AGGR_INIT_EXPR) all.look_at_call(*expression);
  return NULL_TREE;
}

tree find_question_of_side(tree* expression, int*, void*) {
  if (TREE_CODE(*expression) != CALL_EXPR) return NULL_TREE;
  const tree called = cp_get_callee_fndecl_nofold(*expression);
  return called && DECL_NAME(called) && id_equal(DECL_NAME(called), "in_kernel") ? *expression
                                                                                 : NULL_TREE;
}

bool Calls::look_at_branches(tree statement) {
  if (side_ == Side::device) return false;  // whatever the answer is
  tree condition = IF_COND(statement);
  if (!cp_walk_tree_without_duplicates(&condition, find_question_of_side, nullptr)) return false;
  while (CONVERT_EXPR_P(condition) || TREE_CODE(condition) == CLEANUP_POINT_EXPR)
    condition = TREE_OPERAND(condition, 0);
  const bool is_negated = TREE_CODE(condition) == TRUTH_NOT_EXPR;
  const Side before = side_;
  side_ = is_negated ? Side::host : Side::device;
  cp_walk_tree_without_duplicates(&THEN_CLAUSE(statement), look_at_one, this);
  side_ = is_negated ? Side::device : Side::host;
  cp_walk_tree_without_duplicates(&ELSE_CLAUSE(statement), look_at_one, this);
  side_ = before;
  return true;
}

/// Called when a function is complete and none of its calls is folded yet.
void look_at_function(void* declaration, void*) {
  const tree function = static_cast<tree>(declaration);
  if (DECL_IN_SYSTEM_HEADER(function)) return;
  Calls calls(function);
  cp_walk_tree_without_duplicates(&DECL_SAVED_TREE(function), look_at_one, &calls);
}

/// Returns the functions of a side that are defined and used.
std::vector<cgraph_node*> functions_of(Side side) {
  std::vector<cgraph_node*> all;
  cgraph_node* one;
  FOR_EACH_DEFINED_FUNCTION(one) {
    if (side_of(one->decl) == side) all.push_back(one);
  }
  return all;
}

/// Calls `see` with all functions that those of `next` need, and with these.
template <class See>
void follow(std::vector<cgraph_node*> next, See see) {
  std::set<cgraph_node*> needed;
  std::vector<cgraph_node*> waiting;
  const auto need = [&](cgraph_node* node) {
    if (node && needed.insert(node).second) waiting.push_back(node);
  };
  for (cgraph_node* one : next) need(one);
  while (!waiting.empty()) {
    cgraph_node* const node = waiting.back();
    waiting.pop_back();
    see(node);
    for (cgraph_edge* edge = node->callees; edge; edge = edge->next_callee) need(edge->callee);
    ipa_ref* reference = nullptr;
    for (unsigned i = 0; node->iterate_reference(i, reference); ++i)
      need(dyn_cast<cgraph_node*>(reference->referred));
  }
}

/// Called when all functions are complete. Refuses device functions that kernels need and that this
/// file only declares: without separate compilation, there is no other file.
void look_for_definitions(void*, void*) {
  if (has_device_runtime) return;
  std::vector<cgraph_node*> kernels;
  for (cgraph_node* one : functions_of(Side::device))
    if (is_kernel(one->decl)) kernels.push_back(one);
  follow(kernels, [](cgraph_node* node) {
    const tree function = node->decl;
    if (!node->definition && is_marked_for_device(function) && !DECL_IN_SYSTEM_HEADER(function) &&
        !is_kernel(function) && !DECL_TEMPLATE_INFO(function))
      error_at(DECL_SOURCE_LOCATION(function),
               "%qD is not defined in this file, and device code that calls it needs separate "
               "compilation: %<-rdc=true%>",
               function);
  });
}

/// Called when all functions are complete. Refuses what functions of both sides and implicit
/// functions use, where device code needs them.
void look_at_what_device_needs(void*, void*) {
  if (calls_in_question().empty()) return;
  std::vector<cgraph_node*> all = functions_of(Side::device);
  // Where there is any device code, nvcc makes it of all functions of both sides that are used.
  if (!all.empty())
    for (cgraph_node* one : functions_of(Side::both)) all.push_back(one);
  follow(all, [](cgraph_node* node) {
    // Functions of the device alone come with what else is refused there (kernel_refusals.cpp).
    if (side_of(node->decl) != Side::device) refuse_calls_in(node->decl);
  });
}

}  // namespace

void refuse_calls_in(tree function) {
  const auto found = calls_in_question().find(as_written(function));
  if (found == calls_in_question().end()) return;
  for (const Call& call : found->second) refuse_in_device_code(call.place, call.called);
  calls_in_question().erase(found);
}

void refuse_calls_between_sides(const char* plugin, const std::string& headers,
                                bool relaxed_constexpr, bool separate_compilation) {
  is_constexpr_for_all = relaxed_constexpr;
  has_device_runtime = separate_compilation;
  look_for_cuda_headers_in(headers);
  register_callback(plugin, PLUGIN_PRE_GENERICIZE, look_at_function, nullptr);
  register_callback(plugin, PLUGIN_ALL_IPA_PASSES_START, look_at_what_device_needs, nullptr);
  register_callback(plugin, PLUGIN_ALL_IPA_PASSES_START, look_for_definitions, nullptr);
}
