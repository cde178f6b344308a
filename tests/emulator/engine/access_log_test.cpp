#include "engine/count/access_log.hpp"

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "engine/engine.hpp"

using namespace emu;

namespace {

struct Access {
  std::uintptr_t key;
  std::uintptr_t address;
  std::uint64_t path = 0;  // of the loop iterations
};
using Program = std::array<std::vector<Access>, kWarpSize>;  // [lane]

constexpr std::size_t kMemoryBytes = 1u << 20;

char* device_memory() {
  static char* memory = [] {
    void* pointer = nullptr;
    REQUIRE(cudaMalloc(&pointer, kMemoryBytes) == cudaSuccess);
    return static_cast<char*>(pointer);
  }();
  return memory;
}

AccessKind kind_of(std::uintptr_t key) { return key % 2 ? AccessKind::store : AccessKind::load; }

// Does what instrumentation.cpp does for every access.
void access(AccessLog& log, const Access& one) {
  round_path = one.path;
  if (is_expected(*hot.cursor, one.key, one.address))
    ++hot.cursor;
  else
    log.record(one.address, one.key, kind_of(one.key), 4);
}

using Order = std::array<unsigned, kWarpSize>;  // of lanes

Order plain_order() {
  Order order;
  std::iota(order.begin(), order.end(), 0);
  return order;
}

void run_phase(AccessLog& log, const Program& program, const Order& order) {
  std::vector<RequestsBySpace> requests(3);
  std::vector<WarpLoads> loads;
  log.set_block(&requests, &loads);
  log.begin_phase(2);
  for (const unsigned lane : order) {
    log.begin_lane(lane);
    for (const Access& one : program[lane]) access(log, one);
    log.end_lane();
    round_path = 0;
  }
  log.end_phase();
  log.end_block();
}

void run_phase(AccessLog& log, const Program& program, std::mt19937& random) {
  Order order = plain_order();
  std::shuffle(order.begin(), order.end(), random);
  run_phase(log, program, order);
}

// A request is a set of accesses with equal (instruction, path, occurrence): a simple reference.
void count_plainly(const Program& program, Counters& total) {
  using Place = std::pair<std::uintptr_t, std::uint64_t>;  // instruction and path
  std::map<std::pair<Place, int>, std::pair<std::uint32_t, LaneAddresses>> requests;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    std::map<Place, int> occurrence;
    for (const Access& one : program[lane]) {
      const Place place{one.key, one.path};
      auto& [lanes, addresses] = requests[{place, occurrence[place]++}];
      lanes |= 1u << lane;
      addresses[lane] = one.address;
    }
  }
  for (const auto& [id, request] : requests) {
    const auto& [lanes, addresses] = request;
    const AccessKind kind = kind_of(id.first.first);
    const GlobalCost cost = global_cost(kind, addresses, lanes, 4);
    const bool is_load = kind == AccessKind::load;
    Counters one;
    (is_load ? one.global_load : one.global_store) = {1, cost.sectors, cost.lines, cost.bytes};
    (is_load ? one.sectors_ideal.global_load : one.sectors_ideal.global_store) =
        (cost.bytes + kSectorBytes - 1) / kSectorBytes;
    if (is_load && !evenly_spaced(addresses, lanes)) one.uneven_global_loads = 1;
    total += one;
    total.warp_instructions += 1;
    total.lane_instructions += static_cast<unsigned>(std::popcount(lanes));
  }
  // Each program is a block.
  total.busiest_warp.global =
      std::max(total.busiest_warp.global, static_cast<std::uint64_t>(requests.size()));
}

void check_equal(const Counters& actual, const Counters& expected) {
  CHECK(actual.global_load.requests == expected.global_load.requests);
  CHECK(actual.global_load.sectors == expected.global_load.sectors);
  CHECK(actual.global_load.lines == expected.global_load.lines);
  CHECK(actual.global_load.bytes == expected.global_load.bytes);
  CHECK(actual.sectors_ideal.global_load == expected.sectors_ideal.global_load);
  CHECK(actual.global_store.requests == expected.global_store.requests);
  CHECK(actual.global_store.sectors == expected.global_store.sectors);
  CHECK(actual.global_store.bytes == expected.global_store.bytes);
  CHECK(actual.warp_instructions == expected.warp_instructions);
  CHECK(actual.lane_instructions == expected.lane_instructions);
  CHECK(actual.uneven_global_loads == expected.uneven_global_loads);
}

std::uintptr_t word(std::size_t index) {
  return reinterpret_cast<std::uintptr_t>(device_memory()) + 4 * (index % (kMemoryBytes / 4));
}

