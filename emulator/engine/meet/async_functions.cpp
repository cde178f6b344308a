// Implements emulator/async.h, which device code calls, with mbarriers and copies.
#include "emulator/async.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/check/checker.hpp"
#include "engine/meet/async.hpp"
#include "engine/meet/kinds.hpp"

namespace emu {

namespace {

constexpr unsigned kBoxAlignment = 128;

/// Returns the rank of the lane's own block.
unsigned own_rank(Worker& running) { return running.block().rank; }

BulkCopy plain_copy(void* target, const void* source, std::uint32_t bytes, std::uint64_t* barrier,
                    const void* call_site) {
  if ((number(target) | number(source) | bytes) % kCopyGrain != 0)
    fail_kernel(cudaErrorMisalignedAddress,
                "addresses and size of a bulk copy must be multiples of 16 bytes", call_site);
  BulkCopy copy;
  copy.tensor.address = number(source);
  copy.tensor.sizes[0] = bytes;
  copy.tensor.box[0] = bytes;
  copy.tensor.rank = copy.tensor.element_bytes = 1;
  copy.target = static_cast<char*>(target);
  copy.barrier = barrier;
  copy.call_site = call_site;
  return copy;
}

/// Makes a copy of a box of a tensor. Its address in shared memory must be a multiple of 128.
BulkCopy box_copy(void* target, const void* tensor_map, const std::int32_t* coordinates,
                  unsigned rank, std::uint64_t* barrier, const void* call_site) {
  BulkCopy copy;
  std::memcpy(&copy.tensor, tensor_map, sizeof(copy.tensor));
  if (copy.tensor.mark != TensorMap::kMark)
    fail_kernel(cudaErrorIllegalInstruction,
                "this is no tensor map that cuTensorMapEncodeTiled has written", call_site);
  if (copy.tensor.rank != rank)
    fail_kernel(cudaErrorIllegalInstruction,
                fmt::format("{} coordinates for a tensor of {} dimensions", rank, copy.tensor.rank),
                call_site);
  if (coordinates[0] * std::int64_t{copy.tensor.element_bytes} % kCopyGrain != 0)
    fail_kernel(cudaErrorIllegalInstruction,
                fmt::format("the box begins at element {} of its rows, which is no multiple of 16 "
                            "bytes",
                            coordinates[0]),
                call_site);
  if (number(target) % kBoxAlignment != 0)
    fail_kernel(cudaErrorMisalignedAddress,
                "a tensor's box in shared memory must be at a multiple of 128 bytes", call_site);
  std::copy_n(coordinates, rank, copy.at.begin());
  copy.target = static_cast<char*>(target);
  copy.barrier = barrier;
  copy.call_site = call_site;
  return copy;
}

void request_for_all(Worker& running, const BulkCopy& copy, std::uint16_t blocks) {
  for (unsigned left = blocks; left != 0; left &= left - 1)
    request_copy(running, copy, static_cast<unsigned>(std::countr_zero(left)), nullptr,
                 left != blocks);
}

}  // namespace

void mbarrier_init(std::uint64_t* barrier, std::uint32_t count) {
  init_mbarrier(worker_of_lane("an mbarrier in host code"), barrier, count,
                __builtin_return_address(0));
}
void mbarrier_invalidate(std::uint64_t* barrier) {
  invalidate_mbarrier(worker_of_lane("an mbarrier in host code"), barrier,
                      __builtin_return_address(0));
}
void mbarrier_add_arrival(std::uint64_t* barrier) {
  add_arrival(worker_of_lane("an mbarrier in host code"), barrier, __builtin_return_address(0));
}
void mbarrier_expect(std::uint64_t* barrier, std::uint32_t bytes) {
  expect(worker_of_lane("an mbarrier in host code"), barrier, bytes, __builtin_return_address(0));
}
std::uint64_t mbarrier_arrive(std::uint64_t* barrier, std::uint32_t count) {
  return arrive(worker_of_lane("an mbarrier in host code"), barrier, count,
                __builtin_return_address(0));
}
std::uint64_t mbarrier_arrive_drop(std::uint64_t* barrier, std::uint32_t count) {
  return arrive(worker_of_lane("an mbarrier in host code"), barrier, count,
                __builtin_return_address(0), true);
}
bool mbarrier_try_wait(std::uint64_t* barrier, std::uint32_t parity) {
  return try_wait(worker_of_lane("an mbarrier in host code"), barrier, parity,
                  __builtin_return_address(0));
}
bool mbarrier_test_wait(std::uint64_t* barrier, std::uint32_t parity) {
  return test_wait(worker_of_lane("an mbarrier in host code"), barrier, parity,
                   __builtin_return_address(0));
}
std::uint32_t mbarrier_parity(std::uint64_t state) noexcept { return Mbarrier::at(&state).parity; }

void cluster_mbarrier_expect(std::uint64_t* barrier, std::uint32_t bytes) {
  expect(worker_of_lane("an mbarrier in host code"), barrier, bytes, __builtin_return_address(0));
}
void cluster_mbarrier_arrive(std::uint64_t* barrier, std::uint32_t count) {
  arrive(worker_of_lane("an mbarrier in host code"), barrier, count, __builtin_return_address(0));
}

void cluster_mbarrier_arrive_drop(std::uint64_t* barrier, std::uint32_t count) {
  arrive(worker_of_lane("an mbarrier in host code"), barrier, count, __builtin_return_address(0),
         true);
}

void copy_bulk(void* target, const void* source, std::uint32_t bytes, std::uint64_t* barrier) {
  Worker& running = worker_of_lane("a bulk copy in host code");
  const BulkCopy copy = plain_copy(target, source, bytes, barrier, __builtin_return_address(0));
  if (bytes != 0) request_copy(running, copy, own_rank(running));
}

void copy_box(void* target, const void* tensor_map, const std::int32_t* coordinates, unsigned rank,
              std::uint64_t* barrier) {
  Worker& running = worker_of_lane("a bulk copy in host code");
  request_copy(
      running,
      box_copy(target, tensor_map, coordinates, rank, barrier, __builtin_return_address(0)),
      own_rank(running));
}

void copy_bulk_multicast(void* target, const void* source, std::uint32_t bytes,
                         std::uint64_t* barrier, std::uint16_t blocks) {
  Worker& running = worker_of_lane("a bulk copy in host code");
  const BulkCopy copy = plain_copy(target, source, bytes, barrier, __builtin_return_address(0));
  if (bytes != 0) request_for_all(running, copy, blocks);
}

void copy_box_multicast(void* target, const void* tensor_map, const std::int32_t* coordinates,
                        unsigned rank, std::uint64_t* barrier, std::uint16_t blocks) {
  request_for_all(
      worker_of_lane("a bulk copy in host code"),
      box_copy(target, tensor_map, coordinates, rank, barrier, __builtin_return_address(0)),
      blocks);
}

// Reads the source immediately, because its block may be parked, or over, when the copy is made.
void copy_bulk_shared(void* target, const void* source, std::uint32_t bytes,
                      std::uint64_t* barrier) {
  const void* const call_site = __builtin_return_address(0);
  Worker& running = worker_of_lane("a bulk copy in host code");
  BulkCopy copy = plain_copy(target, source, bytes, barrier, call_site);
  if (bytes == 0) return;
  if (!running.log().is_shared(number(source)) ||
      !running.log().is_shared(number(source) + bytes - 1))
    fail_kernel(cudaErrorIllegalAddress, "the source of this copy must be the block's own",
                call_site);
  const auto rank = running.window_rank(target);
  if (rank != running.window_rank(barrier))
    fail_kernel(cudaErrorIllegalInstruction,
                "a copy arrives at an mbarrier of the block that it goes to", call_site);
  const Unrecorded unrecorded;
  const char* const begin = static_cast<const char*>(source);
  copy.staged = std::make_shared<std::vector<char>>(begin, begin + bytes);
  copy.tensor.address = number(copy.staged->data());
  if (rank) {
    const SharedWindows& windows = running.block().cluster->windows;
    copy.target = windows.in_place(target);
    copy.barrier = reinterpret_cast<std::uint64_t*>(windows.in_place(barrier));
  }
  request_copy(running, copy, rank.value_or(own_rank(running)), source);
}

void store_bulk(void* target, const void* source, std::uint32_t bytes) {
  Worker& running = worker_of_lane("a bulk copy in host code");
  const BulkCopy copy =
      plain_copy(const_cast<void*>(source), target, bytes, nullptr, __builtin_return_address(0));
  if (bytes != 0) request_store(running, copy);
}
void store_box(const void* tensor_map, const std::int32_t* coordinates, unsigned rank,
               const void* source) {
  Worker& running = worker_of_lane("a bulk copy in host code");
  const void* const call_site = __builtin_return_address(0);
  BulkCopy copy =
      box_copy(const_cast<void*>(source), tensor_map, coordinates, rank, nullptr, call_site);
  copy.leaves_shared = true;
  // An H200 accepts such a box for a copy into shared memory, but not out of it.
  if (const auto* const at = std::find_if(coordinates, coordinates + rank,
                                          [](std::int32_t coordinate) { return coordinate < 0; });
      at != coordinates + rank)
    fail_kernel(cudaErrorIllegalInstruction,
                fmt::format("a box that is stored cannot begin before its tensor, at {}", *at),
                call_site);
  request_store(running, copy);
}
void commit_bulk_stores() { commit_bulk_stores(worker_of_lane("a bulk copy in host code")); }
void wait_for_bulk_stores(std::uint32_t all_but_newest, bool) {
  make_bulk_stores(worker_of_lane("a bulk copy in host code"), all_but_newest);
}

void fence_async_proxy() {
  Worker& running = worker_of_lane("fence.proxy.async in host code");
  if (!running.is_race_checked()) return;
  if (running.log().lane_made_access()) running.pause();
  const Unrecorded unrecorded;
  running.checker()->race.fence_proxy(running.thread());
}

void store_late(void* target, const void* value, unsigned bytes) {
  store_late(worker_of_lane("an asynchronous copy in host code"), target, value, bytes,
             __builtin_return_address(0));
}
void close_late_batch() {
  Block& block = worker_of_lane("an asynchronous copy in host code").block();
  if (!block.late_stores.empty()) ++block.late_stores[Worker::running()->thread()].closed;
}
void make_late_stores(std::size_t all_but_newest) {
  make_late_stores(worker_of_lane("an asynchronous copy in host code"), all_but_newest);
}
void mbarrier_arrive_after_late_stores(std::uint64_t* barrier) {
  arrive_after_late_stores(worker_of_lane("an mbarrier in host code"), barrier,
                           __builtin_return_address(0));
}

}  // namespace emu
