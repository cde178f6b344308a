/// @file
/// All that calls.txt names.
#pragma once

#include "factorisations.hpp"
#include "mixed.hpp"
