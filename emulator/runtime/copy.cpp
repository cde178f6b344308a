// Copies, fills, and copies to and from device variables. If several rules are broken at once, the
// error is the one that a GPU's runtime returns.
#include "copy.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "array.hpp"
#include "cuda_runtime_api.h"
#include "engine/check/check_host.hpp"
#include "engine/check/check_init.hpp"
#include "engine/run/queue.hpp"
#include "fresh_memory.hpp"
#include "lane_call.hpp"
#include "runtime.hpp"

namespace emu::detail {
cudaError_t copy_to_symbol(const void* symbol, std::size_t symbol_bytes, const void* source,
                           std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                           cudaStream_t stream, bool waits);
cudaError_t copy_from_symbol(void* target, const void* symbol, std::size_t symbol_bytes,
                             std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                             cudaStream_t stream, bool waits);
cudaError_t symbol_size(std::size_t* bytes, const void* symbol, std::size_t symbol_bytes);
cudaError_t symbol_address(void** pointer, const void* symbol, std::size_t symbol_bytes);
}  // namespace emu::detail

using namespace emu;
using runtime::api_call;
using runtime::api_call_anywhere;
using runtime::Box;
using runtime::box_3d;
using runtime::CallReport;
using runtime::check_range;
using runtime::copy_box;
using runtime::RangeCheck;
using runtime::Returns;
using runtime::Size;
using runtime::valid_device;

