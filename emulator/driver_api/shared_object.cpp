#include "shared_object.hpp"

#include <dlfcn.h>
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
#include <utility>

#include "engine/engine.hpp"
#include "engine/program/elf_object.hpp"
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

/// Returns the bytes of the file that are loaded at an address, as many at least, and the section
/// that has them. A relocation never lies in a part that is filled with zeros.
std::pair<char*, Elf_Data*> loaded_at(const ElfObject& object, GElf_Addr address,
                                      std::size_t bytes) {
  std::pair<char*, Elf_Data*> found;
  each_section(object, [&](Elf_Scn* section, const GElf_Shdr& header) {
    const bool is_in_file = (header.sh_flags & SHF_ALLOC) && header.sh_type != SHT_NOBITS;
    if (!is_in_file || address < header.sh_addr) return;
    const std::size_t offset = address - header.sh_addr;
    Elf_Data* const data = elf_getdata(section, nullptr);
    if (data && data->d_buf && offset + bytes <= data->d_size)
      found = {static_cast<char*>(data->d_buf) + offset, data};
  });
  if (!found.first) throw std::runtime_error("a relocation points out of the file");
  return found;
}

/// Returns the symbol that a relocation names in its table.
GElf_Sym symbol_of(const ElfObject& object, const GElf_Shdr& relocations, const GElf_Rela& one) {
  GElf_Sym symbol;
  Elf_Data* const symbols = elf_getdata(elf_getscn(object.get(), relocations.sh_link), nullptr);
  if (!gelf_getsym(symbols, static_cast<int>(GELF_R_SYM(one.r_info)), &symbol))
    throw std::runtime_error("a relocation has no symbol");
  return symbol;
}

/// Resolves the object's references to the emulator and to its own thread-local variables.
class Relocation {
 public:
  explicit Relocation(const ElfObject& object) : object_(object) {}

  void fill_in() {
    each_section(object_, [&](Elf_Scn* table, const GElf_Shdr& header) {
      if (header.sh_type != SHT_RELA || !(header.sh_flags & SHF_ALLOC)) return;
      const std::size_t names = names_of(header);
      each_entry(table, gelf_getrela, [&](GElf_Rela& one, Elf_Data* data, int index) {
        const std::optional<std::uint64_t> value =
            value_of(one, symbol_of(object_, header, one), names);
        if (!value) return;
        set(one, *value);
        gelf_update_rela(data, index, &one);
      });
    });
  }

 private:
  /// Returns the section with the names of the symbols that a table of relocations uses.
  std::size_t names_of(const GElf_Shdr& relocations) const {
    GElf_Shdr symbols{};
    gelf_getshdr(elf_getscn(object_.get(), relocations.sh_link), &symbols);
    return symbols.sh_link;
  }

  /// Returns what a relocation stands for; nothing if it is left to the system's loader.
  std::optional<std::uint64_t> value_of(const GElf_Rela& one, const GElf_Sym& symbol,
                                        std::size_t names) const {
    const auto type = static_cast<std::uint32_t>(GELF_R_TYPE(one.r_info));
    const bool has_symbol = GELF_R_SYM(one.r_info) != 0;
    const bool is_own = !has_symbol || symbol.st_shndx != SHN_UNDEF;
    if (type == kThreadOffset && is_own)
      return thread_offset(emu_module_shared) + (has_symbol ? symbol.st_value : 0);
    if (!is_own && (type == kThreadOffset || type == kAbsolute || type == kGlobal || type == kJump))
      return imported(type, symbol, text_of(object_, names, symbol.st_name));
    return std::nullopt;
  }

  static std::optional<std::uint64_t> imported(std::uint32_t type, const GElf_Sym& symbol,
                                               const char* name) {
    if (const EngineSymbol* const known = engine_symbol(name)) {
      const void* const address = known->of_thread ? known->of_thread() : known->address;
      return type == kThreadOffset ? thread_offset(address)
                                   : reinterpret_cast<std::uintptr_t>(address);
    }
    if (GELF_ST_BIND(symbol.st_info) != STB_WEAK && !dlsym(RTLD_DEFAULT, name))
      return reinterpret_cast<std::uintptr_t>(&missing_function);
    return std::nullopt;
  }

