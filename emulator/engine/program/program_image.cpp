// Reads the program's own file: its functions, lines and shared variables.
#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/memory.h"
#include "engine/engine.hpp"
#include "engine/program/elf_object.hpp"
#include "engine/program/modules.hpp"
#include "engine/program/place_records.hpp"

namespace emu {

namespace {

struct ThreadLocal {
  std::string name;  // mangled, without _Z
  SharedVariable extent;
};

struct Image {
  std::map<std::uintptr_t, std::string> functions;  // by address; mangled, without _Z
  std::map<std::string, std::uintptr_t> addresses;
  std::map<std::uintptr_t, std::pair<std::string, std::size_t>> objects;  // address -> name, bytes
  std::set<std::string> kernels;                                          // mangled, without _Z
  std::vector<ThreadLocal> thread_locals;

  // Of a module:
  std::uintptr_t begin = 0, end = 0;
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> read_only;
  const Image* next = nullptr;
};

struct Loaded {
  std::uintptr_t bias = 0;
  void* thread_local_begin = nullptr;
  std::size_t thread_local_bytes = 0;
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> read_only;
};

// Returns the loaded segments of the program, which is the first object listed. Its thread-local
// part is the calling thread's.
Loaded loaded_program() {
  Loaded loaded;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& out = *static_cast<Loaded*>(data);
        out.bias = info->dlpi_addr;
        out.thread_local_begin = info->dlpi_tls_data;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& header = info->dlpi_phdr[i];
          const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
          if (header.p_type == PT_TLS) out.thread_local_bytes = header.p_memsz;
          if ((header.p_type == PT_LOAD && !(header.p_flags & PF_W)) ||
              header.p_type == PT_GNU_RELRO)
            out.read_only.emplace_back(begin, begin + header.p_memsz);
        }
        return 1;
      },
      &loaded);
  return loaded;
}

std::string without_prefix(const char* name) {
  return std::strncmp(name, "_Z", 2) == 0 ? name + 2 : name;
}

/// @param shared_offset  of the object's thread-local data among the program's
void read_symbols(Image& image, const ElfObject& object, std::uintptr_t bias,
                  std::size_t shared_offset = 0) {
  each_symbol(object, [&](const GElf_Sym& symbol, const char* mangled) {
    if (symbol.st_shndx == SHN_UNDEF) return;
    const int type = GELF_ST_TYPE(symbol.st_info);
    const std::string name = without_prefix(mangled);
    if (type == STT_FUNC) {
      image.functions[bias + symbol.st_value] = name;
      image.addresses[name] = bias + symbol.st_value;
      // Without a size: a symbol of the linker.
    } else if (type == STT_OBJECT && symbol.st_size != 0) {
      image.objects[bias + symbol.st_value] = {name, symbol.st_size};
      // the type name of the lambda with which a kernel calls the engine: _ZTSZ<kernel>EUl...
      const std::size_t end = name.rfind("EUl");
      if (name.starts_with("TSZ") && end != std::string::npos)
        image.kernels.insert(name.substr(3, end - 3));
    } else if (type == STT_TLS) {
      image.thread_locals.push_back({name, {shared_offset + symbol.st_value, symbol.st_size}});
    }
  });
}

const Image& program_image() {
  // Never destroyed: kernels may run until the program ends.
  static const Image* const image = [] {
    auto* const made = new Image;
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0) return made;
    read_symbols(*made, elf_in_file(file), loaded_program().bias);
    close(file);
    return made;
  }();
  return *image;
}

/// The newest module. They are never taken away: accesses and signal handlers look here.
std::atomic<const Image*> modules{nullptr};

/// The module that an address is in; null if it is in none.
const Image* module_at(const void* address) noexcept {
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  const Image* module = modules.load(std::memory_order_acquire);
  while (module && (value < module->begin || value >= module->end)) module = module->next;
  return module;
}

/// Returns the module that an address is in, or else the program.
const Image& image_at(const void* address) {
  const Image* const module = module_at(address);
  return module ? *module : program_image();
}

bool contains(const std::vector<std::pair<std::uintptr_t, std::uintptr_t>>& parts,
              const void* address) {
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  return std::any_of(parts.begin(), parts.end(), [value](const auto& part) {
    return part.first <= value && value < part.second;
  });
}

}  // namespace

const void* module_of(const void* code) noexcept { return module_at(code); }

std::string encoding_of(const void* function) {
  const Image& image = image_at(function);
  const auto found = image.functions.find(reinterpret_cast<std::uintptr_t>(function));
  return found == image.functions.end() ? std::string() : found->second;
}

