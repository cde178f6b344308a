#pragma once

/// @file
/// Messages between the judge and the runner: a JSON object followed by bytes.
///
///     u32 length of the object, u64 length of the bytes, the object, the bytes
///
/// Both sides run on one machine, so numbers use its byte order.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace coursework {

/// The runner's descriptor of the channel.
inline constexpr int kChannel = 3;

struct Message {
  nlohmann::json header;
  std::vector<std::byte> bytes;
};

/// The other side has exited or sent an invalid message.
class ChannelBroken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The other side did not answer in time.
class ChannelSilent : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using Deadline = std::optional<std::chrono::steady_clock::time_point>;

/// Sends a message through a socket or pipe. Uses write() only: a sandbox allows no socket calls. A
/// process that must survive the other side's exit has to ignore SIGPIPE.
/// @throws ChannelBroken
void send_message(int descriptor, const Message& message);

/// Receives a message with at most `most_bytes` bytes after the object. Returns nothing if the
/// other side closed the channel between two messages.
/// @throws ChannelBroken, and ChannelSilent after the deadline
std::optional<Message> receive_message(int descriptor, std::size_t most_bytes, Deadline until = {});

}  // namespace coursework
