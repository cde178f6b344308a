/// @file
/// The text of a function, as the compiler reads it.
#pragma once

#include "gcc_headers.hpp"

/// The lines of a function without what is evaluated nowhere or elsewhere: operands of `sizeof` and
/// its kin, strings, local classes, and statements under `if constexpr`.
class FunctionText {
 public:
  FunctionText(location_t begin, location_t end);

  /// Returns the place of the first call of a function, or UNKNOWN_LOCATION if there is none.
  /// @param sign the function's name; of an operator its symbol, of a literal its ending, of a
  ///   constructor the class
  location_t place_of_call(const std::string& sign, bool is_constructor, bool is_member) const;

 private:
  location_t begin_;
  std::string text_;
  std::vector<int> lines_;  // of each character
};
