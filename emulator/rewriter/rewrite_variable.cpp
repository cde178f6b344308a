#include "context.hpp"

namespace emulator_nvcc {
namespace {

// The begin of a comment in a line of assembly.
#if defined(__aarch64__)
constexpr std::string_view kAssemblyComment = "//";
#else
constexpr std::string_view kAssemblyComment = "#";
#endif

// Returns a section attribute. The object file gets one section per kind of variable, but for g++
// each variable has its own, because g++ requires all variables of a section to be alike (constant,
// template). So the name itself contains the section's flags, and turns those that g++ appends into
// a comment.
std::string section(std::string_view kind, std::string_view variable) {
  std::string name(variable);
  for (char& ch : name) {
    if (static_cast<unsigned char>(ch) >= 0x80 || ch == '\\') ch = '_';
  }
  return "__attribute__((section(\"emu_" + std::string(kind) + ",\\\"aw\\\"" +
         std::string(kAssemblyComment) + name + "\"), unused))";
}

std::size_t first_specifier(const Context& c, const Declaration& d) {
  const Source& s = c.s;
  std::size_t i = c.specifiers_begin;
  while (i < d.end) {
    if (c.edits.erased(i)) {
      ++i;
    } else if (const std::size_t after = skip_attribute(s, i); after != i) {
      i = after;
    } else {
      break;
    }
  }
  return i;
}

void erase_all(Context& c, const std::vector<std::size_t>& tokens) {
  for (const std::size_t token : tokens) c.edits.erase(token);
}

// Returns the `;` of the declaration.
std::size_t declaration_end(const Source& s, std::size_t i) {
  while (i < s.size() && !s.is(i, ";") && !s.is(i, "}")) {
    i = s.closing(i) != kNoToken ? s.closing(i) + 1 : i + 1;
  }
  return i;
}

// Returns `=`, `(` or `{` behind one of the names; kNoToken if there is none.
std::size_t find_initialiser(const Source& s, const Declaration& d) {
  const std::size_t end = declaration_end(s, d.end);
  for (std::size_t i = d.end; i < end; ++i) {
    if (s.is(i, "=") || s.is(i, "{")) return i;
    if (s.is(i, "(") && is_name(s, i - 1)) return i;
    if (s.closing(i) != kNoToken) i = s.closing(i);
  }
  return kNoToken;
}

// Returns where the declarators begin, behind their common type: the first `*`, or the name.
std::size_t declarators_begin(const Source& s, std::size_t first, std::size_t name) {
  for (std::size_t i = first; i < name; ++i) {
    if (s.is(i, "<") && s.is_identifier(i - 1)) {
      if (const auto close = close_angle(s, i); close && *close < name) i = *close;
    } else if (s.closing(i) != kNoToken) {
      i = s.closing(i);
    } else if (s.is(i, "*") || s.is(i, "&")) {
      return i;
    }
  }
  return name;
}

// Returns whether all names of the declaration are arrays.
bool declares_arrays(const Source& s, const Declaration& d) {
  if (d.name == kNoToken) return false;
  for (const Range& part : split_at_commas(s, {d.name, declaration_end(s, d.end)})) {
    std::size_t name = part.first;
    while (name < part.last && !is_name(s, name)) ++name;
    if (name == part.last || !s.is(name + 1, "[")) return false;
  }
  return true;
}

// In a function: declares a reference to the block's dynamic shared memory.
void bind_dynamic_shared(Context& c, const Declaration& d) {
  const Source& s = c.s;
  const std::size_t end = declaration_end(s, d.end);
  for (std::size_t i = c.specifiers_begin; i < d.name; ++i) {
    if (const std::size_t after = skip_attribute(s, i); after != i) {
      c.edits.erase(i, after - 1);
      i = after - 1;
    }
  }
  const std::size_t first = first_specifier(c, d);
  const std::size_t names = declarators_begin(s, first, d.name);
  const std::string type = c.edits.on_one_line(first, names - 1);
  c.edits.insert_before(first, c.options.marks_sides
                                   ? "__attribute__((unused, emu_dynamic_shared)) "
                                   : "__attribute__((unused)) ");

  for (const Range& part : split_at_commas(s, {names, end})) {
    std::size_t name = part.first;
    while (name < part.last && !is_name(s, name)) ++name;
    if (name == part.last) continue;
    std::string element = type;
    for (std::size_t i = part.first; i < name; ++i) element += " " + std::string(s.spelling(i));
    const bool array = s.is(name + 1, "[");
    std::string extents;
    for (std::size_t i = name + 1; i < part.last; ++i) extents += s.spelling(i);
    const std::string variable(s.spelling(name));
    c.edits.replace(name, array ? "(&" + variable + ")" : "&" + variable);
    c.edits.insert_after(
        part.last - 1,
        array ? " = *reinterpret_cast<" + element + " (*)" + extents + ">(::emu::dynamic_shared())"
              : " = *reinterpret_cast<" + element + "*>(::emu::dynamic_shared())");
  }
}

// Outside functions: declares another name for that memory.
void alias_dynamic_shared(Context& c, const Declaration& d) {
  const Source& s = c.s;
  if (!c.headers.empty()) {  // the plugin names the variables that a template makes
    if (!c.options.marks_sides)
      return c.error(d.name,
                     "a template of extern __shared__ memory needs the emulator's plugin: "
                     "declare the memory in the kernel");
    c.edits.insert_before(first_specifier(c, d),
                          "__attribute__((emu_dynamic_shared_template)) extern __thread ");
    return;
  }
  c.edits.insert_before(first_specifier(c, d), "extern __thread ");
  for (const Range& part : split_at_commas(s, {d.name, declaration_end(s, d.end)})) {
    c.edits.insert_after(part.last - 1, " __asm__(\"emu_dynamic_shared_memory\")");
  }
}

// Returns whether a variable of a declaration in a function may be written, judged by its words.
bool declares_writable(const Source& s, const Range& declaration) {
  bool are_constant = false;  // applies to all variables of the declaration
  bool is_first = true;
  for (const Range& part : split_at_commas(s, declaration)) {
    bool is_constant = are_constant, is_pointer = false;
    for (std::size_t i = part.first; i < part.last; ++i) {
      if (const std::size_t after = skip_attribute(s, i); after != i) {
        i = after - 1;
      } else if (s.is(i, "constexpr") || s.is(i, "&") || s.is(i, "&&")) {
        return false;
      } else if (s.is(i, "const")) {
        is_constant = true;
        are_constant |= is_first && !is_pointer;
      } else if (s.is(i, "*")) {
        is_pointer = true;
        is_constant = false;
      } else if (s.is(i, "<")) {
        if (const auto close = close_angle(s, i)) i = *close;
      } else if (s.is(i, "decltype") && s.closing(i + 1) != kNoToken) {
        i = s.closing(i + 1);
      } else if (s.is(i, "=") || s.is(i, "{") || s.is(i, "[") || s.is(i, ")") ||
                 (s.is(i, "(") && !s.is(i + 1, "*"))) {
        break;
      }
    }
    if (!is_constant) return true;
    is_first = false;
  }
  return false;
}

bool is_in_unnamed_namespace(const Context& c) {
  for (const Scope& scope : c.scopes)
    if (scope.kind == ScopeKind::name_space && scope.name.empty()) return true;
  return false;
}

// Returns whether the function around is for both sides, and nowhere asks which side it runs on.
bool is_in_function_of_both(const Context& c) {
  const std::size_t brace = c.scope().both;
  if (brace == kNoToken) return false;
  for (std::size_t i = brace; i < c.s.closing(brace) && i < c.s.size(); ++i)
    if (c.s.is(i, "in_kernel")) return false;
  return true;
}

// Returns whether the qualifier belongs to a parameter of a function, for which it means nothing.
bool is_of_parameter(const Source& s, std::size_t qualifier) {
  std::size_t i = qualifier;
  while (i > 0 && (s.is(i - 1, "const") || s.is(i - 1, "volatile"))) --i;
  return i > 0 && (s.is(i - 1, "(") || s.is(i - 1, ","));
}

}  // namespace

void rewrite_static(Context& c, std::size_t token) {
  const Source& s = c.s;
  if (c.scope().kind != ScopeKind::block || !c.scope().device) return;
  const Range declaration{c.specifiers_begin, declaration_end(s, token)};
  for (std::size_t i = declaration.first; i < declaration.last; ++i)
    if (s.is(i, "__shared__") || s.is(i, "__device__") || s.is(i, "__constant__") ||
        s.is(i, "__managed__"))
      return;
  if (!declares_writable(s, declaration)) return;
  // Static variables of several functions may have the same name; the position in the source
  // distinguishes them.
  c.edits.insert_after(token, " " + section("device", "static " + std::to_string(token)));
}

void rewrite_shared(Context& c, const Declaration& d) {
  if (is_of_parameter(c.s, d.shareds.front())) return erase_all(c, d.shareds);
  if (c.scope().kind == ScopeKind::class_body)
    return c.error(d.shareds.front(), "a data member cannot be __shared__");
  if (c.scope().kind == ScopeKind::block && !c.scope().device)
    return c.error(d.shareds.front(), "host code cannot have a __shared__ variable");
  if (d.is_typedef) return erase_all(c, d.shareds);
  if (d.is_extern == kNoToken && is_in_function_of_both(c) && !c.in_library(d.shareds.front()))
    return c.error(d.shareds.front(),
                   "a function for host and device cannot have a static __shared__ variable");
  erase_all(c, d.shareds);
  erase_all(c, d.devices);
  erase_all(c, d.statics);
  if (d.is_extern == kNoToken) {
    if (const std::size_t initialiser = find_initialiser(c.s, d); initialiser != kNoToken) {
      return c.error(initialiser, "an initializer is not allowed for a __shared__ variable");
    }
    for (std::size_t i = d.end; i < declaration_end(c.s, d.end); ++i)
      if (c.s.is(i, "warpSize"))
        return c.error(i, "an array's size must be a constant, and warpSize is not one: write 32");
    // For arrays whose elements have constructors, g++ tests at each pass whether they are
    // initialised: an access that the program does not contain.
    const bool guarded = declares_arrays(c.s, d);
    c.edits.insert_before(first_specifier(c, d),
                          guarded ? "__constinit static __thread " : "static __thread ");
    return;
  }
  if (d.name == kNoToken) return;
  c.edits.erase(d.is_extern);
  if (c.at_file_level()) {
    alias_dynamic_shared(c, d);
  } else {
    bind_dynamic_shared(c, d);
  }
}

void rewrite_variable(Context& c, const Declaration& d) {
  const Source& s = c.s;
  const std::size_t first = !d.devices.empty()     ? d.devices.front()
                            : !d.constants.empty() ? d.constants.front()
                                                   : d.manageds.front();
  if (is_of_parameter(s, first)) {
    erase_all(c, d.devices);
    return erase_all(c, d.constants);
  }
  const std::string_view kind = !d.manageds.empty()    ? "managed"
                                : !d.constants.empty() ? "constant"
                                                       : "device";
  erase_all(c, d.devices);
  erase_all(c, d.constants);
  erase_all(c, d.manageds);
  erase_all(c, d.hosts);
  if (d.name == kNoToken || d.is_typedef) return;
  const std::size_t place = !d.manageds.empty()    ? d.manageds.front()
                            : !d.constants.empty() ? d.constants.front()
                                                   : d.devices.front();
  const std::string_view name = s.spelling(d.name);
  const auto refuse = [&](const std::string& why) {
    c.error(place, why + std::string(s.spelling(place)));
  };
  if (c.scope().kind == ScopeKind::class_body) return refuse("a data member cannot be ");
  if (!d.manageds.empty() && !d.constants.empty())
    return refuse("a __constant__ variable cannot be ");
  const bool is_automatic = c.scope().kind == ScopeKind::block && d.is_extern == kNoToken;
  if (is_automatic && d.statics.empty())
    return refuse("a local variable that is not static cannot be ");
  // Declared here, defined elsewhere.
  if (d.is_extern != kNoToken && c.scope().kind == ScopeKind::block) {
    c.external.insert(name);
    return;
  }
  if (d.is_inline && d.statics.empty() && !c.options.separate_compilation && c.at_file_level() &&
      !is_in_unnamed_namespace(c) && !c.in_library(d.name))
    return c.error(d.name, "without -rdc=true, an inline " + std::string(s.spelling(place)) +
                               " variable must be static");
  std::string text = section(kind, name);

  // Without -rdc each file has device variables of its own, so two files may define the same one.
  const bool qualified = s.is(d.name - 1, "::");
  if (d.is_extern != kNoToken) c.external.insert(name);
  if (!c.options.separate_compilation && c.at_file_level() && c.headers.empty() &&
      !d.explicit_instantiation && d.is_extern == kNoToken && d.statics.empty() && !qualified &&
      !c.external.count(name)) {
    text = "static " + text;
  }
  // A program may ask a module for a variable that no kernel uses.
  if (c.options.is_module && c.at_file_level() && c.headers.empty() && !d.explicit_instantiation &&
      d.is_extern == kNoToken)
    text += " __attribute__((used))";
  // `__device__ alignas(16) int x`: alignas must stay in front.
  std::size_t after = place;
  if (place == c.specifiers_begin) {
    while (c.edits.erased(after) || skip_attribute(s, after) != after) {
      after = c.edits.erased(after) ? after + 1 : skip_attribute(s, after);
    }
  }
  if (after > place + 1) {
    c.edits.insert_before(after, text + " ");
  } else {
    c.edits.replace(place, std::move(text));
  }
}

}  // namespace emulator_nvcc