  /// Writes the value, and leaves nothing of the relocation for the system's loader.
  void set(GElf_Rela& one, std::uint64_t value) {
    const auto [place, data] = loaded_at(object_, one.r_offset, sizeof(value));
    value += static_cast<std::uint64_t>(one.r_addend);
    std::memcpy(place, &value, sizeof(value));
    elf_flagdata(data, ELF_C_SET, ELF_F_DIRTY);
    one.r_info = 0;
  }

  const ElfObject& object_;
};

/// Loads the libraries that the module was linked with, so that their functions are found.
void load_needed(const ElfObject& object) {
  each_section(object, [&](Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type != SHT_DYNAMIC) return;
    each_entry(section, gelf_getdyn, [&](const GElf_Dyn& entry, Elf_Data*, int) {
      if (entry.d_tag == DT_NEEDED)
        dlopen(text_of(object, header.sh_link, entry.d_un.d_val), RTLD_NOW | RTLD_GLOBAL);
    });
  });
}

/// Removes the constructors and destructors of host code, which do not run on a device, and the
/// thread-local variables, which have their place among the program's.
void drop_host_parts(const ElfObject& object) {
  each_section(object, [](Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type != SHT_DYNAMIC) return;
    each_entry(section, gelf_getdyn, [](GElf_Dyn& entry, Elf_Data* data, int index) {
      if (entry.d_tag != DT_INIT_ARRAYSZ && entry.d_tag != DT_FINI_ARRAYSZ) return;
      entry.d_un.d_val = 0;
      gelf_update_dyn(data, index, &entry);
    });
  });
  each_segment(object, [&](GElf_Phdr& segment, int index) {
    if (segment.p_type != PT_TLS) return;
    segment.p_type = PT_NULL;
    gelf_update_phdr(object.get(), index, &segment);
  });
}

