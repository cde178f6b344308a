#include "engine/run/queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "engine/settings.hpp"

namespace emu {

namespace {

/// Whether what is in one stream waits for what came into the other one before.
bool follows(const StreamKey& stream, const StreamKey& earlier) {
  using Kind = StreamKey::Kind;
  return stream.stream == earlier.stream ||
         (stream.kind == Kind::legacy && earlier.kind == Kind::blocking) ||
         (stream.kind == Kind::blocking && earlier.kind == Kind::legacy);
}

struct Entry {
  Ticket ticket;
  StreamKey stream;
  Task task;
  bool is_running = false;

  bool waits_for(const Entry& earlier) const {
    return task.after == earlier.ticket || follows(stream, earlier.stream);
  }
};

/// Whoever waits for the legacy default stream waits for the blocking ones, too.
bool holds(const StreamKey& stream, const Entry& entry) {
  return entry.stream.stream == stream.stream ||
         (stream.kind == StreamKey::Kind::legacy && entry.stream.kind == StreamKey::Kind::blocking);
}

class Queue {
 public:
  static Queue& all() {
    static Queue& queue = *new Queue;  // never destroyed: its thread may outlive main
    return queue;
  }

  Ticket add(const StreamKey& stream, Task task) {
    std::unique_lock lock(mutex_);
    begin();
    entries_.push_back({++newest_, stream, std::move(task)});
    const Ticket ticket = newest_;
    if (entries_.size() > kMostEntries) do_one(lock, entries_.front().ticket);
    if (watch_sleeps_) wake_watch_.notify_one();
    return ticket;
  }

  /// Does what `is_wanted(entry)` names, and what that waits for.
  template <class IsWanted>
  void finish(const IsWanted& is_wanted) {
    std::unique_lock lock(mutex_);
    if (entries_.empty()) return;
    const std::vector<Ticket> needed = needed_for(is_wanted);
    if (settings().schedule_seed != 0) return finish_in_drawn_order(lock, needed);
    for (const Ticket ticket : needed) do_one(lock, ticket);
  }

  void finish_all() {
    std::unique_lock lock(mutex_);
    const Ticket newest = newest_;
    if (settings().schedule_seed != 0)
      return finish_in_drawn_order(lock, needed_for([](const Entry&) { return true; }));
    while (!entries_.empty() && entries_.front().ticket <= newest)
      do_one(lock, entries_.front().ticket);
  }

  /// Does what `finish` does, but comes back behind the first kernel.
  /// @return whether it is all over
  template <class IsWanted>
  bool advance(const IsWanted& is_wanted) {
    std::unique_lock lock(mutex_);
    for (const Ticket ticket : needed_for(is_wanted)) {
      const auto entry = find(ticket);
      if (entry == entries_.end()) continue;
      if (entry->is_running || !is_ready(entry)) return false;
      const bool is_kernel = entry->task.kind == TaskKind::kernel;
      do_one(lock, ticket);
      if (is_kernel) return false;
    }
    return true;
  }

  template <class IsWanted>
  bool has(const IsWanted& is_wanted) {
    const std::lock_guard lock(mutex_);
    return std::any_of(entries_.begin(), entries_.end(), is_wanted);
  }

 private:
  using Entries = std::list<Entry>;

  // A device's queue is about as long.
  static constexpr std::size_t kMostEntries = 256;

  Entries::iterator find(Ticket ticket) {
    return std::find_if(entries_.begin(), entries_.end(),
                        [&](const Entry& entry) { return entry.ticket == ticket; });
  }

  bool is_ready(Entries::iterator entry) {
    return std::none_of(entries_.begin(), entry,
                        [&](const Entry& earlier) { return entry->waits_for(earlier); });
  }

  /// In the order in which it was asked for.
  template <class IsWanted>
  std::vector<Ticket> needed_for(const IsWanted& is_wanted) {
    std::vector<Ticket> needed, awaited;
    std::vector<const void*> streams;
    const auto contains = [](const auto& all, const auto& one) {
      return std::find(all.begin(), all.end(), one) != all.end();
    };
    bool legacy = false, blocking = false;
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
      const bool is_legacy = entry->stream.kind == StreamKey::Kind::legacy;
      const bool is_blocking = entry->stream.kind == StreamKey::Kind::blocking;
      const bool is_in_stream = contains(streams, entry->stream.stream);
      if (!is_wanted(*entry) && !is_in_stream && !contains(awaited, entry->ticket) &&
          !(legacy && is_blocking) && !(blocking && is_legacy))
        continue;
      needed.push_back(entry->ticket);
      if (!is_in_stream) streams.push_back(entry->stream.stream);
      if (entry->task.after != 0) awaited.push_back(entry->task.after);
      legacy = legacy || is_legacy;
      blocking = blocking || is_blocking;
    }
    std::reverse(needed.begin(), needed.end());
    return needed;
  }

  /// Does what `ticket` names, which waits for nothing that is not being done; or waits until
  /// another thread has.
  void do_one(std::unique_lock<std::mutex>& lock, Ticket ticket) {
    auto entry = find(ticket);
    if (entry == entries_.end()) return;
    if (entry->is_running || !is_ready(entry)) {
      done_.wait(lock, [&] {
        entry = find(ticket);
        return entry == entries_.end() || (!entry->is_running && is_ready(entry));
      });
      if (entry == entries_.end()) return;
    }
    entry->is_running = true;
    lock.unlock();
    entry->task.run();
    lock.lock();
    entries_.erase(entry);
    ++done_so_far_;
    done_.notify_all();
  }

