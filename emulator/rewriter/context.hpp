/// The state that the rewrites of one source share.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "course/cpp_source.hpp"
#include "course/cpp_syntax.hpp"
#include "edits.hpp"
#include "places.hpp"
#include "rewriter.hpp"
#include "unsupported.hpp"

namespace emulator_nvcc {

/// The kinds of braces that a declaration may stand in.
enum class ScopeKind { file, name_space, class_body, block, other };

struct Scope {
  ScopeKind kind;
  bool device;            // inside a function that runs on the device
  std::string name;       // name of a namespace
  bool constant = false;  // inside a constexpr function
  // `{` of the function for both sides around it
  std::size_t both = kNoToken;
};

/// A template's parameter list: tokens `<`...`>`.
struct TemplateHeader {
  std::size_t open;
  std::size_t close;
};

/// The arguments of `__launch_bounds__` and `__cluster_dims__` of a kernel, as arguments of
/// ::emu::launch; empty if they are missing.
struct KernelBounds {
  std::string threads, cluster;
};

struct Context {
  Context(const Source& source, const RewriteOptions& with)
      : s(source), options(with), edits(source) {}

  const Source& s;
  const RewriteOptions& options;
  Edits edits;
  std::vector<Diagnostic> errors;
  std::vector<DeviceFunction> device_functions;  // outermost functions outside system headers

  std::vector<Scope> scopes = {{ScopeKind::file, false, {}}};
  std::size_t declaration_begin = 0;    // first token of the declaration or statement
  std::vector<TemplateHeader> headers;  // template headers of this declaration
  std::size_t specifiers_begin = 0;     // after the headers and their requires-clause

  // Ends of the enclosing loops that count rounds, outermost first.
  std::vector<std::size_t> loop_ends;

  std::unordered_set<std::size_t> handled;  // qualifiers of declarations that are already rewritten
  std::unordered_map<std::size_t, bool>
      function_braces;                               // `{` of a body: does it run on the device?
  std::unordered_set<std::size_t> constexpr_braces;  // `{` of constexpr functions
  std::unordered_set<std::size_t> braces_of_both;    // `{` of functions for host and device
  std::unordered_set<std::string_view> kernels;      // names of kernels
  std::vector<std::size_t> kernel_bodies;            // `{` of their bodies
  // Bounds of kernel declarations, for the definitions.
  std::unordered_map<std::string, KernelBounds> declared_bounds;
  std::unordered_set<std::string_view> external;  // names that must keep external linkage
  // Functions at file level, by signature_of().
  std::unordered_set<std::string> signatures_of_kernels, signatures_of_host;
  // CUDA's names that the program has defined itself.
  std::unordered_set<std::string_view> own_words;

