#include "module_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "failure.hpp"
#include "module_text.hpp"
#include "temporary_folder.hpp"

namespace emulator_nvcc {
namespace {

std::string read_bytes(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Failure(2, "emulator-nvcc: cannot read " + file);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

void write_bytes(const std::string& file, const std::string& bytes) {
  std::ofstream out(file, std::ios::binary);
  out << bytes << std::flush;
  if (!out) throw Failure(2, "emulator-nvcc: cannot write " + file);
}

}  // namespace

const char* suffix_of(ModuleKind kind) {
  switch (kind) {
    case ModuleKind::ptx:
      return ".ptx";
    case ModuleKind::cubin:
      return ".cubin";
    case ModuleKind::fatbin:
      break;
  }
  return ".fatbin";
}

int link_module(const Command& compiler, const std::string& object, ModuleKind kind,
                const std::string& output, Trace trace) {
  const TemporaryFolder temporary;
  const std::string linked = (temporary.path() / "module.so").string();
  Command command = compiler;
  append(command,
         {"-shared", "-fuse-ld=bfd", "-Wl,-z,now", "-Wl,--hash-style=gnu", object, "-o", linked});
  if (const int status = run_traced(command, trace); status != 0) return status;
  if (trace == Trace::print_only) return 0;
  const std::string bytes = read_bytes(linked);
  write_bytes(output, kind == ModuleKind::ptx ? emu::module_as_text(bytes) : bytes);
  return 0;
}

}  // namespace emulator_nvcc
