/// @file
/// What people call a kernel, and who is meant by what they say.
#pragma once

#include <string>
#include <string_view>

namespace emu {

/// What tells kernels of a program apart: `tiled::copy<float>` of `void
/// tiled::copy<float>(float*)`. Namespaces without a name are left out.
std::string short_name(const std::string& signature);

/// Whether `wanted` means the kernel of this short name: it may leave out outer namespaces, and
/// template arguments; a namespace means all of its kernels.
bool is_meant(std::string_view wanted, std::string_view short_name);

}  // namespace emu
