/// @file
/// Names of kernels as people write them.
#pragma once

#include <string>
#include <string_view>

namespace emu {

/// Returns a short name that identifies the kernel in its program: `tiled::copy<float>` for `void
/// tiled::copy<float>(float*)`. Unnamed namespaces are left out.
std::string short_name(const std::string& signature);

/// Returns whether `wanted` names the kernel with this short name. It may leave out outer
/// namespaces and template arguments; a namespace names all of its kernels.
bool is_meant(std::string_view wanted, std::string_view short_name);

}  // namespace emu