namespace {

/// Returns the distance from a box's first byte to its end; the largest number on overflow.
std::size_t extent_of(const Box& box, const Size& size) {
  constexpr std::size_t kTooMany = std::numeric_limits<std::size_t>::max();
  std::size_t rows = 0;
  std::size_t slices = 0;
  std::size_t total = 0;
  const bool overflow = __builtin_mul_overflow(size.height - 1, box.pitch, &rows) ||
                        __builtin_mul_overflow(size.depth - 1, box.slice, &slices) ||
                        __builtin_add_overflow(rows, slices, &total) ||
                        __builtin_add_overflow(total, size.width, &total);
  return overflow ? kTooMany : total;
}

/// Checks a copy's direction, which names the sides that must be memory of the runtime: device,
/// managed or pinned. The other side may be any memory, including device memory.
cudaError_t check_direction(RangeCheck target, RangeCheck source, cudaMemcpyKind kind) {
  if (!target.valid || !source.valid) {
    CallReport::explain(
        "the copy reaches beyond an allocation: compare its bytes with those allocated");
    return cudaErrorInvalidValue;
  }
  const bool target_must = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool source_must = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (target_must && !target.known) {
    CallReport::explain("the target comes first, and this one is host memory");
    return cudaErrorInvalidValue;
  }
  if (source_must && !source.known) {
    CallReport::explain("the source comes second, and this one is host memory");
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

bool valid_kind(cudaMemcpyKind kind) {
  return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault;
}

bool is_device(const void* address) {
  const Space space = find_space(address);
  return space == Space::device || space == Space::device_variable;
}

struct Copy {
  Box target, source;
  Size size;
  std::shared_ptr<const void> stage;  ///< memory that the source is in, if the copy owns it

  /// Makes the copy, and reports uninitialised bytes copied to the host.
  void make(const char* call, const void* call_site) const {
    const DeviceAccess access;
    const Space target_space = find_space(target.begin);
    const bool to_host = target_space == Space::none || target_space == Space::pinned;
    UnwrittenCopy unwritten;
    for (std::size_t z = 0; z < size.depth; ++z) {
      for (std::size_t y = 0; y < size.height; ++y) {
        if (to_host) {
          unwritten.row(source.row(y, z), size.width);
          runtime::note_copied_to_host(source.row(y, z), size.width, call_site);
        }
        std::memmove(const_cast<char*>(target.row(y, z)), source.row(y, z), size.width);
        note_copied(target.row(y, z), source.row(y, z), size.width);
      }
    }
    unwritten.report(call, call_site);
  }

  std::size_t bytes() const { return size.width * size.height * size.depth; }

  /// Returns the same copy with its own copy of the source's current bytes.
  Copy from_bytes_of_now() const {
    const auto bytes_of_now = std::make_shared<std::vector<char>>(bytes());
    const Box box = {bytes_of_now->data(), size.width, size.width * size.height};
    for (std::size_t z = 0; z < size.depth; ++z)
      for (std::size_t y = 0; y < size.height; ++y)
        std::memcpy(const_cast<char*>(box.row(y, z)), source.row(y, z), size.width);
    return {target, box, size, bytes_of_now};
  }
};

/// A side of a copy as cudaMemcpy3D would be told; of a single row, nothing but the address.
cudaPitchedPtr pitched(const Box& box, const Size& size) {
  const bool is_row = size.height == 1 && size.depth == 1;
  if (is_row || box.pitch == 0) return {const_cast<char*>(box.begin), 0, 0, 0};
  return {const_cast<char*>(box.begin), box.pitch, size.width, box.slice / box.pitch};
}

std::shared_ptr<const TaskParameters> node_parameters(const Copy& copy, cudaMemcpyKind kind) {
  cudaMemcpy3DParms parameters{};
  parameters.srcPtr = pitched(copy.source, copy.size);
  parameters.dstPtr = pitched(copy.target, copy.size);
  parameters.extent = {copy.size.width, copy.size.height, copy.size.depth};
  parameters.kind = kind;
  return std::make_shared<const TaskParameters>(parameters);
}

HostBox in_host(const Box& box, const Size& size) {
  return {reinterpret_cast<std::uintptr_t>(box.begin),
          size.width,
          size.height,
          size.depth,
          box.pitch,
          box.slice};
}

/// Returns whether the copy is made before the call returns, as on an H200
/// (tests/emulator/runtime/order_test.cu).
bool must_be_done(const Copy& copy, Returns returns) {
  const void* const target = copy.target.begin;
  const void* const source = copy.source.begin;
  const auto is_pageable = [](const void* address) { return find_space(address) == Space::none; };
  if (returns == Returns::when_done) return !(is_device(target) && is_device(source));
  constexpr std::size_t kMostStaged = std::size_t{64} << 20;
  return is_pageable(target) || (is_pageable(source) && (find_space(target) == Space::pinned ||
                                                         copy.bytes() > kMostStaged));
}

}  // namespace

Box runtime::box_3d(const cudaPitchedPtr& pitched, const cudaPos& position) {
  const std::size_t slice = pitched.pitch * pitched.ysize;
  const std::size_t offset = position.z * slice + position.y * pitched.pitch + position.x;
  const char* const begin = static_cast<const char*>(pitched.ptr);
  return {begin ? begin + offset : nullptr, pitched.pitch, slice};
}

cudaError_t runtime::copy_box(const Box& target, const Box& source, const Size& size,
                              cudaMemcpyKind kind, cudaStream_t stream, Returns returns) {
  if (size.empty()) return cudaSuccess;
  if (in_kernel()) {  // which copies from device memory to device memory, and nothing else
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
      return cudaErrorInvalidMemcpyDirection;
    kind = cudaMemcpyDeviceToDevice;
  }
  if (!valid_kind(kind)) return cudaErrorInvalidMemcpyDirection;
  if (target.begin == nullptr || source.begin == nullptr) return cudaErrorInvalidValue;
  // A single row's pitch is ignored.
  if (size.height > 1 && (target.pitch < size.width || source.pitch < size.width)) {
    return cudaErrorInvalidPitchValue;
  }
  if (sticky_error() != cudaSuccess) return sticky_error();
  if (!in_kernel() && !valid_stream(stream)) return cudaErrorInvalidResourceHandle;
  const bool in_graph = !in_kernel() && is_captured(key_of(stream));
  const cudaError_t error =
      check_direction(check_range(target.begin, extent_of(target, size), in_graph),
                      check_range(source.begin, extent_of(source, size), in_graph), kind);
  if (error != cudaSuccess) return error;

  Copy copy = {target, source, size, nullptr};
  if (in_kernel()) return runtime::enqueue_for_lane(stream, [=] { copy.make("", nullptr); });
  const StreamKey key = key_of(stream);
  if (const cudaError_t refusal = refusal_beside_capture(key); refusal != cudaSuccess)
    return refusal;
  const char* const call = CallReport::call();
  const void* const call_site = CallReport::call_site();
  if (!in_graph) {
    const bool is_first = !has_work_before_next_in(key);
    const bool is_pageable = find_space(source.begin) == Space::none;
    if (must_be_done(copy, returns)) {
      finish_before_next_in(key);
      note_host_waited();
      if (sticky_error() != cudaSuccess) return sticky_error();
      copy.make(call, call_site);
      return cudaSuccess;
    }
    if (is_pageable && is_first) {
      copy.make(call, call_site);
      return cudaSuccess;
    }
    if (is_pageable) copy = copy.from_bytes_of_now();
  }
  const auto run = [=] {
    if (sticky_error() != cudaSuccess) return;
    note_asynchronous(in_host(copy.target, size), true, call, call_site);
    note_asynchronous(in_host(copy.source, size), false, call, call_site);
    copy.make(call, call_site);
  };
  enqueue(key, {.run = run,
                .kind = TaskKind::copy,
                .parameters = in_graph ? node_parameters(copy, kind) : nullptr});
  return cudaSuccess;
}

namespace {

cudaError_t copy(void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind,
                 cudaStream_t stream, Returns returns) {
  return copy_box({static_cast<const char*>(target), 0, 0},
                  {static_cast<const char*>(source), 0, 0}, {bytes, 1, 1}, kind, stream, returns);
}

void fill_row(char* row, runtime::Element element, std::size_t bytes) {
  if (element.bytes == 1) {
    std::memset(row, static_cast<int>(element.value), bytes);
    return;
  }
  for (std::size_t x = 0; x < bytes; x += element.bytes)
    std::memcpy(row + x, &element.value, element.bytes);
}

void fill(const Box& target, runtime::Element element, const Size& size) {
  const DeviceAccess access;
  for (std::size_t z = 0; z < size.depth; ++z) {
    for (std::size_t y = 0; y < size.height; ++y) {
      fill_row(const_cast<char*>(target.row(y, z)), element, size.width);
      note_written(target.row(y, z), size.width);
    }
  }
}

std::shared_ptr<const TaskParameters> node_parameters(const Box& target, runtime::Element element,
                                                      const Size& size) {
  cudaMemsetParams parameters{};
  parameters.dst = const_cast<char*>(target.begin);
  parameters.pitch = target.pitch;
  parameters.value = element.value;
  parameters.elementSize = element.bytes;
  parameters.width = size.width / element.bytes;
  parameters.height = size.height;
  return std::make_shared<const TaskParameters>(parameters);
}

}  // namespace

cudaError_t runtime::fill_box(const Box& target, Element value, const Size& size,
                              cudaStream_t stream, Returns returns) {
  if (size.empty()) return cudaSuccess;
  if (target.begin == nullptr || (size.height > 1 && target.pitch < size.width)) {
    return cudaErrorInvalidValue;
  }
  if (sticky_error() != cudaSuccess) return sticky_error();
  if (in_kernel()) {
    const RangeCheck range = check_range(target.begin, extent_of(target, size));
    if (!range.valid || !range.known) return cudaErrorInvalidValue;
    return runtime::enqueue_for_lane(stream, [=] { fill(target, value, size); });
  }
  if (!valid_stream(stream)) return cudaErrorInvalidResourceHandle;
  const StreamKey key = key_of(stream);
  const bool in_graph = is_captured(key);
  const RangeCheck range = check_range(target.begin, extent_of(target, size), in_graph);
  if (!range.valid || !range.known) return cudaErrorInvalidValue;
  if (const cudaError_t refusal = refusal_beside_capture(key); refusal != cudaSuccess)
    return refusal;
  if (!in_graph && returns == Returns::when_done && !is_device(target.begin)) {
    finish_before_next_in(key);
    note_host_waited();
    if (sticky_error() != cudaSuccess) return sticky_error();
    fill(target, value, size);
  } else {
    enqueue(key, {.run =
                      [=, call = CallReport::call(), call_site = CallReport::call_site()] {
                        if (sticky_error() != cudaSuccess) return;
                        note_asynchronous(in_host(target, size), true, call, call_site);
                        fill(target, value, size);
                      },
                  .kind = TaskKind::fill,
                  .parameters = in_graph ? node_parameters(target, value, size) : nullptr});
  }
  return cudaSuccess;
}

namespace {

cudaError_t fill_box(const Box& target, int value, const Size& size, cudaStream_t stream,
                     Returns returns) {
  return runtime::fill_box(target, {static_cast<std::uint32_t>(value), 1}, size, stream, returns);
}

Box box_2d(const void* pointer, std::size_t pitch) {
  return {static_cast<const char*>(pointer), pitch, 0};
}

cudaError_t copy_3d(const cudaMemcpy3DParms* parameters, cudaStream_t stream, Returns returns) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  const auto& [source_array, source_position, source, target_array, target_position, target, extent,
               kind] = *parameters;
  if (source_array != nullptr || target_array != nullptr)
    return runtime::copy_3d_of_arrays(*parameters, stream, returns);
  const Size size = {extent.width, extent.height, extent.depth};
  if (size.empty()) return cudaSuccess;
  if (source.pitch < size.width || target.pitch < size.width) return cudaErrorInvalidPitchValue;
  if (size.depth > 1 && (source.ysize < size.height || target.ysize < size.height)) {
    return cudaErrorInvalidValue;
  }
  return copy_box(box_3d(target, target_position), box_3d(source, source_position), size, kind,
                  stream, returns);
}

cudaError_t fill_3d(const cudaPitchedPtr& pitched, int value, const cudaExtent& extent,
                    cudaStream_t stream, Returns returns) {
  const Size size = {extent.width, extent.height, extent.depth};
  if (size.empty()) return cudaSuccess;
  if (pitched.pitch < size.width || pitched.ysize < size.height) return cudaErrorInvalidValue;
  return fill_box(box_3d(pitched, {0, 0, 0}), value, size, stream, returns);
}

cudaError_t copy_peer(void* target, int target_device, const void* source, int source_device,
                      std::size_t bytes, cudaStream_t stream, Returns returns) {
  if (!valid_device(target_device) || !valid_device(source_device)) return cudaErrorInvalidDevice;
  return copy(target, source, bytes, cudaMemcpyDeviceToDevice, stream, returns);
}

// --------------------------------------------------------------------------------------- symbols

/// Returns the bytes at the variable `symbol` as far as its address tells: up to the end of all
/// variables of its kind, unless its size is known. 0: there is no variable.
std::size_t symbol_bytes_at(const void* symbol) {
  if (in_arena(symbol)) return 0;
  const runtime::Place place = runtime::place_of(symbol);
  const bool variable = place.space == Space::device_variable || place.space == Space::constant ||
                        place.space == Space::managed;
  if (!variable) return 0;
  return place.bytes - static_cast<std::size_t>(static_cast<const char*>(symbol) - place.begin);
}

cudaError_t check_symbol(const void* symbol, std::size_t symbol_bytes, std::size_t bytes,
                         std::size_t offset) {
  if (symbol_bytes_at(symbol) == 0) return cudaErrorInvalidSymbol;
  runtime::note_symbol(symbol, symbol_bytes);
  return offset > symbol_bytes || bytes > symbol_bytes - offset ? cudaErrorInvalidValue
                                                                : cudaSuccess;
}

/// Copies to or from a variable; the direction restricts only the other side.
cudaError_t copy_symbol(void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind,
                        cudaStream_t stream, bool waits) {
  return copy(target, source, bytes,
              kind == cudaMemcpyDeviceToDevice ? cudaMemcpyDeviceToDevice : cudaMemcpyDefault,
              stream, waits ? Returns::when_done : Returns::at_once);
}

}  // namespace

cudaError_t emu::detail::copy_to_symbol(const void* symbol, std::size_t symbol_bytes,
                                        const void* source, std::size_t bytes, std::size_t offset,
                                        cudaMemcpyKind kind, cudaStream_t stream, bool waits) {
  return api_call("cudaMemcpyToSymbol", [&] {
    if (bytes == 0) return cudaSuccess;
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault) {
      return cudaErrorInvalidMemcpyDirection;
    }
    if (sticky_error() != cudaSuccess) return sticky_error();
    const cudaError_t error = check_symbol(symbol, symbol_bytes, bytes, offset);
    if (error != cudaSuccess) return error;
    char* const target = static_cast<char*>(const_cast<void*>(symbol)) + offset;
    return copy_symbol(target, source, bytes, kind, stream, waits);
  });
}

