#include "tools/coursework/judging/questions.hpp"

#include <bit>
#include <cmath>

#include "course/inputs.hpp"

namespace coursework {

void set_answer(Trial& trial, std::size_t number, double said, double counted) {
  constexpr double kMany = 1e9;
  const std::string which = std::to_string(number);
  const bool is_less = said < counted, is_more = counted < said;
  trial.set("said_" + which, said);
  trial.set(kLeastOfAnswer + which, is_less ? said + 1 : is_more ? 0 : said);
  trial.set("most_" + which, is_less ? kMany : is_more ? said - 1 : said);
}

double off_from(const Trial& trial, const PaperRequests& loads, const PaperRequests& stores) {
  if (!trial.counted()) return 0.0;
  const auto& values = trial.values();
  const auto counted = [&](const char* name) {
    const auto found = values.find(name);
    return found == values.end() ? 0.0 : found->second;
  };
  double off = 0.0;
  const auto expect = [&](const char* name, std::int64_t wanted) {
    off += std::abs(counted(name) - static_cast<double>(wanted));
  };
  expect("global_load_requests", loads.requests());
  expect("global_load_sectors", loads.sectors());
  expect("global_load_bytes", loads.bytes());
  expect("global_store_requests", stores.requests());
  expect("global_store_sectors", stores.sectors());
  expect("global_store_bytes", stores.bytes());
  for (const char* const name :
       {"global_atomic_requests", "bulk_copies", "bulk_stores", "warp_shuffles",
        "shared_load_requests", "shared_store_requests", "shared_atomic_requests",
        "dshared_load_requests", "dshared_store_requests", "dshared_atomic_requests"})
    expect(name, 0);
  return off;
}

std::uint64_t answer_digest(const std::string& exercise, std::size_t question, double answer) {
  std::uint64_t digest = course::derive_seed(question, 0);
  for (const char c : exercise) digest = course::derive_seed(digest, static_cast<unsigned char>(c));
  return course::derive_seed(digest, std::bit_cast<std::uint64_t>(answer));
}

}  // namespace coursework
