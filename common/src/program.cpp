#include "course/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <deque>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "course/error.hpp"
#include "course/report_printer.hpp"

namespace course {
namespace {

constexpr int kMostRepeats = 1'000'000;
constexpr int kMostSchedules = 10'000;

/// A kernel that the program can run, and the number of its rows.
struct Experiment {
  std::string kernel;
  std::string help;
  std::size_t section = 0;
  std::function<std::size_t()> rows;
  std::function<void(Run&, std::size_t)> body;
};

/// An option of the chapter, as text until the whole command line is read.
struct OwnOption {
  std::string text;
  bool is_given = false;
  std::function<void(std::string_view)> assign;
};

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

/// Shows a counter of rows on standard error, if that is a terminal.
class Progress {
 public:
  explicit Progress(std::size_t rows) : rows_(rows), is_shown_(isatty(STDERR_FILENO) == 1) {}
  ~Progress() {
    if (is_shown_) std::fputs("\r\033[K", stderr);
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void next(const std::string& kernel) {
    ++row_;
    if (is_shown_)
      std::fputs(fmt::format("\r\033[K[{}/{}] {}", row_, rows_, kernel).c_str(), stderr);
  }

 private:
  std::size_t rows_;
  std::size_t row_ = 0;
  bool is_shown_;
};

/// Returns the limits of the device: its nominal ones, or a measured copy if it does not report its
/// memory clock.
DeviceLimits limits_of(const Device& device) {
  const DeviceLimits nominal = nominal_limits(device);
  if (!backend().reports_time || nominal.dram_bytes_per_s > 0.0) return nominal;
  return measured_limits(nominal, measure_copy_bytes_per_s());
}

}  // namespace

struct Program::State {
  std::string chapter;
  std::string question;
  int argc = 0;
  const char* const* argv = nullptr;

  CLI::App app;
  std::deque<OwnOption> own_options;  // a deque: CLI11 keeps references
  std::vector<std::function<std::string()>> complaints;
  std::vector<Section> sections;
  std::vector<Experiment> experiments;

  bool is_help = false;
  bool is_list = false;
  std::vector<std::string> kernels;
  std::string repeat_text;
  std::string seed_text;
  std::string json_path;
  bool is_checked = false;
  std::string schedules_text;
  Timing timing;
  std::uint64_t seed = 1;

  template <class T, class Assign>
  void add_option(std::string_view name, const Range<T>& range, std::string_view help,
                  const std::string& shown_default, Assign assign) {
    const std::string flag = fmt::format("--{}", name);
    const bool is_bounded = range.min != Range<T>().min || range.max != Range<T>().max;
    const std::string bounds =
        is_bounded ? fmt::format(" ({})", describe_range(range).substr(1)) : "";
    OwnOption& own = own_options.emplace_back();
    own.assign = [flag, assign](std::string_view text) { assign(flag, text); };
    app.add_option_function<std::string>(
           flag,
           [&own](const std::string& text) {
             own.text = text;
             own.is_given = true;
           },
           std::string(help) + bounds)
        ->type_name(fmt::format("[{}]", shown_default))
        ->group("Sizes and choices");
  }

  template <class T>
  void add_number(std::string_view name, T& value, std::string_view help, Range<T> range) {
    add_option(name, range, help, fmt::format("{}", value),
               [&value, range](std::string_view flag, std::string_view text) {
                 value = parse_number<T>(flag, text, range);
               });
  }