const void* function_with_encoding(const std::string& encoding, const void* code) {
  const Image& image = image_at(code);
  const auto found = image.addresses.find(encoding);
  if (found != image.addresses.end()) return reinterpret_cast<const void*>(found->second);
  // Without mangling (extern "C"), the encoding is length and name, the symbol the name alone.
  const std::size_t digits = encoding.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string::npos) return nullptr;
  const auto plain = image.addresses.find(encoding.substr(digits));
  return plain == image.addresses.end() ? nullptr : reinterpret_cast<const void*>(plain->second);
}

std::vector<SharedVariable> shared_variables_of(const std::string& encoding, const void* code) {
  std::vector<SharedVariable> variables;
  if (encoding.empty()) return variables;
  const std::string prefix =
      "Z" + encoding + "E";  // a variable of the function: _ZZ<function>E<name>
  for (const ThreadLocal& variable : image_at(code).thread_locals)
    if (variable.name.starts_with(prefix)) variables.push_back(variable.extent);
  return variables;
}

namespace {

/// Returns the plain name of a variable: "tile" for `Z6kernelPfE4tile`.
std::string variable_name(const std::string& mangled) {
  const std::string text = demangled(mangled, mangled.c_str());
  int depth = 0;
  // Searches for the last :: outside template arguments.
  for (std::size_t i = text.size(); i > 1; --i) {
    const char c = text[i - 1];
    depth += c == '>' || c == ')' ? 1 : c == '<' || c == '(' ? -1 : 0;
    if (depth == 0 && c == ':') return text.substr(i);
  }
  return text;
}

}  // namespace

std::vector<NamedVariable> visible_shared_variables(const std::string& encoding, const void* code) {
  const Image& image = image_at(code);
  const auto begin = reinterpret_cast<std::uintptr_t>(loaded_program().thread_local_begin);
  std::vector<NamedVariable> variables;
  for (const ThreadLocal& variable : image.thread_locals) {
    const std::string& name = variable.name;
    const bool in_function = name.starts_with("Z");
    // Skips variables of the engine and of the C and C++ libraries.
    if (name.starts_with("ZN3emu") || name.starts_with("N3emu") ||
        (!in_function && !name.starts_with("L") && !name.starts_with("N")) ||
        name.starts_with("NSt") || name.starts_with("ZNSt"))
      continue;
    if (in_function && !name.starts_with("Z" + encoding + "E")) {
      const bool of_kernel = std::any_of(
          image.kernels.begin(), image.kernels.end(),
          [&](const std::string& kernel) { return name.starts_with("Z" + kernel + "E"); });
      if (of_kernel) continue;
    }
    variables.push_back(
        {variable_name(name), begin + variable.extent.offset, variable.extent.bytes});
  }
  std::sort(variables.begin(), variables.end(),
            [](const NamedVariable& a, const NamedVariable& b) { return a.begin < b.begin; });
  return variables;
}

std::vector<NamedVariable> shared_guards(const void* code) {
  const auto begin = reinterpret_cast<std::uintptr_t>(loaded_program().thread_local_begin);
  std::vector<NamedVariable> guards;
  for (const ThreadLocal& variable : image_at(code).thread_locals)
    if (variable.name.starts_with("GV") && !variable.name.starts_with("GVZN3emu"))
      guards.push_back({variable.name, begin + variable.extent.offset, variable.extent.bytes});
  return guards;
}

NamedVariable variable_before(const void* address, std::size_t most_bytes) {
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  const auto& objects = image_at(address).objects;
  for (auto next = objects.upper_bound(value); next != objects.begin();) {
    const auto& [begin, object] = *--next;
    if (value - begin >= object.second + most_bytes && value - begin >= most_bytes) break;
    if (find_space(reinterpret_cast<const void*>(begin)) != Space::none)
      return {variable_name(object.first), begin, object.second};
  }
  return {};
}

NamedVariable variable_at(const void* address) {
  const NamedVariable variable = variable_before(address, 1);
  return reinterpret_cast<std::uintptr_t>(address) - variable.begin < variable.bytes
             ? variable
             : NamedVariable{};
}

bool in_program_constants(const void* address) noexcept {
  static const Loaded loaded = loaded_program();
  if (contains(loaded.read_only, address)) return true;
  const Image* const module = module_at(address);
  return module && contains(module->read_only, address);
}

void shared_storage(std::uintptr_t& begin, std::size_t& bytes) {
  const Loaded loaded = loaded_program();
  begin = reinterpret_cast<std::uintptr_t>(loaded.thread_local_begin);
  bytes = loaded.thread_local_bytes;
}