cudaError_t emu::detail::copy_from_symbol(void* target, const void* symbol,
                                          std::size_t symbol_bytes, std::size_t bytes,
                                          std::size_t offset, cudaMemcpyKind kind,
                                          cudaStream_t stream, bool waits) {
  return api_call("cudaMemcpyFromSymbol", [&] {
    if (bytes == 0) return cudaSuccess;
    if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault) {
      return cudaErrorInvalidMemcpyDirection;
    }
    if (sticky_error() != cudaSuccess) return sticky_error();
    const cudaError_t error = check_symbol(symbol, symbol_bytes, bytes, offset);
    if (error != cudaSuccess) return error;
    return copy_symbol(target, static_cast<const char*>(symbol) + offset, bytes, kind, stream,
                       waits);
  });
}

cudaError_t emu::detail::symbol_size(std::size_t* bytes, const void* symbol,
                                     std::size_t symbol_bytes) {
  return api_call("cudaGetSymbolSize", [&] {
    if (bytes == nullptr) return cudaErrorInvalidValue;
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (symbol_bytes_at(symbol) == 0) return cudaErrorInvalidSymbol;
    *bytes = symbol_bytes;
    return cudaSuccess;
  });
}

cudaError_t emu::detail::symbol_address(void** pointer, const void* symbol,
                                        std::size_t symbol_bytes) {
  return api_call("cudaGetSymbolAddress", [&] {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    if (sticky_error() != cudaSuccess) return sticky_error();
    const cudaError_t error = check_symbol(symbol, symbol_bytes, 0, 0);
    if (error == cudaSuccess) *pointer = const_cast<void*>(symbol);
    return error;
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* source, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return emu::detail::copy_to_symbol(symbol, symbol_bytes_at(symbol), source, bytes, offset, kind,
                                     nullptr, true);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return emu::detail::copy_to_symbol(symbol, symbol_bytes_at(symbol), source, bytes, offset, kind,
                                     stream, false);
}

cudaError_t cudaMemcpyFromSymbol(void* target, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return emu::detail::copy_from_symbol(target, symbol, symbol_bytes_at(symbol), bytes, offset, kind,
                                       nullptr, true);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* target, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return emu::detail::copy_from_symbol(target, symbol, symbol_bytes_at(symbol), bytes, offset, kind,
                                       stream, false);
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return emu::detail::symbol_address(pointer, symbol, symbol_bytes_at(symbol));
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return emu::detail::symbol_size(bytes, symbol, symbol_bytes_at(symbol));
}

// ---------------------------------------------------------------------------------------- copies

cudaError_t cudaMemcpy(void* target, const void* source, size_t bytes, cudaMemcpyKind kind) {
  return api_call([&] { return copy(target, source, bytes, kind, nullptr, Returns::when_done); });
}

cudaError_t cudaMemcpyAsync(void* target, const void* source, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return api_call_anywhere(
      [&] { return copy(target, source, bytes, kind, stream, Returns::at_once); });
}

cudaError_t cudaMemcpy2D(void* target, size_t targetPitch, const void* source, size_t sourcePitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  return api_call([&] {
    return copy_box(box_2d(target, targetPitch), box_2d(source, sourcePitch), {width, height, 1},
                    kind, nullptr, Returns::when_done);
  });
}

cudaError_t cudaMemcpy2DAsync(void* target, size_t targetPitch, const void* source,
                              size_t sourcePitch, size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return api_call_anywhere([&] {
    return copy_box(box_2d(target, targetPitch), box_2d(source, sourcePitch), {width, height, 1},
                    kind, stream, Returns::at_once);
  });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return api_call([&] { return copy_3d(parameters, nullptr, Returns::when_done); });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return api_call_anywhere([&] { return copy_3d(parameters, stream, Returns::at_once); });
}

cudaError_t cudaMemcpyPeer(void* target, int targetDevice, const void* source, int sourceDevice,
                           size_t bytes) {
  return api_call([&] {
    return copy_peer(target, targetDevice, source, sourceDevice, bytes, nullptr,
                     Returns::when_done);
  });
}

cudaError_t cudaMemcpyPeerAsync(void* target, int targetDevice, const void* source,
                                int sourceDevice, size_t bytes, cudaStream_t stream) {
  return api_call([&] {
    return copy_peer(target, targetDevice, source, sourceDevice, bytes, stream, Returns::at_once);
  });
}

// ----------------------------------------------------------------------------------------- fills

cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  return api_call([&] {
    return fill_box(box_2d(pointer, 0), value, {bytes, 1, 1}, nullptr, Returns::when_done);
  });
}

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  return api_call_anywhere([&] {
    return fill_box(box_2d(pointer, 0), value, {bytes, 1, 1}, stream, Returns::at_once);
  });
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return api_call([&] {
    return fill_box(box_2d(pointer, pitch), value, {width, height, 1}, nullptr, Returns::when_done);
  });
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return api_call_anywhere([&] {
    return fill_box(box_2d(pointer, pitch), value, {width, height, 1}, stream, Returns::at_once);
  });
}

cudaError_t cudaMemset3D(cudaPitchedPtr pitched, int value, cudaExtent extent) {
  return api_call([&] { return fill_3d(pitched, value, extent, nullptr, Returns::when_done); });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitched, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return api_call_anywhere(
      [&] { return fill_3d(pitched, value, extent, stream, Returns::at_once); });
}
