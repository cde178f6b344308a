#pragma once

/// @file
/// What `./course check NN` runs: exercises in order, complaints in the learner's words, hints.

#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "course/backend.hpp"
#include "course/error.hpp"
#include "course/options.hpp"

namespace course_test {

/// Ends an exercise: says what is wrong.
class NotYet : public std::exception {
 public:
  explicit NotYet(std::string complaint) : complaint_(std::move(complaint)) {}
  const char* what() const noexcept override { return complaint_.c_str(); }

 private:
  std::string complaint_;
};

/// Ends the exercise with `complaint` unless `holds`.
inline void expect(bool holds, const std::string& complaint) {
  if (!holds) throw NotYet(complaint);
}

/// 5 as "5", 8.5 as "8.5".
inline std::string number(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

/// The exercises of one chapter, checked in order until one is not yet right.
///
///     int main(int argc, char** argv) {
///       course_test::ExerciseCheck check("02", argc, argv);
///       check.exercise("1: along a row", {"first hint", "second hint"}, [] { ... expect(...); });
///       return check.finish();
///     }
///
/// Command line: nothing, or `--hint [LEVEL]`. Status 0: all right; 1: not yet; 2: bad usage or no
/// device.
class ExerciseCheck {
 public:
  ExerciseCheck(std::string_view chapter, int argc, const char* const* argv) : chapter_(chapter) {
    try {
      read_arguments({argv + 1, argv + argc});
      course::current_device();
    } catch (const std::exception& error) {
      refuse(error);
    }
  }

  /// Runs `body`, which calls expect(), unless an earlier exercise is not yet right; `hints` go
  /// from a nudge to nearly the answer. What `body` returns, if anything, is the cost in words.
  template <class Body>
  void exercise(std::string_view title, std::vector<std::string> hints, const Body& body) {
    if (status_ != course::kExitVerified) return;
    try {
      std::string cost;
      if constexpr (std::is_void_v<std::invoke_result_t<Body>>) {
        body();
      } else {
        cost = body();
      }
      course::synchronize();
      std::cout << "right    " << title << '\n';
      if (!cost.empty()) std::cout << "         " << cost << '\n';
    } catch (const course::UsageError& error) {
      refuse(error);
    } catch (const course::CudaError& error) {
      complain(title, std::string("the kernel failed: ") + error.what(), hints);
    } catch (const std::exception& error) {
      complain(title, error.what(), hints);
    }
  }

  int finish() {
    if (status_ != course::kExitVerified) return status_;
    std::cout << "All exercises of chapter " << chapter_ << " are right.\n";
    if (!course::backend().reports_counters) {
      std::cout << "Only the results were checked: the sectors are counted by `./course --backend "
                   "emulator check "
                << chapter_ << "`.\n";
    }
    return status_;
  }

 private:
  void read_arguments(const std::vector<std::string>& arguments) {
    if (arguments.empty()) return;
    if (arguments[0] != "--hint" || arguments.size() > 2)
      throw course::UsageError("usage: ./course check " + chapter_ + " [--hint [LEVEL]]");
    hint_level_ = arguments.size() == 1
                      ? 1
                      : course::parse_number<int>("--hint", arguments[1], {.min = 1, .max = 9});
  }

  void complain(std::string_view title, const std::string& complaint,
                const std::vector<std::string>& hints) {
    status_ = course::kExitWrong;
    std::cout << "not yet  " << title << "\n\n  " << complaint << '\n';
    const int levels = static_cast<int>(hints.size());
    for (int level = 1; level <= hint_level_ && level <= levels; ++level)
      std::cout << "\n  Hint " << level << " of " << levels << ": " << hints[level - 1] << '\n';
    if (hint_level_ < levels) {
      std::cout << "\nA hint: ./course check " << chapter_ << " --hint";
      if (hint_level_ > 0) std::cout << ' ' << hint_level_ + 1;
      std::cout << '\n';
    }
  }

  void refuse(const std::exception& error) {
    status_ = course::kExitUsage;
    std::cerr << "check: " << error.what() << '\n';
  }

  std::string chapter_;
  int hint_level_ = 0;
  int status_ = course::kExitVerified;
};

}  // namespace course_test
