/// Writes a file of docs/measurements: runs the chapters and, on a GPU, Nsight Compute and
/// compute-sanitizer, as described in docs/measurements/experiments.json.
///
///     ./course --backend emulator test -R measurements          compares emulator.json
///     build/emulator/bin/measure docs/measurements/emulator.json writes it again
///     build/cuda/bin/measure docs/measurements/h200.json         on a machine with a GPU
///
/// On the emulator, the file gets the counts of the experiments under "count". On a GPU, it gets
/// the times of those under "time"; Nsight Compute's metrics, under the names of our counters, for
/// "count" and "profile" (each kernel's last launch, at default clocks), and for the microkernels
/// and the ordinary kernels in this folder; whether compute-sanitizer's four tools report nothing
/// for "sanitize"; and their reports for "suspect", kernels that are wrong on purpose. FILE is
/// written only if every result was verified or is known to be wrong. If something fails or the
/// program is stopped, the measurements so far are in FILE.unfinished.
///
/// An experiment with "files" is only for these files, as in "files": ["emulator", "h100"].
///
/// With chapters after the file's name (`measure FILE 06_aos_soa`), only these are measured again,
/// which must happen on the file's machine. A new file then has only these. `microkernels` (Nsight
/// Compute takes minutes), `ordinary_kernels` and `latencies` may be named like chapters.

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;
using Command = std::vector<std::string>;

constexpr std::chrono::seconds kTimeLimit{1200};
/// Programs that launch a series of kernels, and print a line with each name first.
constexpr std::array<const char*, 2> kCollections = {"microkernels", "ordinary_kernels"};
constexpr const char* kLatencies = "latencies";
const std::string kProfile = "profile";

/// The names of a metric: Nsight Compute's and ours. Several of its metrics may add up to one of
/// ours.
struct Metric {
  const char* theirs;
  const char* ours;

  /// Returns whether the values of several kernels add up.
  bool is_sum() const {
    const std::string_view name = theirs;
    return name.ends_with(".sum") || name.starts_with("memory_");
  }
};

constexpr Metric kMetrics[] = {
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "global_load_requests"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "global_load_sectors"},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", "global_load_efficiency_pct"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "global_load_hit_sectors"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "global_store_requests"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "global_store_sectors"},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
     "global_store_efficiency_pct"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "global_atomic_requests"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", "global_atomic_requests"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "global_atomic_sectors"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "global_atomic_sectors"},
    {"memory_l1_tag_requests_global", "global_lines"},
    {"smsp__inst_executed_op_shared_ld.sum", "shared_load_requests"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "shared_load_wavefronts"},
    {"smsp__inst_executed_op_shared_st.sum", "shared_store_requests"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "shared_store_wavefronts"},
    {"smsp__inst_executed_op_shared_atom.sum", "shared_atomic_requests"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", "shared_atomic_wavefronts"},
    {"memory_l1_wavefronts_shared_ideal", "shared_wavefronts_ideal"},
    {"lts__t_sectors_srcunit_tex_op_read.sum", "l2_read_sectors"},
    {"lts__t_sectors_srcunit_tex_op_write.sum", "l2_written_sectors"},
    {"dram__bytes_read.sum", "dram_read_bytes"},
    {"dram__bytes_write.sum", "dram_written_bytes"},
    {"smsp__inst_executed.sum", "warp_instructions"},
    {"smsp__thread_inst_executed_per_inst_executed.ratio", "active_lanes_all_instructions"},
    {"launch__registers_per_thread", "registers_per_thread"},
};

/// Metrics for "profile" only: what a scheduler does with its cycles. The reasons why warps wait
/// are given as a mean number of warps per issued instruction.
constexpr Metric kProfileMetrics[] = {
    {"smsp__issue_active.avg.pct_of_peak_sustained_active", "issue_slots_pct"},
    {"l1tex__data_pipe_lsu_wavefronts.sum", "lsu_wavefronts"},
    {"lts__t_bytes.sum", "l2_bytes"},
    {"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", "stalled_barrier"},
    {"smsp__average_warps_issue_stalled_dispatch_stall_per_issue_active.ratio", "stalled_dispatch"},
    {"smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio", "stalled_lg_throttle"},
    {"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
     "stalled_long_scoreboard"},
    {"smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio",
     "stalled_mio_throttle"},
    {"smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio",
     "stalled_no_instruction"},
    {"smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio",
     "stalled_not_selected"},
    {"smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio",
     "stalled_short_scoreboard"},
    {"smsp__average_warps_issue_stalled_wait_per_issue_active.ratio", "stalled_wait"},
};

