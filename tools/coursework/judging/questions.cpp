#include "tools/coursework/judging/questions.hpp"

#include <bit>

#include "course/inputs.hpp"

namespace coursework {

void set_answer(Trial& trial, std::size_t number, double said, double counted) {
  constexpr double kMany = 1e9;
  const std::string which = "_" + std::to_string(number);
  const bool is_less = said < counted, is_more = counted < said;
  trial.set("said" + which, said);
  trial.set("least" + which, is_less ? said + 1 : is_more ? 0 : said);
  trial.set("most" + which, is_less ? kMany : is_more ? said - 1 : said);
}

std::uint64_t answer_digest(const std::string& exercise, std::size_t question, double answer) {
  std::uint64_t digest = course::derive_seed(question, 0);
  for (const char c : exercise) digest = course::derive_seed(digest, static_cast<unsigned char>(c));
  return course::derive_seed(digest, std::bit_cast<std::uint64_t>(answer));
}

}  // namespace coursework
