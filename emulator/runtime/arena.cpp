// The arena: one reserved range of addresses from which all memory of the runtime comes. Device
// memory is recognised by comparing addresses, and accesses out of bounds hit unmapped memory.
//
// A live allocation ends at the end of a page (up to 255 bytes of alignment), followed by at least
// 64 KiB of inaccessible addresses: the processor itself catches accesses past the end. Freed
// memory becomes inaccessible; its addresses are reused only after the rest of the arena.
#include "runtime.hpp"
#include "units.hpp"

#include "emulator/check.h"
#include "engine/check/check_init.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

namespace emu {

namespace detail {
const char* arena_begin = nullptr;
std::size_t arena_bytes = 0;
}  // namespace detail

namespace {

constexpr std::size_t kGiB = std::size_t{1} << 30;

constexpr std::size_t kArenaBytes = 256 * kGiB;
constexpr std::size_t kSmallestArenaBytes = 256 * kMiB;
// The same addresses in every run, if they are free, so that reports of two runs can be compared.
void* const kPreferredAddress = reinterpret_cast<void*>(std::uintptr_t{1} << 44);
constexpr std::size_t kGranuleBytes = 64 * kKiB;  ///< covered by one entry of the look-up table
constexpr std::size_t kHugePageBytes = 2 * kMiB;
constexpr std::size_t kAlignment = 256;
constexpr std::size_t kLargestGapBytes = kMiB;
constexpr std::size_t kLargestFilledBytes = 64 * kMiB;
constexpr int kGarbageByte = 0xCD;
constexpr std::size_t kFreedKept = 64;
/// Smaller allocations do not ask how much memory the machine has left, which would cost more than
/// it saves.
constexpr std::size_t kAskMachineBytes = 16 * kMiB;

// Limits on closing device memory to the host between launches, which bound its total cost.
constexpr std::size_t kMostClosedAllocations = 64;
constexpr std::size_t kMostClosedBytes = 64 * kMiB;
constexpr std::chrono::milliseconds kClosingBudget{30};

constexpr std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

// -------------------------------------------------------------------------- the machine's memory

/// Returns the number in a one-line file such as a control group's; `otherwise` if there is none.
std::size_t number_in(const char* file, std::size_t otherwise) {
  std::ifstream stream(file);
  std::size_t value = 0;
  return stream >> value ? value : otherwise;
}

/// Returns the bytes that this process can still use.
std::size_t machine_bytes_left() {
  constexpr std::size_t kUnknown = ~std::size_t{0};
  std::size_t left = kUnknown;
  std::ifstream meminfo("/proc/meminfo");
  for (std::string name; meminfo >> name;) {
    std::size_t kib = 0;
    meminfo >> kib;
    if (name == "MemAvailable:") left = kib * kKiB;
    meminfo.ignore(256, '\n');
  }
  const auto limit_to = [&](const char* limit_file, const char* usage_file) {
    const std::size_t limit = number_in(limit_file, kUnknown);
    if (limit == kUnknown) return;
    const std::size_t usage = number_in(usage_file, 0);
    left = std::min(left, limit > usage ? limit - usage : 0);
  };
  limit_to("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current");
  limit_to("/sys/fs/cgroup/memory/memory.limit_in_bytes",
           "/sys/fs/cgroup/memory/memory.usage_in_bytes");
  return left;
}

// --------------------------------------------------------------------------------- look-up tables

/// A live allocation. Records are reused but never freed, so that a reader without a lock may at
/// worst see another allocation's values, which then do not contain its address.
struct Record {
  std::atomic<const char*> begin{nullptr};
  std::atomic<std::size_t> bytes{0};
  std::atomic<Space> space{Space::none};
  char* pages = nullptr;  ///< accessible: [pages, pages + pages_bytes)
  std::size_t pages_bytes = 0;
  char* region = nullptr;  ///< reserved: the pages and the gap after them
  std::size_t region_bytes = 0;
  unsigned host_flags = 0;
  cudaMemPool_t pool = nullptr;
  bool by_kernel = false;
  const char* call = nullptr;  ///< the call that allocated it, for leakcheck
  const void* call_site = nullptr;
  bool closed = false;  ///< to the host, at present
  /// Size of memory that is allocated and freed at the same addresses again and again; else 0.
  std::size_t reserved = 0;
  /// The same, while calls of the program may already count on the memory.
  std::atomic<std::size_t> promised{0};

