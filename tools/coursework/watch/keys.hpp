#pragma once

/// @file
/// What a terminal sends when somebody presses a key.

#include <string>
#include <string_view>
#include <vector>

namespace coursework {

/// A key that is no letter, or the letter itself.
enum class Key : int {
  none = 0,
  enter = '\r',
  escape = 0x1b,
  space = ' ',
  // Beyond what a byte can be.
  up = 256,
  down,
  page_up,
  page_down,
  home,
  end,
};

constexpr Key key_of(char letter) { return static_cast<Key>(static_cast<unsigned char>(letter)); }

/// Takes bytes as they come. A sequence may come in parts, over a slow line.
class KeyDecoder {
 public:
  std::vector<Key> take(std::string_view bytes);
  /// Nothing has followed for a while: an escape that stands alone is the key of that name.
  std::vector<Key> settle();
  bool is_waiting() const { return !pending_.empty(); }

 private:
  std::string pending_;
};

}  // namespace coursework
