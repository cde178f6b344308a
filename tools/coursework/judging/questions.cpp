#include "tools/coursework/judging/questions.hpp"

#include <bit>

#include "course/inputs.hpp"

namespace coursework {

std::uint64_t answer_digest(const std::string& exercise, std::size_t question, double answer) {
  std::uint64_t digest = course::derive_seed(question, 0);
  for (const char c : exercise) digest = course::derive_seed(digest, static_cast<unsigned char>(c));
  return course::derive_seed(digest, std::bit_cast<std::uint64_t>(answer));
}

}  // namespace coursework