  bool contains(const char* address) const {
    const char* const first = begin.load(std::memory_order_acquire);
    return static_cast<std::size_t>(address - first) < bytes.load(std::memory_order_relaxed);
  }
};

/// Freed memory, for messages.
struct Freed {
  std::atomic<const char*> begin{nullptr};
  std::atomic<std::size_t> bytes{0};
};

/// Returns the byte that fills fresh device memory; negative: zeros, as from the system.
int fill_byte() {
  const char* const text = std::getenv("COURSE_MEMORY_FILL");
  if (text == nullptr) return kGarbageByte;
  const std::string_view value = text;
  if (value == "off") return -1;
  int byte = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), byte);
  constexpr int kLargestByte = 255;
  if (error == std::errc{} && end == value.data() + value.size() && byte >= 0 &&
      byte <= kLargestByte) {
    return byte;
  }
  std::fprintf(stderr, "emulator: COURSE_MEMORY_FILL=%s is not off or a number from 0 to 255\n",
               text);
  std::_Exit(2);
}

class Arena {
 public:
  static Arena& instance() {
    static Arena& arena = *new Arena;  // never destroyed: later destructors free memory
    return arena;
  }

  const Record* find(const void* address) const noexcept {
    if (!in_arena(address)) return nullptr;
    const Record* const record = entry(address)->load(std::memory_order_acquire);
    return record && record->contains(static_cast<const char*>(address)) ? record : nullptr;
  }

  /// Returns the allocation whose pages or gap contain `address`.
  const Record* nearest(const void* address) const noexcept {
    return in_arena(address) ? entry(address)->load(std::memory_order_acquire) : nullptr;
  }

  cudaError_t allocate(void** pointer, std::size_t bytes, Space space, unsigned host_flags,
                       cudaMemPool_t pool, const void* kernel_line) {
    const std::lock_guard lock(mutex_);
    if (!has_room(bytes)) return cudaErrorMemoryAllocation;
    Record* const record = take_addresses(bytes);
    if (record == nullptr) return cudaErrorMemoryAllocation;
    if (!open(*record)) {
      give_back(record);
      return cudaErrorMemoryAllocation;
    }
    record->host_flags = host_flags;
    record->pool = pool;
    record->by_kernel = kernel_line != nullptr;
    if (kernel_line) {
      record->call = "malloc";
      record->call_site = kernel_line;
    }
    record->space.store(space, std::memory_order_relaxed);
    begin_life(record, bytes);
    *pointer = const_cast<char*>(record->begin.load());
    return cudaSuccess;
  }