  void read_command_line();
  void print_list() const;
  std::vector<const Experiment*> chosen() const;
  Report run_experiments();
  bool run_row(const Experiment& experiment, std::size_t row, const DeviceLimits& limits,
               Section& section) const;
  int run_all();
};

void Program::State::read_command_line() {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    is_help = true;
    return;
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{} (--help shows the options)", first_line(error.what())));
  }
  if (!repeat_text.empty()) {
    timing.repeat = parse_number<int>("--repeat", repeat_text, {.min = 1, .max = kMostRepeats});
  }
  if (!seed_text.empty()) seed = parse_number<std::uint64_t>("--seed", seed_text);
  int schedules = 0;
  if (!schedules_text.empty()) {
    schedules = parse_number<int>("--schedules", schedules_text, {.min = 1, .max = kMostSchedules});
  }
  if (is_checked || schedules > 0) start_checking(is_checked, schedules);
  for (const OwnOption& own : own_options) {
    if (own.is_given) own.assign(own.text);
  }
  for (const auto& complaint : complaints) {
    if (const std::string text = complaint(); !text.empty()) throw UsageError(text);
  }
  for (const std::string& kernel : kernels) {
    if (std::ranges::find(experiments, kernel, &Experiment::kernel) != experiments.end()) continue;
    std::string known;
    for (const Experiment& experiment : experiments)
      known += (known.empty() ? "" : ", ") + experiment.kernel;
    throw UsageError(fmt::format("no kernel '{}' here; there are: {}", kernel, known));
  }
}

void Program::State::print_list() const {
  std::size_t width = 0;
  for (const Experiment& experiment : experiments)
    width = std::max(width, experiment.kernel.size());
  std::string text;
  for (const Experiment& experiment : experiments) {
    text += fmt::format("{:<{}}  {}\n", experiment.kernel, width, experiment.help);
  }
  write_text("-", text);
}

std::vector<const Experiment*> Program::State::chosen() const {
  std::vector<const Experiment*> result;
  for (const Experiment& experiment : experiments) {
    if (kernels.empty() || std::ranges::find(kernels, experiment.kernel) != kernels.end()) {
      result.push_back(&experiment);
    }
  }
  return result;
}

/// Runs one row; returns false if the device cannot continue after it.
bool Program::State::run_row(const Experiment& experiment, std::size_t row,
                             const DeviceLimits& limits, Section& section) const {
  Run run(experiment.kernel, timing, seed, limits);
  bool goes_on = true;
  try {
    experiment.body(run, row);
  } catch (const LaunchRefused& error) {
    throw UsageError(fmt::format("the device refuses the launch of {}: {}; choose other sizes",
                                 experiment.kernel, error.what()));
  } catch (const CudaError& error) {
    // Most failures of a kernel make every later call fail as well.
    goes_on = cudaDeviceSynchronize() == cudaSuccess;
    run.fail(fmt::format("{}{}", error.what(), goes_on ? "" : "; nothing can run after this"));
  }
  section.runs.push_back(run.finish());
  return goes_on;
}

Report Program::State::run_experiments() {
  Report report{.chapter = chapter,
                .question = question,
                .backend = std::string(backend().name),
                .device = current_device(),
                .sections = sections};
  const DeviceLimits limits = limits_of(report.device);
  const std::vector<const Experiment*> experiments_to_run = chosen();
  std::size_t rows = 0;
  for (const Experiment* experiment : experiments_to_run) rows += experiment->rows();

  Progress progress(rows);
  for (const Experiment* experiment : experiments_to_run) {
    for (std::size_t row = 0; row < experiment->rows(); ++row) {
      progress.next(experiment->kernel);
      if (!run_row(*experiment, row, limits, report.sections[experiment->section])) return report;
    }
  }
  return report;
}

int Program::State::run_all() {
  read_command_line();
  if (is_help) {
    write_text("-", app.help() + '\n');
    return kExitVerified;
  }
  if (is_list) {
    print_list();
    return kExitVerified;
  }
  const bool json_to_file = !json_path.empty() && json_path != "-";
  if (json_to_file) check_writable(json_path);

  const Report report = run_experiments();
  if (kernels.empty() && report.all_verified()) {
    if (const auto unknown = unknown_sources(report); !unknown.empty()) {
      throw std::logic_error(fmt::format("no run has the column '{}'", unknown.front()));
    }
  }
  const auto table = [&] { return make_table_printer()->print(report); };
  const auto json = [&] { return make_json_printer()->print(report); };
  if (json_path == "-") {
    write_text("-", json());
    if (!report.all_verified()) std::fputs(table().c_str(), stderr);
  } else {
    write_text("-", table());
    if (json_to_file) write_text(json_path, json());
  }
  return report.all_verified() ? kExitVerified : kExitWrong;
}

Program::Program(std::string_view chapter, std::string_view question, int argc,
                 const char* const* argv)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.chapter = chapter;
  state.question = question;
  state.argc = argc;
  state.argv = argv;

