#include "tools/coursework/watch/board.hpp"

#include <stdexcept>

namespace coursework {
namespace {

Answer read(const std::filesystem::path& file) {
  try {
    return {read_answer(file), {}};
  } catch (const std::exception& error) {
    return {{}, error.what()};
  }
}

}  // namespace

Board::Board(std::vector<Exercise> exercises, Answers answers)
    : exercises_(std::move(exercises)),
      answers_(std::move(answers)),
      progress_(progress_file(answers_.folder())),
      seen_(exercises_.size()),
      judged_(exercises_.size()) {
  for (const Exercise& one : exercises_) starters_.push_back(starter_of(one));
  look();
}

std::vector<std::size_t> Board::look() {
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < size(); ++i) {
    Answer now = read(answers_.file_of(exercises_[i]));
    if (now == seen_[i]) continue;
    seen_[i] = std::move(now);
    changed.push_back(i);
  }
  return changed;
}

Progress::State Board::state(std::size_t number) const {
  const Answer& now = seen_.at(number);
  if (!now.fault.empty() || now.text == starters_[number]) return Progress::State::not_yet;
  return progress_.state_of(exercises_[number], now.text);
}

std::size_t Board::count_right() const {
  std::size_t right = 0;
  for (std::size_t i = 0; i < size(); ++i) right += state(i) == Progress::State::right ? 1 : 0;
  return right;
}

std::size_t Board::first_open() const {
  for (std::size_t i = 0; i < size(); ++i)
    if (state(i) != Progress::State::right) return i;
  return size() - 1;
}

const Verdict* Board::verdict(std::size_t number) const {
  const auto& judged = judged_.at(number);
  return judged && seen_[number].fault.empty() && judged->answer == seen_[number].text
             ? &judged->verdict
             : nullptr;
}

const Verdict* Board::last_verdict(std::size_t number) const {
  const auto& judged = judged_.at(number);
  return judged ? &judged->verdict : nullptr;
}

void Board::keep(std::size_t number, const std::string& answer, const Verdict& verdict) {
  judged_.at(number) = {answer, verdict};
  progress_.record(exercises_[number], answer, verdict.is_right());
}

std::optional<std::size_t> Board::unknown() const {
  for (std::size_t i = 0; i < size(); ++i)
    if (state(i) == Progress::State::unknown) return i;
  return std::nullopt;
}

}  // namespace coursework