  /// Takes addresses of device memory that commit() allocates.
  void* reserve(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes > capacity_) return nullptr;
    Record* const record = take_addresses(bytes);
    if (record == nullptr) return nullptr;
    record->space.store(Space::device, std::memory_order_relaxed);
    record->reserved = bytes;
    char* const begin = const_cast<char*>(record->begin.load());
    reserved_.emplace(begin, record);
    return begin;
  }

  /// Allocates memory at reserved addresses. It has no contents of before.
  bool commit(const void* pointer) {
    const std::lock_guard lock(mutex_);
    Record* const record = reserved_.at(static_cast<const char*>(pointer));
    if (const auto old = live_.find(static_cast<const char*>(pointer)); old != live_.end())
      release(old);
    if (!has_room(record->reserved) || !open(*record)) return false;
    begin_life(record, record->reserved);
    return true;
  }

  void promise(const void* pointer, bool is_promised) noexcept {
    const std::lock_guard lock(mutex_);
    Record* const record = reserved_.at(static_cast<const char*>(pointer));
    record->promised.store(is_promised ? record->reserved : 0, std::memory_order_release);
  }

  /// Ends a reservation. Memory that is allocated there becomes an ordinary allocation.
  void unreserve(const void* pointer) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = reserved_.find(static_cast<const char*>(pointer));
    Record* const record = found->second;
    reserved_.erase(found);
    record->reserved = 0;
    record->promised.store(0, std::memory_order_relaxed);
    if (record->bytes.load(std::memory_order_relaxed) == 0) give_back(record);
  }

  /// Returns the record of reserved memory that `address` will lie in; null if there is none.
  const Record* find_promised(const void* address) const noexcept {
    const Record* const record = nearest(address);
    if (record == nullptr) return nullptr;
    const std::size_t bytes = record->promised.load(std::memory_order_acquire);
    return offset_in(*record, address) < bytes ? record : nullptr;
  }

  /// Returns the bytes behind `address` in the reserved memory that it lies in; 0 if it does not.
  std::size_t reserved_bytes_from(const void* address) noexcept {
    const std::lock_guard lock(mutex_);
    const Record* const record = nearest(address);
    if (record == nullptr) return 0;
    const std::size_t offset = offset_in(*record, address);
    return offset < record->reserved ? record->reserved - offset : 0;
  }

  bool release(const void* pointer) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = live_.find(static_cast<const char*>(pointer));
    if (found == live_.end()) return false;
    release(found);
    return true;
  }

  /// Frees memory during kernels, for checks that examine accesses later: until the kernels have
  /// ended, the memory stays mapped but belongs to no allocation.
  void release_late(const void* pointer) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = live_.find(static_cast<const char*>(pointer));
    if (found == live_.end()) return;
    late_.push_back(found->second);
    forget(found);
  }

  void release_everything() noexcept {
    const std::lock_guard lock(mutex_);
    while (!live_.empty()) release(live_.begin());
  }

  int fresh_byte() const noexcept { return fill_byte_; }

  std::size_t free_bytes() noexcept {
    const std::lock_guard lock(mutex_);
    return capacity_ - std::min(capacity_, used_);
  }

  void begin_access() noexcept {
    const std::lock_guard lock(mutex_);
    if (accessing_++ > 0 || closed_.empty()) return;
    const Stopwatch stopwatch(closing_time_);
    for (Record* record : closed_) {
      mprotect(record->pages, record->pages_bytes, PROT_READ | PROT_WRITE);
      record->closed = false;
    }
    closed_.clear();
  }

  void end_access() noexcept {
    const std::lock_guard lock(mutex_);
    if (--accessing_ > 0) return;
    for (Record* const record : late_) give_back(record);
    late_.clear();
    if (device_allocations_ == 0 || !may_close()) return;
    const Stopwatch stopwatch(closing_time_);
    for (const auto& [begin, record] : live_) {
      if (record->space.load(std::memory_order_relaxed) == Space::device) close(*record);
    }
  }

  template <class Visit>
  void for_each(Visit&& visit) {
    const std::lock_guard lock(mutex_);
    for (const auto& [begin, record] : live_)
      visit(Allocation{begin, record->bytes.load(std::memory_order_relaxed), record->call,
                       record->call_site},
            record->space.load(std::memory_order_relaxed));
  }

  /// Returns the size of recently freed memory that contains `address`; 0 if there is none.
  std::size_t freed_bytes_at(const void* address) const noexcept {
    for (const Freed& freed : freed_) {
      const char* const begin = freed.begin.load(std::memory_order_relaxed);
      const std::size_t bytes = freed.bytes.load(std::memory_order_relaxed);
      if (begin && static_cast<std::size_t>(static_cast<const char*>(address) - begin) < bytes) {
        return bytes;
      }
    }
    return 0;
  }

 private:
  using Entry = std::atomic<Record*>;
  using Clock = std::chrono::steady_clock;

  /// Adds its lifetime to `total`.
  class Stopwatch {
   public:
    explicit Stopwatch(Clock::duration& total) : total_(total), start_(Clock::now()) {}
    ~Stopwatch() { total_ += Clock::now() - start_; }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

   private:
    Clock::duration& total_;
    Clock::time_point start_;
  };

  Arena() : fill_byte_(fill_byte()) {
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    std::size_t bytes = kArenaBytes;
    void* range = MAP_FAILED;
    for (; bytes >= kSmallestArenaBytes; bytes /= 2) {
      range = mmap(kPreferredAddress, bytes + kHugePageBytes, PROT_NONE, kFlags, -1, 0);
      if (range != MAP_FAILED) break;
    }
    if (range == MAP_FAILED) return;  // an address-space limit: every allocation will fail
    void* const table =
        mmap(nullptr, bytes / kGranuleBytes * sizeof(Entry), PROT_READ | PROT_WRITE, kFlags, -1, 0);
    if (table == MAP_FAILED) return;
    entries_ = static_cast<Entry*>(table);  // all zero: null pointers
    char* const begin = static_cast<char*>(range) +
                        (kHugePageBytes - reinterpret_cast<std::uintptr_t>(range) % kHugePageBytes);
    free_regions_.emplace(begin, bytes);
    next_ = begin;
    capacity_ = std::min({device_properties().totalGlobalMem, machine_bytes_left(), bytes});
    detail::arena_begin = begin;
    detail::arena_bytes = bytes;
  }

  static char* arena_start() noexcept { return const_cast<char*>(detail::arena_begin); }
  static char* arena_end() noexcept { return arena_start() + detail::arena_bytes; }

  Entry* entry(const void* address) const noexcept {
    return entries_ +
           static_cast<std::size_t>(static_cast<const char*>(address) - detail::arena_begin) /
               kGranuleBytes;
  }

  void set_entries(const char* region, std::size_t bytes, Record* record) noexcept {
    Entry* const first = entry(region);
    for (std::size_t i = 0; i < bytes / kGranuleBytes; ++i) {
      first[i].store(record, std::memory_order_release);
    }
  }

  static std::size_t offset_in(const Record& record, const void* address) noexcept {
    return static_cast<std::size_t>(static_cast<const char*>(address) - record.begin.load());
  }

  /// Returns whether the device has room for so much more.
  bool has_room(std::size_t bytes) const {
    if (detail::arena_bytes == 0 || bytes > capacity_ - std::min(capacity_, used_)) return false;
    return bytes < kAskMachineBytes || bytes <= machine_bytes_left();
  }

  /// Takes addresses for `bytes`, which are not accessible yet; null if there are none.
  Record* take_addresses(std::size_t bytes) {
    const std::size_t aligned = round_up(bytes, kAlignment);
    const std::size_t pages_bytes = round_up(aligned, page_bytes());
    const std::size_t gap =
        std::clamp(round_up(bytes, kGranuleBytes), kGranuleBytes, kLargestGapBytes);
    const std::size_t unit = bytes >= kHugePageBytes ? kHugePageBytes : kGranuleBytes;
    const std::size_t region_bytes = round_up(pages_bytes + gap, kGranuleBytes);
    char* const region = take_region(region_bytes, unit);
    if (region == nullptr) return nullptr;

    Record* const record = new_record();
    record->pages = region;
    record->pages_bytes = pages_bytes;
    record->region = region;
    record->region_bytes = region_bytes;
    record->host_flags = 0;
    record->pool = nullptr;
    record->by_kernel = false;
    record->call = runtime::CallReport::call();
    record->call_site = runtime::CallReport::call_site();
    record->closed = false;
    record->begin.store(region + pages_bytes - aligned, std::memory_order_release);
    set_entries(region, region_bytes, record);
    return record;
  }

  static bool open(Record& record) {
    if (mprotect(record.pages, record.pages_bytes, PROT_READ | PROT_WRITE) != 0) return false;
    if (record.pages_bytes >= kHugePageBytes)
      madvise(record.pages, record.pages_bytes, MADV_HUGEPAGE);
    return true;
  }

  void begin_life(Record* record, std::size_t bytes) {
    record->bytes.store(bytes, std::memory_order_release);
    live_.emplace(record->begin.load(), record);
    used_ += bytes;
    if (record->space.load(std::memory_order_relaxed) != Space::device) return;
    device_bytes_ += record->pages_bytes;
    ++device_allocations_;
    if (fill_byte_ >= 0 && bytes <= kLargestFilledBytes)
      std::memset(record->pages, fill_byte_, record->pages_bytes);
    if (accessing_ == 0 && may_close()) close(*record);
  }

  Record* new_record() {
    if (spare_.empty()) return &records_.emplace_back();
    Record* const record = spare_.back();
    spare_.pop_back();
    return record;
  }

  /// Returns the first free addresses after the most recently used ones, starting over at the end,
  /// so that addresses of freed memory stay unused as long as possible.
  char* take_region(std::size_t bytes, std::size_t unit) {
    char* taken = nullptr;
    const auto take_behind = [&](char* first, char* last) {
      auto region = free_regions_.upper_bound(first);
      if (region != free_regions_.begin()) --region;
      while (region != free_regions_.end() && region->first < last) {
        taken = take_from(region++, first, bytes, unit);
        if (taken) return;
      }
    };
    take_behind(next_, arena_end());
    if (!taken) take_behind(arena_start(), next_);
    if (taken) next_ = taken + bytes;
    return taken;
  }

  /// Takes `bytes` from a free region at a multiple of `unit`, not before `first`; null if they do
  /// not fit.
  char* take_from(std::map<char*, std::size_t>::iterator region, char* first, std::size_t bytes,
                  std::size_t unit) {
    char* const begin = region->first;
    char* const end = begin + region->second;
    const auto lowest = reinterpret_cast<std::uintptr_t>(std::max(begin, first));
    char* const taken = reinterpret_cast<char*>(round_up(lowest, unit));
    if (taken > end || static_cast<std::size_t>(end - taken) < bytes) return nullptr;
    if (taken == begin) {
      free_regions_.erase(region);
    } else {
      region->second = static_cast<std::size_t>(taken - begin);
    }
    if (taken + bytes < end) {
      free_regions_.emplace(taken + bytes, static_cast<std::size_t>(end - taken) - bytes);
    }
    return taken;
  }

  void return_region(char* region, std::size_t bytes) {
    auto next = free_regions_.lower_bound(region);
    if (next != free_regions_.end() && region + bytes == next->first) {
      bytes += next->second;
      next = free_regions_.erase(next);
    }
    if (next != free_regions_.begin()) {
      const auto previous = std::prev(next);
      if (previous->first + previous->second == region) {
        previous->second += bytes;
        return;
      }
    }
    free_regions_.emplace(region, bytes);
  }

  void release(std::map<const char*, Record*>::iterator found) noexcept {
    Record* const record = found->second;
    forget(found);
    if (record->reserved > 0)
      discard_contents(record);
    else
      give_back(record);
  }

  void forget(std::map<const char*, Record*>::iterator found) noexcept {
    Record* const record = found->second;
    live_.erase(found);
    const std::size_t bytes = record->bytes.load(std::memory_order_relaxed);
    Freed& freed = freed_[next_freed_++ % kFreedKept];
    freed.bytes.store(bytes, std::memory_order_relaxed);
    freed.begin.store(record->begin.load(std::memory_order_relaxed), std::memory_order_relaxed);
    used_ -= bytes;
    if (record->space.load(std::memory_order_relaxed) == Space::device) {
      device_bytes_ -= record->pages_bytes;
      --device_allocations_;
    }
    std::erase(closed_, record);
    record->bytes.store(0, std::memory_order_relaxed);
  }

  void give_back(Record* record) noexcept {
    set_entries(record->region, record->region_bytes, nullptr);
    discard_contents(record);
    return_region(record->region, record->region_bytes);
    spare_.push_back(record);
  }

  /// Makes pages inaccessible. They are mapped anew rather than protected, so that they go back to
  /// the system.
  static void discard_contents(Record* record) noexcept {
    mmap(record->pages, record->pages_bytes, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  }

  bool may_close() const noexcept {
    if (checking().memory) return true;  // finding mistakes is worth any cost
    return closing_time_ < kClosingBudget && device_allocations_ <= kMostClosedAllocations &&
           device_bytes_ <= kMostClosedBytes;
  }

  void close(Record& record) {
    if (record.closed) return;
    mprotect(record.pages, record.pages_bytes, PROT_NONE);
    record.closed = true;
    closed_.push_back(&record);
  }

  std::mutex mutex_;
  Entry* entries_ = nullptr;
  std::map<char*, std::size_t> free_regions_;
  char* next_ = nullptr;
  std::map<const char*, Record*> live_;
  std::map<const char*, Record*> reserved_;  // live or not
  std::deque<Record> records_;
  std::vector<Record*> spare_;
  std::array<Freed, kFreedKept> freed_;
  std::size_t next_freed_ = 0;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
  int fill_byte_;

  int accessing_ = 0;
  std::vector<Record*> closed_;
  std::vector<Record*> late_;  // freed by release_late()
  std::size_t device_allocations_ = 0;
  std::size_t device_bytes_ = 0;
  Clock::duration closing_time_{};
};

