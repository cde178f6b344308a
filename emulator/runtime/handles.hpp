/// @file
/// The objects behind the handles that programs use.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>

namespace emu::runtime {

/// The objects behind handles of one kind. Invalid handles are refused, where a GPU's runtime would
/// dereference them and crash.
template <class T>
class Handles {
 public:
  T* create(T object) {
    const std::unique_lock lock(mutex_);
    auto owner = std::make_unique<T>(std::move(object));
    T* const handle = owner.get();
    objects_.emplace(handle, std::move(owner));
    return handle;
  }

  T* adopt(std::unique_ptr<T> object) {
    const std::unique_lock lock(mutex_);
    T* const handle = object.get();
    objects_.emplace(handle, std::move(object));
    return handle;
  }

  /// Ends the handle's life as one of these; null if it is none.
  std::unique_ptr<T> take(T* handle) {
    const std::unique_lock lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    auto owner = std::move(found->second);
    objects_.erase(found);
    return owner;
  }

  bool destroy(T* handle) { return take(handle) != nullptr; }

  void destroy_all() noexcept {
    const std::unique_lock lock(mutex_);
    objects_.clear();
  }

  /// Calls `use(object)` while no other thread changes the object; returns false if there is none.
  template <class F>
  bool with(T* handle, F&& use) {
    const std::unique_lock lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end()) return false;
    use(*found->second);
    return true;
  }

  /// Calls `visit(object)` for the objects until it returns true.
  template <class F>
  void find(F&& visit) {
    const std::shared_lock lock(mutex_);
    for (const auto& [handle, object] : objects_)
      if (visit(*object)) return;
  }

  bool contains(T* handle) {
    const std::shared_lock lock(mutex_);
    return objects_.contains(handle);
  }

 private:
  std::shared_mutex mutex_;
  std::map<T*, std::unique_ptr<T>> objects_;
};

}  // namespace emu::runtime
