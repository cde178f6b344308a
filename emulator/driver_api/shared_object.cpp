#include "shared_object.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <unordered_map>

#include "elf.hpp"
#include "engine/engine.hpp"
#include "engine/program/modules.hpp"
#include "runtime/runtime.hpp"
#include "symbols.hpp"

// The storage of the `__shared__` variables of all modules, which share it because kernels of two
// modules never run in one block. It is linked only into programs that use the driver API.
namespace {
constexpr std::size_t kSharedBytes = 512 * 1024;
constexpr std::size_t kSharedAlignment = 1024;
}  // namespace
extern "C" {
alignas(kSharedAlignment) __thread char emu_module_shared[kSharedBytes];
}

namespace emu::driver {

namespace {

#if defined(__aarch64__)
constexpr std::uint32_t kAbsolute = R_AARCH64_ABS64, kGlobal = R_AARCH64_GLOB_DAT,
                        kJump = R_AARCH64_JUMP_SLOT, kThreadOffset = R_AARCH64_TLS_TPREL;
#else
constexpr std::uint32_t kAbsolute = R_X86_64_64, kGlobal = R_X86_64_GLOB_DAT,
                        kJump = R_X86_64_JUMP_SLOT, kThreadOffset = R_X86_64_TPOFF64;
#endif

/// Returns a thread-local variable's offset from the thread pointer, which is equal in all threads.
std::uint64_t thread_offset(const void* variable) {
  return reinterpret_cast<std::uintptr_t>(variable) -
         reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
}

const EngineSymbol* engine_symbol(const std::string& name) {
  static const auto& by_name = *[] {
    auto* const all = new std::unordered_map<std::string, const EngineSymbol*>;
    for (std::size_t i = 0; i < kEngineSymbolCount; ++i)
      all->emplace(kEngineSymbols[i].name, &kEngineSymbols[i]);
    return all;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

/// Replaces a function that neither the module nor the emulator has: host code, or a device
/// function of another file.
void missing_function() {
  fail_kernel(cudaErrorLaunchFailure, "a function that the module does not have is called",
              __builtin_return_address(0));
}

/// Resolves the object's references to the emulator and to its own thread-local variables.
class Relocation {
 public:
  explicit Relocation(const Elf& elf) : elf_(elf) {}

  void fill_in() {
    for (std::size_t i = 0; i < elf_.section_count(); ++i) {
      const ElfW(Shdr)& table = elf_.section(i);
      if (table.sh_type != SHT_RELA || !(table.sh_flags & SHF_ALLOC)) continue;
      const ElfW(Shdr)& symbols = elf_.section(table.sh_link);
      elf_.each<ElfW(Rela)>(table, [&](ElfW(Rela) & one) { fill_in(one, symbols); });
    }
  }

 private:
  void fill_in(ElfW(Rela) & one, const ElfW(Shdr) & symbols) {
    const auto type = static_cast<std::uint32_t>(ELF64_R_TYPE(one.r_info));
    const std::size_t number = ELF64_R_SYM(one.r_info);
    const auto& symbol = elf_.at<ElfW(Sym)>(symbols.sh_offset + number * sizeof(ElfW(Sym)));
    const bool is_own = number == 0 || symbol.st_shndx != SHN_UNDEF;
    if (type == kThreadOffset && is_own) {
      set(one, thread_offset(emu_module_shared) + (number ? symbol.st_value : 0));
    } else if (!is_own &&
               (type == kThreadOffset || type == kAbsolute || type == kGlobal || type == kJump)) {
      import(one, type, symbol, elf_.text(elf_.section(symbols.sh_link), symbol.st_name));
    }
  }

  void import(ElfW(Rela) & one, std::uint32_t type, const ElfW(Sym) & symbol, const char* name) {
    if (const EngineSymbol* const known = engine_symbol(name)) {
      const void* const address = known->of_thread ? known->of_thread() : known->address;
      set(one, type == kThreadOffset ? thread_offset(address)
                                     : reinterpret_cast<std::uintptr_t>(address));
    } else if (ELF64_ST_BIND(symbol.st_info) != STB_WEAK && !dlsym(RTLD_DEFAULT, name)) {
      set(one, reinterpret_cast<std::uintptr_t>(&missing_function));
    }
  }

  /// Writes the value, and leaves nothing of the relocation for the system's loader.
  void set(ElfW(Rela) & one, std::uint64_t value) {
    elf_.word_at(one.r_offset) = value + static_cast<std::uint64_t>(one.r_addend);
    one.r_info = 0;
  }

  const Elf& elf_;
};

/// Loads the libraries that the module was linked with, so that their functions are found.
void load_needed(const Elf& elf) {
  for (std::size_t i = 0; i < elf.section_count(); ++i) {
    if (elf.section(i).sh_type != SHT_DYNAMIC) continue;
    const ElfW(Shdr)& strings = elf.section(elf.section(i).sh_link);
    elf.each<ElfW(Dyn)>(elf.section(i), [&](ElfW(Dyn) & entry) {
      if (entry.d_tag == DT_NEEDED)
        dlopen(elf.text(strings, entry.d_un.d_val), RTLD_NOW | RTLD_GLOBAL);
    });
  }
}

/// Removes the constructors and destructors of host code, which do not run on a device.
void drop_host_parts(const Elf& elf) {
  for (std::size_t i = 0; i < elf.section_count(); ++i) {
    if (elf.section(i).sh_type != SHT_DYNAMIC) continue;
    elf.each<ElfW(Dyn)>(elf.section(i), [](ElfW(Dyn) & entry) {
      if (entry.d_tag == DT_INIT_ARRAYSZ || entry.d_tag == DT_FINI_ARRAYSZ) entry.d_un.d_val = 0;
    });
  }
  for (std::size_t i = 0; i < elf.segment_count(); ++i)
    if (elf.segment(i).p_type == PT_TLS) elf.segment(i).p_type = PT_NULL;
}

/// Returns the size of the object's thread-local variables, in bytes.
std::size_t thread_local_bytes(const Elf& elf) {
  for (std::size_t i = 0; i < elf.segment_count(); ++i)
    if (elf.segment(i).p_type == PT_TLS) return elf.segment(i).p_memsz;
  return 0;
}

/// Returns the name that nvcc gives to a symbol: the same for static and other functions.
std::string cuda_name(std::string_view symbol) {
  if (!symbol.starts_with("_ZL")) return std::string(symbol);
  return "_Z" + std::string(symbol.substr(3));
}
std::string variable_name(std::string_view symbol) {
  if (!symbol.starts_with("_ZL")) return std::string(symbol);
  symbol.remove_prefix(3);
  return std::string(
      symbol.substr(std::min(symbol.find_first_not_of("0123456789"), symbol.size())));
}

constexpr std::string_view kRecordBegin = "_ZN3emu12ModuleKernel", kRecordEnd = "6recordE";

struct NamedSection {
  std::string_view name;
  Space space;
};
constexpr NamedSection kVariableSections[] = {{"emu_device", Space::device_variable},
                                              {"emu_constant", Space::constant},
                                              {"emu_constant_ro", Space::constant},
                                              {"emu_managed", Space::managed}};

Space space_of(std::string_view section) {
  for (const NamedSection& known : kVariableSections)
    if (known.name == section) return known.space;
  return Space::none;
}

/// Finds the module's kernels and variables.
void read_contents(const Elf& elf, std::uintptr_t bias, SharedObject& object) {
  std::map<const void*, std::string> functions;
  elf.each_symbol(SHT_SYMTAB, [&](const ElfW(Sym) & symbol, std::string_view name) {
    const int type = ELF64_ST_TYPE(symbol.st_info);
    char* const address = reinterpret_cast<char*>(bias + symbol.st_value);
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= elf.section_count()) return;
    if (type == STT_FUNC) {
      std::string& known = functions[address];
      if (known.empty() || name.size() < known.size()) known = name;
    } else if (type == STT_OBJECT && name.starts_with(kRecordBegin) && name.ends_with(kRecordEnd)) {
      object.kernels.push_back({{}, nullptr, reinterpret_cast<const KernelRecord*>(address)});
    } else if (type == STT_OBJECT && symbol.st_size != 0) {
      const Space space = space_of(elf.name_of(elf.section(symbol.st_shndx)));
      if (space != Space::none)
        object.variables.push_back({{variable_name(name), address, symbol.st_size}, space});
    }
  });
  for (ModuleKernelEntry& kernel : object.kernels) {
    kernel.address = kernel.record->address();
    kernel.name = cuda_name(functions[kernel.address]);
  }
  std::sort(object.kernels.begin(), object.kernels.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
}

/// Registers the module's file, variables and kernels with the engine.
void make_known(const Elf& elf, std::uintptr_t bias, ModuleFile& file, SharedObject& object) {
  std::vector<runtime::VariableSection> sections;
  for (std::size_t i = 0; i < elf.section_count(); ++i) {
    const ElfW(Shdr)& section = elf.section(i);
    const std::string_view name = elf.name_of(section);
    const char* const begin = reinterpret_cast<const char*>(bias + section.sh_addr);
    if (name == "emu_places") file.places = {begin, section.sh_size};
    if (const Space space = space_of(name); space != Space::none)
      sections.push_back({begin, section.sh_size, space, name != "emu_constant_ro"});
  }
  file.bias = bias;
  add_module(file);
  object.sections = runtime::add_variables(sections);
  for (const ModuleVariable& variable : object.variables)
    runtime::note_symbol(variable.symbol.address, variable.symbol.bytes);
  for (const ModuleKernelEntry& kernel : object.kernels)
    detail::register_kernel(kernel.address, kernel.record->invoke, kernel.record->ask,
                            kernel.record->parameters, kernel.record->parameter_count);
}

/// Makes a file in memory with these bytes; returns its descriptor.
int file_of(const std::string& bytes, const std::string& name) {
  const int file = memfd_create(name.c_str(), MFD_CLOEXEC);
  for (std::size_t done = 0; file >= 0 && done < bytes.size();) {
    const ssize_t written = write(file, bytes.data() + done, bytes.size() - done);
    if (written <= 0) throw std::runtime_error("there is no memory for its file");
    done += static_cast<std::size_t>(written);
  }
  if (file < 0) throw std::runtime_error("there is no memory for its file");
  return file;
}

/// Returns a path of the file that no other load has. The system would take two files with one path
/// for one object, and give both loads the same variables.
std::string path_of(int file) {
  static std::atomic<unsigned> loads{0};
  constexpr unsigned kBits = 32;
  const unsigned number = loads++;
  std::string path = "/proc/self/fd";
  for (unsigned bit = 0; bit < kBits; ++bit) path += (number >> bit & 1) != 0 ? "/." : "/";
  return path + "/" + std::to_string(file);
}

/// Returns where the modules' storage begins in the program's thread-local variables.
std::size_t offset_of_shared() {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  shared_storage(begin, bytes);
  return reinterpret_cast<std::uintptr_t>(emu_module_shared) - begin;
}

}  // namespace

bool is_elf(const char* bytes) noexcept { return std::memcmp(bytes, ELFMAG, SELFMAG) == 0; }

std::size_t size_of_elf(const char* bytes) noexcept {
  ElfW(Ehdr) header;
  std::memcpy(&header, bytes, sizeof(header));
  return header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize;
}

std::string reason_against(std::string_view object) {
  std::string bytes(object);
  const Elf elf(bytes);
  std::string version;
  elf.each_symbol(SHT_SYMTAB, [&](const ElfW(Sym) & symbol, std::string_view name) {
    if (name == "emu_module_version")
      version = reinterpret_cast<const char*>(&elf.word_at(symbol.st_value));
  });
  if (version.empty()) return "the emulator runs only modules that its own nvcc has compiled";
  if (version != EMULATOR_VERSION)
    return fmt::format(
        "it was compiled for version {} of the emulator, and this is " EMULATOR_VERSION, version);
  if (const std::size_t needed = thread_local_bytes(elf); needed > kSharedBytes)
    return fmt::format(
        "its kernels have {} bytes of __shared__ variables in all, and the emulator "
        "has room for {}",
        needed, kSharedBytes);
  return {};
}

std::string name_behind(std::string& object, std::string_view pointer) {
  const Elf elf(object);
  std::optional<ElfW(Addr)> place;
  elf.each_symbol(SHT_SYMTAB, [&](const ElfW(Sym) & symbol, std::string_view name) {
    if (name == pointer) place = symbol.st_value;
  });
  std::string found;
  if (!place) return found;

  // The pointer's relocation has a symbol, or the address of something that has one.
  std::optional<ElfW(Addr)> target;
  for (std::size_t i = 0; i < elf.section_count(); ++i) {
    const ElfW(Shdr)& table = elf.section(i);
    if (table.sh_type != SHT_RELA) continue;
    const ElfW(Shdr)& symbols = elf.section(table.sh_link);
    elf.each<ElfW(Rela)>(table, [&](const ElfW(Rela) & one) {
      if (one.r_offset != *place) return;
      target = static_cast<ElfW(Addr)>(one.r_addend);
      const std::size_t number = ELF64_R_SYM(one.r_info);
      if (number == 0) return;
      const auto& symbol = elf.at<ElfW(Sym)>(symbols.sh_offset + number * sizeof(ElfW(Sym)));
      target = symbol.st_value;
    });
  }
  elf.each_symbol(SHT_SYMTAB, [&](const ElfW(Sym) & symbol, std::string_view name) {
    if (!target || symbol.st_value != *target || symbol.st_size == 0) return;
    const auto type = ELF64_ST_TYPE(symbol.st_info);
    if (type == STT_FUNC) found = cuda_name(name);
    if (type == STT_OBJECT) found = variable_name(name);
  });
  return found;
}

SharedObject load_object(std::string bytes, const std::string& name) {
  prepare_for_modules();
  const Elf elf(bytes);
  load_needed(elf);
  Relocation(elf).fill_in();
  drop_host_parts(elf);
  ModuleFile file{.name = name,
                  .bytes = bytes,
                  .descriptor = file_of(bytes, name),
                  .shared_offset = offset_of_shared(),
                  .places = {}};
  void* const loaded = dlopen(path_of(file.descriptor).c_str(), RTLD_NOW | RTLD_LOCAL);
  link_map* map = nullptr;
  if (!loaded || dlinfo(loaded, RTLD_DI_LINKMAP, &map) != 0) {
    const char* const why = dlerror();
    close(file.descriptor);
    throw std::runtime_error(why ? why : "the system does not load it");
  }
  SharedObject object;
  read_contents(elf, map->l_addr, object);
  make_known(elf, map->l_addr, file, object);
  close(file.descriptor);
  return object;
}

}  // namespace emu::driver
