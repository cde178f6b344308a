#include "tools/coursework/watch/keys.hpp"

#include <array>
#include <optional>

namespace coursework {
namespace {

struct Sequence {
  std::string_view bytes;
  Key key;
};

constexpr std::array kSequences = {
    Sequence{"\033[A", Key::up},       Sequence{"\033OA", Key::up},
    Sequence{"\033[B", Key::down},     Sequence{"\033OB", Key::down},
    Sequence{"\033[5~", Key::page_up}, Sequence{"\033[6~", Key::page_down},
    Sequence{"\033[H", Key::home},     Sequence{"\033OH", Key::home},
    Sequence{"\033[1~", Key::home},    Sequence{"\033[F", Key::end},
    Sequence{"\033OF", Key::end},      Sequence{"\033[4~", Key::end},
};

/// Returns the length of the escape sequence at the beginning of `bytes`, known or not; nothing
/// while the sequence is incomplete.
std::optional<std::size_t> length_of(std::string_view bytes) {
  if (bytes.size() < 2) return std::nullopt;
  if (bytes[1] == 'O') return bytes.size() < 3 ? std::nullopt : std::optional<std::size_t>(3);
  if (bytes[1] != '[') return 1;
  for (std::size_t i = 2; i < bytes.size(); ++i)
    if (bytes[i] >= '@' && bytes[i] <= '~') return i + 1;
  return std::nullopt;
}

Key key_of_sequence(std::string_view bytes) {
  if (bytes.size() == 1) return Key::escape;
  for (const Sequence& one : kSequences)
    if (one.bytes == bytes) return one.key;
  return Key::none;
}

}  // namespace

std::vector<Key> KeyDecoder::take(std::string_view bytes) {
  pending_ += bytes;
  std::vector<Key> keys;
  while (!pending_.empty()) {
    std::size_t length = 1;
    Key key = key_of(pending_[0] == '\n' ? '\r' : pending_[0]);
    if (pending_[0] == '\033') {
      const auto whole = length_of(pending_);
      if (!whole) break;
      length = *whole;
      key = key_of_sequence(std::string_view(pending_).substr(0, length));
    }
    if (key != Key::none) keys.push_back(key);
    pending_.erase(0, length);
  }
  return keys;
}

std::vector<Key> KeyDecoder::settle() {
  const bool alone = pending_ == "\033";
  pending_.clear();
  return alone ? std::vector{Key::escape} : std::vector<Key>();
}

}  // namespace coursework
