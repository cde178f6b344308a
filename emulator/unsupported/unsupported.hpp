/// @file
/// What the emulator does not support, for whoever has to say so: the driver, the rewriter and the
/// runtime. features.txt is the list.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace emu {

/// What gives a feature away; features.txt says what each one is.
enum class Sign { of_header, of_library, of_option, of_file, of_word, of_call, of_code, of_case };

struct UnsupportedSign {
  Sign sign;
  std::string_view name;
  std::string_view feature;
};

/// All of features.txt, in its order.
std::span<const UnsupportedSign> unsupported_signs();

/// The feature that `name` gives away; empty if it is supported. A header's name may be longer than
/// the list has it.
std::string_view unsupported_feature(Sign sign, std::string_view name);

/// The feature and, in parentheses, what has given it away: "textures (tex2D)"; empty if it is
/// supported. `shown` stands for the name where a message has a better word for it.
std::string unsupported_message(Sign sign, std::string_view name, std::string_view shown = {});

}  // namespace emu
