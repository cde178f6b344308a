/// @file
/// Launches described by a structure.
#pragma once

#include "driver_types.h"
#include "engine/engine.hpp"

namespace emu::runtime {

/// Reads the launch that `config` describes. Attributes that do not change results on a device are
/// accepted and ignored; other unsupported ones end the program with a message.
cudaError_t read_launch(const cudaLaunchConfig_t& config, Configuration& launch);

/// Launches a kernel with a registered signature; `arguments` are the addresses of its arguments.
cudaError_t launch(const void* kernel, Configuration configuration, void** arguments);

}  // namespace emu::runtime
