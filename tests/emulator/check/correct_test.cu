// Correct kernels that look wrong at first: nothing is reported. Each has a wrong twin that is
// reported.
#include <atomic>
#include <new>

#include "checked.hpp"

using namespace check_tests;

namespace {

std::string at(const char* tag) { return line_of(__FILE__, tag); }

// ------------------------------------------------- parameters that C++ passes by a hidden address

int copies_made = 0;  // made by the host

/// A view of an array; copies do not own the array.
class View {
 public:
  View(int* data, int count) : data_(data), count_(count), owns_(true) {}
  __host__ __device__ View(const View& other)
      : data_(other.data_), count_(other.count_), owns_(false) {
#ifndef __CUDA_ARCH__
    ++copies_made;
#endif
  }
  __host__ __device__ ~View() {
    if (owns_) count_ = -1;
  }
  __device__ int& at(unsigned i) { return data_[static_cast<int>(i) % count_]; }
  __device__ void move_on(int elements) { data_ += elements; }

 private:
  int* data_;
  int count_;
  bool owns_;
};

class Shape {
 public:
  explicit Shape(int side) : side_(side) {}
  __host__ __device__ virtual int sides() const { return 4; }
  __device__ int side() const { return side_; }

 private:
  int side_;
};

__global__ void number_view(View view, int first) {
  view.at(threadIdx.x) = first + static_cast<int>(threadIdx.x);  // @number view
}
/// Each thread has its own copy of a parameter.
__global__ void number_from(View view, const int* turns) {
  for (int turn = 0; turn <= turns[threadIdx.x] % 3; ++turn) view.move_on(1);
  __syncthreads();
  view.at(0) = 7;
}
template <class... Values>
__global__ void sum_of(int* out, Shape shape, Values... values) {
  out[threadIdx.x] = shape.side() + (values + ... + 0);
}
template <class Function>
__global__ void call(Function function) {
  function(threadIdx.x);
}

// ------------------------------------------------------------- variables of a function that stay

__device__ int next_number() {
  static int number = 40;
  return ++number;
}
__device__ int* place_of_static() {
  static int values[4] = {1, 2, 3}, *newest = nullptr;
  return newest = values;
}
__global__ void use_statics(int* out) {
  static const int table[2] = {10, 20};
  static constexpr int kStep = 3;
  static int *const none = nullptr, uses;
  ++uses;
  out[0] = next_number();
  out[1] = table[uses % 2] + kStep + (none == nullptr);
  out[2] = place_of_static()[2];
}
__global__ void read_behind_static(int* out) {
  static int values[2] = {1, 2};
  out[0] = values[out[0]];  // @behind a static
}

// ------------------------------------------------------------------- tables of virtual functions

struct Animal {
  int legs;
  __device__ explicit Animal(int count) : legs(count) {}
  __device__ virtual int feet() const { return legs; }
};
/// Makes two stores: the pointer to the virtual functions, and the number of legs.
__global__ void make_animal(Animal* place) { new (place) Animal(4); }
struct Spider : Animal {
  int lost;
  __device__ explicit Spider(int missing) : Animal(8), lost(missing) {}
  __device__ int feet() const override { return legs - lost; }
};

template <bool right>
__global__ void count_feet(int* out) {
  __shared__ __align__(16) char room[sizeof(Spider)];
  __shared__ const Animal* animal;
  if (threadIdx.x == 0) {
    animal = reinterpret_cast<const Animal*>(room);
    if (right) animal = new (room) Spider(1);
  }
  __syncthreads();
  out[threadIdx.x] = right ? animal->feet() : animal->legs;  // @feet
}
__global__ void make_spider(Spider* place) { new (place) Spider(2); }
__global__ void ask_spider(const Animal* animal, int* out) { *out = animal->feet(); }

// ------------------------------------------------------------------------------------- padding

struct Tagged {  // a byte of padding
  char tag;
  short value;
};
struct alignas(4) Wide {  // one access of four bytes
  short value;
  unsigned char low : 4, high : 4;
};
struct Colour {  // no padding
  unsigned char red, green, blue;
};

template <class Tag>
__global__ void write_members(Tag* out, int members) {
  Tag& one = out[threadIdx.x];
  one.value = 300;
  if constexpr (sizeof(Tag) == 4 && alignof(Tag) == 2) {
    if (members == 2) one.tag = 1;
  } else if (members == 2) {
    one.low = one.high = 1;
  }
}
template <class T>
__global__ void copy_whole(const T* in, T* out) {
  out[threadIdx.x] = in[threadIdx.x];  // @whole
}
__global__ void write_two(Colour* out) { out[threadIdx.x].green = out[threadIdx.x].blue = 1; }

// ------------------------------------------------------------------------------- the same value

/// Lane i marks the values from first[i] to first[i + 1], so that lanes mark the same place in
/// different rounds.
template <class Value>
__global__ void mark(const int* places, const int* first, char* marks, Value value) {
  for (int i = first[threadIdx.x]; i < first[threadIdx.x + 1]; ++i)
    marks[places[i]] = value(threadIdx.x);  // @mark
}
/// Lanes mark one place in different lines.
template <bool right>
__global__ void mark_odd_and_even(char* marks) {
  if (threadIdx.x % 2 == 0)
    marks[3] = 1;  // @mark of even
  else
    marks[3] = right ? 1 : 2;  // @mark of odd
}

// ---------------------------------------------------------------------------- compare and swap

/// Thread 0 swaps if the word is `expected`; the others only read.
__global__ void swap_beside_reads(int* word, int expected, int* out) {
  if (threadIdx.x == 0)
    out[0] = atomicCAS(word, expected, 1);  // @swap
  else
    out[threadIdx.x] = *word;  // @beside a swap
}
/// Thread 0's second attempt succeeds.
__global__ void swap_twice(int* word, int* out) {
  if (threadIdx.x == 0) {
    int expected = 0, found = -1;
    while (found != expected) {
      if (found != -1) expected = found;
      found = atomicCAS(word, expected, 9);  // @swap again
    }
    out[0] = found;
  } else {
    out[threadIdx.x] = *word;  // @beside two
  }
}
__global__ void write_beside_swap(int* word, int* out) {
  if (threadIdx.x == 0)
    out[0] = atomicCAS(word, 0, 1);  // @swap beside a write
  else if (threadIdx.x == 32)
    *word = 9;  // @write beside a swap
}

// -------------------------------------------------------------------------- atomics of the host

__global__ void add_to(int* word) { atomicAdd_system(word, 1); }  // @atomic of the kernel
__global__ void write_to(int* word) { *word = 5; }                // @write of the kernel
__global__ void write_and_add(int* word) {
  *word = 5;  // @write before an atomic
  __syncthreads();
  atomicAdd_system(word, 1);
}

// ---------------------------------------------------------------- locks that nobody waits for

__device__ int locked, served;

/// All lanes meet in each round, whichever holds the lock.
template <bool right>
__global__ void serve() {
  bool is_served = false;
  do {
    if (!is_served && atomicCAS(&locked, 0, 1) == 0) {
      if (right) __threadfence();
      served = served + 1;  // @served
      __threadfence();
      atomicExch(&locked, 0);
      is_served = true;
    }
  } while (!__all_sync(0xffffffffu, is_served));
}

}  // namespace

