#include "unsupported.hpp"

#include "unsupported_features.hpp"

namespace emu {

std::span<const UnsupportedSign> unsupported_signs() { return kUnsupportedSigns; }

std::string_view unsupported_feature(Sign sign, std::string_view name) {
  const UnsupportedSign* found = nullptr;
  for (const UnsupportedSign& one : kUnsupportedSigns) {
    if (one.sign != sign) continue;
    const bool fits = sign == Sign::of_header ? name.starts_with(one.name) : name == one.name;
    if (fits && (!found || one.name.size() > found->name.size())) found = &one;
  }
  return found ? found->feature : std::string_view();
}

std::string unsupported_message(Sign sign, std::string_view name, std::string_view shown) {
  std::string message(unsupported_feature(sign, name));
  if (message.empty() || sign == Sign::of_case) return message;
  message += " (";
  message += shown.empty() ? name : shown;
  return message + ")";
}

}  // namespace emu
