/// @file
/// The functions that device code calls without including a header: cuda_runtime.h includes them in
/// .cu sources.
#pragma once

#include "emulator/device.h"
#include "emulator/device_arithmetic.h"
#include "emulator/device_atomics.h"
#include "emulator/device_conversions.h"
#include "emulator/device_copies.h"
#include "emulator/device_groups.h"
#include "emulator/device_integers.h"
#include "emulator/device_math.h"
#include "emulator/device_memory.h"
#include "emulator/device_misc.h"
#include "emulator/device_nv_atomics.h"
#include "emulator/device_ptx.h"
#include "emulator/device_ptx_async.h"
#include "emulator/device_ptx_memory.h"
#include "emulator/device_ptx_narrow.h"
#include "emulator/device_ptx_tensor.h"
#include "emulator/device_ptx_warp.h"
#include "emulator/device_ptx_words.h"
#include "emulator/device_simd.h"
#include "emulator/device_textures.h"
#include "emulator/device_warp.h"
#include "vector_functions.h"
#include "vector_types.h"