TEST_CASE("an object that C++ passes by a hidden address reaches the kernel as its bytes") {
  Device<int> data(64, 0);
  const View view(data, 64);
  copies_made = 0;
  const Result by_value = run_checked([&] { number_view<<<1, 64>>>(view, 5); });
  check_silent(by_value);
  CHECK(copies_made == 1);  // one for the call, made by the host
  int host[64];
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  CHECK(host[63] == 68);

  check_silent(run_checked([&] {
    call<<<1, 64>>>([view] __device__(unsigned i) mutable {
      View mine = view;
      mine.at(i) = 3;
    });
  }));
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  CHECK(host[63] == 3);

  Shape shape(5);
  check_silent(run_checked([&] { sum_of<<<1, 64>>>(data.data, shape, 1, 2.0); }));
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  CHECK(host[63] == 8);

  int first = 9;
  View small(data, 8);
  void* arguments[] = {&small, &first};
  copies_made = 0;
  check_silent(run_checked([&] {
    cudaLaunchKernel(reinterpret_cast<void*>(number_view), dim3(1), dim3(8), arguments, 0, nullptr);
  }));
  CHECK(copies_made == 0);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  CHECK(host[7] == 16);

  const View beyond(data, 65);
  check_finding(run_checked([&] { number_view<<<1, 65>>>(beyond, 0); }).findings,
                {.kind = "out_of_bounds", .line = at("number view"), .thread = "(64,0,0)"});
}

