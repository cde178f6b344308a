// write_tables LIBRARY.a SYMBOLS.cpp cudaTypedefs.h ENTRY_POINTS.inc: the tables of the driver API.
// Part of the build.
//
// A module may use whatever the emulator's library has, so one table lists its functions and
// variables by name. The other has the driver's functions, by name and version: a line of
// cudaTypedefs.h for each.
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <cctype>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Symbol {
  std::string name;
  bool is_thread_local = false;
};

using Object = std::unique_ptr<Elf, decltype(&elf_end)>;

/// Returns whether a module can use a symbol. A weak function is a template that the library has
/// made for device code.
bool is_offered(const GElf_Sym& symbol) {
  const unsigned type = GELF_ST_TYPE(symbol.st_info), binding = GELF_ST_BIND(symbol.st_info);
  const bool is_defined = symbol.st_shndx > SHN_UNDEF && symbol.st_shndx < SHN_LORESERVE;
  if (!is_defined || GELF_ST_VISIBILITY(symbol.st_other) != STV_DEFAULT) return false;
  if (binding == STB_WEAK) return type == STT_FUNC;
  return binding == STB_GLOBAL && (type == STT_FUNC || type == STT_OBJECT || type == STT_TLS);
}

void add_symbols(Elf* object, std::vector<Symbol>& all, std::set<std::string>& known) {
  for (Elf_Scn* section = elf_nextscn(object, nullptr); section;
       section = elf_nextscn(object, section)) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB) continue;
    Elf_Data* const data = elf_getdata(section, nullptr);
    const int count = static_cast<int>(header.sh_size / header.sh_entsize);
    for (int i = 0; data && i < count; ++i) {
      GElf_Sym symbol;
      if (!gelf_getsym(data, i, &symbol) || !is_offered(symbol)) continue;
      const std::string name = elf_strptr(object, header.sh_link, symbol.st_name);
      if (known.insert(name).second) all.push_back({name, GELF_ST_TYPE(symbol.st_info) == STT_TLS});
    }
  }
}

/// Returns the symbols of an archive, in its order.
std::vector<Symbol> symbols_of(const std::string& library) {
  elf_version(EV_CURRENT);
  const int file = open(library.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw std::runtime_error("cannot read " + library);
  std::vector<Symbol> all;
  std::set<std::string> known;
  {
    const Object archive(elf_begin(file, ELF_C_READ, nullptr), elf_end);
    Elf_Cmd next = ELF_C_READ;
    while (next != ELF_C_NULL) {
      const Object object(elf_begin(file, next, archive.get()), elf_end);
      if (!object) break;
      if (elf_kind(object.get()) == ELF_K_ELF) add_symbols(object.get(), all, known);
      next = elf_next(object.get());
    }
  }
  close(file);
  if (all.empty()) throw std::runtime_error(library + " has no symbols");
  return all;
}

std::string table_of(const std::vector<Symbol>& symbols) {
  std::string declarations, entries;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    const auto& [name, is_thread_local] = symbols[i];
    declarations += std::string("extern ") + (is_thread_local ? "__thread " : "") + "char s" +
                    number + " __asm__(\"" + name + "\");\n";
    if (is_thread_local)
      declarations += "static void* t" + number + "() { return &s" + number + "; }\n";
    entries += "    {\"" + name + "\", " +
               (is_thread_local ? "nullptr, &t" + number : "&s" + number + ", nullptr") + "},\n";
  }
  return "// Written by write_tables.\n#include \"symbols.hpp\"\n\nextern \"C\" {\n" +
         declarations +
         "}\n\nnamespace emu::driver {\n\nconst EngineSymbol kEngineSymbols[] = {\n" + entries +
         "};\nconst std::size_t kEngineSymbolCount = " + std::to_string(symbols.size()) +
         ";\n\n}  // namespace emu::driver\n";
}

/// Returns the letters, digits and underscores from `begin` on.
std::string word_at(const std::string& text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
    ++end;
  return text.substr(begin, end - begin);
}

/// Returns an entry for each `typedef __typeof__(&FUNCTION) PFN_NAME_vVERSION;`.
std::string entry_points_of(const std::string& typedefs) {
  constexpr std::string_view kFunction = "__typeof__(&", kPointer = "PFN_";
  std::string entries;
  for (std::size_t at = 0; (at = typedefs.find(kFunction, at)) != typedefs.npos;) {
    const std::string function = word_at(typedefs, at += kFunction.size());
    const std::size_t pointer = typedefs.find(kPointer, at);
    if (pointer == typedefs.npos) break;
    const std::string word = word_at(typedefs, pointer + kPointer.size());
    const std::size_t version = word.rfind("_v");
    if (version == word.npos) throw std::runtime_error("there is no version in PFN_" + word);
    entries += "{\"" + word.substr(0, version) + "\", " + word.substr(version + 2) +
               ", reinterpret_cast<void*>(&" + function + ")},\n";
  }
  return entries;
}

std::string read(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot read " + file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const std::string& file, const std::string& text) {
  std::ofstream stream(file);
  stream << text;
  if (!stream.flush()) throw std::runtime_error("cannot write " + file);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 5)
    throw std::runtime_error(
        "usage: write_tables LIBRARY.a SYMBOLS.cpp cudaTypedefs.h "
        "ENTRY_POINTS.inc");
  write(argv[2], table_of(symbols_of(argv[1])));
  write(argv[4], entry_points_of(read(argv[3])));
} catch (const std::exception& error) {
  std::cerr << "write_tables: " << error.what() << '\n';
  return 2;
}