// Before main, so that the arena's bounds never change while a program runs.
[[maybe_unused]] const Arena& arena_at_start = Arena::instance();

// ---------------------------------------------------------- variables and registered host memory

// The linker's symbols for the ends of the sections into which the source rewriter puts variables.
extern "C" {
extern const char __start_emu_device[] __attribute__((weak, visibility("hidden")));
extern const char __stop_emu_device[] __attribute__((weak, visibility("hidden")));
extern const char __start_emu_constant[] __attribute__((weak, visibility("hidden")));
extern const char __stop_emu_constant[] __attribute__((weak, visibility("hidden")));
extern const char __start_emu_constant_ro[] __attribute__((weak, visibility("hidden")));
extern const char __stop_emu_constant_ro[] __attribute__((weak, visibility("hidden")));
extern const char __start_emu_managed[] __attribute__((weak, visibility("hidden")));
extern const char __stop_emu_managed[] __attribute__((weak, visibility("hidden")));
}

struct Section {
  const char* begin;
  const char* end;
  Space space;
  bool can_change = true;
};

const std::array<Section, 4>& sections() {
  static const std::array<Section, 4> sections = {{
      {__start_emu_device, __stop_emu_device, Space::device_variable},
      {__start_emu_constant, __stop_emu_constant, Space::constant},
      {__start_emu_constant_ro, __stop_emu_constant_ro, Space::constant, false},
      {__start_emu_managed, __stop_emu_managed, Space::managed},
  }};
  return sections;
}

