/// Arithmetic that prose and comments write down, worked out.

#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tools {

/// Evaluates + - * / ^ and parentheses over numbers and names; `value_of` says what a name is.
///
/// Operators stand between blanks, for a name may hold any other character: parentheses too, in
/// pairs, as in "emulator/copy_strided(stride=2,elements=8)/time_ms".
/// @throws std::runtime_error for what is no expression, and whatever `value_of` throws
double evaluate(std::string_view expression,
                const std::function<double(const std::string& name)>& value_of);

}  // namespace tools
