#include "engine/run/builtins.hpp"

// Device code has the number itself, if the plugin compiled it (compiler/plugin.cpp).
extern const int warpSize;
const int warpSize = emu::kLanesOfWarp;

namespace emu {

__thread uint3 thread_index;
__thread uint3 block_index;
__thread uint3 block_dimensions;
__thread uint3 grid_dimensions;
__thread int launch_is_pending = kIsHost;
__thread bool carry_flag;
alignas(1024) __thread char dynamic_shared_memory[kMaxDynamicSharedBytes];

bool ptx_carry() noexcept { return carry_flag; }
void set_ptx_carry(bool carry) noexcept { carry_flag = carry; }

}  // namespace emu

// Stand-ins for programs that were compiled without the plugin: their kernels have no block form.
extern "C" {
int emu_has_block_form() noexcept { return 0; }
int emu_has_barriers() noexcept { return 0; }
void emu_resume(unsigned) noexcept {}
void emu_suspended(unsigned*) noexcept {}
}
