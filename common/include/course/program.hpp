#pragma once

/// @file
/// A chapter's executable: options, experiments, report, exit status.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "course/backend.hpp"
#include "course/options.hpp"
#include "course/report.hpp"
#include "course/run.hpp"

namespace course {

/// Declares what a chapter can do, then does what the command line asks for.
///
///     int main(int argc, char** argv) {
///       course::Program program("02_coalescing", "One request: how many sectors?", argc, argv);
///
///       int n = course::default_for({.counting = 1 << 16, .timing = 1 << 26});
///       std::vector<int> strides = {1, 2, 4, 8, 16, 32};
///       program.option("n", n, "elements to copy", {.min = 0, .max = 1 << 28});
///       program.option("stride", strides, "elements between neighbouring lanes", {.min = 1, .max =
///       1024});
///
///       program.section("Lanes further and further apart",
///                       {"kernel", "stride", {"sectors/request", "global_load_sectors /
///                       global_load_requests"}, {"GB/s", "gb_per_s"}});
///       program.experiment("copy_strided", "lane i reads element i x stride", strides,
///                          [&](course::Run& run, int stride) { ... });
///       return program.run();
///     }
///
/// Every program takes --help, --list, --kernel NAME (repeatable), --repeat N, --seed S, --json
/// FILE|-, and on the emulator --check and --schedules N.
class Program {
 public:
  /// `chapter` is the folder's name; `question` is what --help and the report open with.
  Program(std::string_view chapter, std::string_view question, int argc, const char* const* argv);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Lets `--name VALUE` set `value`, which holds the default until run() and must outlive it.
  void option(std::string_view name, int& value, std::string_view help, Range<int> range = {});
  void option(std::string_view name, std::int64_t& value, std::string_view help,
              Range<std::int64_t> range = {});
  void option(std::string_view name, float& value, std::string_view help, Range<float> range = {});
  void option(std::string_view name, double& value, std::string_view help,
              Range<double> range = {});
  /// Lets `--name WORD` set `value`, which is empty unless the option is given.
  void option(std::string_view name, std::string& value, std::string_view help);
  /// Lets `--stride 1,2,32` set a list.
  void option(std::string_view name, std::vector<int>& values, std::string_view help,
              Range<int> range = {});

  /// Adds a check across options, called after they are read. It returns what is wrong in one line,
  /// or an empty string.
  void require(std::function<std::string()> complaint);

  /// Starts a table; the experiments that follow are its rows.
  void section(std::string_view title, std::vector<Column> columns);
  /// Adds a line below the current section's table.
  void note(std::string_view text);

  /// Registers `body` as what --kernel `kernel` runs: one row.
  void experiment(std::string_view kernel, std::string_view help, std::function<void(Run&)> body);

  /// Registers a row for each of `values`, which may be an option and must outlive run().
  template <class T, class Body>
  void experiment(std::string_view kernel, std::string_view help, const std::vector<T>& values,
                  Body body) {
    sweep(
        kernel, help, [&values] { return values.size(); },
        [&values, body](Run& run, std::size_t i) { body(run, values[i]); });
  }
  template <class T, class Body>
  void experiment(std::string_view kernel, std::string_view help, const std::vector<T>&& values,
                  Body body) = delete;

  /// Reads the command line, runs the experiments, prints or writes the report.
  ///
  /// Never throws. Returns 0 if all results were verified, 1 if one was wrong, 2 for bad usage, no
  /// usable device or not enough memory, with one line on standard error.
  int run() noexcept;

 private:
  void sweep(std::string_view kernel, std::string_view help, std::function<std::size_t()> rows,
             std::function<void(Run&, std::size_t)> body);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace course
