#include "context.hpp"

namespace emulator_nvcc {
namespace {

// Returns whether the word is followed by an argument list that is not a parameter list.
bool takes_arguments(std::string_view word) {
  return word == "decltype" || word == "typeof" || word == "__typeof__" || word == "explicit" ||
         word == "__maxnreg__" || word == "noexcept";
}

bool is_launch_attribute(std::string_view word) {
  return word == "__launch_bounds__" || word == "__cluster_dims__" || word == "__block_size__" ||
         word == "__maxnreg__";
}

// Adds the word to `d` if it is one of CUDA's qualifiers; returns whether it is.
bool note_qualifier(Declaration& d, std::string_view word, std::size_t token) {
  if (word == "__global__") return d.globals.push_back(token), true;
  if (word == "__device__") return d.devices.push_back(token), true;
  if (word == "__host__") return d.hosts.push_back(token), true;
  if (word == "__shared__") return d.shareds.push_back(token), true;
  if (word == "__constant__") return d.constants.push_back(token), true;
  if (word == "__managed__") return d.manageds.push_back(token), true;
  return false;
}

// Returns the name inside `(*name)` or `(*name[3])`; `function` tells whether it is a function that
// returns a pointer.
std::size_t name_in_group(const Source& s, std::size_t open, bool* function) {
  std::size_t name = kNoToken;
  for (std::size_t i = open + 1; i < s.closing(open); ++i) {
    if (is_name(s, i) && !s.is(i + 1, "::")) name = i;
    if (s.is(i, "(") && name != kNoToken) *function = true;
    if (s.is(i, "(") || s.is(i, "[")) break;
  }
  return name;
}

Declaration read_declaration_from(const Context& c, std::size_t first) {
  const Source& s = c.s;
  Declaration d;
  std::size_t i = first;
  for (; i < s.size(); ++i) {
    const std::string_view word = s.spelling(i);
    if (const std::size_t after = skip_attribute(s, i); after != i) {
      i = after - 1;
      continue;
    }
    if (s.is_identifier(i)) {
      if (note_qualifier(d, word, i)) continue;
      if (is_launch_attribute(word) && s.closing(i + 1) != kNoToken) {
        d.launch_bounds.push_back({i, s.closing(i + 1) + 1});
        i = s.closing(i + 1);
      } else if (takes_arguments(word) && s.is(i + 1, "(") && s.closing(i + 1) != kNoToken) {
        i = s.closing(i + 1);
      } else if (word == "extern") {
        d.is_extern = i;
        if (i + 1 < s.size() && s.tokens()[i + 1].kind == TokenKind::literal) ++i;
      } else if (word == "static") {
        d.statics.push_back(i);
      } else if (word == "inline" || word == "__inline__" || word == "__inline") {
        d.is_inline = true;
      } else if (word == "friend") {
        d.is_friend = true;
      } else if (word == "typedef") {
        d.is_typedef = true;
      } else if (word == "template") {
        d.explicit_instantiation = true;
      } else if (word == "operator") {
        d.is_conversion = true;
        d.name = i;
      } else if (is_name(s, i)) {
        d.name = i;
        d.name_template_end = kNoToken;
        if (s.is(i + 1, "<") && !opens_launch(s, i + 1)) {
          if (const auto close = close_angle(s, i + 1)) i = d.name_template_end = *close;
        }
      }
      continue;
    }
    if (word == "{") {
      // The body of a type that the declaration defines in passing: `__shared__ struct {...} s;`
      bool type = false;
      for (std::size_t k = first; k < i; ++k) type |= is_class_key(s.spelling(k));
      if (type && s.closing(i) != kNoToken && d.globals.empty()) {
        i = s.closing(i);
        continue;
      }
      break;
    }
    if (word == "(" || word == "[" || word == "=" || word == ";" || word == "," || word == ":" ||
        word == ")" || word == "}") {
      break;
    }
  }
  d.end = i;
  return d;
}

}  // namespace

Declaration read_declaration(const Context& c, std::size_t token) {
  Declaration d = read_declaration_from(c, c.specifiers_begin);
  // A qualifier outside the current declaration begins a new one.
  const bool reached = c.specifiers_begin <= token && token < d.end;
  return reached ? d : read_declaration_from(c, token);
}

FunctionEnd read_function_end(const Context& c, std::size_t parameters) {
  const Source& s = c.s;
  FunctionEnd end;
  if (s.closing(parameters) == kNoToken) return end;
  for (std::size_t i = s.closing(parameters) + 1; i < s.size(); ++i) {
    const std::string_view word = s.spelling(i);
    if (const std::size_t after = skip_attribute(s, i); after != i) {
      i = after - 1;
    } else if (is_launch_attribute(word) && s.closing(i + 1) != kNoToken) {
      end.launch_bounds.push_back({i, s.closing(i + 1) + 1});
      i = s.closing(i + 1);
    } else if (word == "requires") {
      i = skip_requires_clause(s, i) - 1;
    } else if (word == "(" || word == "[") {  // of noexcept(...) or of a trailing return type
      if (s.closing(i) == kNoToken) return end;
      i = s.closing(i);
    } else if (word == "<" && s.is_identifier(i - 1)) {
      if (const auto close = close_angle(s, i)) i = *close;
    } else if (word == ":") {
      // Member initialisers of a constructor: name(...) or name{...}, separated by commas.
      std::size_t k = i + 1;
      while (k < s.size()) {
        const std::size_t open = skip_qualified_name(s, k);
        if (open == k || s.closing(open) == kNoToken) return end;
        k = s.closing(open) + 1;
        if (s.is(k, "...")) ++k;
        if (!s.is(k, ",")) break;
        ++k;
      }
      i = k - 1;
    } else if (word == "{") {
      end.body = i;
      return end;
    } else if (word == ";" || word == "," || word == "=" || word == "}" || word == ")") {
      return end;
    }
  }
  return end;
}

void refuse_what_devices_lack(Context& c, std::size_t body) {
  // nvcc checks a template only where it is instantiated.
  const Source& s = c.s;
  if (!c.at_file_level() || !c.headers.empty() || s.closing(body) == kNoToken) return;
  for (std::size_t i = body + 1; i < s.closing(body); ++i) {
    if (s.is(i, "try") || s.is(i, "throw"))
      return c.error(i, "device code does not support exception handling");
    if (s.is(i, "thread_local"))
      return c.error(i, "device code cannot have thread_local variables");
  }
}

// Inserts the text in the position of `__device__`, but behind a standard attribute, which must
// stay in front: `__device__ [[nodiscard]] int f()`.
void insert_specifier(Context& c, std::size_t qualifier, const std::string& text) {
  std::size_t after = qualifier + 1;
  while (c.s.is(after, "[") && skip_attribute(c.s, after) != after)
    after = skip_attribute(c.s, after);
  if (after == qualifier + 1)
    c.edits.insert_before(qualifier, text + ' ');
  else
    c.edits.insert_after(after - 1, ' ' + text);
}

void refuse_launch_attributes(Context& c, const Declaration& d) {
  for (const Range& attribute : d.launch_bounds) {
    c.edits.erase(attribute.first, attribute.last - 1);
    c.error(attribute.first,
            std::string(c.s.spelling(attribute.first)) + " belongs to a __global__ function");
  }
}

void rewrite_function(Context& c, const Declaration& d) {
  const Source& s = c.s;

  // Function or variable?
  bool function = false;
  std::size_t name = d.name;
  if (d.is_conversion) {
    function = true;
  } else if (s.is(d.end, "(") && s.closing(d.end) != kNoToken) {
    const std::size_t close = s.closing(d.end);
    const bool pointer = s.is(d.end + 1, "*") || s.is(d.end + 1, "&") || s.is(d.end + 1, "&&") ||
                         (is_name(s, d.end + 1) && s.is(d.end + 2, "::") && s.is(d.end + 3, "*"));
    if (pointer && s.is(close + 1, "(")) {
      name = name_in_group(s, d.end, &function);
    } else if (pointer && s.is(close + 1, "[")) {
      name = name_in_group(s, d.end, &function);
    } else {
      // A member cannot be initialised in parentheses.
      function = c.scope().kind == ScopeKind::class_body ||
                 !(s.is(close + 1, ";") || s.is(close + 1, ",")) ||
                 looks_like_parameters(s, {d.end + 1, close});
    }
  }
  if (!function && !d.devices.empty() && !d.is_typedef) {
    Declaration variable = d;
    variable.name = name;
    return rewrite_variable(c, variable);
  }

  if (function && (s.is(name, "memcpy") || s.is(name, "memmove") || s.is(name, "memset")))
    c.own_words.insert(s.spelling(name));
  for (const std::size_t token : d.hosts) c.edits.erase(token);
  for (const std::size_t token : d.devices) c.edits.erase(token);
  refuse_launch_attributes(c, d);
  if (d.devices.empty() || !function) return;

  std::size_t parameters = d.end;
  if (d.is_conversion) {
    while (parameters < s.size() && !s.is(parameters, "(")) ++parameters;
  } else if (name != d.name && s.is(s.closing(d.end) + 1, "(")) {
    parameters = s.closing(d.end) + 1;  // a function that returns a function pointer
  }
  const FunctionEnd end = read_function_end(c, parameters);
  if (end.body != kNoToken) c.function_braces[end.body] = true;
  if (end.body != kNoToken && !d.hosts.empty()) c.braces_of_both.insert(end.body);
  if (end.body != kNoToken && d.hosts.empty()) refuse_what_devices_lack(c, end.body);
  for (std::size_t i = c.specifiers_begin; i < name && i < s.size(); ++i)
    if (s.is(i, "constexpr") || s.is(i, "consteval")) c.constexpr_braces.insert(end.body);

  bool has_type = false;  // constructors, destructors and deduction guides have none
  for (std::size_t i = c.specifiers_begin; i < name && i < s.size(); ++i) {
    has_type |= is_name(s, i) || is_type_keyword(s.spelling(i));
  }

  // CUDA treats an empty constructor or destructor as trivial, so that variables in device memory
  // may have it. In C++ it must be defaulted.
  const bool empty = end.body != kNoToken && s.closing(end.body) == end.body + 1 &&
                     s.closing(parameters) == parameters + 1 && end.body == parameters + 2;
  if (empty && !has_type && c.scope().kind == ScopeKind::class_body && c.headers.empty()) {
    c.function_braces.erase(end.body);
    c.edits.replace(end.body, "= default;");
    c.edits.erase(end.body + 1);
  }

  const bool is_guide = !has_type && end.body == kNoToken && s.closing(parameters) != kNoToken &&
                        s.is(s.closing(parameters) + 1, "->");
  if (c.options.marks_sides && !is_guide && !d.is_typedef && !d.explicit_instantiation)
    insert_specifier(
        c, d.devices.front(),
        d.hosts.empty() ? "__attribute__((emu_device))" : "__attribute__((emu_device, emu_host))");

  // Without -rdc each file has device functions of its own, so two files may define the same one.
  const bool qualified = name != kNoToken && name > 0 && s.is(name - 1, "::");
  if (d.is_extern != kNoToken && name != kNoToken) c.external.insert(s.spelling(name));
  if (c.options.separate_compilation || !c.at_file_level() || !c.headers.empty() ||
      d.explicit_instantiation || d.is_extern != kNoToken || d.is_friend || d.is_typedef ||
      d.is_conversion || !d.statics.empty() || name == kNoToken || qualified || !has_type ||
      c.external.count(s.spelling(name))) {
    return;
  }
  // Another declaration may have given it external linkage.
  const bool has_signature = s.is(name + 1, "(") && s.closing(name + 1) != kNoToken;
  if (!d.hosts.empty()) {
    if (has_signature && !c.in_system_header(name))
      c.signatures_of_host.insert(signature_of(c, name));
    return;
  }
  if (has_signature && c.signatures_of_host.count(signature_of(c, name))) return;
  insert_specifier(c, d.devices.front(),
                   c.options.marks_sides && !d.is_inline
                       ? "static __attribute__((unused, emu_external))"
                       : "static __attribute__((unused))");
}

void rewrite_lambda(Context& c, std::size_t token) {
  const Source& s = c.s;
  bool device = false, host = false;
  std::size_t i = token;
  for (; s.is(i, "__device__") || s.is(i, "__host__"); ++i) {
    if (!c.options.extended_lambda)
      return c.error(i, "a lambda that is " + std::string(s.spelling(i)) +
                            " needs the option --extended-lambda");
    device |= s.is(i, "__device__");
    host |= s.is(i, "__host__");
    c.edits.erase(i);
    c.handled.insert(i);
  }
  std::size_t last = i - 1;  // an attribute follows the parameters of a template
  if (s.is(i, "<")) {
    if (const auto close = close_angle(s, i)) i = (last = *close) + 1;
  }
  std::size_t body = i;
  bool has_specifier = false;
  if (s.is(i, "(")) {
    body = read_function_end(c, i).body;
    for (std::size_t k = s.closing(i); k < s.size() && k < body && body != kNoToken; ++k)
      has_specifier |= s.is(k, "mutable") || s.is(k, "constexpr") || s.is(k, "static");
  }
  if (s.is(body, "{")) c.function_braces[body] = device || c.scope().device;
  if (!c.options.marks_sides || !device) return;
  const std::string sides =
      host ? " __attribute__((emu_device, emu_host)) " : " __attribute__((emu_device)) ";
  // g++ forgets an attribute before such a specifier.
  if (has_specifier)
    c.edits.insert_before(body, sides);
  else
    c.edits.insert_after(last, sides);
}

}  // namespace emulator_nvcc
