#pragma once

/// @file
/// Options of every command that checks a student's answers.

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>

#include "tools/coursework/judging/judge.hpp"
#include "tools/support/project.hpp"

namespace coursework {

inline constexpr double kTimeLimitSeconds = 10;

inline std::filesystem::path answers_folder() { return tools::source_folder() / "answers"; }

inline JudgeOptions judge_options(double time_limit_s) {
  JudgeOptions options;
  options.time_limit = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(time_limit_s));
  return options;
}

inline void add_time_limit(CLI::App& app, double& seconds) {
  constexpr double kLeast = 0.1, kMost = 3600;
  app.add_option("--time-limit", seconds, "for all kernels of an answer, in seconds (default: 10)")
      ->check(CLI::Range(kLeast, kMost));
}

inline void add_answers_folder(CLI::App& app, std::filesystem::path& folder) {
  app.add_option("--answers", folder, "where your answers are, if not in answers/");
}

}  // namespace coursework
