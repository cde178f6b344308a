#include "tools/coursework/runner/confinement.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>

#include "emulator/check.h"
#include "engine/engine.hpp"
#include "tools/coursework/confine/guard/guard.hpp"
#include "tools/coursework/runner/kernels.hpp"
#include "tools/coursework/sandbox/seal.hpp"

namespace coursework {
namespace {

void begin() {
  emu::set_strict_bounds(true);
  // These read the program's debug information and symbols: afterwards no file can be opened.
  emu::shared_guards(nullptr);  // of the program
  for (const Kernel& one : kernels())
    emu::source_line(reinterpret_cast<std::uintptr_t>(one.address));
  // Where the kernel knows no such seal, the sandbox says so before anything is graded.
  seal_process();
}

nlohmann::json take_violations() {
  nlohmann::json list = nlohmann::json::array();
  for (const guard::Violation& one : guard::take_violations())
    list.push_back({{"tool", "memcheck"},
                    {"kind", "confinement"},
                    {"severity", "error"},
                    {"title", one.what},
                    {"line", one.place},
                    {"other_line", ""},
                    {"memory", ""}});
  return list;
}

}  // namespace

extern const Confinement confinement = {begin, take_violations};

}  // namespace coursework
