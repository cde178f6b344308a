#include <algorithm>
#include <cctype>

#include "context.hpp"

namespace emulator_nvcc {
namespace {

// Returns the name of a parameter; inserts an invented one if it has none.
std::string name_of(Context& c, const Parameter& parameter, const std::string& invented) {
  if (parameter.name != kNoToken) return std::string(c.s.spelling(parameter.name));
  if (parameter.insert_name != kNoToken)
    c.edits.insert_after(parameter.insert_name, " " + invented);
  return invented;
}

// Returns the `&` or `&&` of a reference parameter such as `T& x`, `T&&... x`, `T (&x)[n]`, with or
// without a name; empty if it is not a reference.
std::string_view reference_mark(const Source& s, const Parameter& parameter) {
  std::size_t i = parameter.name != kNoToken ? parameter.name - 1 : parameter.insert_name;
  while (s.is(i, "...") || s.is(i, "__restrict__") || s.is(i, "__restrict")) --i;
  return s.is(i, "&") || s.is(i, "&&") ? s.spelling(i) : std::string_view();
}

// Returns whether a parameter has a type that C++ always passes by value: a number or a pointer.
bool is_number_or_pointer(const Source& s, const Range& part, const Parameter& parameter) {
  static const std::unordered_set<std::string_view> kWords = {
      "const",   "volatile", "bool",    "char",     "signed",   "unsigned", "short",  "int",
      "long",    "float",    "double",  "std",      "::",       "size_t",   "int8_t", "int16_t",
      "int32_t", "int64_t",  "uint8_t", "uint16_t", "uint32_t", "uint64_t"};
  const std::size_t last = parameter.name != kNoToken ? parameter.name : part.last;
  bool is_number = true;
  for (std::size_t i = part.first; i < last; ++i) {
    if (s.is(i, "<") || s.is(i, "(")) return false;
    if (s.is(i, "=")) break;
    if (s.is(i, "*")) return true;
    is_number = is_number && kWords.count(s.spelling(i));
  }
  return is_number;
}

struct CallArguments {
  std::string values;           // `p, n, rest...`, without references
  std::string captures;         // `, emu_object_0 = ::emu::captured(s)`
  std::string references;       // `, &p, &rest...`: parameters that a launch does not copy
  std::string names;            // `p, n, rest...`, all parameters
  std::string types;            // `decltype(p), decltype(n), decltype(rest)...`
  bool may_be_objects = false;  // some are objects, which C++ may pass by the address of a copy
};

// Returns whether a parameter has `__restrict__`.
bool has_restrict(const Source& s, const Range& part) {
  for (std::size_t i = part.first; i < part.last; ++i)
    if (s.is(i, "__restrict__") || s.is(i, "__restrict")) return true;
  return false;
}

// Returns whether what follows is compiled for all types at once. A specialisation is not.
bool is_template(const Context& c) {
  return std::ranges::any_of(
      c.headers, [](const TemplateHeader& header) { return header.open + 1 != header.close; });
}

CallArguments call_arguments(Context& c, std::size_t open, bool* shadowed,
                             std::string_view kernel) {
  const Source& s = c.s;
  const Range list{open + 1, s.closing(open)};
  if (list.first + 1 == list.last && s.is(list.first, "void")) return {};
  CallArguments result;
  int number = 0, objects = 0;
  bool has_restrict_pack = false;
  for (const Range& part : split_at_commas(s, list)) {
    const Parameter parameter = read_function_parameter(s, part);
    const std::string name = name_of(c, parameter, "emu_argument_" + std::to_string(number++));
    const std::string all = parameter.pack ? "..." : "";
    const std::string_view mark = reference_mark(s, parameter);
    if (!mark.empty()) result.references += ", &" + name + all;
    const bool may_be_object = mark.empty() && !is_number_or_pointer(s, part, parameter);
    result.may_be_objects |= may_be_object;
    // g++ does not accept the type of a parameter with __restrict__ as a template argument.
    const bool is_restrict = has_restrict(s, part);
    has_restrict_pack |= is_restrict && parameter.pack;
    for (std::string* const so_far : {&result.values, &result.names, &result.types})
      if (!so_far->empty()) *so_far += ", ";
    const std::string plain = !is_restrict   ? name
                              : mark.empty() ? "::emu::captured(" + name + ")"
                                             : "(" + name + ")";
    result.names += plain + all;
    result.types += "decltype(" + plain + ")" + all;
    // A class that can only be moved has its own way to a kernel. No code is made of this one, but
    // outside of templates it must be right.
    if (may_be_object && !parameter.pack && !is_template(c)) {
      const std::string object = "emu_object_" + std::to_string(objects++);
      result.captures += ", " + object + " = ::emu::captured(" + name + ")";
      result.values += object;
    } else {
      result.values += mark == "&&" ? "static_cast<decltype(" + name + ")>(" + name + ")" : name;
    }
    result.values += all;
    *shadowed |= name == kernel;
  }
  // g++ does not find a kernel by the types of such a pack.
  if (has_restrict_pack) result.may_be_objects = false;
  return result;
}

// Returns `<T, N, Rest...>` for a template's parameter list; what follows a pack is deduced.
std::string template_arguments(Context& c, const TemplateHeader& header) {
  std::string result;
  int number = 0;
  for (const Range& part : split_at_commas(c.s, {header.open + 1, header.close})) {
    const Parameter parameter = read_template_parameter(c.s, part);
    const std::string name = name_of(c, parameter, "EmuParameter" + std::to_string(number++));
    if (!result.empty()) result += ", ";
    result += name + (parameter.pack ? "..." : "");
    if (parameter.pack) break;
  }
  return "<" + result + ">";
}

// Returns the words of a range of tokens.
std::string words(const Source& s, const Range& range) {
  std::string result;
  for (std::size_t i = range.first; i < range.last; ++i) {
    result += s.spelling(i);
    if (i + 1 < range.last && !s.touches_next(i)) result += ' ';
  }
  return result;
}

// Returns the namespaces around the declaration: `::a::b::`.
std::string enclosing_namespaces(const Context& c) {
  std::string result = "::";
  for (const Scope& scope : c.scopes) {
    if (scope.kind == ScopeKind::name_space && !scope.name.empty()) result += scope.name + "::";
  }
  return result;
}

// Returns whether the kernel's return type may be void, perhaps by another name.
bool returns_nothing(const Context& c, const Declaration& d) {
  for (std::size_t i = c.specifiers_begin; i < d.name; ++i) {
    if (const std::size_t after = skip_attribute(c.s, i); after != i)
      i = after - 1;
    else if (c.s.closing(i) != kNoToken)  // of __launch_bounds__(...)
      i = c.s.closing(i);
    else if (c.s.is(i, "void"))
      return true;
    else if (is_type_keyword(c.s.spelling(i)))
      return c.s.is(i, "auto");
  }
  return true;
}

void drop_qualifiers(Context& c, const Declaration& d) {
  for (const auto* list : {&d.globals, &d.devices, &d.hosts}) {
    for (const std::size_t token : *list) c.edits.erase(token);
  }
}

// Reads `__launch_bounds__(threads, ...)` or `__cluster_dims__(x, y, z)`.
void read_bounds(Context& c, const Range& attribute, KernelBounds& bounds) {
  const Source& s = c.s;
  const auto arguments = split_at_commas(s, {attribute.first + 2, attribute.last - 1});
  if (s.is(attribute.first, "__block_size__")) {
    c.unsupported(attribute.first, emu::Sign::of_word, s.spelling(attribute.first));
  } else if (s.is(attribute.first, "__launch_bounds__")) {
    if (arguments.empty() || arguments.front().empty() || arguments.size() > 3)
      return c.error(attribute.first,
                     "__launch_bounds__ has 1 to 3 numbers: the most threads of a block, the least "
                     "blocks of a multiprocessor, the most blocks of a cluster");
    bounds.threads = "::emu::kConstant<static_cast<unsigned>(" + words(s, arguments.front()) + ")>";
  } else if (s.is(attribute.first, "__cluster_dims__")) {
    const auto is_one = [&](const Range& argument) { return words(s, argument) == "1"; };
    if (c.options.plain_kernels && !std::ranges::all_of(arguments, is_one))
      c.error(
          attribute.first,
          "this kernel is launched without clusters, so __cluster_dims__ can only be (1, 1, 1)");
    std::string size;
    for (const Range& argument : arguments)
      size += (size.empty() ? "(" : ", (") + words(s, argument) + ")";
    bounds.cluster = "::emu::cluster_dims<" + size + ">()";
  }
}

// Returns a key that a kernel's declaration and definition share: its name and its number of
// parameters.
std::string key_of(const Context& c, const Declaration& d) {
  const Source& s = c.s;
  std::string key = enclosing_namespaces(c);
  const std::size_t last = d.name_template_end == kNoToken ? d.name : d.name_template_end;
  for (std::size_t i = qualified_name_begin(s, d.name); i <= last; ++i) key += s.spelling(i);
  const bool specialisation =
      !c.headers.empty() && c.headers.back().open + 1 == c.headers.back().close;
  const std::size_t parameters = split_at_commas(s, {d.end + 1, s.closing(d.end)}).size();
  return key + (specialisation ? "<>" : "") + "/" + std::to_string(parameters);
}

// Returns the bounds from this declaration, completed from an earlier one.
KernelBounds bounds_of(Context& c, const Declaration& d, const FunctionEnd& end) {
  KernelBounds& bounds = c.declared_bounds[key_of(c, d)];
  std::size_t registers = kNoToken, threads = kNoToken;
  for (const auto* list : {&d.launch_bounds, &end.launch_bounds}) {
    for (const Range& attribute : *list) {
      c.handled.insert(attribute.first);
      c.edits.erase(attribute.first, attribute.last - 1);
      read_bounds(c, attribute, bounds);
      if (c.s.is(attribute.first, "__maxnreg__")) registers = attribute.first;
      if (c.s.is(attribute.first, "__launch_bounds__")) threads = attribute.first;
    }
  }
  if (registers != kNoToken && threads != kNoToken)
    c.error(registers, "a kernel cannot have both __launch_bounds__ and __maxnreg__");
  return bounds;
}

// Returns the bounds as further arguments of ::emu::launch.
std::string bounds_text(const KernelBounds& bounds) {
  if (bounds.cluster.empty()) return bounds.threads.empty() ? "" : ", " + bounds.threads;
  return ", " + (bounds.threads.empty() ? "::emu::kMostThreadsOfBlock" : bounds.threads) + ", " +
         bounds.cluster;
}

}  // namespace

namespace {

// `operator`, or `operator+`, which is one token.
bool names_operator(std::string_view name) {
  constexpr std::string_view kWord = "operator";
  if (!name.starts_with(kWord)) return false;
  const char next = name.size() > kWord.size() ? name[kWord.size()] : ' ';
  return !std::isalnum(static_cast<unsigned char>(next)) && next != '_';
}

// Why a function with this declaration cannot be a kernel; null if it can.
const char* why_no_kernel(const Context& c, const Declaration& d) {
  const Source& s = c.s;
  if (c.scope().kind == ScopeKind::class_body && !d.is_friend)
    return "a __global__ function cannot be a member function";
  if (!d.devices.empty() || !d.hosts.empty())
    return "a __global__ function cannot also be __device__ or __host__";
  if (names_operator(s.spelling(d.name))) return "a __global__ function cannot be an operator";
  if (!returns_nothing(c, d)) return "a __global__ function must return void";
  return nullptr;
}

// What follows a kernel's parameters, up to its body: there may be no exception specification.
void refuse_noexcept(Context& c, std::size_t parameters) {
  for (std::size_t i = c.s.closing(parameters) + 1; i < c.s.size(); ++i) {
    if (c.s.is(i, "{") || c.s.is(i, ";")) return;
    if (c.s.is(i, "noexcept"))
      return c.error(i, "a __global__ function cannot have an exception specification");
  }
}

// A launch deduces what a parameter pack stands for, so nothing can follow one.
void refuse_early_pack(Context& c) {
  if (c.headers.empty()) return;
  const TemplateHeader& header = c.headers.back();
  const std::vector<Range> parts = split_at_commas(c.s, {header.open + 1, header.close});
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (read_template_parameter(c.s, parts[i]).pack)
      return c.error(parts[i].first,
                     "a parameter pack of a __global__ function must be the template's last "
                     "parameter");
  }
}

}  // namespace

