/// Groups of threads that work together: the grid, the cluster, the block, tiles of a warp and of
/// several warps, the lanes that run together.
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include <cstdint>
#include <type_traits>
#include <utility>

#include "emulator/device.h"
#include "emulator/device_groups.h"
#include "emulator/device_integers.h"
#include "emulator/device_warp.h"
#include "emulator/groups.h"
#include "host_defines.h"

namespace emu {
/// Lanes that arrive at the same call together, as device.h's active_mask() has them; but where a
/// judge lets that find half of them, this finds all.
unsigned coalesced_lanes();
}  // namespace emu

namespace cooperative_groups {

namespace details {

constexpr unsigned kAllLanes = 0xffffffffu;

__forceinline__ unsigned lanes_below() { return (1u << emu::lane_id()) - 1; }

/// The lane that is number `rank` of those in `mask`.
__forceinline__ unsigned lane_of_rank(unsigned mask, unsigned rank) {
  if (mask == kAllLanes) return rank;
  return __fns(mask, 0, static_cast<int>(rank) + 1);
}

/// The bits of `lanes` that stand for lanes of `mask`, moved together.
__forceinline__ unsigned packed(unsigned lanes, unsigned mask) {
  unsigned result = 0;
  for (unsigned rank = 0; mask != 0; mask &= mask - 1, ++rank)
    result |= ((lanes & mask & (0u - mask)) != 0 ? 1u : 0u) << rank;
  return result;
}

/// A shuffle of any type that can be copied bit by bit, up to 32 bytes.
template <emu::ShuffleMode mode, class T>
__forceinline__ T shuffle(unsigned mask, T value, unsigned lane_or_delta, unsigned width) {
  constexpr unsigned kMaxBytes = 32;
  static_assert(std::is_trivially_copyable_v<T>, "a shuffle copies its operand bit by bit");
  static_assert(sizeof(T) <= kMaxBytes, "a shuffle's operand has at most 32 bytes");
  constexpr unsigned kWords = (sizeof(T) + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
  std::uint64_t words[kWords] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (std::uint64_t& word : words)
    word = emu::warp_shuffle(mode, mask, word,
                             static_cast<int>(lane_or_delta & (emu::kLanesOfWarp - 1)),
                             static_cast<int>(width));
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}

template <class T>
__forceinline__ std::uint64_t match_bits(T value) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t), "a match compares at most 8 bytes");
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

struct group_access;

__forceinline__ unsigned volume(uint3 extents) { return extents.x * extents.y * extents.z; }
__forceinline__ unsigned rank_in(uint3 extents, uint3 index) {
  return (index.z * extents.y + index.y) * extents.x + index.x;
}
__forceinline__ dim3 threads_in(uint3 blocks) {
  return {blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z};
}
__forceinline__ dim3 thread_in(uint3 block) {
  return {block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
          block.z * blockDim.z + threadIdx.z};
}

}  // namespace details

/// Any group, its kind known only at run time.
class thread_group {
 public:
  __forceinline__ void sync() const {
    if (is_block()) return emu::block_sync();
    emu::warp_sync(mask_);
  }
  __forceinline__ unsigned long long num_threads() const {
    return is_block() ? details::volume(blockDim) : static_cast<unsigned>(__popc(mask_));
  }
  __forceinline__ unsigned long long size() const { return num_threads(); }
  __forceinline__ unsigned long long thread_rank() const {
    return is_block() ? details::rank_in(blockDim, threadIdx)
                      : static_cast<unsigned>(__popc(mask_ & details::lanes_below()));
  }

 protected:
  explicit __forceinline__ thread_group(unsigned mask) : mask_(mask) {}
  __forceinline__ bool is_block() const { return mask_ == 0; }

  unsigned mask_;  // lanes of the warp; 0 for the block

  friend struct details::group_access;
};

/// All threads of the block.
class thread_block : public thread_group {
 public:
  struct arrival_token {};