// Returns a random program with loops, guards and branches as in kernels, and addresses of all
// kinds.
Program random_program(std::mt19937& random, unsigned flavour) {
  Program program;
  const unsigned iterations = random() % 12;
  const unsigned guard = flavour & 1 ? random() % 33 : 32;  // lanes from here on do nothing
  const bool branches = flavour & 2, ragged = flavour & 4, scattered = flavour & 8;
  const bool tells_rounds = flavour & 16;
  const std::size_t base = random() % 1000, step = random() % 5;
  for (unsigned lane = 0; lane < guard; ++lane) {
    const unsigned turns = ragged ? (lane * 7 + iterations) % 12 : iterations;
    for (unsigned turn = 0; turn < turns; ++turn) {
      const std::size_t index = scattered ? random() : base + lane * step + turn * 33;
      const std::uint64_t path = tells_rounds ? (turn + 1) * kRandomStep : 0;
      program[lane].push_back({1000, word(index), path});
      if (branches && (lane + turn) % 3 == 0)
        program[lane].push_back({2000 + 10 * (lane % 2), word(index + 7), path});
      program[lane].push_back({3001, word(50000 + lane + turn), path});
      if (branches) program[lane].push_back({5001, word(lane)});  // between two iterations
    }
    program[lane].push_back({4001, word(lane)});
  }
  return program;
}

}  // namespace

TEST_CASE("no two rounds of loops have the same path, and behind a loop it is what it was") {
  std::set<std::uint64_t> paths = {round_path};
  constexpr unsigned kLoops = 40, kRounds = 40;
  for (unsigned loop = 1; loop <= kLoops; ++loop) {
    Rounds outer(loop);
    for (unsigned i = 0; i < kRounds; ++i) {
      outer.next();
      paths.insert(round_path);
      Rounds inner(loop + 1);
      for (unsigned j = 0; j < kRounds; ++j) {
        inner.next();
        paths.insert(round_path);
      }
    }
  }
  CHECK(paths.size() == 1 + kLoops * kRounds * (1 + kRounds));
  CHECK(round_path == 0);
}

TEST_CASE("the log equals plain grouping by instruction, rounds and occurrence") {
  for (unsigned flavour = 0; flavour < 32; ++flavour) {
    CAPTURE(flavour);
    std::mt19937 random(flavour);
    AccessLog log;
    Counters expected;
    for (int warp = 0; warp < 60; ++warp) {
      // Run each program several times, so that patterns are learned, used and dropped.
      const Program program = random_program(random, flavour);
      for (int turn = 0; turn < 3; ++turn) {
        run_phase(log, program, random);
        count_plainly(program, expected);
      }
    }
    Counters actual;
    std::vector<AccessSiteCounters> sites;
    log.take(actual, sites);
    check_equal(actual, expected);
    CHECK(actual.busiest_warp == expected.busiest_warp);
  }
}

TEST_CASE("counters by instruction add up to the total, and taking them starts anew") {
  std::mt19937 random(3);
  AccessLog log;
  run_phase(log, random_program(random, 7), random);
  Counters total, sum;
  std::vector<AccessSiteCounters> sites;
  log.take(total, sites);
  for (const AccessSiteCounters& site : sites) sum += site.counters;
  check_equal(sum, total);
  CHECK(total.warp_instructions > 0);
  Counters nothing;
  log.take(nothing, sites);
  CHECK(nothing.warp_instructions == 0);
}

namespace {

// Observes a phase in all possible ways.
class Witness : public AccessObserver {
 public:
  enum class Lets { nothing, loads, all };
  explicit Witness(Lets lets) : lets_(lets) {}

  void before(const LaneAccess& access) override {
    announced[hot.lane].emplace_back(access.key, access.address);
  }
  bool may_go_unreported(const PredictedAccesses& predicted) override {
    const bool may =
        lets_ == Lets::all || (lets_ == Lets::loads && predicted.kind == AccessKind::load);
    if (may) allowed_.push_back(predicted);
    return may;
  }
  void assigned_to_row(const LaneAccess& access, const RowAddresses& row) override {
    const bool is_announced = announced[hot.lane].back() == Made(access.key, access.address);
    misplaced += !(is_announced && row.is_own && row.has(hot.lane));
    ++placements;
  }
  void end_phase(const PhaseRows& rows) override {
    rows.each_access([&](const Row& row, std::uint32_t lanes) {
      note(accesses, row, lanes);
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        if (lanes >> lane & 1 && !(row.addresses->is_own && row.addresses->has(lane)))
          unforeseen += !is_allowed(row.site->kind, row.address(lane));
    });
    rows.each_request([&](const Row& row, std::uint32_t lanes) {
      note(requests, row, lanes);
      ++request_count;
    });
  }

  using Made = std::pair<std::uintptr_t, std::uintptr_t>;  // instruction and address
  using ByLane = std::array<std::vector<Made>, kWarpSize>;
  ByLane announced, accesses, requests;
  std::size_t placements = 0, misplaced = 0, unforeseen = 0, request_count = 0;

