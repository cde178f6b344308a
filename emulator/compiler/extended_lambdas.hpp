/// @file
/// Lambdas of host code that are marked `__device__`.
#pragma once

#include "gcc_headers.hpp"

/// Refuses those that capture what a kernel cannot get, or stand where nvcc cannot name them:
/// `plugin` is the name that callbacks are registered under.
void refuse_extended_lambdas(const char* plugin);

/// Returns whether a type is a class or an enumeration that a function declares, other than a
/// lambda's.
bool is_local_type(tree type);

/// Returns whether a type is a private or protected member of a class that no function declares.
bool is_private_type(tree type);