  static __forceinline__ void sync() { emu::block_sync(); }
  static __forceinline__ unsigned thread_rank() { return details::rank_in(blockDim, threadIdx); }
  static __forceinline__ dim3 group_index() { return blockIdx; }
  static __forceinline__ dim3 thread_index() { return threadIdx; }
  static __forceinline__ dim3 group_dim() { return blockDim; }
  static __forceinline__ dim3 dim_threads() { return blockDim; }
  static __forceinline__ unsigned num_threads() { return details::volume(blockDim); }
  static __forceinline__ unsigned size() { return num_threads(); }

  /// The barrier in two halves: here all of it happens in the second.
  __forceinline__ arrival_token barrier_arrive() const { return {}; }
  __forceinline__ void barrier_wait(arrival_token&&) const { emu::block_sync(); }

 private:
  __forceinline__ thread_block() : thread_group(0) {}
  friend thread_block this_thread_block();
};

__forceinline__ thread_block this_thread_block() { return {}; }

/// Shared memory by which tiles of several warps work together on devices before compute capability
/// 8.0. Later ones have their own for it, and nobody uses this.
template <unsigned MaxBlockSize = 1024>
struct alignas(8) block_tile_memory {};

template <unsigned MaxBlockSize>
__forceinline__ thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return this_thread_block();
}

/// All threads of the grid; they can wait for one another in a cooperative launch.
class grid_group {
 public:
  struct arrival_token {};

  static __forceinline__ bool is_valid() { return emu::grid_is_cooperative(); }
  static __forceinline__ void sync() { emu::grid_sync(); }
  /// The barrier in two halves: here all of it happens in the second.
  static __forceinline__ arrival_token barrier_arrive() {
    if (!is_valid())
      emu::device_trap(
          "cooperative_groups::this_grid().barrier_arrive() without a cooperative "
          "launch");
    return {};
  }
  static __forceinline__ void barrier_wait(arrival_token&&) { emu::grid_sync(); }

  static __forceinline__ unsigned long long block_rank() {
    return details::rank_in(gridDim, blockIdx);
  }
  static __forceinline__ unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static __forceinline__ unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
  static __forceinline__ unsigned long long num_threads() {
    return num_blocks() * thread_block::num_threads();
  }
  static __forceinline__ unsigned long long size() { return num_threads(); }
  static __forceinline__ dim3 group_dim() { return gridDim; }
  static __forceinline__ dim3 dim_blocks() { return gridDim; }
  static __forceinline__ dim3 block_index() { return blockIdx; }
  static __forceinline__ dim3 dim_threads() { return details::threads_in(gridDim); }
  static __forceinline__ dim3 thread_index() { return details::thread_in(blockIdx); }

  /// Without clusters, each block is one.
  static __forceinline__ dim3 dim_clusters() { return __clusterGridDimInClusters(); }
  static __forceinline__ dim3 cluster_index() { return __clusterIdx(); }
  static __forceinline__ unsigned long long num_clusters() {
    return details::volume(dim_clusters());
  }
  static __forceinline__ unsigned long long cluster_rank() {
    return details::rank_in(dim_clusters(), cluster_index());
  }
};

__forceinline__ grid_group this_grid() { return {}; }

/// All threads of the blocks that run beside each other and see each other's shared memory.
class cluster_group {
 public:
  struct arrival_token {};

  static __forceinline__ void sync() { emu::cluster_sync(); }
  static __forceinline__ arrival_token barrier_arrive() {
    emu::cluster_arrive();
    return {};
  }
  static __forceinline__ void barrier_wait() { emu::cluster_wait(); }
  static __forceinline__ void barrier_wait(arrival_token&&) { emu::cluster_wait(); }