  CLI::App& app = state.app;
  app.name(state.chapter);
  app.description(state.chapter + ": " + state.question);
  app.set_help_flag("-h,--help", "Show this and stop");
  app.add_flag("--list", state.is_list, "Show the kernels and stop");
  app.add_option("--kernel", state.kernels, "Run only this kernel; may be given several times")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  app.add_option("--repeat", state.repeat_text,
                 "Timed launches of each kernel, where times are measured")
      ->type_name(fmt::format("[{}]", state.timing.repeat));
  app.add_option("--seed", state.seed_text, "Seed of the random inputs")
      ->type_name(fmt::format("[{}]", state.seed));
  app.add_option("--json", state.json_path,
                 "Write the report to FILE as JSON; with - to standard output, alone")
      ->type_name("FILE|-");
  app.add_flag("--check", state.is_checked,
               "Look for hazards in every kernel: memory, initialisation, races, barriers; and for "
               "calls that fail, and memory that is never freed");
  app.add_option("--schedules", state.schedules_text,
                 "Run each launch N more times, each in another order, and compare")
      ->type_name("N");
  app.footer(
      "Exit status: 0, all results verified; 1, a result was wrong or a check found something; 2, "
      "bad usage or no usable "
      "device.");
  state.sections.push_back({});
}

Program::~Program() = default;

void Program::option(std::string_view name, int& value, std::string_view help, Range<int> range) {
  state_->add_number(name, value, help, range);
}

void Program::option(std::string_view name, std::int64_t& value, std::string_view help,
                     Range<std::int64_t> range) {
  state_->add_number(name, value, help, range);
}

void Program::option(std::string_view name, float& value, std::string_view help,
                     Range<float> range) {
  state_->add_number(name, value, help, range);
}

void Program::option(std::string_view name, double& value, std::string_view help,
                     Range<double> range) {
  state_->add_number(name, value, help, range);
}

void Program::option(std::string_view name, std::vector<int>& values, std::string_view help,
                     Range<int> range) {
  state_->add_option(name, range, help, fmt::format("{}", fmt::join(values, ",")),
                     [&values, range](std::string_view flag, std::string_view text) {
                       values = parse_numbers<int>(flag, text, range);
                     });
}

void Program::option(std::string_view name, std::string& value, std::string_view help) {
  state_->add_option(name, Range<int>(), help, value.empty() ? "none" : value,
                     [&value](std::string_view, std::string_view text) { value = text; });
}

void Program::require(std::function<std::string()> complaint) {
  state_->complaints.push_back(std::move(complaint));
}

void Program::section(std::string_view title, std::vector<Column> columns) {
  state_->sections.push_back(
      {.title = std::string(title), .columns = std::move(columns), .notes = {}, .runs = {}});
}

void Program::note(std::string_view text) { state_->sections.back().notes.emplace_back(text); }

void Program::experiment(std::string_view kernel, std::string_view help,
                         std::function<void(Run&)> body) {
  sweep(
      kernel, help, [] { return std::size_t{1}; },
      [body = std::move(body)](Run& run, std::size_t) { body(run); });
}

void Program::sweep(std::string_view kernel, std::string_view help,
                    std::function<std::size_t()> rows,
                    std::function<void(Run&, std::size_t)> body) {
  if (std::ranges::find(state_->experiments, kernel, &Experiment::kernel) !=
      state_->experiments.end()) {
    throw std::logic_error(fmt::format("the kernel {} is registered twice", kernel));
  }
  state_->experiments.push_back({.kernel = std::string(kernel),
                                 .help = std::string(help),
                                 .section = state_->sections.size() - 1,
                                 .rows = std::move(rows),
                                 .body = std::move(body)});
}

int Program::run() noexcept {
  const auto complain = [this](std::string_view text) {
    std::fputs(fmt::format("{}: {}\n", state_->chapter, text).c_str(), stderr);
    return kExitUsage;
  };
  try {
    return state_->run_all();
  } catch (const std::bad_alloc&) {
    return complain("not enough host memory; choose smaller sizes");
  } catch (const std::length_error&) {
    return complain("the sizes are too large; choose smaller sizes");
  } catch (const std::exception& error) {
    return complain(first_line(error.what()));
  }
}

}  // namespace course