/// A module's variables. An unloaded module stays in the list, because others may read the list
/// without a lock.
struct ModuleSections {
  std::vector<Section> sections;
  std::atomic<bool> is_there{true};
  ModuleSections* next = nullptr;
};
std::atomic<ModuleSections*> modules_sections{nullptr};

/// Calls `visit` for the variables of the program and of modules until it returns true.
template <class Visit>
bool any_section(Visit&& visit) {
  if (std::any_of(sections().begin(), sections().end(), visit)) return true;
  for (const ModuleSections* module = modules_sections.load(std::memory_order_acquire); module;
       module = module->next)
    if (module->is_there && std::any_of(module->sections.begin(), module->sections.end(), visit))
      return true;
  return false;
}

const Section* section_of(const void* address) noexcept {
  const char* const byte = static_cast<const char*>(address);
  const Section* found = nullptr;
  any_section([&](const Section& section) {
    const bool is_it = byte >= section.begin && byte < section.end;
    if (is_it) found = &section;
    return is_it;
  });
  return found;
}

struct Registered {
  std::size_t bytes;
  unsigned flags;
};

/// Disjoint ranges, sorted by their beginning; the size can be read without the lock.
template <class T>
struct Ranges {
  std::shared_mutex mutex;
  std::map<const char*, T> by_begin;
  std::atomic<std::size_t> count{0};