  static __forceinline__ dim3 block_index() { return __clusterRelativeBlockIdx(); }
  static __forceinline__ unsigned block_rank() { return emu::cluster_rank(); }
  static __forceinline__ dim3 dim_blocks() { return __clusterDim(); }
  static __forceinline__ unsigned num_blocks() { return __clusterSizeInBlocks(); }
  static __forceinline__ dim3 thread_index() { return details::thread_in(block_index()); }
  static __forceinline__ unsigned thread_rank() {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
  static __forceinline__ dim3 dim_threads() { return details::threads_in(dim_blocks()); }
  static __forceinline__ unsigned num_threads() {
    return num_blocks() * thread_block::num_threads();
  }
  static __forceinline__ unsigned size() { return num_threads(); }

  /// The block whose shared memory the address is in, and the same variable of another block.
  static __forceinline__ unsigned query_shared_rank(const void* shared) {
    return emu::cluster_rank_of(shared);
  }
  template <class T>
  static __forceinline__ T* map_shared_rank(T* shared, int rank) {
    return static_cast<T*>(emu::cluster_map(shared, static_cast<unsigned>(rank)));
  }

 private:
  __forceinline__ cluster_group() {}
  friend cluster_group this_cluster();
};

__forceinline__ cluster_group this_cluster() { return {}; }

/// Lanes of a warp, in any pattern; a thread's rank counts the group's lanes below its own.
class coalesced_group : public thread_group {
 public:
  __forceinline__ void sync() const { emu::warp_sync(mask_); }
  __forceinline__ unsigned num_threads() const { return static_cast<unsigned>(__popc(mask_)); }
  __forceinline__ unsigned size() const { return num_threads(); }
  __forceinline__ unsigned thread_rank() const {
    return static_cast<unsigned>(__popc(mask_ & details::lanes_below()));
  }
  __forceinline__ unsigned meta_group_rank() const { return meta_group_rank_; }
  __forceinline__ unsigned meta_group_size() const { return meta_group_size_; }

  template <class T>
  __forceinline__ T shfl(T value, unsigned source_rank) const {
    return from_rank(value, source_rank % num_threads());
  }
  template <class T>
  __forceinline__ T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return from_rank(value, delta <= rank ? rank - delta : rank);
  }
  template <class T>
  __forceinline__ T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return from_rank(value, delta < num_threads() - rank ? rank + delta : rank);
  }

  __forceinline__ int any(int predicate) const { return emu::warp_any(mask_, predicate != 0); }
  __forceinline__ int all(int predicate) const { return emu::warp_all(mask_, predicate != 0); }
  __forceinline__ unsigned ballot(int predicate) const {
    return details::packed(emu::warp_ballot(mask_, predicate != 0), mask_);
  }
  template <class T>
  __forceinline__ unsigned match_any(T value) const {
    return details::packed(emu::warp_match_any(mask_, details::match_bits(value)), mask_);
  }
  template <class T>
  __forceinline__ unsigned match_all(T value, int& predicate) const {
    const std::uint64_t bits = details::match_bits(value);
    return details::packed(emu::warp_match_all(mask_, bits, &predicate), mask_);
  }

 private:
  explicit __forceinline__ coalesced_group(unsigned mask, unsigned meta_group_rank = 0,
                                           unsigned meta_group_size = 1)
      : thread_group(mask), meta_group_rank_(meta_group_rank), meta_group_size_(meta_group_size) {}

  template <class T>
  __forceinline__ T from_rank(T value, unsigned rank) const {
    return details::shuffle<emu::ShuffleMode::index>(
        mask_, value, details::lane_of_rank(mask_, rank), emu::kLanesOfWarp);
  }

  unsigned meta_group_rank_, meta_group_size_;

  friend struct details::group_access;
};

namespace details {

/// Makes groups of lanes and looks into them.
struct group_access {
  static __forceinline__ unsigned mask(const thread_group& group) { return group.mask_; }
  static __forceinline__ bool is_block(const thread_group& group) { return group.is_block(); }
  static __forceinline__ thread_group make(unsigned mask) { return thread_group(mask); }
  static __forceinline__ coalesced_group make_coalesced(unsigned mask, unsigned meta_group_rank = 0,
                                                        unsigned meta_group_size = 1) {
    return coalesced_group(mask, meta_group_rank, meta_group_size);
  }
};

}  // namespace details

/// The lanes that are here together.
__forceinline__ coalesced_group coalesced_threads() {
  return details::group_access::make_coalesced(emu::coalesced_lanes());
}

/// What tiles of one size have in common, whatever they are tiles of.
template <unsigned Size>
class warp_tile : public thread_group {
  static_assert(Size > 0 && (Size & (Size - 1)) == 0, "a tile's size is a power of 2");
  static_assert(Size <= emu::kLanesOfWarp, "the lanes of this kind of tile are in one warp");