constexpr std::array<const char*, 4> kSanitizerTools = {"memcheck", "racecheck", "initcheck",
                                                        "synccheck"};

struct Experiment {
  std::string chapter;
  Command arguments;
  /// The kernels of a launch, if it is not a single kernel with the run's name.
  std::map<std::string, std::vector<std::string>> kernels;

  std::vector<std::string> kernels_of(const json& run) const {
    const auto found = kernels.find(run["kernel"]);
    return found == kernels.end() ? std::vector<std::string>{run["kernel"]} : found->second;
  }
};

json read_json(const fs::path& file) { return tools::parse_ordered_json(tools::read_file(file)); }

std::string run_checked(const Command& command) {
  tools::CommandOptions options;
  options.time_limit = kTimeLimit;
  // One thread, so that the emulator's blocks run in a fixed order: a compaction stores by order.
  options.environment["COURSE_THREADS"] = "1";
  const auto result = tools::run_command(command, options);
  if (result.status == 0) return result.out;
  std::string text;
  for (const std::string& word : command) text += word + ' ';
  throw std::runtime_error(text + "ended with " + std::to_string(result.status) + "\n" +
                           result.out + result.err);
}

Command operator+(Command left, const Command& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

bool is_collection(const std::string& name) {
  return std::ranges::find(kCollections, name) != kCollections.end();
}

/// Writes one line per run, so that files are easy to compare.
void write(const json& result, const std::string& file) {
  std::ofstream out(file);
  out << "{\n";
  for (const auto& [name, value] : result.items())
    if (name != "chapters" && !is_collection(name) && name != "suspects")
      out << "  " << json(name) << ": " << value << ",\n";
  if (result.contains("suspects")) {
    out << "  \"suspects\": [";
    const char* between = "\n";
    for (const json& suspect : result["suspects"]) {
      out << between << "    " << suspect;
      between = ",\n";
    }
    out << "\n  ],\n";
  }
  for (const std::string collection : kCollections) {
    if (!result.contains(collection)) continue;
    out << "  " << json(collection) << ": {";
    const char* between = "\n";
    for (const auto& [name, counters] : result[collection].items()) {
      out << between << "    " << json(name) << ": " << counters;
      between = ",\n";
    }
    out << "\n  },\n";
  }
  out << "  \"chapters\": {";
  const char* between_chapters = "\n";
  for (const auto& [chapter, runs] : result["chapters"].items()) {
    out << between_chapters << "    " << json(chapter) << ": [";
    const char* between_runs = "\n";
    for (const json& run : runs) {
      out << between_runs << "      " << run;
      between_runs = ",\n";
    }
    out << "\n    ]";
    between_chapters = ",\n";
  }
  out << "\n  }\n}\n";
  if (!out.flush()) throw std::runtime_error("cannot write " + file);
}

class Measurer {
 public:
  /// Measures `chapters` for `file`, or all chapters if none is named. Writes intermediate results
  /// to `unfinished`.
  Measurer(fs::path programs, const fs::path& experiments_file, Command chapters,
           const fs::path& file, std::string unfinished)
      : programs_(std::move(programs)),
        only_(std::move(chapters)),
        file_(file.filename()),
        unfinished_(std::move(unfinished)) {
    experiments_ = read_json(experiments_file);
    for (const std::string& chapter : only_)
      if (!is_collection(chapter) && chapter != kLatencies &&
          std::ranges::none_of(experiments_.at("count"), [&](const json& entry) {
            return entry.at("chapter").get<std::string>() == chapter;
          }))
        throw std::runtime_error("there are no experiments of " + chapter);
  }

  /// Returns the contents of the file.
  json run() {
    const std::vector<Experiment> counted = experiments("count");
    const Experiment any =
        counted.empty() ? experiment(experiments_.at("count").at(0)) : counted[0];
    const std::string backend = report_of(any)["backend"];
    const bool on_gpu = backend == "cuda";
    json& result = result_;
    result["command"] = "build/" + backend + "/bin/measure docs/measurements/" + file_.string();
    result["backend"] = backend;
    result["device"] = report_["device"]["name"];
    if (on_gpu) describe_gpu(&result);
    result["chapters"] = json::object();
    if (on_gpu) {
      for (const Experiment& experiment : experiments("time"))
        add(experiment.chapter, report_of(experiment)["runs"]);
      for (const std::string& kind : {std::string("count"), kProfile})
        for (const Experiment& experiment : experiments(kind))
          add(experiment.chapter, profiled_runs(experiment, metrics_of(kind)));
      result["compute_sanitizer"] = sanitizer_verdicts();
      result["suspects"] = sanitizer_findings();
      for (const std::string collection : kCollections)
        if (is_wanted(collection)) result[collection] = profiled_collection(collection);
      if (is_wanted(kLatencies)) add(kLatencies, latencies());
    } else {
      for (const Experiment& experiment : experiments("count"))
        add(experiment.chapter, counted_runs(experiment));
    }
    result["chapters"] = std::map<std::string, json>(result["chapters"]);
    return result;
  }

 private:
  static Experiment experiment(const json& entry) {
    return {entry.at("chapter").get<std::string>(), entry.at("arguments").get<Command>(),
            entry.value("kernels", decltype(Experiment::kernels)())};
  }

  std::vector<Experiment> experiments(const std::string& kind) const {
    std::vector<Experiment> found;
    for (const json& entry : experiments_.at(kind))
      if (is_wanted(entry.at("chapter")) && is_for_file(entry)) found.push_back(experiment(entry));
    return found;
  }

  /// Returns whether an experiment names no files, or names this one (without extension).
  bool is_for_file(const json& entry) const {
    const auto files = entry.find("files");
    return files == entry.end() ||
           std::ranges::find(*files, json(file_.stem().string())) != files->end();
  }

  bool is_wanted(const std::string& name) const {
    return only_.empty() || std::ranges::find(only_, name) != only_.end();
  }

  std::string program(const Experiment& experiment) const {
    return (programs_ / experiment.chapter).string();
  }

  void add(const std::string& chapter, const json& runs) {
    json& all = result_["chapters"][chapter];
    for (const json& run : runs) all.push_back(run);
    write(result_, unfinished_);
  }

  const json& report_of(const Experiment& experiment) {
    std::cerr << "measure: " << experiment.chapter << std::endl;
    report_ = tools::parse_ordered_json(
        run_checked(Command{program(experiment)} + experiment.arguments + Command{"--json", "-"}));
    return report_;
  }

  /// Returns the experiment's runs without times, which the emulator does not have, and without
  /// rounding errors, which may differ between processors.
  json counted_runs(const Experiment& experiment) {
    json runs = report_of(experiment)["runs"];
    for (json& run : runs)
      for (const char* name : {"max_error", "time_ms", "gb_per_s", "gflop_per_s"}) run.erase(name);
    return runs;
  }

  static void describe_gpu(json* result) {
    const std::string query = run_checked({"nvidia-smi", "--id=0", "--format=csv,noheader,nounits",
                                           "--query-gpu=driver_version,clocks.sm,clocks.max.sm,"
                                           "clocks.mem,clocks.max.mem,power.limit"});
    std::stringstream stream(query);
    for (const char* name : {"driver", "clock_sm_mhz", "clock_sm_max_mhz", "clock_memory_mhz",
                             "clock_memory_max_mhz", "power_limit_w"}) {
      std::string value;
      std::getline(stream, value, ',');
      const std::size_t first = value.find_first_not_of(" \n");
      if (first != std::string::npos) value = value.substr(first);
      while (!value.empty() && (value.back() == '\n' || value.back() == ' ')) value.pop_back();
      (*result)[name] = value;
    }
    const std::string version = run_checked({"nvcc", "--version"});
    const std::size_t release = version.find("release ");
    (*result)["toolkit"] = version.substr(release + 8, version.find(',', release) - release - 8);
    const std::time_t now = std::time(nullptr);
    char date[sizeof("2000-01-01")];
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    (*result)["date"] = date;
  }

  /// Returns the experiment's runs with Nsight Compute's values as counters.
  json profiled_runs(const Experiment& experiment, const std::vector<Metric>& metrics) {
    json runs = report_of(experiment)["runs"];
    std::string names;
    std::size_t kernels = 0;  // number of kernels in a launch of every run
    for (const json& run : runs)
      for (const std::string& name : experiment.kernels_of(run)) {
        ++kernels;
        if (("|" + names + "|").find("|" + name + "|") == std::string::npos)
          names += (names.empty() ? "" : "|") + name;
      }
    const std::vector<json> launches =
        profiled(Command{"--print-kernel-base", "mangled", "--kernel-name-base", "demangled",
                         "--kernel-name", "regex:^(void )?(" + names + ")(::s?gemm)?[<(].*",
                         program(experiment)} +
                     experiment.arguments + Command{"--repeat", "1", "--json", "/dev/null"},
                 metrics);
    if (launches.empty() || launches.size() % kernels != 0)
      throw std::runtime_error("Nsight Compute saw " + std::to_string(launches.size()) +
                               " kernels, but runs launch " + std::to_string(kernels));
    const std::size_t per_run = launches.size() / kernels;
    auto next = launches.begin();
    for (json& run : runs) {
      const std::vector<std::string> expected = experiment.kernels_of(run);
      next += static_cast<std::ptrdiff_t>((per_run - 1) * expected.size());
      run["counters"] = json();
      for (const std::string& name : expected) {
        const json& launch = *next++;
        const std::string kernel = launch.at("Kernel Name");
        if (!is_called(kernel, name))
          throw std::runtime_error("expected \"" + name + "\", found " + kernel);
        add_counters(&run["counters"], counters_of(launch, metrics), metrics);
      }
      for (const char* name : {"time_ms", "gb_per_s", "gflop_per_s"}) run[name] = nullptr;
      run.erase("flops_per_byte");
      erase_times(&run["parameters"]);
    }
    return runs;
  }

  /// Adds the counters of a launch's next kernel. Counters that are not sums are dropped for
  /// launches of several kernels.
  static void add_counters(json* counters, const json& more, const std::vector<Metric>& metrics) {
    if (counters->is_null()) {
      *counters = more;
      return;
    }
    for (auto& [name, counter] : counters->items()) {
      const auto metric = std::ranges::find(metrics, name, &Metric::ours);
      const json& other = more[name];
      if (metric->is_sum() && counter.is_number_integer() && other.is_number_integer())
        counter = counter.get<std::int64_t>() + other.get<std::int64_t>();
      else
        counter = nullptr;
    }
  }

  /// Removes times of other kernels that a program reports; under Nsight Compute they are
  /// meaningless.
  static void erase_times(json* parameters) {
    json kept = json::object();
    for (const auto& [name, value] : parameters->items())
      if (!name.ends_with("_ms") && !name.ends_with("_per_s")) kept[name] = value;
    *parameters = kept;
  }

  /// Returns whether `name` in a program stands for the kernel with this mangled name: the
  /// function's name, with or without its namespace; for a step, the namespace's name. (Nsight
  /// Compute shortens full names.)
  static bool is_called(const std::string& mangled, const std::string& name) {
    std::size_t at = mangled.starts_with("_ZN") ? 3 : 2;
    for (std::size_t begin = 0; begin < name.size();) {
      const std::size_t end = std::min(name.find("::", begin), name.size());
      const std::string word = std::to_string(end - begin) + name.substr(begin, end - begin);
      const std::size_t found = mangled.find(word, at);
      if (found == std::string::npos || (begin == 0 && found != at)) return false;
      at = found + word.size();
      begin = end + 2;
    }
    return true;
  }

  /// Returns the metrics for experiments of this kind.
  static std::vector<Metric> metrics_of(const std::string& kind) {
    std::vector<Metric> metrics(std::begin(kMetrics), std::end(kMetrics));
    if (kind == kProfile)
      metrics.insert(metrics.end(), std::begin(kProfileMetrics), std::end(kProfileMetrics));
    return metrics;
  }

  /// Returns the latencies as a chapter with one run.
  json latencies() {
    json run = {{"kernel", kLatencies}, {"parameters", json::object()}, {"verified", true}};
    run["counters"] = nullptr;
    run["time_ms"] = nullptr;
    run.update(tools::parse_ordered_json(run_checked({(programs_ / kLatencies).string()})));
    return json::array({run});
  }

  /// Returns the counters of each kernel in a collection.
  json profiled_collection(const std::string& collection) {
    const std::string path = (programs_ / collection).string();
    std::stringstream names(run_checked({path}));
    json result = json::object();
    const std::vector<Metric> metrics = metrics_of("count");
    for (const json& launch : profiled({path}, metrics)) {
      std::string name;
      if (!std::getline(names, name)) throw std::runtime_error("more launches than " + collection);
      result[name.substr(0, name.find(' '))] = counters_of(launch, metrics);
    }
    if (std::string left; std::getline(names, left))
      throw std::runtime_error("Nsight Compute did not see this one of " + collection + ": " +
                               left);
    return result;
  }

  /// Runs a command under Nsight Compute and returns its launches in order.
  std::vector<json> profiled(const Command& command, const std::vector<Metric>& metrics) {
    std::string names;
    for (const Metric& metric : metrics)
      names += std::string(names.empty() ? "" : ",") + metric.theirs;
    for (const std::string& word : command)
      if (word.starts_with(programs_.string()))
        std::cerr << "measure: " << fs::path(word).filename().string() << " under Nsight Compute"
                  << std::endl;
    const std::string csv =
        run_checked(Command{"ncu", "--clock-control", "none", "--csv", "--page", "raw",
                            "--print-units", "base", "--metrics", names} +
                    command);
    std::vector<json> launches = read_csv(csv);
    if (launches.empty()) throw std::runtime_error("Nsight Compute saw no launch\n" + csv);
    return launches;
  }

  static json counters_of(const json& launch, const std::vector<Metric>& metrics) {
    json counters;
    for (const Metric& metric : metrics) {
      const json value = number(launch.at(metric.theirs));
      json& counter = counters[metric.ours];
      if (counter.is_number_integer() && value.is_number_integer())
        counter = counter.get<std::int64_t>() + value.get<std::int64_t>();
      else
        counter = value;
    }
    return counters;
  }

  /// Returns a number, as an integer if it is whole; null if it could not be measured ("n/a").
  static json number(std::string text) {
    std::erase(text, ',');
    try {
      const double value = std::stod(text);
      const auto whole = static_cast<std::int64_t>(value);
      return static_cast<double>(whole) == value ? json(whole) : json(value);
    } catch (const std::exception&) {
      return nullptr;
    }
  }

  static std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        cells.emplace_back();
      } else {
        cells.back() += c;
      }
    }
    return cells;
  }

  /// Returns the rows below the heading that begins with "ID"; the first row below it has units.
  static std::vector<json> read_csv(const std::string& csv) {
    std::vector<json> rows;
    std::vector<std::string> names;
    std::stringstream stream(csv);
    for (std::string line; std::getline(stream, line);) {
      if (line.starts_with("\"ID\"")) {
        names = cells_of(line);
      } else if (!names.empty() && line.starts_with("\"") && !line.starts_with("\"\"")) {
        const auto cells = cells_of(line);
        json row;
        for (std::size_t i = 0; i < names.size() && i < cells.size(); ++i) row[names[i]] = cells[i];
        rows.push_back(row);
      }
    }
    return rows;
  }

  /// Runs all tools at once, since nothing is timed here.
  json sanitizer_verdicts() {
    json verdicts = json::object();
    std::vector<std::future<void>> runs;
    for (const char* tool : kSanitizerTools)
      for (const Experiment& experiment : experiments("sanitize")) {
        std::cerr << "measure: " << experiment.chapter << " under " << tool << std::endl;
        verdicts[tool][experiment.chapter] = "0 errors";
        runs.push_back(std::async(std::launch::async,
                                  [this, tool, experiment] { require_silence(tool, experiment); }));
      }
    for (std::future<void>& run : runs) run.get();
    return verdicts;
  }

  void require_silence(const std::string& tool, const Experiment& experiment) const {
    const std::string report =
        run_checked(Command{"compute-sanitizer", "--tool", tool, "--error-exitcode", "99"} +
                    Command{program(experiment)} + experiment.arguments + Command{"--repeat", "1"});
    const bool clean = report.find("ERROR SUMMARY: 0 errors") != std::string::npos ||
                       report.find("RACECHECK SUMMARY: 0 hazards") != std::string::npos;
    if (!clean) throw std::runtime_error(tool + ":\n" + report);
  }

  /// Returns each tool's report on kernels that are wrong on purpose: its summary and its first
  /// finding.
  json sanitizer_findings() {
    json findings = json::array();
    for (const Experiment& experiment : experiments("suspect")) {
      json one = {{"chapter", experiment.chapter}, {"arguments", experiment.arguments}};
      for (const char* tool : kSanitizerTools) {
        std::cerr << "measure: a suspect of " << experiment.chapter << " under " << tool
                  << std::endl;
        const Command command = Command{"compute-sanitizer", "--tool", tool, program(experiment)} +
                                experiment.arguments + Command{"--repeat", "1"};
        tools::CommandOptions options;
        options.time_limit = kTimeLimit;
        const auto result = tools::run_command(command, options);
        one[tool] = {{"summary", after(result.out, "SUMMARY: ")},
                     {"first", first_finding(result.out)}};
      }
      findings.push_back(one);
    }
    return findings;
  }

  /// The rest of the line after `words`; throws if no line has them.
  static std::string after(const std::string& text, const std::string& words) {
    const std::size_t at = text.find(words);
    if (at == std::string::npos) throw std::runtime_error("no " + words + "in\n" + text);
    const std::size_t begin = at + words.size();
    return text.substr(begin, text.find('\n', begin) - begin);
  }

  /// Returns the first line that is neither the tool's name nor its summary, and the next one;
  /// empty if there is none.
  static std::string first_finding(const std::string& text) {
    static const std::string kBar = "========= ";
    std::string finding;
    int lines = 0;
    for (const std::string& line : tools::lines_of(text)) {
      if (!line.starts_with(kBar) || line.find("COMPUTE-SANITIZER") != std::string::npos) continue;
      if (line.find("SUMMARY: ") != std::string::npos) break;
      const std::size_t word = line.find_first_not_of(' ', kBar.size());
      if (word == std::string::npos) continue;
      finding += (lines == 0 ? "" : "; ") + line.substr(word);
      if (++lines == 2) break;
    }
    return finding;
  }

  fs::path programs_;
  Command only_;  // chapters; empty for all
  json experiments_;
  fs::path file_;  ///< its name
  std::string unfinished_;
  json report_;
  json result_;
};