  /// Calls `visit(begin, value)` for the range that contains `address`, under the lock.
  template <class F>
  bool find(const void* address, F&& visit) {
    if (count.load(std::memory_order_acquire) == 0) return false;
    const char* const byte = static_cast<const char*>(address);
    const std::shared_lock lock(mutex);
    auto found = by_begin.upper_bound(byte);
    if (found == by_begin.begin()) return false;
    --found;
    if (static_cast<std::size_t>(byte - found->first) >= found->second.bytes) return false;
    visit(found->first, found->second);
    return true;
  }
};

Ranges<Registered>& registered_ranges() {
  static Ranges<Registered>& ranges = *new Ranges<Registered>;
  return ranges;
}

struct Symbol {
  std::size_t bytes;
};
Ranges<Symbol>& known_symbols() {
  static Ranges<Symbol>& ranges = *new Ranges<Symbol>;
  return ranges;
}

// -------------------------------------------------------------------------------------- messages

/// Text in a fixed buffer, usable in a signal handler.
class Line {
 public:
  Line& operator<<(std::string_view text) noexcept {
    const std::size_t count = std::min(text.size(), sizeof(buffer_) - used_);
    std::memcpy(buffer_ + used_, text.data(), count);
    used_ += count;
    return *this;
  }
  Line& operator<<(std::size_t number) noexcept { return append(number, 10); }
  Line& operator<<(const char* text) noexcept { return *this << std::string_view(text); }
  Line& hexadecimal(const void* address) noexcept {
    return (*this << "0x").append(reinterpret_cast<std::uintptr_t>(address), 16);
  }
  std::string_view text() const noexcept { return {buffer_, used_}; }

 private:
  Line& append(std::size_t number, int base) noexcept {
    char digits[24];
    const auto result = std::to_chars(std::begin(digits), std::end(digits), number, base);
    return *this << std::string_view(digits, static_cast<std::size_t>(result.ptr - digits));
  }

  char buffer_[256];
  std::size_t used_ = 0;
};

void describe(Line& line, const void* address) noexcept {
  const Arena& arena = Arena::instance();
  const char* const byte = static_cast<const char*>(address);
  if (const Record* record = arena.find(address)) {
    line << "byte " << static_cast<std::size_t>(byte - record->begin.load()) << " of "
         << record->bytes.load() << " allocated";
  } else if (arena.freed_bytes_at(address) > 0) {
    line << "memory that has been freed";
  } else if (const Record* near = arena.nearest(address); near && near->bytes.load() > 0) {
    const char* const begin = near->begin.load();
    if (byte < begin) {
      line << static_cast<std::size_t>(begin - byte) << " bytes before";
    } else {
      line << static_cast<std::size_t>(byte - begin) - near->bytes.load()
           << " bytes past the end of";
    }
    line << " an allocation of " << near->bytes.load() << " bytes";
  } else {
    line << "no allocation is there";
  }
}

}  // namespace