namespace {

Dwfl* debug_information() {
  static Dwfl* const dwfl = [] {
    static const Dwfl_Callbacks callbacks = {dwfl_linux_proc_find_elf, dwfl_standard_find_debuginfo,
                                             nullptr, nullptr};
    Dwfl* made = dwfl_begin(&callbacks);
    if (made) {
      dwfl_linux_proc_report(made, getpid());
      dwfl_report_end(made, nullptr, nullptr);
    }
    return made;
  }();
  return dwfl;
}

std::mutex debug_mutex;  // libdw supports one thread at a time

/// Adds what is in a module's file to what is known of the program's.
void add_debug_information(const ModuleFile& module) {
  Dwfl* const all = debug_information();
  const int descriptor = all ? fcntl(module.descriptor, F_DUPFD_CLOEXEC, 0) : -1;
  if (descriptor < 0) return;
  dwfl_report_begin_add(all);
  const std::string path = fmt::format("/proc/self/fd/{}", descriptor);
  if (!dwfl_report_elf(all, module.name.c_str(), path.c_str(), descriptor, module.bias, false))
    close(descriptor);
  dwfl_report_end(all, nullptr, nullptr);
}

/// Returns the path of a source file that the debug information calls `name`. Adds the unit's
/// folder, which libdw leaves out if the file's own folder is relative.
std::string file_of(const char* name, Dwarf_Die& unit) {
  if (!name) return {};
  const std::filesystem::path file(name);
  Dwarf_Attribute attribute;
  const char* const folder = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attribute));
  return file.is_absolute() || !folder ? name : (folder / file).lexically_normal().string();
}

/// Returns the place at which an inlined function is called.
SourceLocation caller_of(Dwarf_Die& inlined, Dwarf_Die& unit) {
  const auto number = [&](unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    return dwarf_formudata(dwarf_attr(&inlined, name, &attribute), &value) == 0 ? value : 0;
  };
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  const Dwarf_Word line = number(DW_AT_call_line), file = number(DW_AT_call_file);
  if (line == 0 || file == 0 || dwarf_getsrcfiles(&unit, &files, &count) != 0) return {};
  return {file_of(dwarf_filesrc(files, file, nullptr, nullptr), unit),
          static_cast<int>(line),
          static_cast<int>(number(DW_AT_call_column)),
          {}};
}

/// Returns the declaration of `scope` if it is a function.
std::optional<FunctionLocation> function_of(Dwarf_Die& scope) {
  const int tag = dwarf_tag(&scope);
  if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) return std::nullopt;
  Dwarf_Die unit;
  if (!dwarf_diecu(&scope, &unit, nullptr, nullptr)) return FunctionLocation{};
  FunctionLocation function{file_of(dwarf_decl_file(&scope), unit), 0};
  if (dwarf_decl_line(&scope, &function.line) != 0) return FunctionLocation{};
  return function;
}

/// All scopes of a compilation unit that have code: functions, functions inlined into them, blocks.
/// Looking up one address walks through the whole unit; this walks through it once, for all
/// addresses.
class UnitScopes {
 public:
  static constexpr int kNone = -1;

  struct Scope {
    Dwarf_Die die;
    int parent;
  };

  explicit UnitScopes(Dwarf_Die& unit) { add_children(unit, add(unit, kNone)); }

  /// Returns the innermost scope around an address of the unit, or kNone.
  int innermost(Dwarf_Addr address) const {
    int found = kNone;
    for (const Range& range : ranges_)  // outer scopes come before inner ones
      if (address >= range.begin && address < range.end) found = range.scope;
    return found;
  }
  const Scope& operator[](int scope) const { return scopes_[static_cast<std::size_t>(scope)]; }

 private:
  struct Range {
    Dwarf_Addr begin, end;
    int scope;
  };

  int add(const Dwarf_Die& die, int parent) {
    scopes_.push_back({die, parent});
    return static_cast<int>(scopes_.size()) - 1;
  }

  static bool may_have_code(Dwarf_Die& die) {
    switch (dwarf_tag(&die)) {
      case DW_TAG_subprogram:
      case DW_TAG_inlined_subroutine:
      case DW_TAG_lexical_block:
      case DW_TAG_try_block:
      case DW_TAG_catch_block:
      case DW_TAG_namespace:
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
        return true;
      default:
        return false;
    }
  }

  void add_children(Dwarf_Die& die, int parent) {
    Dwarf_Die child;
    if (dwarf_child(&die, &child) != 0) return;
    do {
      if (!may_have_code(child)) continue;
      const int scope = add(child, parent);
      Dwarf_Addr base = 0, begin = 0, end = 0;
      for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&child, at, &base, &begin, &end)) > 0;)
        ranges_.push_back({begin, end, scope});
      add_children(child, scope);
    } while (dwarf_siblingof(&child, &child) == 0);
  }

  std::vector<Scope> scopes_;
  std::vector<Range> ranges_;
};

