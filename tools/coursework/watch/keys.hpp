#pragma once

/// @file
/// Decodes the bytes that a terminal sends for keys.

#include <string>
#include <string_view>
#include <vector>

namespace coursework {

/// A key without a character, or the character itself.
enum class Key : int {
  none = 0,
  enter = '\r',
  escape = 0x1b,
  space = ' ',
  // Greater than any byte.
  up = 256,
  down,
  page_up,
  page_down,
  home,
  end,
};

constexpr Key key_of(char letter) { return static_cast<Key>(static_cast<unsigned char>(letter)); }

/// Decodes bytes as they arrive. A sequence may arrive in parts over a slow line.
class KeyDecoder {
 public:
  std::vector<Key> take(std::string_view bytes);
  /// Ends an incomplete sequence after a pause: an escape alone is the Escape key.
  std::vector<Key> settle();
  bool is_waiting() const { return !pending_.empty(); }

 private:
  std::string pending_;
};

}  // namespace coursework
