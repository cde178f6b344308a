#include "tools/coursework/judging/requests.hpp"

#include <algorithm>

#include "course/counters.hpp"

namespace coursework {
namespace {

constexpr int kElementBytes = 4;

/// Returns the number of pieces of memory that these elements touch, given in ascending order.
std::int64_t pieces_of(const std::vector<std::int64_t>& elements, int piece_bytes) {
  const int together = piece_bytes / kElementBytes;
  std::int64_t pieces = 0, last = -1;
  for (const std::int64_t element : elements) {
    if (element / together == last) continue;
    last = element / together;
    ++pieces;
  }
  return pieces;
}

}  // namespace

void PaperRequests::end_request(std::int64_t times) {
  if (elements_.empty()) return;
  if (!std::ranges::is_sorted(elements_)) std::ranges::sort(elements_);
  requests_ += times;
  sectors_ += times * pieces_of(elements_, course::kSectorBytes);
  lines_ += times * pieces_of(elements_, course::kLineBytes);
  bytes_ += times * kElementBytes * pieces_of(elements_, kElementBytes);
  elements_.clear();
}

}  // namespace coursework
