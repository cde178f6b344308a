/// @file
/// Launches that the program describes in a structure.
#pragma once

#include "driver_types.h"
#include "engine/engine.hpp"

namespace emu::runtime {

/// What `config` asks for. Attributes that change no result on a device are taken and change
/// nothing here; what else the emulator has not got ends the program and names it.
cudaError_t read_launch(const cudaLaunchConfig_t& config, Configuration& launch);

/// Launches a kernel whose signature is known; `arguments` are the addresses of its arguments.
cudaError_t launch(const void* kernel, Configuration configuration, void** arguments);

}  // namespace emu::runtime
