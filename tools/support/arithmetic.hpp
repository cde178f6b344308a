/// Evaluates arithmetic in prose and comments.

#pragma once

#include "course/arithmetic.hpp"

namespace tools {

using course::evaluate;
using course::replace_names;

}  // namespace tools
