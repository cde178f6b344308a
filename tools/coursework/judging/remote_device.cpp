#include "tools/coursework/judging/remote_device.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "tools/coursework/runner/messages.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Least time for an answer, besides the kernels' own limit: the program starts and data moves.
constexpr milliseconds kPatience{20'000};
/// Time to report the current source line. The runner first reads its debug information, perhaps on
/// a busy machine.
constexpr milliseconds kLastWord{20'000};
/// Time to exit after closing the channel.
constexpr milliseconds kToEnd{20'000};

/// A child process in its own process group, with stderr redirected to an unnamed file.
class PlainProcess : public RunnerProcess {
 public:
  PlainProcess(const std::filesystem::path& program, std::stop_token stop)
      : stderr_file_(std::tmpfile()) {
    signal(SIGPIPE, SIG_IGN);  // a runner may exit in the middle of a message
    std::array<int, 2> ends{};
    if (stderr_file_ == nullptr ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
      throw std::system_error(errno, std::generic_category(), "cannot start the runner");
    channel_ = ends[0];
    process_ = fork();
    if (process_ == 0) become(program, ends[1]);
    close(ends[1]);
    if (process_ < 0)
      throw std::system_error(errno, std::generic_category(), "cannot start the runner");
    ender_.emplace(std::move(stop), [this] { kill_now(); });
  }
  ~PlainProcess() override {
    ender_.reset();
    close(channel_);
    end_now();
    std::fclose(stderr_file_);
  }

  int channel() const override { return channel_; }

  std::string stop() override {
    if (process_ > 0) {
      kill(process_, SIGTERM);
      const auto until = steady_clock::now() + kLastWord;
      while (!collect(WNOHANG) && steady_clock::now() < until)
        std::this_thread::sleep_for(milliseconds(5));
    }
    end_now();
    return stderr_text();
  }

  std::string how_it_ended() override {
    const auto until = steady_clock::now() + kToEnd;
    while (!collect(WNOHANG) && steady_clock::now() < until)
      std::this_thread::sleep_for(milliseconds(1));
    if (process_ > 0) return {};
    if (WIFSIGNALED(status_)) return strsignal(WTERMSIG(status_));
    return "status " + std::to_string(WEXITSTATUS(status_));
  }

 private:
  [[noreturn]] void become(const std::filesystem::path& program, int channel) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // an endless kernel would outlive the judge
    dup2(fileno(stderr_file_), STDERR_FILENO);
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);  // a kernel that prints endlessly would fill a disk
    if (channel == kChannel) {
      fcntl(channel, F_SETFD, 0);
    } else {
      dup2(channel, kChannel);
    }
    execl(program.c_str(), program.c_str(), nullptr);
    _exit(127);
  }

  bool collect(int how) {
    const std::lock_guard lock(mutex_);
    if (process_ > 0 && waitpid(process_, &status_, how) == process_) {
      kill(-process_, SIGKILL);
      process_ = 0;
    }
    return process_ <= 0;
  }

  void kill_now() {
    const std::lock_guard lock(mutex_);
    if (process_ <= 0) return;
    kill(-process_, SIGKILL);
    kill(process_, SIGKILL);
  }

  void end_now() {
    kill_now();
    collect(0);
  }

  /// Returns the end of the process's stderr.
  std::string stderr_text() {
    constexpr long kMost = 64 << 10;
    std::string text(kMost, '\0');
    std::fseek(stderr_file_, 0, SEEK_END);
    std::fseek(stderr_file_, std::max(0L, std::ftell(stderr_file_) - kMost), SEEK_SET);
    text.resize(std::fread(text.data(), 1, text.size(), stderr_file_));
    return text;
  }

  std::FILE* stderr_file_;
  int channel_ = -1;
  std::mutex mutex_;  // protects process_ and status_: another thread may kill the process
  pid_t process_ = -1;
  int status_ = 0;
  std::optional<std::stop_callback<std::function<void()>>> ender_;
};

/// Returns " at file.cu:12" if the runner's last output has "stopped at file.cu:12".
std::string location_in(const std::string& text) {
  const std::string word = "stopped at ";
  const std::size_t at = text.rfind(word);
  if (at == std::string::npos) return {};
  return " at " + text.substr(at + word.size(), text.find('\n', at) - at - word.size());
}

std::string seconds(milliseconds time) {
  const double number = static_cast<double>(time.count()) / 1000.0;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g s", number);
  return text.data();
}

}  // namespace

std::unique_ptr<RunnerProcess> start_runner(const std::filesystem::path& program,
                                            std::stop_token stop) {
  return std::make_unique<PlainProcess>(program, std::move(stop));
}

struct RemoteDevice::Reply {
  json header;
  std::vector<std::byte> bytes;
};

RemoteDevice::RemoteDevice(std::unique_ptr<RunnerProcess> process, milliseconds time_limit)
    : process_(std::move(process)), time_left_(time_limit), time_limit_(time_limit) {}

void RemoteDevice::lose(Stopped why) {
  if (why == Stopped::time_limit) {
    const std::string location = location_in(process_->stop());
    throw DeviceLost(why, "the kernels have not ended after " + seconds(time_limit_) +
                              (location.empty() ? "" : "; the last one was" + location));
  }
  const std::string how = process_->how_it_ended();
  process_->stop();
  if (how == "memory limit")
    throw DeviceLost(Stopped::memory_limit, "the program takes too much memory");
  if (how == "CPU limit")
    throw DeviceLost(Stopped::cpu_limit, "the kernels take too much CPU time");
  if (how == "time limit") throw DeviceLost(Stopped::time_limit, "the program takes too long");
  throw DeviceLost(Stopped::ended,
                   "the program ended before the kernels had" + (how.empty() ? "" : ": " + how));
}

RemoteDevice::Reply RemoteDevice::ask(const json& header, std::vector<std::byte> bytes,
                                      std::size_t most_bytes) {
  const bool launches = header["do"] == "launch";
  const auto begin = steady_clock::now();
  try {
    send_message(process_->channel(), {header, std::move(bytes)});
    auto reply =
        receive_message(process_->channel(), most_bytes,
                        begin + (launches ? time_left_ : std::max(kPatience, time_limit_)));
    if (launches)
      time_left_ -= std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin);
    if (reply && reply->header.contains("error")) return {reply->header, std::move(reply->bytes)};
  } catch (const ChannelSilent&) {
    lose(Stopped::time_limit);
  } catch (const ChannelBroken&) {
  } catch (const json::exception&) {
  }
  lose(Stopped::ended);
}