/// The scopes around an address, innermost first, including inlined calls.
class Scopes {
 public:
  Scopes(Dwfl_Module* module, Dwarf_Addr address) {
    Dwarf_Addr bias = 0;
    unit_ = dwfl_module_addrdie(module, address, &bias);
    if (!unit_) return;
    // Never destroyed: reports are written at exit.
    static auto& known = *new std::map<const void*, UnitScopes>;
    const UnitScopes& all = known.try_emplace(unit_->addr, *unit_).first->second;
    for (int scope = all.innermost(address - bias); scope != UnitScopes::kNone;
         scope = all[scope].parent)
      scopes_.push_back(all[scope].die);
  }

  int count() const { return static_cast<int>(scopes_.size()); }
  Dwarf_Die& operator[](int i) { return scopes_[static_cast<std::size_t>(i)]; }
  bool has_unit() const { return unit_ != nullptr; }
  Dwarf_Die& unit() { return *unit_; }

 private:
  Dwarf_Die* unit_ = nullptr;
  std::vector<Dwarf_Die> scopes_;
};

bool type_of(Dwarf_Die& die, Dwarf_Die& type) {
  Dwarf_Attribute attribute;
  return dwarf_formref_die(dwarf_attr_integrate(&die, DW_AT_type, &attribute), &type) != nullptr;
}

/// Returns whether the type is the emulator's own, such as the class by which the rewriter counts
/// rounds of loops.
bool is_emulators(Dwarf_Die& type) {
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&type, &scopes);
  const bool is_it = std::any_of(scopes, scopes + std::max(count, 0), [](Dwarf_Die& scope) {
    const char* name = dwarf_diename(&scope);
    return dwarf_tag(&scope) == DW_TAG_namespace && name && std::string_view(name) == "emu";
  });
  std::free(scopes);
  return is_it;
}

/// Returns whether the type, or one that it points to or contains, is a struct of 16 bytes with
/// alignment 8.
bool has_half_aligned_struct(Dwarf_Die type, int depth) {
  constexpr int kVectorBytes = 16;
  constexpr int kDeepest = 8;
  if (depth == kDeepest) return false;
  Dwarf_Die next;
  const int tag = dwarf_tag(&type);
  if (tag != DW_TAG_structure_type && tag != DW_TAG_class_type && tag != DW_TAG_union_type)
    return type_of(type, next) && has_half_aligned_struct(next, depth + 1);
  Dwarf_Attribute attribute;
  Dwarf_Word alignment = 0;
  dwarf_formudata(dwarf_attr(&type, DW_AT_alignment, &attribute), &alignment);
  // Lambdas, such as the one with a kernel's parameters, do not count.
  const bool is_struct =
      dwarf_diename(&type) != nullptr || dwarf_hasattr(&type, DW_AT_linkage_name);
  if (is_struct && alignment < kVectorBytes && dwarf_bytesize(&type) == kVectorBytes)
    return !is_emulators(type);
  if (dwarf_child(&type, &next) != 0) return false;
  do {
    Dwarf_Die of_member;
    if ((dwarf_tag(&next) == DW_TAG_member || dwarf_tag(&next) == DW_TAG_inheritance) &&
        type_of(next, of_member) && has_half_aligned_struct(of_member, depth + 1))
      return true;
  } while (dwarf_siblingof(&next, &next) == 0);
  return false;
}