 private:
  bool is_allowed(AccessKind kind, std::uintptr_t address) const {
    return std::any_of(allowed_.begin(), allowed_.end(), [&](const PredictedAccesses& predicted) {
      return kind == predicted.kind && address - predicted.begin < predicted.bytes;
    });
  }
  static void note(ByLane& lists, const Row& row, std::uint32_t lanes) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      if (lanes >> lane & 1) lists[lane].emplace_back(row.site->key, row.address(lane));
  }

  Lets lets_;
  std::vector<PredictedAccesses> allowed_;
};

Witness::ByLane as_made(const Program& program) {
  Witness::ByLane made;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    for (const Access& one : program[lane]) made[lane].emplace_back(one.key, one.address);
  return made;
}

// If lanes execute in different orders, the order of requests cannot match every lane's.
Witness::ByLane sorted(Witness::ByLane lists) {
  for (auto& list : lists) std::sort(list.begin(), list.end());
  return lists;
}

}  // namespace

TEST_CASE("observers see each lane's accesses in its own order, whatever they let pass unseen") {
  for (const auto lets : {Witness::Lets::nothing, Witness::Lets::loads, Witness::Lets::all}) {
    CAPTURE(static_cast<int>(lets));
    for (unsigned flavour = 0; flavour < 32; ++flavour) {
      CAPTURE(flavour);
      std::mt19937 random(flavour);
      AccessLog log;
      Counters expected;
      for (int warp = 0; warp < 8; ++warp) {
        const Program program = random_program(random, flavour);
        const Witness::ByLane made = as_made(program);
        for (int turn = 0; turn < 3; ++turn) {
          Witness witness(lets);
          log.set_observers({nullptr, &witness});
          run_phase(log, program, random);
          const std::uint64_t requests_before = expected.warp_instructions;
          count_plainly(program, expected);
          REQUIRE(witness.accesses == made);
          REQUIRE(sorted(witness.requests) == sorted(made));
          CHECK(witness.misplaced == 0);
          CHECK(witness.unforeseen == 0);
          CHECK(witness.request_count == expected.warp_instructions - requests_before);
          if (lets == Witness::Lets::nothing) REQUIRE(witness.announced == made);
        }
      }
      Counters actual;
      std::vector<AccessSiteCounters> sites;
      log.take(actual, sites);
      check_equal(actual, expected);
    }
  }
}

TEST_CASE("a phase that its kernel left early leaves nothing behind") {
  AccessLog log;
  std::vector<RequestsBySpace> requests(1);
  std::vector<WarpLoads> loads;
  log.set_block(&requests, &loads);
  log.begin_phase(0);
  log.begin_lane(0);
  for (const std::uintptr_t key : {1000, 2000, 3000}) access(log, {key, word(key)});
  log.end_lane();
  log.begin_lane(1);
  access(log, {3000, word(7)});  // takes another path, and makes no more accesses
  Counters nothing;
  std::vector<AccessSiteCounters> sites;
  log.take(nothing, sites);

  Program program;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    program[lane] = {{3000, word(lane)}, {3000, word(2 * lane)}};
  Counters expected, actual;
  for (int turn = 0; turn < 3; ++turn) {
    run_phase(log, program, plain_order());
    count_plainly(program, expected);
  }
  log.take(actual, sites);
  check_equal(actual, expected);
}

TEST_CASE("lanes that no pattern has seen load where its first lane did, and store behind all") {
  constexpr std::uintptr_t kLoad = 1000, kStore = 1001;
  for (const std::uintptr_t key : {kLoad, kStore}) {
    CAPTURE(key);
    AccessLog log;
    Program half, all;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      if (lane < kWarpSize / 2) half[lane] = {{key, word(100 + lane)}};
      all[lane] = {{key, word(100 + (lane < kWarpSize / 2 || key == kStore ? lane : 0))}};
    }
    Counters expected;
    const auto run = [&](const Program& program, Witness::Lets lets) {
      Witness witness(lets);
      log.set_observers({&witness});
      run_phase(log, program, plain_order());
      count_plainly(program, expected);
      CHECK(witness.accesses == as_made(program));
      return witness.placements;
    };
    CHECK(run(half, Witness::Lets::all) == kWarpSize / 2);  // learns
    CHECK(run(all, Witness::Lets::all) == 0);               // and learns the others, too
    CHECK(run(all, Witness::Lets::all) == 0);
    CHECK(run(all, Witness::Lets::nothing) == kWarpSize);
    Counters actual;
    std::vector<AccessSiteCounters> sites;
    log.take(actual, sites);
    check_equal(actual, expected);
  }
}
