/// @file
/// Work that all lanes of a warp ask for and that is done once.
#pragma once

#include <array>

namespace emu {

/// Takes what each lane brought, by lane.
/// @return false where the lanes do not want the same
using WorkOfWarp = bool (*)(const std::array<void*, 32>& lanes);

/// Waits until all 32 lanes of the warp ask for the same work, then has it done. A lane that has
/// exited, or wants something else, is an error of the kernel.
/// @param mine  what this lane brings: lives until the function returns
/// @param name  in messages
void warp_together(WorkOfWarp work, void* mine, const char* name, const void* call_site);

}  // namespace emu
