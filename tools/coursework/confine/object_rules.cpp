#include "object_rules.hpp"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "externals.hpp"

namespace coursework::confine {
namespace {

Refusal refused(const std::string& message) { return {0, "object", message}; }

/// An open object file.
class Object {
 public:
  explicit Object(const std::filesystem::path& file) {
    elf_version(EV_CURRENT);
    descriptor_ = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    elf_ = descriptor_ < 0 ? nullptr : elf_begin(descriptor_, ELF_C_READ, nullptr);
    GElf_Ehdr header;
    if (!elf_ || elf_kind(elf_) != ELF_K_ELF || !gelf_getehdr(elf_, &header) ||
        header.e_type != ET_REL || header.e_machine != EM_X86_64 ||
        elf_getshdrstrndx(elf_, &names_) != 0)
      throw std::runtime_error(file.string() + " is no object file");
  }
  ~Object() {
    if (elf_) elf_end(elf_);
    if (descriptor_ >= 0) close(descriptor_);
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  Elf* elf() const { return elf_; }
  std::string section_name(const GElf_Shdr& section) const {
    const char* const name = elf_strptr(elf_, names_, section.sh_name);
    return name ? name : "";
  }

 private:
  int descriptor_ = -1;
  Elf* elf_ = nullptr;
  std::size_t names_ = 0;
};

/// Checks that a section that is loaded into memory is one of the known ones, with the right flags.
std::optional<Refusal> check_section(const std::string& name, const GElf_Shdr& section) {
  const GElf_Xword flags = section.sh_flags;
  if (section.sh_type == SHT_GROUP) return refused("a group of sections is not allowed");
  if (!(flags & SHF_ALLOC)) {
    static const std::set<GElf_Word> types = {SHT_NULL,   SHT_PROGBITS, SHT_SYMTAB,
                                              SHT_STRTAB, SHT_RELA,     SHT_NOBITS};
    if (!types.count(section.sh_type)) return refused("the section " + name + " is not allowed");
    return std::nullopt;
  }
  constexpr GElf_Xword kData = SHF_ALLOC | SHF_WRITE, kCode = SHF_ALLOC | SHF_EXECINSTR;
  static const std::set<std::string> data = {
      ".data",        ".bss",       ".data.rel.ro.confined", ".data.rel.ro.doors", "emu_device",
      "emu_constant", "emu_managed"};
  const bool well = (name == ".text" && flags == kCode) || (data.count(name) && flags == kData) ||
                    (name == ".tbss" && flags == (kData | SHF_TLS)) ||
                    (name == ".note.gnu.property" && flags == SHF_ALLOC);
  const bool empty = (name != ".data" && name != ".bss") || section.sh_size == 0;
  if (!well || !empty) return refused("the section " + name + " is not allowed");
  return std::nullopt;
}

std::optional<Refusal> check_symbols(const Object& object, Elf_Scn* scn, const GElf_Shdr& section,
                                     const std::set<std::string>& kernels) {
  Elf_Data* const data = elf_getdata(scn, nullptr);
  std::set<std::string> shown;
  for (std::size_t i = 1; data && section.sh_entsize && i < section.sh_size / section.sh_entsize;
       ++i) {
    GElf_Sym symbol;
    if (!gelf_getsym(data, static_cast<int>(i), &symbol)) return refused("a damaged symbol");
    const char* const text = elf_strptr(object.elf(), section.sh_link, symbol.st_name);
    const std::string name = text ? text : "";
    const auto type = GELF_ST_TYPE(symbol.st_info), binding = GELF_ST_BIND(symbol.st_info);
    const bool known_type = type == STT_NOTYPE || type == STT_OBJECT || type == STT_FUNC ||
                            type == STT_SECTION || type == STT_FILE || type == STT_TLS;
    if (!known_type)
      return refused("the symbol " + demangled(name) + " is of a kind that is not allowed");
    if (symbol.st_shndx == SHN_UNDEF) {
      const std::string shown_name = name_for_student(name);
      if (!may_be_undefined(name))
        return refused("a submission may not use " +
                       (shown_name.empty() ? "this function" : shown_name));
    } else if (binding != STB_LOCAL) {
      if (!kernels.count(name)) return refused("the symbol " + demangled(name) + " is shown");
      shown.insert(name);
    }
    if (name.find('@') != name.npos) return refused("a version of a symbol");
    if (symbol.st_shndx == SHN_COMMON) return refused("a common variable");
  }
  if (shown != kernels) return refused("not every kernel is shown");
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> check_object(const std::filesystem::path& file,
                                    const std::vector<std::string>& kernels) {
  const Object object(file);
  const std::set<std::string> wanted(kernels.begin(), kernels.end());
  bool has_symbols = false;
  for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(object.elf(), scn)) != nullptr;) {
    GElf_Shdr section;
    if (!gelf_getshdr(scn, &section)) return refused("a damaged section");
    if (auto refusal = check_section(object.section_name(section), section)) return refusal;
    if (section.sh_type != SHT_SYMTAB) continue;
    has_symbols = true;
    if (auto refusal = check_symbols(object, scn, section, wanted)) return refusal;
  }
  if (!has_symbols && !wanted.empty()) return refused("not every kernel is shown");
  return std::nullopt;
}

}  // namespace coursework::confine