Space find_space(const void* address) noexcept { return runtime::place_of(address).space; }

bool find_allocation(const void* address, Allocation* out) noexcept {
  const runtime::Place place = runtime::place_of(address);
  if (place.space == Space::none) return false;
  *out = {place.begin, place.bytes};
  return true;
}

DeviceAccess::DeviceAccess() noexcept { Arena::instance().begin_access(); }
DeviceAccess::~DeviceAccess() { Arena::instance().end_access(); }

bool is_mapped(const void* address, std::size_t bytes) noexcept {
  if (!in_arena(address)) return false;
  const Record* const record = Arena::instance().nearest(address);
  if (!record || record->bytes.load() == 0) return false;
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(address) - record->pages);
  return offset < record->pages_bytes && bytes <= record->pages_bytes - offset;
}

bool is_freed(const void* address) noexcept {
  return in_arena(address) && !Arena::instance().find(address) &&
         Arena::instance().freed_bytes_at(address) > 0;
}

void for_each_allocation(const std::function<void(const Allocation&, Space)>& visit) {
  Arena::instance().for_each(visit);
}

void for_each_variable_section(const std::function<void(const Allocation&, Space)>& visit) {
  any_section([&](const Section& section) {
    if (section.end > section.begin)
      visit({section.begin, static_cast<std::size_t>(section.end - section.begin)}, section.space);
    return false;
  });
}

void runtime::for_each_changing_section(
    const std::function<void(char* begin, std::size_t bytes)>& visit) {
  any_section([&](const Section& section) {
    if (section.can_change && section.end > section.begin)
      visit(const_cast<char*>(section.begin),
            static_cast<std::size_t>(section.end - section.begin));
    return false;
  });
}

void* runtime::add_variables(const std::vector<VariableSection>& of_module) {
  auto* const added = new ModuleSections;
  for (const VariableSection& one : of_module)
    added->sections.push_back({one.begin, one.begin + one.bytes, one.space, one.can_change});
  added->next = modules_sections.load();
  while (!modules_sections.compare_exchange_weak(added->next, added)) {
  }
  return added;
}

void runtime::remove_variables(void* added) noexcept {
  static_cast<ModuleSections*>(added)->is_there = false;
}

std::size_t describe_address(const void* address, char* text, std::size_t capacity) noexcept {
  if (!in_arena(address)) return 0;
  Line line;
  describe(line, address);
  const std::size_t count = std::min(capacity, line.text().size());
  std::memcpy(text, line.text().data(), count);
  return count;
}

bool explain_host_fault(const void* address) noexcept {
  if (!in_arena(address)) return false;
  const Record* const record = Arena::instance().find(address);
  const bool device = record && record->space.load(std::memory_order_relaxed) == Space::device;
  Line line;
  line << "emulator: host code touched " << (device ? "device memory at " : "");
  line.hexadecimal(address) << " (";
  describe(line, address);
  line << (device ? "); the host reaches it through cudaMemcpy only\n" : ")\n");
  // A failed write cannot be reported.
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, line.text().data(), line.text().size());
  return true;
}