TEST_CASE("a thread may change such a parameter, which is its own, in every form of the kernel") {
  std::vector<int> turns(96);
  for (int i = 0; i < 96; ++i) turns[static_cast<std::size_t>(i)] = i;
  Device<int> data(96, 0), of_threads(96);
  cudaMemcpy(of_threads, turns.data(), 96 * sizeof(int), cudaMemcpyHostToDevice);
  const View view(data, 96);
  const auto check_result = [&] {
    int host[96];
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 96; ++i) CHECK(host[i] == (i >= 1 && i <= 3 ? 7 : 0));
    cudaMemset(data, 0, sizeof host);
  };
  number_from<<<1, 96>>>(view, of_threads);
  check_result();
  const emu::Checks all = emu::kAllChecks;
  check_silent(run_checked([&] { number_from<<<1, 96>>>(view, of_threads); }, all));
  check_result();
}

TEST_CASE("static variables of device functions lie in device memory") {
  Device<int> out(3, 0);
  check_silent(run_checked([&] {
    for (int launch = 0; launch < 3; ++launch) use_statics<<<1, 1>>>(out);
  }));
  int host[3];
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  CHECK(host[0] == 43);
  CHECK(host[1] == 24);
  CHECK(host[2] == 3);
  const int far = 1 << 24;
  cudaMemcpy(out, &far, sizeof far, cudaMemcpyHostToDevice);
  const Result beyond = run_checked([&] { read_behind_static<<<1, 1>>>(out); });
  REQUIRE(!beyond.findings.empty());
  CHECK(beyond.findings[0].first.line == at("behind a static"));
}

TEST_CASE("initcheck: a constructor writes where the virtual functions are") {
  Device<int> out(32);
  check_silent(run_checked([&] { count_feet<true><<<1, 32>>>(out); }));
  check_finding(run_checked([&] { count_feet<false><<<1, 32>>>(out); }).findings,
                {.kind = "uninitialized_read", .line = at("feet"), .count = 32});
  check_silent(run_checked([&] {
    Device<Spider> spider(1);
    make_spider<<<1, 1>>>(spider);
    ask_spider<<<1, 1>>>(spider, out);
  }));
  int feet = 0;
  cudaMemcpy(&feet, out, sizeof feet, cudaMemcpyDeviceToHost);
  CHECK(feet == 6);
}

TEST_CASE("where an object's virtual functions are is written by a store like any other") {
  Device<Animal> animal(1);
  emu::set_counting(true);
  make_animal<<<1, 1>>>(animal);
  emu::set_counting(false);
  CHECK(emu::last_launch()->counters.global_store.requests == 2);
  CHECK(emu::last_launch()->counters.global_load.requests == 0);
}

#if EMULATOR_HAS_PLUGIN
TEST_CASE("initcheck: the padding of a small struct need not be written, its members must be") {
  const auto copied = [](auto* type, int members) {
    using T = std::remove_pointer_t<decltype(type)>;
    return run_checked([&] {
      Device<T> from(32), to(32);
      cudaMemset(from, 0, 2);  // one thread's elements are all written
      write_members<<<1, 32>>>(from.data, members);
      copy_whole<<<1, 32>>>(from.data, to.data);
    });
  };
  check_silent(copied(static_cast<Tagged*>(nullptr), 2));
  check_finding(copied(static_cast<Tagged*>(nullptr), 1).findings,
                {.kind = "uninitialized_read", .line = at("whole"), .count = 31});
  check_silent(run_checked([&] {
    Device<Wide> from(32, 0), to(32);
    write_members<<<1, 32>>>(from.data, 2);
    copy_whole<<<1, 32>>>(from.data, to.data);
  }));
  check_finding(run_checked([&] {
                  Device<Wide> from(32), to(32);
                  write_members<<<1, 32>>>(from.data, 1);
                  copy_whole<<<1, 32>>>(from.data, to.data);
                }).findings,
                {.kind = "uninitialized_read", .line = at("whole"), .count = 32});
  check_finding(run_checked([&] {
                  Device<Colour> from(32), to(32);
                  write_two<<<1, 32>>>(from.data);
                  copy_whole<<<1, 32>>>(from.data, to.data);
                }).findings,
                {.kind = "uninitialized_read", .line = at("whole"), .count = 32});
}
#endif

