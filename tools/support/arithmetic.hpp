/// Arithmetic that prose and comments write down, worked out.

#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tools {

/// Evaluates + - * / ^ and parentheses over numbers and names; `value_of` says what a name is.
///
/// Operators stand between blanks, for a name may hold any other character: parentheses too, in
/// pairs and then with blanks between them, as in
/// "emulator/copy_strided(stride=2,elements=8)/time_ms" or "tflops(naive, 1024)".
/// @throws std::runtime_error for what is no expression, and whatever `value_of` throws
double evaluate(std::string_view expression,
                const std::function<double(const std::string& name)>& value_of);

/// The expression with each of its names replaced by what `replacement_of` says.
std::string replace_names(
    std::string_view expression,
    const std::function<std::string(const std::string& name)>& replacement_of);

}  // namespace tools
