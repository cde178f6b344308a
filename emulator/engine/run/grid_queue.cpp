#include "engine/run/grid_queue.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <iterator>
#include <queue>
#include <tuple>

#include "cuda_device_runtime_api.h"
#include "engine/engine.hpp"
#include "engine/run/worker.hpp"
#include "engine/settings.hpp"

namespace emu {

namespace {

/// Makes a handle that is no address, and that no other grid has.
template <class Handle>
Handle new_handle() {
  constexpr std::uintptr_t kFirst = std::uintptr_t{1} << 48, kStep = 16;
  static std::atomic<std::uintptr_t> next{kFirst};
  return reinterpret_cast<Handle>(next.fetch_add(kStep));
}

bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

}  // namespace

GridQueue::Key GridQueue::key_of(cudaStream_t stream, std::uint64_t block) {
  return is_default(stream) ? Key(nullptr, block) : Key(stream, 0);
}

bool GridQueue::is_ordered(cudaStream_t stream) const {
  return is_default(stream) || streams_.count(stream) != 0;
}

std::size_t GridQueue::newest_in(const Key& stream) const {
  const auto found = newest_.find(stream);
  return found == newest_.end() ? kNone : found->second;
}

void GridQueue::append(const Key& stream, Entry entry) {
  if (const std::size_t before = newest_in(stream); before != kNone) entry.after.push_back(before);
  newest_[stream] = entries_.size();
  entries_.push_back(std::move(entry));
}

cudaError_t GridQueue::add(const GridThread& thread, cudaStream_t stream, Work work) {
  const std::lock_guard lock(mutex_);
  const bool is_tail = stream == cudaStreamTailLaunch;
  if (!is_tail && stream != cudaStreamFireAndForget && !is_ordered(stream))
    return cudaErrorInvalidValue;
  if ((is_tail || threads_.count(thread) == 0) &&
      threads_.size() + tail_.size() >= most_pending_launches())
    return cudaErrorLaunchPendingCountExceeded;
  Entry entry{thread.block, std::move(work), {}};
  if (is_tail) {
    tail_.push_back(std::move(entry));
    return cudaSuccess;
  }
  threads_.insert(thread);
  if (stream == cudaStreamFireAndForget)
    entries_.push_back(std::move(entry));
  else
    append(key_of(stream, thread.block), std::move(entry));
  return cudaSuccess;
}

cudaStream_t GridQueue::create_stream() {
  const std::lock_guard lock(mutex_);
  return *streams_.insert(new_handle<cudaStream_t>()).first;
}

cudaError_t GridQueue::destroy(cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  return streams_.count(stream) != 0 ? cudaSuccess : cudaErrorInvalidValue;
}

cudaEvent_t GridQueue::create_event() {
  const std::lock_guard lock(mutex_);
  return events_.emplace(new_handle<cudaEvent_t>(), kNone).first->first;
}

cudaError_t GridQueue::destroy(cudaEvent_t event) {
  const std::lock_guard lock(mutex_);
  return events_.count(event) != 0 ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t GridQueue::record(std::uint64_t block, cudaEvent_t event, cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(event);
  if (found == events_.end() || !is_ordered(stream)) return cudaErrorInvalidValue;
  found->second = newest_in(key_of(stream, block));
  return cudaSuccess;
}

cudaError_t GridQueue::wait(std::uint64_t block, cudaStream_t stream, cudaEvent_t event) {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(event);
  if (found == events_.end() || !is_ordered(stream)) return cudaErrorInvalidValue;
  if (found->second != kNone)
    append(key_of(stream, block), {block, [](GridQueue&) {}, {found->second}});
  return cudaSuccess;
}

cudaError_t GridQueue::exchange_last_error(const GridThread& thread, cudaError_t error) {
  const std::lock_guard lock(mutex_);
  const auto found = errors_.find(thread);
  const cudaError_t before = found == errors_.end() ? cudaSuccess : found->second;
  if (error != cudaSuccess)
    errors_[thread] = error;
  else if (found != errors_.end())
    errors_.erase(found);
  return before;
}

cudaError_t GridQueue::last_error(const GridThread& thread) {
  const std::lock_guard lock(mutex_);
  const auto found = errors_.find(thread);
  return found == errors_.end() ? cudaSuccess : found->second;
}

void GridQueue::clear() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
  tail_.clear();
  threads_.clear();
  newest_.clear();
  streams_.clear();
  events_.clear();
  errors_.clear();
}

/// Returns the work in an order that it may be done in: by blocks, and in a block as its threads
/// have asked for it, so that the order does not depend on the number of workers. COURSE_SEED draws
/// another one.
std::vector<GridQueue::Work> GridQueue::take_in_order() {
  const std::uint64_t seed = settings().schedule_seed;
  using Priority = std::tuple<std::uint64_t, std::uint64_t, std::size_t>;  // the last is the number
  const auto priority_of = [&](std::size_t number) {
    return Priority(seed == 0 ? 0 : scrambled(seed + number * kRandomStep), entries_[number].block,
                    number);
  };
  std::priority_queue<Priority, std::vector<Priority>, std::greater<>> ready;
  std::vector<std::vector<std::size_t>> followers(entries_.size());
  std::vector<std::size_t> missing(entries_.size());
  for (std::size_t number = 0; number < entries_.size(); ++number) {
    missing[number] = entries_[number].after.size();
    for (const std::size_t before : entries_[number].after) followers[before].push_back(number);
    if (missing[number] == 0) ready.push(priority_of(number));
  }
  std::vector<Work> all;
  while (!ready.empty()) {
    const std::size_t number = std::get<2>(ready.top());
    ready.pop();
    all.push_back(std::move(entries_[number].work));
    for (const std::size_t next : followers[number])
      if (--missing[next] == 0) ready.push(priority_of(next));
  }
  std::stable_sort(tail_.begin(), tail_.end(),
                   [](const Entry& a, const Entry& b) { return a.block < b.block; });
  for (Entry& entry : tail_) all.push_back(std::move(entry.work));
  clear();
  return all;
}

// Goes down into what a kernel's threads have asked for before it goes on. A grid is forgotten when
// its last piece of work begins: tail launches may follow one another without end.
void GridQueue::finish() {
  struct Grid {
    std::deque<Work> left;
    unsigned depth;
  };
  const auto taken = [](GridQueue& queue) {
    std::vector<Work> all = queue.take_in_order();
    return Grid{{std::make_move_iterator(all.begin()), std::make_move_iterator(all.end())},
                queue.depth()};
  };
  std::vector<Grid> grids;
  grids.push_back(taken(*this));
  while (!grids.empty()) {
    Grid& grid = grids.back();
    const Work next = std::move(grid.left.front());
    grid.left.pop_front();
    GridQueue of_kernel(grid.depth + 1);
    if (grid.left.empty()) grids.pop_back();
    next(of_kernel);
    if (!of_kernel.empty()) grids.push_back(taken(of_kernel));
  }
}

GridQueue& queue_of_running_grid() { return *Worker::running()->launch().queue; }

GridThread running_grid_thread() {
  const Worker& worker = *Worker::running();
  return {worker.block().linear, worker.thread()};
}

}  // namespace emu