/// Returns the size of the object's thread-local variables, in bytes.
std::size_t thread_local_bytes(const ElfObject& object) {
  std::size_t bytes = 0;
  each_segment(object, [&](const GElf_Phdr& segment, int) {
    if (segment.p_type == PT_TLS) bytes = segment.p_memsz;
  });
  return bytes;
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
void read_contents(const ElfObject& file, std::uintptr_t bias, SharedObject& object) {
  std::map<const void*, std::string> functions;
  each_symbol(file, [&](const GElf_Sym& symbol, std::string_view name) {
    const int type = GELF_ST_TYPE(symbol.st_info);
    char* const address = reinterpret_cast<char*>(bias + symbol.st_value);
    GElf_Shdr section;
    if (symbol.st_shndx == SHN_UNDEF ||
        !gelf_getshdr(elf_getscn(file.get(), symbol.st_shndx), &section))
      return;
    if (type == STT_FUNC) {
      std::string& known = functions[address];
      if (known.empty() || name.size() < known.size()) known = name;
    } else if (type == STT_OBJECT && name.starts_with(kRecordBegin) && name.ends_with(kRecordEnd)) {
      object.kernels.push_back({{}, nullptr, reinterpret_cast<const KernelRecord*>(address)});
    } else if (type == STT_OBJECT && symbol.st_size != 0) {
      const Space space = space_of(name_of(file, section));
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
void make_known(const ElfObject& elf, std::uintptr_t bias, ModuleFile& file, SharedObject& object) {
  std::vector<runtime::VariableSection> sections;
  each_section(elf, [&](Elf_Scn*, const GElf_Shdr& section) {
    const std::string_view name = name_of(elf, section);
    const char* const begin = reinterpret_cast<const char*>(bias + section.sh_addr);
    if (name == "emu_places") file.places = {begin, section.sh_size};
    if (const Space space = space_of(name); space != Space::none)
      sections.push_back({begin, section.sh_size, space, name != "emu_constant_ro"});
  });
  file.bias = bias;
  add_module(file);
  object.sections = runtime::add_variables(sections);
  for (const ModuleVariable& variable : object.variables)
    runtime::note_symbol(variable.symbol.address, variable.symbol.bytes);
  for (const ModuleKernelEntry& kernel : object.kernels)
    detail::register_kernel(kernel.address, kernel.record->invoke, kernel.record->ask,
                            kernel.record->parameters, kernel.record->parameter_count);
}

/// A file in memory.
class Memory {
 public:
  Memory(const std::string& bytes, const std::string& name)
      : descriptor_(memfd_create(name.c_str(), MFD_CLOEXEC)) {
    for (std::size_t done = 0; descriptor_ >= 0 && done < bytes.size();) {
      const ssize_t written = write(descriptor_, bytes.data() + done, bytes.size() - done);
      if (written <= 0) fail();
      done += static_cast<std::size_t>(written);
    }
    if (descriptor_ < 0) fail();
  }
  ~Memory() { close(descriptor_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  [[noreturn]] void fail() {
    close(descriptor_);
    throw std::runtime_error("there is no memory for its file");
  }

  int descriptor_;
};

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

std::string reason_against(std::string_view bytes) {
  if (size_of_elf(bytes.data()) > bytes.size()) return "the file is cut off";
  const ElfObject object = elf_in_memory(bytes);
  std::string version;
  each_symbol(object, [&](const GElf_Sym& symbol, std::string_view name) {
    if (name == "emu_module_version") version = loaded_at(object, symbol.st_value, 1).first;
  });
  if (version.empty()) return "the emulator runs only modules that its own nvcc has compiled";
  if (version != EMULATOR_VERSION)
    return fmt::format(
        "it was compiled for version {} of the emulator, and this is " EMULATOR_VERSION, version);
  if (const std::size_t needed = thread_local_bytes(object); needed > kSharedBytes)
    return fmt::format(
        "its kernels have {} bytes of __shared__ variables in all, and the emulator "
        "has room for {}",
        needed, kSharedBytes);
  return {};
}

std::string name_behind(std::string_view bytes, std::string_view pointer) {
  const ElfObject object = elf_in_memory(bytes);
  std::optional<GElf_Addr> place;
  each_symbol(object, [&](const GElf_Sym& symbol, std::string_view name) {
    if (name == pointer) place = symbol.st_value;
  });
  std::string found;
  if (!place) return found;

  // The pointer's relocation has a symbol, or the address of something that has one.
  std::optional<GElf_Addr> target;
  each_section(object, [&](Elf_Scn* table, const GElf_Shdr& header) {
    if (header.sh_type != SHT_RELA) return;
    each_entry(table, gelf_getrela, [&](const GElf_Rela& one, Elf_Data*, int) {
      if (one.r_offset != *place) return;
      target = GELF_R_SYM(one.r_info) != 0 ? symbol_of(object, header, one).st_value
                                           : static_cast<GElf_Addr>(one.r_addend);
    });
  });
  each_symbol(object, [&](const GElf_Sym& symbol, std::string_view name) {
    if (!target || symbol.st_value != *target || symbol.st_size == 0) return;
    const int type = GELF_ST_TYPE(symbol.st_info);
    if (type == STT_FUNC) found = cuda_name(name);
    if (type == STT_OBJECT) found = variable_name(name);
  });
  return found;
}

SharedObject load_object(const std::string& bytes, const std::string& name) {
  prepare_for_modules();
  const Memory memory(bytes, name);
  const ElfObject elf = elf_in_file(memory.descriptor(), ELF_C_RDWR_MMAP);
  load_needed(elf);
  Relocation(elf).fill_in();
  drop_host_parts(elf);
  if (elf_update(elf.get(), ELF_C_WRITE) < 0) throw std::runtime_error(elf_errmsg(-1));
  void* const loaded = dlopen(path_of(memory.descriptor()).c_str(), RTLD_NOW | RTLD_LOCAL);
  link_map* map = nullptr;
  if (!loaded || dlinfo(loaded, RTLD_DI_LINKMAP, &map) != 0) {
    const char* const why = dlerror();
    throw std::runtime_error(why ? why : "the system does not load it");
  }
  ModuleFile file{.name = name,
                  .descriptor = memory.descriptor(),
                  .shared_offset = offset_of_shared(),
                  .places = {}};
  SharedObject object;
  read_contents(elf, map->l_addr, object);
  make_known(elf, map->l_addr, file, object);
  return object;
}

}  // namespace emu::driver
