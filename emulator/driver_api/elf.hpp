/// @file
/// An ELF object in memory.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace emu::driver {

/// Reads and changes the parts of an ELF object in memory.
class Elf {
 public:
  explicit Elf(std::string& bytes) : bytes_(bytes) {}

  ElfW(Ehdr) & header() const { return at<ElfW(Ehdr)>(0); }
  std::size_t section_count() const { return header().e_shnum; }
  ElfW(Shdr) & section(std::size_t i) const {
    return at<ElfW(Shdr)>(header().e_shoff + i * sizeof(ElfW(Shdr)));
  }
  std::string_view name_of(const ElfW(Shdr) & section) const {
    return text(this->section(header().e_shstrndx), section.sh_name);
  }
  std::size_t segment_count() const { return header().e_phnum; }
  ElfW(Phdr) & segment(std::size_t i) const {
    return at<ElfW(Phdr)>(header().e_phoff + i * sizeof(ElfW(Phdr)));
  }
  const char* text(const ElfW(Shdr) & strings, std::size_t offset) const {
    return bytes_.data() + strings.sh_offset + offset;
  }

  /// Calls `visit(entry)` for each entry of a section's table.
  template <class T, class Visit>
  void each(const ElfW(Shdr) & section, Visit&& visit) const {
    for (std::size_t i = 0; i < section.sh_size / sizeof(T); ++i)
      visit(at<T>(section.sh_offset + i * sizeof(T)));
  }

  /// Calls `visit(symbol, name)` for each symbol of a table.
  template <class Visit>
  void each_symbol(ElfW(Word) type, Visit&& visit) const {
    for (std::size_t i = 0; i < section_count(); ++i) {
      if (section(i).sh_type != type) continue;
      const ElfW(Shdr)& strings = section(section(i).sh_link);
      each<ElfW(Sym)>(section(i),
                      [&](ElfW(Sym) & symbol) { visit(symbol, text(strings, symbol.st_name)); });
    }
  }

  /// Returns the word of the file that is loaded at an address. A relocation never lies in the
  /// zero-filled part of a segment.
  std::uint64_t& word_at(ElfW(Addr) address) const {
    for (std::size_t i = 0; i < segment_count(); ++i) {
      const ElfW(Phdr)& part = segment(i);
      if (part.p_type == PT_LOAD && address - part.p_vaddr < part.p_filesz)
        return at<std::uint64_t>(part.p_offset + (address - part.p_vaddr));
    }
    throw std::runtime_error("a relocation points out of the file");
  }

  template <class T>
  T& at(std::size_t offset) const {
    if (offset + sizeof(T) > bytes_.size()) throw std::runtime_error("the file is cut off");
    return *reinterpret_cast<T*>(bytes_.data() + offset);
  }

 private:
  std::string& bytes_;
};

}  // namespace emu::driver