void rewrite_kernel(Context& c, const Declaration& d) {
  const Source& s = c.s;
  drop_qualifiers(c, d);
  if (d.name == kNoToken || !s.is(d.end, "(") || s.closing(d.end) == kNoToken) {
    return c.error(d.globals.front(), "__global__ belongs to the declaration of a function");
  }
  if (const char* const why = why_no_kernel(c, d)) return c.error(d.globals.front(), why);
  const std::size_t last = s.closing(d.end) - 1;
  if (s.is(last, "...") && (s.is(last - 1, ",") || s.is(last - 1, "(")))
    return c.error(last, "a __global__ function cannot have a variable number of arguments");
  c.kernels.insert(s.spelling(d.name));
  if (c.at_file_level() && !d.explicit_instantiation && s.is(d.name + 1, "("))
    note_kernel(c, d.name);
  if (c.options.marks_sides && !d.explicit_instantiation)
    insert_specifier(c, d.globals.front(), "__attribute__((emu_kernel))");

  refuse_noexcept(c, d.end);
  refuse_early_pack(c);
  const FunctionEnd end = read_function_end(c, d.end);
  if (d.is_friend && end.body != kNoToken)
    return c.error(d.globals.front(), "a __global__ function cannot be defined in a class");
  const KernelBounds bounds = bounds_of(c, d, end);
  if (end.body == kNoToken) return;
  c.function_braces[end.body] = true;
  c.kernel_bodies.push_back(end.body);
  refuse_what_devices_lack(c, end.body);
  // If a kernel were inlined into the host code that launches it, g++ could merge the tests of
  // several launches.
  insert_specifier(c, d.globals.front(), "__attribute__((noipa))");
  if (c.options.plain_kernels) return;

  bool shadowed = false;
  const CallArguments arguments = call_arguments(c, d.end, &shadowed, s.spelling(d.name));
  const std::size_t begin = qualified_name_begin(s, d.name);
  std::string name;
  for (std::size_t i = begin; i <= d.name; ++i) name += s.spelling(i);
  if (shadowed && begin == d.name) name = enclosing_namespaces(c) + name;
  if (d.name_template_end != kNoToken) {
    name += c.edits.on_one_line(d.name + 1, d.name_template_end);
  } else if (!c.headers.empty()) {
    const TemplateHeader& header = c.headers.back();
    const bool specialisation = header.open + 1 == header.close;
    name += specialisation ? "<>" : template_arguments(c, header);
  }
  // The parentheses exclude kernels of the same name in the namespaces of the arguments.
  name = "(" + name + ")";
  const auto launch = [&](const std::string& captures, const std::string& call) {
    return "if (::emu::launch(__PRETTY_FUNCTION__, [" + captures +
           "]() __attribute__((no_sanitize(\"thread\"))) { " + call + "; }" + bounds_text(bounds) +
           ")) return;";
  };
  std::string text =
      launch("=" + arguments.references + arguments.captures, name + "(" + arguments.values + ")");
  if (arguments.may_be_objects) {
    const std::string& types = arguments.types;
    text =
        "if constexpr (::emu::any_passed_by_address<" + types + ">) { " +
        launch("emu_kept = ::emu::KeptArguments<" + types + ">(" + arguments.names + ")",
               "::emu::call_kernel<static_cast<void (*)(" + types + ")>" + name + ">(emu_kept)") +
        " } else { " + text + " }";
  }
  if (c.options.is_module && !d.is_friend)
    text = "static_cast<void>(&::emu::ModuleKernel<static_cast<void (*)(" + arguments.types + ")>" +
           name + ">::record); " + text;
  c.edits.insert_after(end.body,
                       " if (__builtin_expect(::emu::launch_pending(), 0)) { " + text + " }");
}

}  // namespace emulator_nvcc
