#include "tools/coursework/runner/messages.hpp"

#include <poll.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace coursework {
namespace {

constexpr std::size_t kMostHeaderBytes = 4 << 20;

struct Lengths {
  std::uint32_t header = 0;
  std::uint32_t unused = 0;
  std::uint64_t bytes = 0;
};

void send_all(int descriptor, const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t sent = write(descriptor, at, bytes);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) throw ChannelBroken("the other side is gone");
    at += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
}

void wait_readable(int descriptor, const Deadline& until) {
  if (!until) return;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        *until - std::chrono::steady_clock::now());
    if (left.count() <= 0) throw ChannelSilent("no answer");
    pollfd one{descriptor, POLLIN, 0};
    const int ready = poll(&one, 1, static_cast<int>(std::min<long long>(left.count(), 1000)));
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) throw ChannelBroken("cannot wait for an answer");
  }
}

/// Returns false at the end of the stream, before the first byte.
bool receive_all(int descriptor, void* data, std::size_t bytes, const Deadline& until) {
  char* at = static_cast<char*>(data);
  const std::size_t wanted = bytes;
  while (bytes > 0) {
    wait_readable(descriptor, until);
    const ssize_t got = read(descriptor, at, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      if (bytes == wanted) return false;
      throw ChannelBroken("the other side ended in the middle of a message");
    }
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

void send_message(int descriptor, const Message& message) {
  const std::string header = message.header.dump();
  const Lengths lengths{static_cast<std::uint32_t>(header.size()), 0, message.bytes.size()};
  send_all(descriptor, &lengths, sizeof lengths);
  send_all(descriptor, header.data(), header.size());
  send_all(descriptor, message.bytes.data(), message.bytes.size());
}

std::optional<Message> receive_message(int descriptor, std::size_t most_bytes, Deadline until) {
  Lengths lengths;
  if (!receive_all(descriptor, &lengths, sizeof lengths, until)) return std::nullopt;
  if (lengths.header > kMostHeaderBytes || lengths.bytes > most_bytes)
    throw ChannelBroken("the other side sends more than was asked for");
  std::string header(lengths.header, '\0');
  Message message;
  message.bytes.resize(lengths.bytes);
  const bool whole =
      (header.empty() || receive_all(descriptor, header.data(), header.size(), until)) &&
      (message.bytes.empty() ||
       receive_all(descriptor, message.bytes.data(), message.bytes.size(), until));
  if (!whole) throw ChannelBroken("the other side ended in the middle of a message");
  message.header = nlohmann::json::parse(header, nullptr, /*allow_exceptions=*/false);
  if (!message.header.is_object()) throw ChannelBroken("the other side talks nonsense");
  return message;
}

}  // namespace coursework
