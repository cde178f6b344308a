#include "engine/run/builtins.hpp"

namespace emu {

__thread uint3 thread_index;
__thread uint3 block_index;
__thread uint3 block_dimensions;
__thread uint3 grid_dimensions;
__thread int launch_is_pending;
alignas(1024) __thread char dynamic_shared_memory[kMaxDynamicSharedBytes];

}  // namespace emu
