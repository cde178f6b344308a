/// @file
/// All that calls.txt names.
#pragma once

#include "mixed.hpp"
