#include "engine/count/cost.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <random>
#include <set>

using namespace emu;

namespace {

template <class Map>
LaneAddresses addresses_of(Map map) {
  LaneAddresses addresses{};
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    addresses[lane] = static_cast<std::uint64_t>(map(lane));
  return addresses;
}

constexpr std::uint64_t kBase = 1u << 20;  // a multiple of every alignment

GlobalCost load(const LaneAddresses& addresses, unsigned bytes, std::uint32_t lanes = kFullMask) {
  return global_cost(AccessKind::load, addresses, lanes, bytes);
}

SharedCost shared(AccessKind kind, const LaneAddresses& addresses, unsigned bytes,
                  std::uint32_t lanes = kFullMask) {
  return shared_cost(kind, addresses, lanes, bytes);
}

}  // namespace

TEST_CASE("4-byte accesses: sectors, lines and distinct bytes") {
  const auto at = [](unsigned first, unsigned step) {
    return addresses_of([=](unsigned lane) { return kBase + 4 * (first + step * lane); });
  };
  CHECK(load(at(0, 1), 4) == GlobalCost{4, 1, 128});
  CHECK(load(at(1, 1), 4) == GlobalCost{5, 2, 128});
  CHECK(load(at(11, 1), 4) == GlobalCost{5, 2, 128});
  CHECK(load(at(8, 1), 4) ==
        GlobalCost{4, 2, 128});  // a step of one sector: no more sectors, but two lines
  CHECK(load(at(0, 2), 4) == GlobalCost{8, 2, 128});
  CHECK(load(at(0, 32), 4) == GlobalCost{32, 32, 128});
  CHECK(load(at(5, 0), 4) == GlobalCost{1, 1, 4});
}

TEST_CASE("the order of lanes does not change what a request touches") {
  const auto forward = addresses_of([](unsigned lane) { return kBase + 4 * lane; });
  const auto backward = addresses_of([](unsigned lane) { return kBase + 4 * (31 - lane); });
  const auto turned = addresses_of([](unsigned lane) { return kBase + 4 * (lane ^ 21); });
  CHECK(load(backward, 4) == load(forward, 4));
  CHECK(load(turned, 4) == load(forward, 4));
}

TEST_CASE("wide accesses fill more sectors, overlapping ones count their bytes once") {
  CHECK(load(addresses_of([](unsigned lane) { return kBase + 16 * lane; }), 16) ==
        GlobalCost{16, 4, 512});
  CHECK(load(addresses_of([](unsigned lane) { return kBase + 8 * lane; }), 8) ==
        GlobalCost{8, 2, 256});
  CHECK(load(addresses_of([](unsigned lane) { return kBase + lane; }), 1) == GlobalCost{1, 1, 32});
  CHECK(load(addresses_of([](unsigned) { return kBase + 16; }), 16) == GlobalCost{1, 1, 16});
}

TEST_CASE("only active lanes cost") {
  const auto far_apart = addresses_of([](unsigned lane) { return kBase + 4096 * lane; });
  CHECK(load(far_apart, 4, 1u) == GlobalCost{1, 1, 4});
  CHECK(load(far_apart, 4, 0x80000001u) == GlobalCost{2, 2, 8});
}

TEST_CASE("atomics on one word each take their sector; distinct words share it") {
  const auto one_word = addresses_of([](unsigned) { return kBase; });
  const auto distinct = addresses_of([](unsigned lane) { return kBase + 4 * lane; });
  CHECK(global_cost(AccessKind::atomic, one_word, kFullMask, 4).sectors == 32);
  CHECK(global_cost(AccessKind::atomic, distinct, kFullMask, 4).sectors == 4);
  CHECK(global_cost(AccessKind::load, one_word, kFullMask, 4).sectors == 1);
}

TEST_CASE("global cost equals counting in sets, for random addresses") {
  std::mt19937 random(1);
  for (int turn = 0; turn < 2000; ++turn) {
    const unsigned bytes = 1u << random() % 5;
    const unsigned range = 1u << (3 + random() % 10);
    const std::uint32_t lanes = turn % 3 == 0 ? kFullMask : random() | 1u << random() % 32;
    const auto addresses =
        addresses_of([&](unsigned) { return kBase + bytes * (random() % range); });
    std::set<std::uint64_t> sectors, lines, each;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      if (!(lanes >> lane & 1)) continue;
      for (unsigned byte = 0; byte < bytes; ++byte) {
        const std::uint64_t address = addresses[lane] + byte;
        sectors.insert(address / 32);
        lines.insert(address / 128);
        each.insert(address);
      }
    }
    const GlobalCost cost = load(addresses, bytes, lanes);
    REQUIRE(cost.sectors == sectors.size());
    REQUIRE(cost.lines == lines.size());
    REQUIRE(cost.bytes == each.size());
  }
}

TEST_CASE("banks, 4 bytes: the fullest bank decides, equal words are served together") {
  const auto step = [](unsigned words) {
    return addresses_of([=](unsigned lane) { return kBase + 4 * words * lane; });
  };
  CHECK(shared(AccessKind::load, step(1), 4) == SharedCost{1, 1});
  CHECK(shared(AccessKind::load, step(0), 4) == SharedCost{1, 1});
  CHECK(shared(AccessKind::load, step(2), 4) == SharedCost{2, 1});
  CHECK(shared(AccessKind::load, step(32), 4) == SharedCost{32, 1});
  CHECK(shared(AccessKind::load, step(33), 4) == SharedCost{1, 1});
  CHECK(shared(AccessKind::load, step(32), 4, 0x55555555u) == SharedCost{16, 1});
  CHECK(shared(AccessKind::atomic, step(0), 4) == SharedCost{32, 1});
}

TEST_CASE("banks, 8 and 16 bytes: halves and quarters of a warp, which may go together for loads") {
  const auto linear = [](unsigned bytes) {
    return addresses_of([=](unsigned lane) { return kBase + bytes * lane; });
  };
  const auto one = addresses_of([](unsigned) { return kBase; });
  CHECK(shared(AccessKind::load, linear(8), 8) == SharedCost{2, 2});
  CHECK(shared(AccessKind::load, linear(16), 16) == SharedCost{4, 4});
  CHECK(shared(AccessKind::load, one, 8) == SharedCost{1, 1});
  CHECK(shared(AccessKind::store, one, 8) == SharedCost{2, 2});
  CHECK(shared(AccessKind::load, one, 16) == SharedCost{2, 2});
  CHECK(shared(AccessKind::store, one, 16) == SharedCost{4, 4});
  // Rows of four 16-byte words, 128 bytes apart: two lanes of a quarter meet in each bank.
  const auto rows =
      addresses_of([](unsigned lane) { return kBase + lane / 4 * 128 + lane % 4 * 16; });
  CHECK(shared(AccessKind::load, rows, 16) == SharedCost{8, 4});
  // The same rows padded by one 16-byte word: no bank is used twice.
  const auto padded =
      addresses_of([](unsigned lane) { return kBase + lane / 4 * 192 + lane % 4 * 16; });
  CHECK(shared(AccessKind::load, padded, 16) == SharedCost{4, 4});
}

TEST_CASE("moving all lanes by one word moves the banks but not the cost") {
  std::mt19937 random(2);
  for (int turn = 0; turn < 500; ++turn) {
    const unsigned bytes = 4u << random() % 3;
    const auto addresses = addresses_of([&](unsigned) { return kBase + bytes * (random() % 256); });
    LaneAddresses moved = addresses;
    for (auto& address : moved) address += bytes;
    REQUIRE(shared(AccessKind::load, addresses, bytes) == shared(AccessKind::load, moved, bytes));
  }
}
