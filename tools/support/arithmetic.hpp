/// Arithmetic that prose and comments write down, worked out.

#pragma once

#include "course/arithmetic.hpp"

namespace tools {

using course::evaluate;
using course::replace_names;

}  // namespace tools