  const Scope& scope() const { return scopes.back(); }
  /// Returns whether the token is in a header of a library that is compiled as the program's own
  /// code.
  bool in_library(std::size_t token) const;
  /// Returns whether the token is in a header of the emulator or of the compiler.
  bool in_system_header(std::size_t token) const {
    return s.tokens()[token].system_header && !in_library(token);
  }
  bool at_file_level() const {
    return scope().kind == ScopeKind::file || scope().kind == ScopeKind::name_space;
  }
  void error(std::size_t token, std::string message);
  /// Reports the feature that `name` is a sign of, unless the emulator supports it.
  void unsupported(std::size_t token, emu::Sign sign, std::string_view name);
};

/// A declaration with one of CUDA's qualifiers, up to the token that decides its kind.
struct Declaration {
  std::vector<std::size_t> globals, devices, hosts, shareds, constants, manageds;  // qualifiers
  std::vector<Range>
      launch_bounds;  // `__launch_bounds__ ( ... )`, to be dropped with its arguments
  std::size_t is_extern = kNoToken;
  std::vector<std::size_t> statics;
  bool is_inline = false, is_friend = false, is_typedef = false, is_conversion = false;
  bool explicit_instantiation = false;
  std::size_t name = kNoToken;               // last identifier before `end`
  std::size_t name_template_end = kNoToken;  // `>` of k<int>
  std::size_t end = 0;  // the `(`, `[`, `=`, `;`, `,`, `{` or `:` after the name
};

/// Reads the declaration around the qualifier `token`.
Declaration read_declaration(const Context& c, std::size_t token);

/// The end of a function's declarator.
struct FunctionEnd {
  std::size_t body = kNoToken;  // `{`
  std::vector<Range> launch_bounds;
};

/// Reads what follows the parameter list that begins at `parameters`.
FunctionEnd read_function_end(const Context& c, std::size_t parameters);

/// Rewrites a launch: `k<<<g, b>>>(x)` becomes `(::emu::push_launch(g, b), k(x))`.
void rewrite_launch(Context& c, std::size_t token);

/// Rewrites a `__global__` function: its body first hands a pending launch to the engine.
void rewrite_kernel(Context& c, const Declaration& d);

/// Returns a text that all declarations of a function at file level share: its name with the
/// namespaces around it, and the types of its parameters.
std::string signature_of(const Context& c, std::size_t name);

/// Notes the kernel of this name, and refuses it if it was declared without `__global__`.
void note_kernel(Context& c, std::size_t name);

/// Notes the function whose declaration has this name before `(`, if it has none of CUDA's
/// qualifiers; refuses it if it was declared as a kernel.
void note_function_of_host(Context& c, std::size_t name);

/// Inserts specifiers into a declaration, in the position of one of CUDA's qualifiers.
void insert_specifier(Context& c, std::size_t qualifier, const std::string& text);

/// Removes the qualifiers of a `__device__` or `__host__` function.
void rewrite_function(Context& c, const Declaration& d);
/// Refuses `__launch_bounds__` and its kin at what is no kernel.
void refuse_launch_attributes(Context& c, const Declaration& d);

/// Reports what nvcc refuses in the body of a function that is only for devices.
void refuse_what_devices_lack(Context& c, std::size_t body);

/// Rewrites a lambda with `__device__` or `__host__`; `token` is its first qualifier.
void rewrite_lambda(Context& c, std::size_t token);

/// Puts `__shared__` variables into thread-local storage, where the engine keeps a block's.
void rewrite_shared(Context& c, const Declaration& d);

/// Puts `__device__`, `__constant__` and `__managed__` variables into sections of their own.
void rewrite_variable(Context& c, const Declaration& d);

/// Puts a `static` variable of a device function into device memory; `token` is the word `static`.
void rewrite_static(Context& c, std::size_t token);

/// Rewrites `(void*)k` so that it registers the kernel's signature for cudaLaunchKernel. `token`:
/// `(` or a C++ cast.
void rewrite_kernel_cast(Context& c, std::size_t token);

/// Removes `#pragma unroll` and nvcc's own pragmas.
void rewrite_pragmas(Context& c);

/// Makes a loop of device code tell the engine which round a lane is in, if the rounds may differ
/// by lane. `token`: `for`, `while` or `do`.
void rewrite_loop(Context& c, std::size_t token);

/// Rewrites a call of memcpy, memmove or memset in device code so that its accesses are recorded.
void rewrite_copy(Context& c, std::size_t token);

/// Turns `__noinline__` outside an attribute into an attribute.
void rewrite_noinline(Context& c, std::size_t token);

/// Rewrites inline PTX of device code into calls of the functions in emulator/device_ptx.h.
void rewrite_asm(Context& c, std::size_t token);

/// Rounds a float literal half-way between two floats up in device code, as nvcc does.
void rewrite_number(Context& c, std::size_t token);

/// Reports an unsupported feature that a single word gives away.
void check_unsupported_word(Context& c, std::size_t token);

/// Returns the kind of scope that `{` opens, unless it is a body that is already known.
Scope classify_brace(const Context& c, std::size_t brace);

}  // namespace emulator_nvcc
