/// malloc, free, new and delete in device code.
///
/// The compiler's plugin replaces malloc in device code by the functions at the end
/// (compiler/device_calls.cpp). Each allocation is one of the arena, so an access past its end or
/// after a free is found as with cudaMalloc. If there are very many, later ones share allocations,
/// because the system limits the number of protected address ranges.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "engine/engine.hpp"
#include "runtime.hpp"
#include "units.hpp"

namespace emu {

namespace {

constexpr std::size_t kAlignment = 16;
constexpr std::size_t kMostAlone = 8192;
constexpr std::size_t kSharedBytes = kMiB;

class Heap {
 public:
  static Heap& instance() {
    static Heap& heap = *new Heap;  // workers may outlive main
    return heap;
  }

  void* allocate(std::size_t bytes, const void* line) {
    const std::lock_guard lock(mutex_);
    note_use();
    const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (rounded < bytes || rounded > runtime::kernels_heap_bytes() - used_) return nullptr;
    Piece piece{std::max(rounded, kAlignment), nullptr};
    char* const begin = pieces_.size() < kMostAlone || rounded > kSharedBytes / 2
                            ? static_cast<char*>(runtime::allocate_for_kernel(
                                  std::max<std::size_t>(bytes, 1), line))
                            : take_shared(piece, line);
    if (!begin) return nullptr;
    used_ += piece.bytes;
    pieces_.emplace(begin, piece);
    if (on_use_) watched_.push_back(begin);
    return begin;
  }

  /// Frees memory; returns whether the address was allocated.
  bool release(const void* pointer) {
    const std::lock_guard lock(mutex_);
    note_use();
    const auto found = pieces_.find(static_cast<const char*>(pointer));
    if (found == pieces_.end()) return false;
    if (!on_use_) release(found);
    return true;
  }

  void forget() {
    const std::lock_guard lock(mutex_);
    pieces_.clear();
    used_ = 0;
  }

  std::uint64_t uses() {
    const std::lock_guard lock(mutex_);
    return uses_;
  }

  void watch(std::function<void()> on_use) {
    const std::lock_guard lock(mutex_);
    on_use_ = std::move(on_use);
  }
  void put_back() {
    const std::lock_guard lock(mutex_);
    on_use_ = nullptr;
    for (const char* begin : watched_) release(pieces_.find(begin));
    watched_.clear();
  }

 private:
  /// An allocation of the arena shared by many pieces; freed with the last of them.
  struct Shared {
    explicit Shared(char* address) : begin(address) {}
    ~Shared() { runtime::release_for_kernel(begin); }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;

    char* begin;
    std::size_t used = 0;
  };
  struct Piece {
    std::size_t bytes;
    std::shared_ptr<Shared> in;  ///< null: an allocation of its own
  };
  using Pieces = std::map<const char*, Piece>;

  void note_use() {
    ++uses_;
    if (on_use_) on_use_();
  }

  char* take_shared(Piece& piece, const void* line) {
    piece.in = newest_.lock();
    if (!piece.in || piece.in->used + piece.bytes > kSharedBytes) {
      void* const begin = runtime::allocate_for_kernel(kSharedBytes, line);
      if (!begin) return nullptr;
      newest_ = piece.in = std::make_shared<Shared>(static_cast<char*>(begin));
    }
    return piece.in->begin + std::exchange(piece.in->used, piece.in->used + piece.bytes);
  }

  void release(Pieces::iterator found) {
    used_ -= found->second.bytes;
    if (!found->second.in) runtime::release_for_kernel(found->first);
    pieces_.erase(found);
  }

  std::mutex mutex_;
  Pieces pieces_;  // by address
  std::weak_ptr<Shared> newest_;
  std::size_t used_ = 0;
  std::uint64_t uses_ = 0;
  std::function<void()> on_use_;
  std::vector<const char*> watched_;  // allocated while a KernelsHeapWatch lives
};

/// In a kernel, an address that no allocation begins at ends it.
void release(const void* pointer, const void* line) {
  if (!pointer || Heap::instance().release(pointer)) return;
  fail_kernel(cudaErrorLaunchFailure,
              "free or delete of an address that malloc or new has not returned, or of one that "
              "has been freed",
              line);
}

}  // namespace

std::uint64_t kernels_heap_uses() noexcept { return Heap::instance().uses(); }

KernelsHeapWatch::KernelsHeapWatch(std::function<void()> on_use) {
  Heap::instance().watch(std::move(on_use));
}
KernelsHeapWatch::~KernelsHeapWatch() { Heap::instance().put_back(); }

void* runtime::malloc_in_kernel(std::size_t bytes, const void* line) {
  return Heap::instance().allocate(bytes, line);
}
void runtime::free_in_kernel(const void* pointer, const void* line) { emu::release(pointer, line); }

void runtime::forget_kernels_heap() noexcept { Heap::instance().forget(); }

}  // namespace emu

// The callers may be __host__ __device__ functions, so they may run on the host.
extern "C" {

void* emu_malloc(std::size_t bytes) {
  if (!emu::in_kernel()) return std::malloc(bytes);
  return emu::Heap::instance().allocate(bytes, __builtin_return_address(0));
}
void emu_free(void* pointer) {
  if (!emu::in_kernel()) return std::free(pointer);
  emu::release(pointer, __builtin_return_address(0));
}
void* emu_new(std::size_t bytes) {
  if (!emu::in_kernel()) return ::operator new(bytes);
  return emu::Heap::instance().allocate(bytes, __builtin_return_address(0));
}
void* emu_new_nothrow(std::size_t bytes, const std::nothrow_t& nothrow) {
  if (!emu::in_kernel()) return ::operator new(bytes, nothrow);
  return emu::Heap::instance().allocate(bytes, __builtin_return_address(0));
}
void emu_delete(void* pointer) {
  if (!emu::in_kernel()) return ::operator delete(pointer);
  emu::release(pointer, __builtin_return_address(0));
}
void emu_delete_sized(void* pointer, std::size_t) {
  if (!emu::in_kernel()) return ::operator delete(pointer);
  emu::release(pointer, __builtin_return_address(0));
}
}
