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
  // Load the program's debug information and symbols: after sealing, no file can be opened.
  emu::shared_guards(nullptr);  // the program's
  for (const Kernel& one : kernels())
    emu::source_line(reinterpret_cast<std::uintptr_t>(one.address));
  // If the kernel cannot seal, the sandbox reports that before grading.
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