TEST_CASE("racecheck: lanes write the same value to one place in different rounds") {
  const int places_of_lanes[] = {3, 5, 1, 5, 5, 0, 1}, first_of_lanes[] = {0, 2, 4, 5, 7};
  Device<int> places(7), first(5);
  Device<char> marks(8, 0);
  cudaMemcpy(places, places_of_lanes, sizeof places_of_lanes, cudaMemcpyHostToDevice);
  cudaMemcpy(first, first_of_lanes, sizeof first_of_lanes, cudaMemcpyHostToDevice);
  const auto always_one = [] __device__(unsigned) { return char{1}; };
  const auto lane = [] __device__(unsigned of) { return static_cast<char>(of); };
  check_silent(run_checked([&] { mark<<<1, 4>>>(places, first, marks, always_one); }));
  const Result wrong = run_checked([&] { mark<<<1, 4>>>(places, first, marks, lane); });
  check_finding(wrong.findings,
                {.kind = "race_waw", .line = at("mark"), .other_line = at("mark"), .severity = {}});
}

TEST_CASE("racecheck: lanes write the same value to one place at different lines") {
  Device<char> marks(8, 0);
  check_silent(run_checked([&] { mark_odd_and_even<true><<<1, 32>>>(marks); }));
  const Result wrong = run_checked([&] { mark_odd_and_even<false><<<1, 32>>>(marks); });
  REQUIRE(!wrong.findings.empty());
  CHECK(wrong.findings[0].kind == "race_waw");
}

TEST_CASE("racecheck: a compare-and-swap that finds another value writes nothing") {
  Device<int> word(1), out(64);
  const int seven = 7;
  const auto after_seven = [&](auto&& launch) {
    cudaMemcpy(word, &seven, sizeof seven, cudaMemcpyHostToDevice);
    return run_checked(launch).findings;
  };
  CHECK(after_seven([&] { swap_beside_reads<<<1, 64>>>(word, 0, out); }).empty());
  const auto swapped = after_seven([&] { swap_beside_reads<<<1, 64>>>(word, 7, out); });
  REQUIRE(!swapped.empty());
  CHECK(swapped[0].first.line == at("beside a swap"));
  CHECK(swapped[0].second.line == at("swap"));
  const auto again = after_seven([&] { swap_twice<<<1, 64>>>(word, out); });
  REQUIRE(!again.empty());
  CHECK(again[0].second.line == at("swap again"));
  // It has read the word nevertheless.
  const auto written = after_seven([&] { write_beside_swap<<<1, 64>>>(word, out); });
  check_finding(written, {.kind = "race_war",
                          .line = at("write beside a swap"),
                          .other_line = at("swap beside a write")});
}

TEST_CASE("racecheck: atomic operations of the host race with no atomic ones of a kernel") {
  int* word = nullptr;
  REQUIRE(cudaMallocManaged(&word, sizeof(int)) == cudaSuccess);
  *word = 0;
  check_silent(run_checked([&] {
    add_to<<<1, 32>>>(word);
    for (int i = 0; i < 100; ++i) __sync_fetch_and_add(word, 1);
    std::atomic_ref<int> host(*word);
    ++host;
    host.store(host.load());
  }));
  CHECK(*word == 133);
  check_finding(run_checked([&] {
                  add_to<<<1, 32>>>(word);
                  ++*word;  // @plain on the host
                }).findings,
                {.kind = "host_race",
                 .line = at("plain on the host"),
                 .other_line = at("atomic of the kernel")});
  check_finding(run_checked([&] {
                  write_to<<<1, 1>>>(word);
                  __sync_fetch_and_add(word, 1);  // @atomic on the host
                }).findings,
                {.kind = "host_race",
                 .line = at("atomic on the host"),
                 .other_line = at("write of the kernel")});
  check_finding(run_checked([&] {
                  write_and_add<<<1, 1>>>(word);
                  __sync_fetch_and_add(word, 1);  // @atomic after both
                }).findings,
                {.kind = "host_race",
                 .line = at("atomic after both"),
                 .other_line = at("write before an atomic")});
  cudaFree(word);
}

TEST_CASE("racecheck: lanes that try for a lock, and meet in every round, come to an end") {
  const int none = 0;
  for (const auto& [blocks, threads] : {std::pair(1, 96), std::pair(3, 32), std::pair(2, 64)}) {
    cudaMemcpyToSymbol(served, &none, sizeof none);
    check_silent(run_checked([&] { serve<true><<<blocks, threads>>>(); }));
    int all = 0;
    cudaMemcpyFromSymbol(&all, served, sizeof all);
    CHECK(all == blocks * threads);
  }
  const Result wrong = run_checked([&] { serve<false><<<1, 64>>>(); });
  REQUIRE(!wrong.findings.empty());
  CHECK(wrong.findings[0].first.line == at("served"));
}