 public:
  __forceinline__ void sync() const { emu::warp_sync(mask_); }
  static __forceinline__ unsigned thread_rank() { return emu::lane_id() & (Size - 1); }
  static __forceinline__ constexpr unsigned num_threads() { return Size; }
  static __forceinline__ constexpr unsigned size() { return Size; }

  template <class T>
  __forceinline__ T shfl(T value, int source_rank) const {
    return details::shuffle<emu::ShuffleMode::index>(mask_, value,
                                                     static_cast<unsigned>(source_rank), Size);
  }
  template <class T>
  __forceinline__ T shfl_up(T value, unsigned delta) const {
    return details::shuffle<emu::ShuffleMode::up>(mask_, value, delta, Size);
  }
  template <class T>
  __forceinline__ T shfl_down(T value, unsigned delta) const {
    return details::shuffle<emu::ShuffleMode::down>(mask_, value, delta, Size);
  }
  template <class T>
  __forceinline__ T shfl_xor(T value, unsigned lane_mask) const {
    return details::shuffle<emu::ShuffleMode::xor_>(mask_, value, lane_mask, Size);
  }

  __forceinline__ int any(int predicate) const { return emu::warp_any(mask_, predicate != 0); }
  __forceinline__ int all(int predicate) const { return emu::warp_all(mask_, predicate != 0); }
  __forceinline__ unsigned ballot(int predicate) const {
    return own_bits(emu::warp_ballot(mask_, predicate != 0));
  }
  template <class T>
  __forceinline__ unsigned match_any(T value) const {
    return own_bits(emu::warp_match_any(mask_, details::match_bits(value)));
  }
  template <class T>
  __forceinline__ unsigned match_all(T value, int& predicate) const {
    const std::uint64_t bits = details::match_bits(value);
    return own_bits(emu::warp_match_all(mask_, bits, &predicate));
  }

 protected:
  __forceinline__ warp_tile() : thread_group(kLanes << first_lane()) {}

 private:
  static constexpr unsigned kLanes = details::kAllLanes >> (emu::kLanesOfWarp - Size);
  static __forceinline__ unsigned first_lane() { return emu::lane_id() & ~(Size - 1); }
  static __forceinline__ unsigned own_bits(unsigned lanes) {
    return lanes >> first_lane() & kLanes;
  }
};

namespace details {

/// A value from each warp of a tile.
template <unsigned Size, class T>
class warp_values {
 public:
  static constexpr unsigned kWarps = Size / emu::kLanesOfWarp;

  /// Waits for the tile. Each warp's value comes from the lane that `gives` it.
  __forceinline__ warp_values(bool gives, T value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t),
                  "tiles of several warps exchange objects of at most 8 bytes, bit by bit");
    std::uint64_t own = 0;
    __builtin_memcpy(&own, &value, sizeof(T));
    emu::tile_exchange(Size, gives, own, bits_);
  }
  __forceinline__ T operator[](unsigned warp) const {
    T value;
    __builtin_memcpy(&value, &bits_[warp], sizeof(T));
    return value;
  }
  __forceinline__ void set(unsigned warp, T value) {
    __builtin_memcpy(&bits_[warp], &value, sizeof(T));
  }

 private:
  std::uint64_t bits_[kWarps];
};

}  // namespace details

/// What tiles of several warps have in common. Their warps meet at a barrier of the tile's own;
/// what they exchange is no access to the program's memory.
template <unsigned Size>
class multi_warp_tile {
  static_assert((Size & (Size - 1)) == 0, "a tile's size is a power of 2");
  static_assert(Size <= 1024, "a tile has at most 1024 threads");

 public:
  __forceinline__ void sync() const { emu::tile_sync(Size); }
  static __forceinline__ unsigned thread_rank() { return thread_block::thread_rank() & (Size - 1); }
  static __forceinline__ constexpr unsigned num_threads() { return Size; }
  static __forceinline__ constexpr unsigned size() { return Size; }

