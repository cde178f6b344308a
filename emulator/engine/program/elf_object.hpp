/// @file
/// ELF objects by libelf: the program's own file, and modules.
#pragma once

#include <gelf.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace emu {

using ElfObject = std::unique_ptr<Elf, decltype(&elf_end)>;

namespace detail {

/// @throws std::runtime_error  if libelf finds no object
inline ElfObject checked_object(Elf* object) {
  ElfObject made(object, elf_end);
  if (elf_kind(object) != ELF_K_ELF) throw std::runtime_error("it is no ELF object");
  return made;
}

}  // namespace detail

/// Opens the object in a file. With ELF_C_RDWR_MMAP, what is changed reaches the file by
/// elf_update(); nothing in it moves.
inline ElfObject elf_in_file(int file, Elf_Cmd how = ELF_C_READ_MMAP) {
  elf_version(EV_CURRENT);
  ElfObject object = detail::checked_object(elf_begin(file, how, nullptr));
  elf_flagelf(object.get(), ELF_C_SET, ELF_F_LAYOUT);
  return object;
}

/// Opens an object in memory, to read it.
inline ElfObject elf_in_memory(std::string_view bytes) {
  elf_version(EV_CURRENT);
  return detail::checked_object(elf_memory(const_cast<char*>(bytes.data()), bytes.size()));
}

/// Calls `visit(section, header)` for each section.
template <class Visit>
void each_section(const ElfObject& object, Visit&& visit) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(object.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header)) visit(section, header);
  }
}

/// Calls `visit(entry, data, index)` for each entry of a section's table. `get` is the function of
/// libelf's that reads such an entry: gelf_getsym, gelf_getrela or gelf_getdyn.
template <class Entry, class Visit>
void each_entry(Elf_Scn* section, Entry* (*get)(Elf_Data*, int, Entry*), Visit&& visit) {
  Elf_Data* const data = elf_getdata(section, nullptr);
  Entry entry;
  for (int i = 0; data && get(data, i, &entry); ++i) visit(entry, data, i);
}

/// Returns a text from a section of texts; "" if it is not there.
inline const char* text_of(const ElfObject& object, std::size_t section, std::size_t offset) {
  const char* const text = elf_strptr(object.get(), section, offset);
  return text ? text : "";
}

/// Returns a section's name.
inline std::string_view name_of(const ElfObject& object, const GElf_Shdr& header) {
  std::size_t names = 0;
  elf_getshdrstrndx(object.get(), &names);
  return text_of(object, names, header.sh_name);
}

/// Calls `visit(symbol, name)` for each symbol, also those that the linker needs no more.
template <class Visit>
void each_symbol(const ElfObject& object, Visit&& visit) {
  each_section(object, [&](Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type != SHT_SYMTAB) return;
    each_entry(section, gelf_getsym, [&](const GElf_Sym& symbol, Elf_Data*, int) {
      visit(symbol, text_of(object, header.sh_link, symbol.st_name));
    });
  });
}

/// Calls `visit(header, index)` for each segment.
template <class Visit>
void each_segment(const ElfObject& object, Visit&& visit) {
  GElf_Phdr header;
  for (int i = 0; gelf_getphdr(object.get(), i, &header); ++i) visit(header, i);
}

}  // namespace emu
