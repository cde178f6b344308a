/// NVTX for C++: ranges and marks that nobody shows. Whatever names or describes one is taken.
#ifndef NVTX3_CPP
#define NVTX3_CPP

#include "nvtx3/nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {

struct rgb {
  constexpr rgb(uint8_t, uint8_t, uint8_t) {}
};
struct argb {
  constexpr argb(uint8_t, uint8_t, uint8_t, uint8_t) {}
};
struct color {
  template <class T>
  constexpr color(const T&) {}
};
struct category {
  constexpr explicit category(uint32_t) {}
};
struct payload {
  template <class T>
  constexpr explicit payload(const T&) {}
};
struct message {
  template <class T>
  message(const T&) {}
};
class event_attributes {
 public:
  template <class... Parts>
  explicit event_attributes(const Parts&...) {}
};

struct domain {
  struct global {};
  template <class D>
  static const domain& get() {
    static const domain one{};
    return one;
  }
};
template <class D>
struct named_category_in {
  template <class... Parts>
  explicit named_category_in(const Parts&...) {}
};
using named_category = named_category_in<domain::global>;
template <class D>
struct registered_string_in {
  template <class T>
  explicit registered_string_in(const T&) {}
};
using registered_string = registered_string_in<domain::global>;

template <class D = domain::global>
class scoped_range_in {
 public:
  template <class... Parts>
  explicit scoped_range_in(const Parts&...) {}
  ~scoped_range_in() {}
  scoped_range_in(const scoped_range_in&) = delete;
  scoped_range_in& operator=(const scoped_range_in&) = delete;
};
using scoped_range = scoped_range_in<>;

template <class D = domain::global>
class unique_range_in {
 public:
  template <class... Parts>
  explicit unique_range_in(const Parts&...) {}
  ~unique_range_in() {}
  unique_range_in(unique_range_in&&) = default;
};
using unique_range = unique_range_in<>;

struct range_handle {
  constexpr explicit operator bool() const { return false; }
};
template <class D = domain::global, class... Parts>
range_handle start_range_in(const Parts&...) {
  return {};
}
template <class... Parts>
range_handle start_range(const Parts&...) {
  return {};
}
template <class D = domain::global>
void end_range_in(range_handle) {}
inline void end_range(range_handle) {}
template <class D = domain::global, class... Parts>
void mark_in(const Parts&...) {}
template <class... Parts>
void mark(const Parts&...) {}

}  // namespace v1
}  // namespace nvtx3

#define NVTX3_FUNC_RANGE() static_cast<void>(0)
#define NVTX3_FUNC_RANGE_IN(D) static_cast<void>(0)
#define NVTX3_FUNC_RANGE_IF(condition) static_cast<void>(0)
#define NVTX3_FUNC_RANGE_IF_IN(D, condition) static_cast<void>(0)

#endif  // NVTX3_CPP