  template <class T>
  __forceinline__ T shfl(T value, unsigned source_rank) const {
    const details::warp_values<Size, T> values(
        thread_rank() % emu::kLanesOfWarp == source_rank % emu::kLanesOfWarp, value);
    return values[source_rank % Size / emu::kLanesOfWarp];
  }

  __forceinline__ int any(int predicate) const {
    return sum_of_votes(emu::warp_any(details::kAllLanes, predicate != 0)) != 0;
  }
  __forceinline__ int all(int predicate) const {
    return sum_of_votes(emu::warp_all(details::kAllLanes, predicate != 0)) ==
           Size / emu::kLanesOfWarp;
  }

 protected:
  __forceinline__ multi_warp_tile() {}

 private:
  __forceinline__ static unsigned sum_of_votes(bool of_warp) {
    const details::warp_values<Size, bool> values(emu::lane_id() == 0, of_warp);
    unsigned sum = 0;
    for (unsigned warp = 0; warp < values.kWarps; ++warp) sum += values[warp];
    return sum;
  }
};

namespace details {

template <unsigned Size>
using tile_base = std::conditional_t<Size <= static_cast<unsigned>(emu::kLanesOfWarp),
                                     warp_tile<Size>, multi_warp_tile<Size>>;

/// Making tiles of several warps is a barrier of what they are tiles of.
template <unsigned Size, class ParentT>
__forceinline__ void begin_tiles(const ParentT& parent) {
  if constexpr (Size > emu::kLanesOfWarp) parent.sync();
}

}  // namespace details

/// `Size` neighbouring threads of `ParentT`.
template <unsigned Size, class ParentT = void>
class thread_block_tile : public details::tile_base<Size> {
 public:
  __forceinline__ thread_block_tile() {}
  static __forceinline__ unsigned meta_group_rank() { return ParentT::thread_rank() / Size; }
  static __forceinline__ unsigned meta_group_size() {
    return (ParentT::num_threads() + Size - 1) / Size;
  }
};

/// A tile that has forgotten its parent's type.
template <unsigned Size>
class thread_block_tile<Size, void> : public details::tile_base<Size> {
 public:
  template <class ParentT>
  __forceinline__ thread_block_tile(const thread_block_tile<Size, ParentT>& tile)
      : meta_group_rank_(tile.meta_group_rank()), meta_group_size_(tile.meta_group_size()) {
    details::begin_tiles<Size>(tile);
  }

  __forceinline__ unsigned meta_group_rank() const { return meta_group_rank_; }
  __forceinline__ unsigned meta_group_size() const { return meta_group_size_; }

 private:
  unsigned meta_group_rank_, meta_group_size_;
};

template <unsigned Size>
__forceinline__ thread_block_tile<Size, thread_block> tiled_partition(const thread_block& block) {
  details::begin_tiles<Size>(block);
  return {};
}
/// The calling thread alone.
__forceinline__ thread_block_tile<1, thread_block> this_thread() { return {}; }
template <unsigned Size, unsigned ParentSize, class GrandparentT>
__forceinline__ thread_block_tile<Size, thread_block_tile<ParentSize, GrandparentT>>
tiled_partition(const thread_block_tile<ParentSize, GrandparentT>& parent) {
  static_assert(Size <= ParentSize, "a tile is at most as large as its parent");
  details::begin_tiles<Size>(parent);
  return {};
}

namespace details {

/// Of the lanes in `mask`, the `tile_size` neighbours in rank that the calling lane belongs to.
__forceinline__ unsigned tile_of_lanes(unsigned mask, unsigned tile_size) {
  const unsigned rank = static_cast<unsigned>(__popc(mask & lanes_below()));
  const unsigned first_rank = rank - rank % tile_size;
  unsigned tile = 0;
  for (unsigned lanes = mask, r = 0; lanes != 0; lanes &= lanes - 1, ++r)
    if (r - first_rank < tile_size) tile |= lanes & (0u - lanes);
  return tile;
}

__forceinline__ void check_tile_size(unsigned tile_size) {
  if (tile_size == 0 || (tile_size & (tile_size - 1)) != 0 || tile_size > emu::kLanesOfWarp)
    emu::device_trap(
        "cooperative_groups::tiled_partition: the size must be a power of 2, at most 32");
}

}  // namespace details

