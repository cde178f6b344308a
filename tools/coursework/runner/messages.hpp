#pragma once

/// @file
/// How the judge and the runner talk: a JSON object and, behind it, bytes.
///
///     u32 length of the object, u64 length of the bytes, the object, the bytes
///
/// Both sides are on one machine, so numbers are in its order.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace coursework {

/// The descriptor on which the runner finds its end of the conversation.
inline constexpr int kChannel = 3;

struct Message {
  nlohmann::json header;
  std::vector<std::byte> bytes;
};

/// The other side is gone, or talks nonsense.
class ChannelBroken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The other side is silent for too long.
class ChannelSilent : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using Deadline = std::optional<std::chrono::steady_clock::time_point>;

/// Sends a message over a socket or pipe, by write() alone: a sandbox allows no calls of sockets.
/// Who is to outlive the other side ignores SIGPIPE.
/// @throws ChannelBroken
void send_message(int descriptor, const Message& message);

/// Waits for a message of at most `most_bytes` behind its object; nothing where the other side has
/// closed the channel between two messages.
/// @throws ChannelBroken, ChannelSilent past the deadline
std::optional<Message> receive_message(int descriptor, std::size_t most_bytes, Deadline until = {});

}  // namespace coursework
