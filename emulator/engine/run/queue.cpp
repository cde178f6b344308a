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

/// Returns whether work in `stream` must wait for work that came earlier into `earlier`.
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

  bool may_take_long() const {
    return task.kind == TaskKind::kernel || task.kind == TaskKind::host_function;
  }
  bool waits_for(const Entry& earlier) const {
    return task.after == earlier.ticket || follows(stream, earlier.stream);
  }
};

/// Returns whether waiting for `stream` includes the entry: waiting for the legacy default stream
/// also waits for the blocking streams.
bool is_awaited_with(const StreamKey& stream, const Entry& entry) {
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
    if (entries_.size() > kMostEntries)
      if (const auto entry = next([](const Entry&) { return true; }); entry != entries_.end())
        do_one(lock, entry);
    if (watch_sleeps_) wake_watch_.notify_one();
    return ticket;
  }

  /// Does the entries that `is_wanted(entry)` selects, and all that they wait for.
  template <class IsWanted>
  void finish(const IsWanted& is_wanted) {
    std::unique_lock lock(mutex_);
    if (!entries_.empty()) finish(lock, needed_for(is_wanted));
  }

  void finish_all() {
    std::unique_lock lock(mutex_);
    if (settings().schedule_seed != 0)
      return finish_in_drawn_order(lock, needed_for([](const Entry&) { return true; }));
    const Ticket newest = newest_;
    const auto is_old = [&](const Entry& entry) { return entry.ticket <= newest; };
    while (!entries_.empty() && is_old(entries_.front())) do_next(lock, is_old);
  }

  /// Starts what `finish` does, but runs no kernel and no host function in this thread, where the
  /// program may hold what those wait for.
  /// @return whether all of it is done
  template <class IsWanted>
  bool advance(const IsWanted& is_wanted) {
    constexpr std::chrono::milliseconds kPatience{20};
    std::unique_lock lock(mutex_);
    for (const Ticket ticket : needed_for(is_wanted)) {
      const auto entry = find(ticket);
      if (entry == entries_.end()) continue;
      if (entry->is_running || !is_ready(entry)) return false;
      if (entry->may_take_long()) {
        urgent_ = ticket;
        wake_watch_.notify_one();
        done_.wait_for(lock, kPatience, [&] { return find(ticket) == entries_.end(); });
        return false;
      }
      do_one(lock, entry);
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

  static constexpr std::size_t kMostEntries = 256;

  Entries::iterator find(Ticket ticket) {
    return std::find_if(entries_.begin(), entries_.end(),
                        [&](const Entry& entry) { return entry.ticket == ticket; });
  }

  bool is_ready(Entries::iterator entry) {
    return std::none_of(entries_.begin(), entry,
                        [&](const Entry& earlier) { return entry->waits_for(earlier); });
  }

  /// Returns the tickets of the wanted entries and of all that they wait for, oldest first.
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

  /// Returns the first entry that `is_meant` accepts, that is not running, and that waits for
  /// nothing.
  template <class IsMeant>
  Entries::iterator next(const IsMeant& is_meant) {
    auto entry = entries_.begin();
    while (entry != entries_.end() && (entry->is_running || !is_meant(*entry) || !is_ready(entry)))
      ++entry;
    return entry;
  }

  /// Does the first entry that `is_meant` accepts and that is ready. If there is none, waits until
  /// another thread has done an entry.
  template <class IsMeant>
  void do_next(std::unique_lock<std::mutex>& lock, const IsMeant& is_meant) {
    if (const auto entry = next(is_meant); entry != entries_.end())
      do_one(lock, entry);
    else
      done_.wait(lock);
  }

  void do_one(std::unique_lock<std::mutex>& lock, Entries::iterator entry) {
    entry->is_running = true;
    lock.unlock();
    entry->task.run();
    lock.lock();
    entries_.erase(entry);
    done_.notify_all();
  }

  /// Does the entries `needed`, which wait for no others.
  void finish(std::unique_lock<std::mutex>& lock, const std::vector<Ticket>& needed) {
    if (settings().schedule_seed != 0) return finish_in_drawn_order(lock, needed);
    const auto is_needed = [&](const Entry& entry) {
      return std::binary_search(needed.begin(), needed.end(), entry.ticket);
    };
    while (std::any_of(entries_.begin(), entries_.end(), is_needed)) do_next(lock, is_needed);
  }

  /// Does all of `needed` in a random order. Any entry that is ready may be drawn, also of other
  /// streams.
  void finish_in_drawn_order(std::unique_lock<std::mutex>& lock,
                             const std::vector<Ticket>& needed) {
    const auto is_missing = [&](Ticket ticket) { return find(ticket) != entries_.end(); };
    while (std::any_of(needed.begin(), needed.end(), is_missing)) {
      std::vector<Ticket> ready;
      for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
        if (!entry->is_running && is_ready(entry)) ready.push_back(entry->ticket);
      if (ready.empty()) {  // other threads are busy with them
        done_.wait(lock);
      } else {
        if (drawn_for_ != settings().schedule_seed)
          draw_.seed(drawn_for_ = settings().schedule_seed);
        do_one(lock, find(ready[draw_() % ready.size()]));
      }
    }
  }

  void begin() {
    if (has_begun_) return;
    has_begun_ = true;
    on_exit([](int status, void* queue) { static_cast<Queue*>(queue)->end(status); }, this);
    std::thread([this] { watch(); }).detach();
  }

  /// Called at the end of the program. Kernels that the program has not waited for are dropped,
  /// unless they are to be counted, profiled or traced.
  void end(int status) {
    const Settings& now = settings();
    const bool is_counted = now.exit_report || now.profile || !now.trace_file.empty();
    if (status == 0) warn(is_counted);
    // Runs them in a new thread, because the thread-local objects of this one are already
    // destroyed.
    if (status == 0 && is_counted) std::thread([this] { finish_all(); }).join();
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

  /// Runs in a thread of its own. The program may wait in a way that the runtime cannot see, such
  /// as polling memory that a kernel writes. So the oldest entry is done here if nobody has waited
  /// for it in a while, and an entry that the program queries is done at once. If an entry may take
  /// long, another thread takes over the watch.
  void watch() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (entries_.empty()) {
        watch_sleeps_ = true;
        wake_watch_.wait(lock, [this] { return !entries_.empty(); });
        watch_sleeps_ = false;
      }
      const auto oldest = next([](const Entry&) { return true; });
      const Ticket before = oldest == entries_.end() ? 0 : oldest->ticket;
      wake_watch_.wait_for(lock, patience_, [this] { return urgent_ != 0; });
      if (has_ended_) return;
      const Ticket wanted = urgent_ != 0 ? std::exchange(urgent_, 0) : before;
      const auto entry = find(wanted);
      if (entry == entries_.end() || entry->is_running || !is_ready(entry)) continue;
      // The program does not wait through the runtime: be quicker from now on.
      if (wanted == before) patience_ = std::chrono::milliseconds(10);
      const bool may_take_long = entry->may_take_long();
      if (may_take_long) std::thread([this] { watch(); }).detach();
      do_one(lock, entry);
      if (may_take_long) return;
    }
  }

  std::mutex mutex_;
  std::condition_variable done_, wake_watch_;
  Entries entries_;
  Ticket newest_ = 0;
  Ticket urgent_ = 0;  // the entry that the program has queried
  std::chrono::milliseconds patience_{200};
  bool has_begun_ = false, watch_sleeps_ = false;
  std::atomic<bool> has_ended_ = false;
  std::mt19937_64 draw_;
  std::uint64_t drawn_for_ = 0;
};

auto of_stream(const StreamKey& stream) {
  return [&stream](const Entry& entry) { return is_awaited_with(stream, entry); };
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
void finish_before_next_in(const StreamKey& stream) { Queue::all().finish(before_next_of(stream)); }
bool has_work_before_next_in(const StreamKey& stream) {
  return Queue::all().has(before_next_of(stream));
}
bool is_finished(const StreamKey& stream) { return !Queue::all().has(of_stream(stream)); }
bool is_finished(Ticket ticket) { return !Queue::all().has(of_ticket(ticket)); }
bool advance(const StreamKey& stream) { return Queue::all().advance(of_stream(stream)); }
bool advance(Ticket ticket) { return Queue::all().advance(of_ticket(ticket)); }

}  // namespace emu