  /// Whatever is ready may come next, also of streams that nobody waits for.
  void finish_in_drawn_order(std::unique_lock<std::mutex>& lock,
                             const std::vector<Ticket>& needed) {
    const auto is_missing = [&](Ticket ticket) { return find(ticket) != entries_.end(); };
    while (std::any_of(needed.begin(), needed.end(), is_missing)) {
      std::vector<Ticket> ready;
      for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
        if (!entry->is_running && is_ready(entry)) ready.push_back(entry->ticket);
      if (ready.empty()) {  // other threads are at it
        done_.wait(lock);
      } else {
        if (drawn_for_ != settings().schedule_seed)
          draw_.seed(drawn_for_ = settings().schedule_seed);
        do_one(lock, ready[draw_() % ready.size()]);
      }
    }
  }

  void begin() {
    if (has_begun_) return;
    has_begun_ = true;
    on_exit([](int status, void* queue) { static_cast<Queue*>(queue)->end(status); }, this);
    std::thread([this] { watch(); }).detach();
  }

  /// A program that does not wait for a kernel may end before it. What tells of kernels tells of
  /// that one, too.
  void end(int status) {
    const Settings& now = settings();
    const bool is_counted = now.exit_report || now.profile || !now.trace_file.empty();
    if (status == 0) warn(is_counted);
    if (is_counted) finish_all();
    has_ended_ = true;
  }

  void warn(bool is_counted) {
    const std::lock_guard lock(mutex_);
    const auto kernels = std::count_if(entries_.begin(), entries_.end(), [](const Entry& entry) {
      return entry.task.kind == TaskKind::kernel && !entry.is_running;
    });
    if (kernels == 0) return;
    std::fflush(stdout);
    const bool is_one = kernels == 1;
    const char* const fate =
        is_counted ? (is_one ? "which runs now, to be counted" : "which run now, to be counted")
                   : (is_one ? "so it has not run" : "so they have not run");
    fmt::print(stderr,
               "emulator: warning: the program ends without waiting for {}, {}: call "
               "cudaDeviceSynchronize() first\n",
               is_one ? "a kernel" : fmt::format("{} kernels", kernels), fate);
  }

  /// A program may wait in ways that the runtime does not see: it looks again and again at memory
  /// that a kernel writes to, say. So whatever nobody has waited for in a while is done here.
  void watch() {
    using std::chrono::milliseconds;
    milliseconds patience{200};
    std::unique_lock lock(mutex_);
    for (;;) {
      if (entries_.empty()) {
        watch_sleeps_ = true;
        wake_watch_.wait(lock, [this] { return !entries_.empty(); });
        watch_sleeps_ = false;
      }
      const std::uint64_t before = done_so_far_;
      lock.unlock();
      std::this_thread::sleep_for(patience);
      lock.lock();
      if (has_ended_) return;
      if (before != done_so_far_) continue;
      const auto ready = [&] {
        auto entry = entries_.begin();
        while (entry != entries_.end() && (entry->is_running || !is_ready(entry))) ++entry;
        return entry;
      };
      for (auto entry = ready(); entry != entries_.end(); entry = ready()) {
        do_one(lock, entry->ticket);
        patience = milliseconds(10);  // it is one of those programs
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable done_, wake_watch_;
  Entries entries_;
  Ticket newest_ = 0;
  std::uint64_t done_so_far_ = 0;
  bool has_begun_ = false, watch_sleeps_ = false;
  std::atomic<bool> has_ended_ = false;
  std::mt19937_64 draw_;
  std::uint64_t drawn_for_ = 0;
};

auto of_stream(const StreamKey& stream) {
  return [&stream](const Entry& entry) { return holds(stream, entry); };
}
auto before_next_of(const StreamKey& stream) {
  return [&stream](const Entry& entry) { return follows(stream, entry.stream); };
}
auto of_ticket(Ticket ticket) {
  return [ticket](const Entry& entry) { return entry.ticket == ticket; };
}

}  // namespace

bool is_done_later() noexcept {
  const Settings& now = settings();
  return !now.checks.any() && now.schedules == 0 && now.preempt_seed == 0 && !now.lockstep;
}

Ticket enqueue(const StreamKey& stream, Task task) {
  if (is_captured(stream)) {
    capture(stream, std::move(task));
    return 0;
  }
  if (is_done_later()) return Queue::all().add(stream, std::move(task));
  task.run();
  return 0;
}

void finish(const StreamKey& stream) { Queue::all().finish(of_stream(stream)); }
void finish(Ticket ticket) { Queue::all().finish(of_ticket(ticket)); }
void finish_all() { Queue::all().finish_all(); }
void finish_before_next(const StreamKey& stream) { Queue::all().finish(before_next_of(stream)); }
bool is_next_free(const StreamKey& stream) { return !Queue::all().has(before_next_of(stream)); }
bool is_finished(const StreamKey& stream) { return !Queue::all().has(of_stream(stream)); }
bool is_finished(Ticket ticket) { return !Queue::all().has(of_ticket(ticket)); }
bool advance(const StreamKey& stream) { return Queue::all().advance(of_stream(stream)); }
bool advance(Ticket ticket) { return Queue::all().advance(of_ticket(ticket)); }

}  // namespace emu