void require_verified(const json& result) {
  for (const auto& [chapter, runs] : result["chapters"].items())
    for (const json& run : runs)
      if (run["verified"] != true && !run.contains("known_wrong"))
        throw std::runtime_error(chapter + ": " + run.dump());
}

/// Replaces chapters of `old` by those of `some`; both must come from one machine.
json replaced(json old, const json& some) {
  for (const char* name : {"backend", "device", "driver", "toolkit", "clock_sm_max_mhz",
                           "clock_memory_max_mhz", "power_limit_w"})
    if (old.value(name, json()) != some.value(name, json()))
      throw std::runtime_error("the file is of another machine, whose " + std::string(name) +
                               " is " + old.value(name, json()).dump() +
                               ": measure all of the chapters");
  std::map<std::string, json> chapters = old["chapters"];
  for (const auto& [chapter, runs] : some["chapters"].items()) chapters[chapter] = runs;
  old["chapters"] = chapters;
  for (const auto& [chapter, runs] : some["chapters"].items())
    if (some.value("date", json()) != old.value("date", json()))
      old["measured_again"][chapter] = some["date"];
  for (const char* collection : kCollections)
    if (some.contains(collection)) old[collection] = some[collection];
  if (some.contains("suspects")) {
    json suspects = some["suspects"];
    for (const json& suspect : old.value("suspects", json::array()))
      if (!some["chapters"].contains(suspect["chapter"])) suspects.push_back(suspect);
    old["suspects"] = suspects;
  }
  if (some.contains("compute_sanitizer"))
    for (const auto& [tool, verdicts] : some["compute_sanitizer"].items())
      for (const auto& [chapter, verdict] : verdicts.items())
        old["compute_sanitizer"][tool][chapter] = verdict;
  return old;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') {
    std::cerr << "usage: measure FILE.json [CHAPTER...]\n";
    return 2;
  }
  try {
    const fs::path programs = fs::read_symlink("/proc/self/exe").parent_path();
    const Command chapters(argv + 2, argv + argc);
    const json old = chapters.empty() || !fs::exists(argv[1]) ? json() : read_json(argv[1]);
    const std::string unfinished = std::string(argv[1]) + ".unfinished";
    Measurer measurer(programs, fs::path(COURSE_SOURCE_DIR) / "docs/measurements/experiments.json",
                      chapters, argv[1], unfinished);
    json result = measurer.run();
    require_verified(result);
    if (!old.is_null()) result = replaced(old, result);
    write(result, argv[1]);
    fs::remove(unfinished);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "measure: " << error.what() << '\n';
    return 1;
  }
}
