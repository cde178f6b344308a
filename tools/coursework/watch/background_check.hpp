#pragma once

/// @file
/// Checks an answer while the user continues to type.

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/judging/judge.hpp"

namespace coursework {

/// Runs one check at a time, on its own thread.
class BackgroundCheck {
 public:
  struct Result {
    std::size_t exercise = 0;  ///< the number passed to start()
    std::string answer;
    std::optional<Verdict> verdict;
    std::string fault;  ///< set instead of a verdict: what is wrong with this machine
  };

  BackgroundCheck();
  ~BackgroundCheck();  ///< cancels
  BackgroundCheck(const BackgroundCheck&) = delete;
  BackgroundCheck& operator=(const BackgroundCheck&) = delete;

  bool is_busy() const { return thread_.joinable(); }
  /// Returns the number of the exercise that is being checked. @pre is_busy()
  std::size_t exercise() const { return number_; }
  const std::string& answer() const { return answer_; }

  /// Starts a check. The exercise must outlive it. @pre not is_busy()
  void start(std::size_t number, const Exercise& exercise, const std::string& answer,
             const JudgeOptions& options);
  /// Cancels the check; its result will be dropped. is_busy() stays true until take().
  void cancel();
  /// Returns a descriptor that becomes readable when take() has something to return.
  int descriptor() const { return done_; }
  /// Returns the result of a finished check; nothing if it was cancelled.
  std::optional<Result> take();

 private:
  int done_;
  std::size_t number_ = 0;
  std::string answer_;
  std::mutex mutex_;
  std::optional<Result> result_;
  std::jthread thread_;
};

}  // namespace coursework
