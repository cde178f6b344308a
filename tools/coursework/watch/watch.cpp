#include "tools/coursework/watch/watch.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tools/coursework/show/hint_lines.hpp"
#include "tools/coursework/show/verdict_lines.hpp"

namespace coursework {
namespace {

using State = Progress::State;

std::string name_of(const Exercise& exercise) {
  return shown_id(exercise.id) + "  " + exercise.title;
}

/// Greys out lines that no longer apply.
std::vector<Line> faded(std::vector<Line> lines) {
  for (Line& line : lines)
    for (Piece& piece : line.pieces) piece.style = Style::faint;
  return lines;
}

}  // namespace

Watch::Watch(std::vector<Exercise> exercises, Answers answers, JudgeOptions options)
    : board_(std::move(exercises), std::move(answers)), options_(options) {
  go_to(board_.first_open());
}

void Watch::press(Key key, Size size) {
  if (key == key_of('q') && page_ != Picture::Page::question) {
    ended_ = true;
    return;
  }
  notice_.clear();
  switch (page_) {
    case Picture::Page::verdict:
      press_on_page(key, size);
      break;
    case Picture::Page::list:
      press_in_list(key);
      break;
    case Picture::Page::help:
      if (!scroll(key, size)) page_ = Picture::Page::verdict;
      break;
    case Picture::Page::question:
      page_ = Picture::Page::verdict;
      if (key == key_of('y')) reset();
      break;
  }
}

void Watch::press_on_page(Key key, Size size) {
  switch (static_cast<int>(key)) {
    case 'h':
      return hint();
    case 'n':
      return go_on(+1);
    case 'p':
      return go_on(-1);
    case 'c':
      return check_again();
    case 'l':
      selected_ = current_;
      page_ = Picture::Page::list;
      return;
    case 'r':
      scrolled_ = 0;
      page_ = Picture::Page::question;
      return;
    case '?':
      scrolled_ = 0;
      page_ = Picture::Page::help;
      return;
    default:
      scroll(key, size);
  }
}

void Watch::press_in_list(Key key) {
  const std::size_t last = board_.size() - 1;
  switch (static_cast<int>(key)) {
    case 'k':
    case static_cast<int>(Key::up):
      selected_ -= selected_ > 0 ? 1 : 0;
      break;
    case 'j':
    case static_cast<int>(Key::down):
      selected_ = std::min(last, selected_ + 1);
      break;
    case static_cast<int>(Key::home):
      selected_ = 0;
      break;
    case static_cast<int>(Key::end):
      selected_ = last;
      break;
    case static_cast<int>(Key::enter):
      page_ = Picture::Page::verdict;
      go_to(selected_);
      break;
    case 'l':
    case static_cast<int>(Key::escape):
      page_ = Picture::Page::verdict;
      break;
    default:
      break;
  }
}

bool Watch::scroll(Key key, Size size) {
  const Picture now = picture(/*signs=*/false);
  const std::size_t most = most_scrolled(now, size);
  const std::size_t page = rows_of_page(now, size);
  const auto up = [&](std::size_t rows) { scrolled_ -= std::min(scrolled_, rows); };
  scrolled_ = std::min(scrolled_, most);
  switch (static_cast<int>(key)) {
    case 'k':
    case static_cast<int>(Key::up):
      up(1);
      return true;
    case 'b':
    case static_cast<int>(Key::page_up):
      up(page);
      return true;
    case static_cast<int>(Key::home):
      up(scrolled_);
      return true;
    case 'j':
    case static_cast<int>(Key::down):
      scrolled_ = std::min(most, scrolled_ + 1);
      return true;
    case static_cast<int>(Key::space):
    case static_cast<int>(Key::page_down):
      scrolled_ = std::min(most, scrolled_ + page);
      return true;
    case static_cast<int>(Key::end):
      scrolled_ = most;
      return true;
    default:
      return false;
  }
}

void Watch::go_to(std::size_t number) {
  current_ = number;
  scrolled_ = 0;
  hints_ = 0;
  fault_.clear();
  try {
    if (board_.answers().make(board_.exercise(number)))
      notice_ = "Made " + shown(board_.answers().file_of(board_.exercise(number))) + ".";
  } catch (const std::exception& error) {
    notice_ = error.what();
  }
  board_.look();
  check_what_needs_it();
}

void Watch::go_on(int step) {
  if (step < 0 && current_ == 0) {
    notice_ = "This is the first exercise.";
  } else if (step > 0 && current_ + 1 == board_.size()) {
    const std::size_t open = board_.size() - board_.count_right();
    notice_ = open == 0 ? "All exercises are right. Well done!"
                        : "This is the last exercise; " + std::to_string(open) +
                              (open == 1 ? " is" : " are") + " not right yet (l lists them).";
  } else {
    go_to(step > 0 ? current_ + 1 : current_ - 1);
  }
}

void Watch::hint() {
  const int count = static_cast<int>(board_.exercise(current_).hints.size());
  if (hints_ >= std::max(count, 1)) {
    notice_ = count == 0 ? "There is no hint for this exercise." : "That was the last hint.";
    return;
  }
  ++hints_;
  // Scroll to the end, where the new hint is.
  scrolled_ = static_cast<std::size_t>(-1) / 2;
}

void Watch::reset() {
  try {
    const auto kept = board_.answers().reset(board_.exercise(current_));
    notice_ = "Begun again" + (kept.empty() ? "." : "; your file is now " + shown(kept) + ".");
    hints_ = 0;
  } catch (const std::exception& error) {
    notice_ = error.what();
  }
  look_at_files();
}

void Watch::check_again() {
  board_.look();
  board_.forget(current_);
  fault_.clear();
  check_.cancel();
  check_what_needs_it();
}

void Watch::look_at_files() {
  const std::vector<std::size_t> changed = board_.look();
  if (changed.empty()) return;
  machine_is_faulty_ = false;
  const bool is_current = std::ranges::find(changed, current_) != changed.end();
  if (is_current) {
    fault_.clear();
    scrolled_ = 0;
    has_news_ = !board_.answer(current_).fault.empty();
  } else if (changed.size() == 1 && board_.answer(changed[0]).fault.empty()) {
    notice_.clear();
    page_ = Picture::Page::verdict;
    go_to(changed[0]);  // the user is working on this exercise now
  }
  check_what_needs_it();
}

void Watch::take_result() {
  if (const auto result = check_.take()) {
    machine_is_faulty_ = !result->fault.empty();
    if (result->verdict) board_.keep(result->exercise, result->answer, *result->verdict);
    if (result->exercise == current_) {
      fault_ = result->fault;
      has_news_ = true;
    }
  }
  check_what_needs_it();
}

bool Watch::current_needs_check() const {
  return board_.answer(current_).fault.empty() && fault_.empty() &&
         board_.verdict(current_) == nullptr;
}

void Watch::check_what_needs_it() {
  const auto is_wanted = [&](std::size_t number) {
    return check_.exercise() == number && check_.answer() == board_.answer(number).text;
  };
  std::optional<std::size_t> next;
  if (current_needs_check()) {
    next = current_;
  } else if (!machine_is_faulty_) {
    next = board_.unknown();
  }
  if (check_.is_busy()) {
    // Cancel a check whose result is not needed, and a background check if the current exercise
    // needs one.
    const bool in_vain =
        !is_wanted(check_.exercise()) || (next == current_ && !is_wanted(current_));
    if (in_vain) check_.cancel();
    return;
  }
  if (next) check_.start(*next, board_.exercise(*next), board_.answer(*next).text, options_);
}

std::vector<Line> Watch::body(bool signs) const {
  const Exercise& exercise = board_.exercise(current_);
  const Verdict* verdict = board_.verdict(current_);
  std::vector<Line> lines;
  if (const Answer& answer = board_.answer(current_); !answer.fault.empty()) {
    lines = {Line(name_of(exercise), Style::strong), Line(answer.fault + ".", Style::bad)};
    return lines;
  }
  if (!fault_.empty()) {
    lines = {Line(name_of(exercise), Style::strong),
             Line("This machine cannot check it: " + fault_)};
  } else if (verdict != nullptr) {
    lines = lines_of(*verdict, exercise.title, signs);
  } else if (const Verdict* last = board_.last_verdict(current_)) {
    lines = faded(lines_of(*last, exercise.title, signs));
  } else {
    lines = {Line(name_of(exercise), Style::strong)};
  }
  if (hints_ > 0 && (verdict == nullptr || !verdict->is_right())) {
    lines.emplace_back("");
    const auto hints = hint_lines(exercise, hints_);
    lines.insert(lines.end(), hints.begin(), hints.end());
  }
  return lines;
}

std::optional<std::vector<Line>> Watch::news(bool signs) {
  if (!std::exchange(has_news_, false)) return std::nullopt;
  std::vector<Line> lines = body(signs);
  lines.emplace_back(std::to_string(board_.count_right()) + " of " +
                     counted(static_cast<int>(board_.size()), "exercise") + " right");
  lines.emplace_back("");
  return lines;
}

Picture Watch::picture(bool signs) const {
  Picture picture;
  picture.page = page_;
  for (std::size_t i = 0; i < board_.size(); ++i) {
    const Exercise& one = board_.exercise(i);
    picture.entries.push_back({one.id, one.title, one.points(), board_.state(i)});
  }
  const Exercise& exercise = board_.exercise(current_);
  picture.current = current_;
  picture.selected = selected_;
  picture.file = shown(board_.answers().file_of(exercise));
  picture.is_checking = check_.is_busy() && check_.exercise() == current_;
  picture.scrolled = scrolled_;
  picture.notice = notice_;
  picture.body = body(signs);
  picture.question = "Begin " + shown_id(exercise.id) +
                     " again? Your file as it is now is kept as " +
                     board_.answers().file_of(exercise).filename().string() + ".bak. (y or n)";
  if (const Verdict* verdict = board_.verdict(current_);
      verdict != nullptr && verdict->is_right()) {
    const bool all = board_.count_right() == board_.size();
    picture.body.emplace_back("");
    picture.body.emplace_back(all ? "All exercises are right. Well done!" : "Well done. n goes on.",
                              Style::good);
  }
  return picture;
}

}  // namespace coursework