__forceinline__ coalesced_group tiled_partition(const coalesced_group& parent, unsigned tile_size) {
  details::check_tile_size(tile_size);
  return details::group_access::make_coalesced(
      details::tile_of_lanes(details::group_access::mask(parent), tile_size),
      parent.thread_rank() / tile_size, (parent.num_threads() + tile_size - 1) / tile_size);
}
__forceinline__ thread_group tiled_partition(const thread_group& parent, unsigned tile_size) {
  details::check_tile_size(tile_size);
  const unsigned lanes = details::group_access::is_block(parent)
                             ? details::kAllLanes
                             : details::group_access::mask(parent);
  return details::group_access::make(details::tile_of_lanes(lanes, tile_size));
}

namespace details {

__forceinline__ coalesced_group partition_by_label(unsigned mask, std::uint64_t label) {
  const unsigned same = emu::warp_match_any(mask, label);
  const unsigned leader = same & (0u - same);
  const unsigned leaders = emu::warp_ballot(mask, leader == 1u << emu::lane_id());
  return group_access::make_coalesced(same, static_cast<unsigned>(__popc(leaders & (leader - 1))),
                                      static_cast<unsigned>(__popc(leaders)));
}

__forceinline__ coalesced_group partition_by_predicate(unsigned mask, bool predicate) {
  const unsigned chosen = emu::warp_ballot(mask, predicate);
  if (chosen == mask || chosen == 0) return group_access::make_coalesced(mask);
  return group_access::make_coalesced(predicate ? chosen : mask & ~chosen, predicate ? 1 : 0, 2);
}

template <class Group>
constexpr bool is_group_of_lanes = std::is_same_v<Group, coalesced_group>;
template <unsigned Size, class ParentT>
constexpr bool is_group_of_lanes<thread_block_tile<Size, ParentT>> = Size <= emu::kLanesOfWarp;

/// Groups whose threads exchange values.
template <class Group>
constexpr bool is_tile = is_group_of_lanes<Group>;
template <unsigned Size, class ParentT>
constexpr bool is_tile<thread_block_tile<Size, ParentT>> = true;

template <class Group>
using IfLanes = std::enable_if_t<is_group_of_lanes<Group>, int>;
template <class Group>
using IfTile = std::enable_if_t<is_tile<Group>, int>;

}  // namespace details

/// Splits a group in two: the threads whose predicate holds, and the others.
template <class Group, details::IfLanes<Group> = 0>
__forceinline__ coalesced_group binary_partition(const Group& group, bool predicate) {
  return details::partition_by_predicate(details::group_access::mask(group), predicate);
}

/// Splits a group into one group for each value of `label`.
template <class Group, class Label, details::IfLanes<Group> = 0>
__forceinline__ coalesced_group labeled_partition(const Group& group, Label label) {
  static_assert(std::is_integral_v<Label> || std::is_pointer_v<Label>,
                "a label is an integer or a pointer");
  if constexpr (std::is_same_v<Label, bool>)
    return binary_partition(group, label);
  else
    return details::partition_by_label(details::group_access::mask(group),
                                       details::match_bits(label));
}

/// Calls `function` in one thread of the group.
template <class Group, class Function, class... Arguments>
__forceinline__ void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0)
    std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
}

/// The same, and gives the result to all threads of the group.
template <class Group, class Function, class... Arguments, details::IfTile<Group> = 0>
__forceinline__ auto invoke_one_broadcast(const Group& group, Function&& function,
                                          Arguments&&... arguments) {
  std::decay_t<decltype(std::forward<Function>(function)(std::forward<Arguments>(arguments)...))>
      result{};
  if (group.thread_rank() == 0)
    result = std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
  return group.shfl(result, 0);
}

template <class Group>
__forceinline__ void sync(const Group& group) {
  group.sync();
}
template <class Group>
__forceinline__ auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
__forceinline__ auto group_size(const Group& group) {
  return group.num_threads();
}

}  // namespace cooperative_groups

#endif  // _COOPERATIVE_GROUPS_H_
