/// @file
/// A module as text, for .ptx files: programs read PTX as a string that a zero ends. Known to the
/// compiler's driver, which writes it, and to the driver API, which reads it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace emu {

/// The first lines of a module's text.
inline constexpr std::string_view kModuleTextHead =
    "//\n// A module for programs of Warp by Warp's emulator, which alone can load it.\n//\n"
    ".version 9.0\n.target sm_90\n.address_size 64\n\n// module\n";

namespace module_text {

inline constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
inline constexpr std::size_t kLineDigits = 76;

/// Returns the value of each character as a digit of base64; 64 for characters that are no digits.
constexpr std::array<std::uint8_t, 256> values() {
  std::array<std::uint8_t, 256> all{};
  for (std::uint8_t& value : all) value = 64;
  for (std::size_t i = 0; i < kDigits.size(); ++i)
    all[static_cast<std::uint8_t>(kDigits[i])] = static_cast<std::uint8_t>(i);
  return all;
}

}  // namespace module_text

/// Returns a module's bytes in base64, behind the head. Each line is a comment of PTX.
inline std::string module_as_text(std::string_view bytes) {
  std::string digits;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char byte : bytes) {
    bits = bits << 8 | static_cast<std::uint8_t>(byte);
    for (count += 8; count >= 6; count -= 6)
      digits += module_text::kDigits[bits >> (count - 6) & 63];
  }
  if (count > 0) digits += module_text::kDigits[bits << (6 - count) & 63];
  std::string text(kModuleTextHead);
  for (std::size_t i = 0; i < digits.size(); i += module_text::kLineDigits)
    text += "// " + digits.substr(i, module_text::kLineDigits) + "\n";
  return text;
}

/// Returns the bytes of the module that a text holds; empty if it holds none. Line ends may be of
/// any system.
inline std::string module_from_text(std::string_view text) {
  constexpr std::array<std::uint8_t, 256> kValues = module_text::values();
  const std::size_t mark = text.find("// module");
  std::string bytes;
  if (mark == text.npos || text.find("Warp by Warp's emulator") > mark) return bytes;
  std::uint32_t bits = 0;
  int count = 0;
  bool in_line = false;
  for (const char c : text.substr(text.find('\n', mark) + 1)) {
    if (c == '\n') in_line = false;
    if (c == ' ') in_line = true;
    const std::uint8_t value = kValues[static_cast<std::uint8_t>(c)];
    if (value == 64 || !in_line) continue;
    bits = bits << 6 | value;
    if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8));
  }
  return bytes;
}

}  // namespace emu
