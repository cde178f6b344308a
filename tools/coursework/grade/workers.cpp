#include "tools/coursework/grade/workers.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iostream>
#include <map>
#include <optional>
#include <system_error>

#include "tools/coursework/grade/names.hpp"
#include "tools/coursework/runner/messages.hpp"
#include "tools/support/json.hpp"

namespace coursework {
namespace {

using json = nlohmann::ordered_json;
using std::chrono::steady_clock;

constexpr int kMostTries = 2;
constexpr std::chrono::milliseconds kTick{200};

using Work = std::function<json(std::size_t)>;

/// Receives tasks' numbers and sends their results, until the other side exits.
[[noreturn]] void serve(int channel, const Work& work) {
  try {
    while (const auto request = receive_message(channel, 0)) {
      nlohmann::json reply;
      try {
        // as text: a JSON object in a message would lose the order of its keys
        reply["result"] = work(request->header.at("task").get<std::size_t>()).dump();
      } catch (const std::exception& error) {
        reply["fault"] = printable(error.what());
      }
      send_message(channel, {reply, {}});
    }
  } catch (const std::exception&) {
  }
  _exit(0);
}

/// A worker process and its current task.
class Worker {
 public:
  Worker(int number, const WorkerOptions& options, const Work& work) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw_cannot_start();
    std::cout.flush();
    const pid_t parent = getpid();
    process_ = fork();
    if (process_ < 0) throw_cannot_start();
    if (process_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(0);
      // Only the parent receives Ctrl-C; it then ends this process.
      setpgid(0, 0);
      signal(SIGINT, SIG_DFL);
      signal(SIGTERM, SIG_DFL);
      close(ends[0]);
      try {
        if (options.begin) options.begin(number);
      } catch (const std::exception& error) {
        std::cerr << "coursework: " << error.what() << '\n';
        _exit(1);
      }
      serve(ends[1], work);
    }
    close(ends[1]);
    channel_ = ends[0];
  }
  ~Worker() {
    if (channel_ >= 0) close(channel_);
    if (process_ > 0) {
      kill(-process_, SIGKILL);
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  int channel() const { return channel_; }
  std::optional<std::size_t> task() const { return task_; }
  steady_clock::time_point until() const { return until_; }

  /// Sends a task; returns false if the worker has exited.
  bool give(std::size_t task, std::chrono::milliseconds time_limit) {
    task_ = task;
    until_ = steady_clock::now() + time_limit;
    try {
      send_message(channel_, {{{"task", task}}, {}});
    } catch (const ChannelBroken&) {
      return false;
    }
    return true;
  }

  /// Receives a task's result; nothing if the worker has exited.
  std::optional<TaskResult> take() {
    try {
      const auto reply = receive_message(channel_, 0);
      if (!reply) return std::nullopt;
      TaskResult result;
      result.task = *task_;
      if (reply->header.contains("fault")) {
        result.fault = reply->header["fault"].get<std::string>();
      } else {
        result.result = tools::parse_ordered_json(reply->header.at("result").get<std::string>());
      }
      task_.reset();
      return result;
    } catch (const std::exception&) {
      return std::nullopt;
    }
  }

  /// Returns how an exited worker ended.
  std::string how_it_ended() {
    int status = 0;
    kill(process_, SIGKILL);
    waitpid(process_, &status, 0);
    process_ = 0;
    return WIFSIGNALED(status)
               ? std::string("the grader's process ended: ") + strsignal(WTERMSIG(status))
               : "the grader's process left";
  }

 private:
  [[noreturn]] static void throw_cannot_start() {
    throw std::system_error(errno, std::generic_category(), "cannot start a process");
  }

  pid_t process_ = -1;
  int channel_ = -1;
  std::optional<std::size_t> task_;
  steady_clock::time_point until_;
};

/// Distributes tasks and collects results.
class Foreman {
 public:
  Foreman(std::size_t count, const WorkerOptions& options, const Work& work,
          const std::function<void(const TaskResult&)>& done)
      : options_(options), work_(work), done_(done) {
    for (std::size_t i = 0; i < count; ++i) waiting_.push_back(i);
  }

  void run(const std::function<void()>& tick) {
    signal(SIGPIPE, SIG_IGN);  // a worker may exit in the middle of a message
    workers_.resize(std::min<std::size_t>(options_.workers, waiting_.size()));
    while (hand_out()) {
      std::vector<pollfd> watched;
      std::vector<std::size_t> numbers;
      for (std::size_t i = 0; i < workers_.size(); ++i)
        if (workers_[i] && workers_[i]->task()) {
          watched.push_back({workers_[i]->channel(), POLLIN, 0});
          numbers.push_back(i);
        }
      poll(watched.data(), watched.size(), static_cast<int>(kTick.count()));
      for (std::size_t i = 0; i < watched.size(); ++i) {
        if (watched[i].revents != 0) {
          take_from(numbers[i]);
        } else if (steady_clock::now() > workers_[numbers[i]]->until()) {
          const std::size_t task = *workers_[numbers[i]]->task();
          workers_[numbers[i]].reset();
          failed(task, "the grader's process did not come to an end");
        }
      }
      tick();
    }
  }

 private:
  /// Gives every idle worker a task; returns false if there is nothing left to do or to wait for.
  bool hand_out() {
    bool busy = false;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if ((!workers_[i] || !workers_[i]->task()) && !waiting_.empty()) {
        if (!workers_[i])
          workers_[i] = std::make_unique<Worker>(static_cast<int>(i), options_, work_);
        const std::size_t task = waiting_.front();
        waiting_.pop_front();
        if (!workers_[i]->give(task, options_.time_limit)) lost(i, task);
      }
      busy = busy || (workers_[i] && workers_[i]->task());
    }
    return busy || !waiting_.empty();
  }

  void take_from(std::size_t number) {
    const std::size_t task = *workers_[number]->task();
    const auto result = workers_[number]->take();
    if (!result) {
      lost(number, task);
    } else if (!result->fault.empty()) {
      failed(task, result->fault);
    } else {
      done_(*result);
    }
  }

  void lost(std::size_t number, std::size_t task) {
    const std::string how = workers_[number]->how_it_ended();
    workers_[number].reset();
    failed(task, how);
  }

  void failed(std::size_t task, const std::string& why) {
    if (++tries_[task] < kMostTries) {
      waiting_.push_front(task);
    } else {
      done_({task, why, nullptr});
    }
  }

  const WorkerOptions& options_;
  const Work& work_;
  const std::function<void(const TaskResult&)>& done_;
  std::deque<std::size_t> waiting_;
  std::map<std::size_t, int> tries_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace

void work_in_parallel(std::size_t count, const WorkerOptions& options, const Work& work,
                      const std::function<void(const TaskResult&)>& done,
                      const std::function<void()>& tick) {
  Foreman(count, options, work, done).run(tick);
}

}  // namespace coursework