int RemoteDevice::allocate(std::size_t bytes) {
  const Reply reply = ask({{"do", "allocate"}, {"bytes", bytes}}, {}, 0);
  if (!reply.header["error"].is_null() || !reply.header["memory"].is_number_integer())
    lose(Stopped::ended);
  return reply.header["memory"];
}

void RemoteDevice::write(int memory, const std::vector<std::byte>& bytes) {
  ask({{"do", "write"}, {"memory", memory}}, bytes, 0);
}

std::vector<std::byte> RemoteDevice::read(int memory, std::size_t bytes) {
  Reply reply = ask({{"do", "read"}, {"memory", memory}}, {}, bytes);
  // After a failed launch, a device no longer answers.
  if (!reply.header["error"].is_null()) return std::vector<std::byte>(bytes, std::byte{0xff});
  if (reply.bytes.size() != bytes) lose(Stopped::ended);
  return std::move(reply.bytes);
}

LaunchOutcome RemoteDevice::launch(const std::string& kernel, const LaunchShape& shape,
                                   const std::vector<Argument>& arguments) {
  json header = {{"do", "launch"},
                 {"kernel", kernel},
                 {"grid", shape.grid},
                 {"block", shape.block},
                 {"shared_bytes", shape.shared_bytes},
                 {"orders", shape.orders},
                 {"order", shape.order},
                 {"parted_warps", shape.parted_warps},
                 {"lane_turn", shape.lane_turn},
                 {"arguments", json::array()}};
  std::vector<std::byte> bytes;
  for (const Argument& one : arguments) {
    json argument = {{"bytes", one.bytes.size()}};
    if (one.memory) argument.update({{"memory", *one.memory}, {"offset", one.offset_bytes}});
    header["arguments"].push_back(argument);
    bytes.insert(bytes.end(), one.bytes.begin(), one.bytes.end());
  }
  const Reply reply = ask(header, std::move(bytes), 0);
  LaunchOutcome outcome;
  try {
    if (const json& error = reply.header.at("error"); !error.is_null())
      outcome.error = error.get<std::string>() + ": " + reply.header.at("text").get<std::string>();
    if (const json& counters = reply.header.at("counters"); counters.is_object())
      outcome.counters = counters.get<std::map<std::string, double>>();
    if (reply.header.at("findings").is_array())
      for (const json& one : reply.header["findings"]) {
        std::string text =
            one.at("tool").get<std::string>() + ": " + one.at("title").get<std::string>();
        const std::string line = one.at("line"), other = one.at("other_line");
        if (!line.empty()) text += " at " + line;
        if (!other.empty() && other != line) text += " and " + other;
        // The title already mentions a null pointer.
        if (const std::string memory = one.at("memory"); !memory.empty() && memory != "0x0")
          text += ", " + memory;
        outcome.findings.push_back({one.at("tool"), one.at("severity") == "error", text});
      }
  } catch (const json::exception&) {
    lose(Stopped::ended);
  }
  return outcome;
}

}  // namespace coursework