namespace runtime {

Place place_of(const void* address) noexcept {
  Place place;
  if (in_arena(address)) {
    if (const Record* record = Arena::instance().find(address)) {
      place.space = record->space.load(std::memory_order_relaxed);
      place.begin = record->begin.load(std::memory_order_relaxed);
      place.bytes = record->bytes.load(std::memory_order_relaxed);
      place.host_flags = record->host_flags;
      place.pool = record->pool;
      place.by_kernel = record->by_kernel;
    } else if (const Record* const promised = Arena::instance().find_promised(address)) {
      place.space = Space::device;
      place.begin = promised->begin.load(std::memory_order_relaxed);
      place.bytes = promised->promised.load(std::memory_order_relaxed);
    }
    return place;
  }
  if (const Section* section = section_of(address)) {
    place.space = section->space;
    place.begin = section->begin;
    place.bytes = static_cast<std::size_t>(section->end - section->begin);
    known_symbols().find(address, [&](const char* begin, const Symbol& symbol) {
      place.begin = begin;
      place.bytes = symbol.bytes;
    });
    return place;
  }
  registered_ranges().find(address, [&](const char* begin, const Registered& range) {
    place.space = Space::pinned;
    place.begin = begin;
    place.bytes = range.bytes;
    place.host_flags = range.flags;
    place.registered = true;
  });
  return place;
}

RangeCheck check_range(const void* address, std::size_t bytes, bool in_graph) noexcept {
  if (address == nullptr) return {false, false};
  const Place place = place_of(address);
  if (place.space == Space::none && in_graph)
    if (const std::size_t reserved = Arena::instance().reserved_bytes_from(address); reserved > 0)
      return {bytes <= reserved, true};
  if (place.space == Space::none) return {!in_arena(address), false};
  if (place.by_kernel) return {false, true};
  // A copy may run past registered memory into the rest of the same host buffer.
  const std::size_t offset =
      static_cast<std::size_t>(static_cast<const char*>(address) - place.begin);
  return {place.registered || bytes <= place.bytes - offset, true};
}

cudaError_t allocate(void** pointer, std::size_t bytes, Space space, unsigned host_flags,
                     cudaMemPool_t pool) {
  const cudaError_t error =
      Arena::instance().allocate(pointer, bytes, space, host_flags, pool, nullptr);
  if (error == cudaSuccess && space == Space::device) note_allocated(*pointer, bytes);
  return error;
}

void* reserve(std::size_t bytes) { return Arena::instance().reserve(bytes); }

bool commit(void* pointer) {
  if (!Arena::instance().commit(pointer)) return false;
  note_allocated(pointer, place_of(pointer).bytes);
  return true;
}

void promise(const void* pointer, bool is_promised) noexcept {
  Arena::instance().promise(pointer, is_promised);
}

void unreserve(const void* pointer) noexcept { Arena::instance().unreserve(pointer); }

void* allocate_for_kernel(std::size_t bytes, const void* kernel_line) {
  void* pointer = nullptr;
  Arena::instance().allocate(&pointer, bytes, Space::device, 0, nullptr, kernel_line);
  return pointer;
}

void release_for_kernel(const void* pointer) noexcept {
  if (checking().any())
    Arena::instance().release_late(pointer);
  else
    Arena::instance().release(pointer);
}

bool release(const void* pointer) noexcept {
  Allocation allocation{};
  if (find_allocation(pointer, &allocation)) note_released(allocation.begin, allocation.bytes);
  return Arena::instance().release(pointer);
}

void release_everything() noexcept {
  forget_kernels_heap();
  Arena::instance().release_everything();
  Ranges<Registered>& ranges = registered_ranges();
  const std::unique_lock lock(ranges.mutex);
  ranges.by_begin.clear();
  ranges.count = 0;
}

int fresh_byte() noexcept { return Arena::instance().fresh_byte(); }

std::size_t free_bytes() noexcept { return Arena::instance().free_bytes(); }

cudaError_t register_host(void* pointer, std::size_t bytes, unsigned flags) {
  Ranges<Registered>& ranges = registered_ranges();
  const char* const begin = static_cast<const char*>(pointer);
  const std::unique_lock lock(ranges.mutex);
  // Registration covers whole pages, so two buffers in one page conflict.
  const auto page_of = [](const char* byte) {
    return reinterpret_cast<std::uintptr_t>(byte) / page_bytes();
  };
  for (const auto& [other, range] : ranges.by_begin) {
    if (page_of(begin) <= page_of(other + range.bytes - 1) &&
        page_of(other) <= page_of(begin + bytes - 1)) {
      return cudaErrorHostMemoryAlreadyRegistered;
    }
  }
  ranges.by_begin.emplace(begin, Registered{bytes, flags});
  ranges.count = ranges.by_begin.size();
  return cudaSuccess;
}

cudaError_t unregister_host(void* pointer) {
  const Place place = place_of(pointer);
  if (place.space == Space::none) return cudaErrorHostMemoryNotRegistered;
  if (!place.registered || place.begin != pointer) return cudaErrorInvalidValue;
  Ranges<Registered>& ranges = registered_ranges();
  const std::unique_lock lock(ranges.mutex);
  ranges.by_begin.erase(place.begin);
  ranges.count = ranges.by_begin.size();
  return cudaSuccess;
}

void note_symbol(const void* symbol, std::size_t bytes) {
  Ranges<Symbol>& symbols = known_symbols();
  const std::unique_lock lock(symbols.mutex);
  symbols.by_begin.insert_or_assign(static_cast<const char*>(symbol), Symbol{bytes});
  symbols.count = symbols.by_begin.size();
}

}  // namespace runtime

}  // namespace emu
