/// Evaluates arithmetic in prose, comments and table columns.

#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace course {

/// Which characters end the name of a value.
enum class Names {
  end_at_blanks,     ///< anything else: "emulator/copy_strided(stride=2,elements=8)/time_ms"
  end_at_operators,  ///< neither blanks nor operators nor parentheses: "gb_per_s/copy:gb_per_s"
};

/// Evaluates + - * / ^ and parentheses over numbers and names; `value_of` says what a name is.
///
/// Where names end at blanks, operators stand between blanks, for a name may hold any other
/// character: parentheses too, in pairs and then with blanks between them, as in "tflops(naive,
/// 1024)".
/// @throws std::runtime_error for what is no expression, and whatever `value_of` throws
double evaluate(std::string_view expression,
                const std::function<double(const std::string& name)>& value_of,
                Names names = Names::end_at_blanks);

/// Returns the expression with each of its names, which end at blanks, replaced by
/// `replacement_of(name)`.
std::string replace_names(
    std::string_view expression,
    const std::function<std::string(const std::string& name)>& replacement_of);

}  // namespace course
