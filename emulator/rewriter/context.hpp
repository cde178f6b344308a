/// What the rewrites of one source share.
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
  bool device;            // in a function that runs on the device
  std::string name;       // of a namespace
  bool constant = false;  // in a constexpr function
};

/// A template's parameter list: tokens `<`...`>`.
struct TemplateHeader {
  std::size_t open;
  std::size_t close;
};

/// What `__launch_bounds__` and `__cluster_dims__` say of a kernel, in the words of ::emu::launch;
/// empty where they are not there.
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
  std::vector<DeviceFunction> device_functions;  // outermost ones, outside system headers

  std::vector<Scope> scopes = {{ScopeKind::file, false, {}}};
  std::size_t declaration_begin = 0;    // first token of the declaration or statement
  std::vector<TemplateHeader> headers;  // of this declaration
  std::size_t specifiers_begin = 0;     // after the headers and their requires-clause

  std::vector<std::size_t> loop_ends;  // of the loops around, outermost first, that count rounds

  std::unordered_set<std::size_t> handled;  // qualifiers of declarations already rewritten
  std::unordered_map<std::size_t, bool>
      function_braces;                               // `{` of a body: does it run on the device?
  std::unordered_set<std::size_t> constexpr_braces;  // `{` of constexpr functions
  std::unordered_set<std::string_view> kernels;      // names
  std::vector<std::size_t> kernel_bodies;            // their `{`
  std::unordered_map<std::string, KernelBounds> declared_bounds;  // of kernels, for definitions
  std::unordered_set<std::string_view> external;  // names that must not become internal to the file
  std::unordered_set<std::string_view> own_words;  // CUDA's names that the program has taken

  const Scope& scope() const { return scopes.back(); }
  /// In a header of a library that is compiled as the program's own code.
  bool in_library(std::size_t token) const;
  /// In a header of the emulator's, or of the compiler's.
  bool in_system_header(std::size_t token) const {
    return s.tokens()[token].system_header && !in_library(token);
  }
  bool at_file_level() const {
    return scope().kind == ScopeKind::file || scope().kind == ScopeKind::name_space;
  }
  void error(std::size_t token, std::string message);
  /// Reports the feature that `name` gives away, unless the emulator has it.
  void unsupported(std::size_t token, emu::Sign sign, std::string_view name);
};

/// A declaration that one of CUDA's qualifiers is part of, up to what decides its nature.
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

/// As g++ -E writes it: what follows stands in the line of `token`.
std::string line_marker(const Source& s, std::size_t token);

/// Where a function's declarator ends.
struct FunctionEnd {
  std::size_t body = kNoToken;  // `{`
  std::vector<Range> launch_bounds;
};

/// Follows what stands after the parameter list whose `(` is given.
FunctionEnd read_function_end(const Context& c, std::size_t parameters);

/// Launches: `k<<<g, b>>>(x)` becomes `(::emu::push_launch(g, b), k(x))`.
void rewrite_launch(Context& c, std::size_t token);

/// `__global__` functions: their bodies start with the hand-over of a pending launch.
void rewrite_kernel(Context& c, const Declaration& d);

/// Inserts specifiers of a declaration where one of CUDA's qualifiers stands.
void insert_specifier(Context& c, std::size_t qualifier, const std::string& text);

/// `__device__` and `__host__` functions lose their qualifiers.
void rewrite_function(Context& c, const Declaration& d);
/// Refuses `__launch_bounds__` and its kin at what is no kernel.
void refuse_launch_attributes(Context& c, const Declaration& d);

/// Refuses what nvcc does in the body of a function that is for devices alone.
void refuse_what_devices_lack(Context& c, std::size_t body);

/// Lambdas with `__device__` or `__host__`, whose first qualifier is `token`.
void rewrite_lambda(Context& c, std::size_t token);

/// `__shared__` variables live in thread-local storage, where the engine keeps a block's.
void rewrite_shared(Context& c, const Declaration& d);

/// `__device__`, `__constant__` and `__managed__` variables get sections of their own.
void rewrite_variable(Context& c, const Declaration& d);

/// Variables of device functions that are `static`, whose word is `token`, live in device memory.
void rewrite_static(Context& c, std::size_t token);

/// `(void*)k` registers the kernel's signature for cudaLaunchKernel. `token`: `(` or a C++ cast.
void rewrite_kernel_cast(Context& c, std::size_t token);

/// `#pragma unroll` and nvcc's own pragmas vanish.
void rewrite_pragmas(Context& c);

/// Loops of device code whose rounds may differ by lane tell the engine which round a lane is in.
/// `token`: `for`, `while` or `do`.
void rewrite_loop(Context& c, std::size_t token);

/// A call of memcpy, memmove or memset in device code becomes one that is seen.
void rewrite_copy(Context& c, std::size_t token);

/// `__noinline__` outside an attribute becomes one.
void rewrite_noinline(Context& c, std::size_t token);

/// Inline PTX of device code becomes calls of the functions of emulator/device_ptx.h.
void rewrite_asm(Context& c, std::size_t token);

/// A float half-way between two others is the larger one in device code, as nvcc reads it.
void rewrite_number(Context& c, std::size_t token);

/// Names what the emulator does not support where it can be told from a single word.
void check_unsupported_word(Context& c, std::size_t token);

/// The kind of scope that `{` opens, when it is no body already known.
Scope classify_brace(const Context& c, std::size_t brace);

}  // namespace emulator_nvcc
