/// @file
/// Library functions: which of them CUDA has for device code, and which for device code alone.
#pragma once

#include "gcc_headers.hpp"

/// Functions of headers in `folder` are CUDA's.
void look_for_cuda_headers_in(const std::string& folder);

/// Returns the function's name without namespaces; empty if it has none.
std::string plain_name(tree function);

/// Returns whether CUDA has the function only for device code.
bool is_for_device_code_alone(tree function);

/// Returns whether the function is in namespace std or in one of the C++ library's own.
bool is_in_std(tree function);

/// Returns whether CUDA has this library function for devices.
bool has_device_form(tree function);

/// Returns whether a function of the runtime is for device code that is compiled separately: a
/// library has it, with which nvcc links such code.
bool is_of_device_runtime(tree function);

/// Returns whether the source includes a header of cuda::std, which is the library's std here
/// (include/emulator/device_standard.h). Then it is unknown which of the two a name means.
bool has_cuda_std();