/// Returns whether has_half_aligned_struct() holds for a variable of the function or of a function
/// inlined into it.
bool variables_have_half_aligned_struct(Dwarf_Die& function) {
  Dwarf_Die child, type;
  if (dwarf_child(&function, &child) != 0) return false;
  do {
    if (type_of(child, type) && has_half_aligned_struct(type, 0)) return true;
    if (variables_have_half_aligned_struct(child)) return true;
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

}  // namespace

bool uses_half_aligned_struct(std::uintptr_t program_counter) {
  static std::map<std::uintptr_t, bool> known;
  const std::lock_guard lock(debug_mutex);
  const auto [entry, is_new] = known.try_emplace(program_counter, true);
  if (!is_new || !debug_information()) return entry->second;
  const Dwarf_Addr address = program_counter - 1;
  Scopes scopes(dwfl_addrmodule(debug_information(), address), address);
  for (int i = 0; i < scopes.count(); ++i)
    if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
      entry->second = variables_have_half_aligned_struct(scopes[i]);
  return entry->second;
}

namespace {

/// @param calls set to the inlined calls, the innermost first, unless null
SourceLocation find_source_location(std::uintptr_t program_counter,
                                    std::vector<SourceLocation>* calls) {
  if (program_counter == 0 || !debug_information()) return {};
  const Dwarf_Addr address = program_counter - 1;  // the return address minus 1 is inside the call
  Dwfl_Module* module = dwfl_addrmodule(debug_information(), address);
  Dwfl_Line* line = module ? dwfl_module_getsrc(module, address) : nullptr;
  if (!line) return {};
  Scopes scopes(module, address);
  if (!scopes.has_unit()) return {};
  SourceLocation location;
  location.file =
      file_of(dwfl_lineinfo(line, nullptr, &location.line, &location.column, nullptr, nullptr),
              scopes.unit());
  if (location.file.empty()) return {};
  // CUDA's functions are inlined from the emulator's headers: go to the line that calls them.
  int i = 0;
  for (; i < scopes.count() && place_records().is_header(location.file); ++i)
    if (dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine)
      location = caller_of(scopes[i], scopes.unit());
  for (int outer = i; calls && outer < scopes.count(); ++outer)
    if (dwarf_tag(&scopes[outer]) == DW_TAG_inlined_subroutine)
      calls->push_back(caller_of(scopes[outer], scopes.unit()));
  for (; i < scopes.count() && location.function.line == 0; ++i)
    location.function = function_of(scopes[i]).value_or(FunctionLocation{});
  return location;
}

}  // namespace

SourceLocation source_location(std::uintptr_t program_counter) {
  // Cached, because a trace asks for the same instruction at each of its requests. Never freed:
  // reports are written at exit.
  static auto& known = *new std::map<std::uintptr_t, SourceLocation>;
  const std::lock_guard lock(debug_mutex);
  const auto [entry, is_new] = known.try_emplace(program_counter);
  if (is_new) entry->second = find_source_location(program_counter, nullptr);
  return entry->second;
}

std::vector<SourceLocation> source_path(std::uintptr_t program_counter) {
  const std::lock_guard lock(debug_mutex);
  std::vector<SourceLocation> path;
  const SourceLocation location = find_source_location(program_counter, &path);
  std::erase_if(path, [](const SourceLocation& one) {
    return one.file.empty() || place_records().is_header(one.file);
  });
  std::reverse(path.begin(), path.end());
  path.push_back(location);
  return path;
}

std::string source_line(std::uintptr_t program_counter) {
  const SourceLocation location = source_location(program_counter);
  if (location.file.empty()) return {};
  return fmt::format("{}:{}", std::filesystem::path(location.file).filename().string(),
                     location.line);
}

FunctionLocation function_location(const void* function) {
  const std::lock_guard lock(debug_mutex);
  const auto address = reinterpret_cast<Dwarf_Addr>(function);
  Dwfl_Module* module =
      function && debug_information() ? dwfl_addrmodule(debug_information(), address) : nullptr;
  if (!module) return {};
  Scopes scopes(module, address);
  FunctionLocation outermost;
  for (int i = 0; i < scopes.count(); ++i) outermost = function_of(scopes[i]).value_or(outermost);
  return outermost;
}

void prepare_for_modules() {
  const std::lock_guard lock(debug_mutex);
  debug_information();
}

void add_module(const ModuleFile& module) {
  auto* const image = new Image;
  const ElfObject object = elf_in_file(module.descriptor);
  read_symbols(*image, object, module.bias, module.shared_offset);
  image->begin = ~std::uintptr_t{0};
  each_segment(object, [&](const GElf_Phdr& segment, int) {
    const std::uintptr_t begin = module.bias + segment.p_vaddr;
    const std::uintptr_t end = begin + segment.p_memsz;
    const bool is_loaded = segment.p_type == PT_LOAD;
    if (is_loaded) image->begin = std::min(image->begin, begin);
    if (is_loaded) image->end = std::max(image->end, end);
    if ((is_loaded && !(segment.p_flags & PF_W)) || segment.p_type == PT_GNU_RELRO)
      image->read_only.emplace_back(begin, end);
  });
  const std::lock_guard lock(debug_mutex);
  image->next = modules.load(std::memory_order_relaxed);
  modules.store(image, std::memory_order_release);
  add_place_records(module.places);
  add_debug_information(module);
}

std::string demangled(const std::string& encoding, const char* pretty_name) {
  if (encoding.empty()) return pretty_name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(("_Z" + encoding).c_str(), nullptr, nullptr, &status), &std::free);
  return text ? text.get() : pretty_name;
}

}  // namespace emu
