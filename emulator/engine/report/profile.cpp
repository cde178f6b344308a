#include "engine/report/profile.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>

#include "engine/count/cost.hpp"
#include "engine/engine.hpp"
#include "engine/program/kernel_name.hpp"
#include "engine/program/place_records.hpp"
#include "engine/report/profile_printer.hpp"
#include "engine/report/report_file.hpp"
#include "engine/report/source_text.hpp"
#include "engine/settings.hpp"

namespace emu {

namespace {

namespace fs = std::filesystem;

/// The counters collected while the program runs, by address rather than by line.
struct Collected {
  std::string kernel, signature;
  const void* address = nullptr;
  std::uint64_t launches = 0;
  Counters counters;
  std::map<std::uintptr_t, Counters> sites;  // by program counter
};

struct Collection {
  std::mutex mutex;
  std::vector<Collected> kernels;  // in the order of their first launch
  std::set<std::string> others;    // names of kernels that are not profiled
};

Collection& collection() {
  static Collection& collection = *new Collection;
  return collection;
}

bool is_wanted(const std::string& kernel) {
  const std::string& wanted = settings().profile_kernel;
  return wanted.empty() || is_meant(wanted, kernel);
}

// From addresses to lines.

/// The source files in the listings, each read once.
class Sources {
 public:
  /// Returns the lines of a file; null if it cannot be read, which is reported once.
  const SourceLines* find(const std::string& file) {
    const auto [entry, is_new] = files_.try_emplace(file);
    if (!is_new) return entry->second ? &*entry->second : nullptr;
    std::optional<SourceLines> lines = read_source(file);
    if (!lines) {
      fmt::print(stderr, "emulator: cannot read {}: its lines are listed without their text\n",
                 file);
      return nullptr;
    }
    if (is_newer_than_program(file)) {
      fmt::print(stderr,
                 "emulator: {} is newer than the program: compile again, or lines may have "
                 "the wrong text\n",
                 file);
    }
    return &entry->second.emplace(std::move(*lines));
  }

 private:
  static bool is_newer_than_program(const std::string& file) {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    const auto program = error ? fs::file_time_type() : fs::last_write_time(self, error);
    const auto source = error ? program : fs::last_write_time(file, error);
    return !error && source > program;
  }

  std::map<std::string, std::optional<SourceLines>> files_;
};

/// The part of a kernel's listing in one file.
struct Part {
  // Column and kind; an assignment such as += both loads and stores in one column.
  using Access = std::pair<int, AccessKind>;
  std::map<int, std::map<Access, Counters>> counted;  // by line
  std::set<int> functions;  // lines that declare the functions in the listing
};

/// Returns the kind of an instruction's accesses. It has only one, though perhaps in several
/// address spaces.
AccessKind kind_of(const Counters& c) {
  if (c.global_store.requests + c.shared_store.requests + c.dshared_store.requests != 0)
    return AccessKind::store;
  if (c.global_atomic.requests + c.shared_atomic.requests + c.dshared_atomic.requests != 0)
    return AccessKind::atomic;
  return AccessKind::load;
}

SourceProfile listing(const std::string& file, const Part& part, Sources& sources) {
  SourceProfile source;
  source.file = file;
  const SourceLines* text = file.empty() ? nullptr : sources.find(file);
  source.is_readable = text != nullptr;
  std::set<int> shown;
  for (const auto& [line, columns] : part.counted) shown.insert(line);
  if (text) {
    for (const int declared : part.functions) {
      const LineRange range = place_records().function(file, declared);
      const int last = std::min(range.last, static_cast<int>(text->size()));
      for (int line = range.first; line <= last; ++line) shown.insert(line);
    }
  }
  for (const int number : shown) {
    LineProfile line;
    line.number = number;
    const auto index = static_cast<std::size_t>(number) - 1;
    if (text && index < text->size()) line.text = (*text)[index];
    if (const auto counted = part.counted.find(number); counted != part.counted.end()) {
      for (const auto& [access, counters] : counted->second) {
        const auto [column, kind] = access;
        line.counters += counters;
        line.instructions.push_back(
            {column, place_records().expression(file, number, column, kind), counters});
      }
    }
    source.lines.push_back(std::move(line));
  }
  return source;
}

KernelProfile profile_of(const Collected& collected, Sources& sources) {
  KernelProfile kernel;
  kernel.kernel = collected.kernel;
  kernel.signature = collected.signature;
  kernel.launches = collected.launches;
  kernel.counters = collected.counters;
  std::map<std::string, Part> parts;  // by file
  const FunctionLocation own = function_location(collected.address);
  if (!own.file.empty()) parts[own.file].functions.insert(own.line);
  for (const auto& [program_counter, counters] : collected.sites) {
    const SourceLocation location = source_location(program_counter);
    Part& part = parts[location.file];
    part.counted[location.line][{location.column, kind_of(counters)}] += counters;
    if (location.function.file == location.file && location.function.line > 0)
      part.functions.insert(location.function.line);
  }
  if (const auto first = parts.find(own.file); first != parts.end()) {
    kernel.sources.push_back(listing(own.file, first->second, sources));
    parts.erase(first);
  }
  for (const auto& [file, part] : parts) kernel.sources.push_back(listing(file, part, sources));
  kernel.worst = worst_lines(kernel);
  return kernel;
}

// The worst lines.

constexpr std::array kWastes = {Waste::sectors, Waste::wavefronts, Waste::addresses, Waste::lanes};

struct UnitName {
  const char* one;
  const char* several;
};

/// Returns the name of what a request costs. Idle lanes are no cost of one.
UnitName unit_of(Waste waste) {
  switch (waste) {
    case Waste::sectors:
      return {"sector", "sectors"};
    case Waste::wavefronts:
      return {"wavefront", "wavefronts"};
    case Waste::addresses:
      return {"address", "addresses"};
    case Waste::lanes:
      break;
  }
  return {};
}

double per_request(std::uint64_t cost, const AccessRow& row) {
  return static_cast<double>(cost) / static_cast<double>(row.requests);
}

std::uint64_t wasted(const Counters& counters, Waste waste) {
  if (waste == Waste::lanes)
    return kWarpSize * counters.warp_instructions - counters.lane_instructions;
  std::uint64_t sum = 0;
  for (const AccessRow& row : access_rows(counters))
    if (row.waste == waste) sum += row.excess();
  return sum;
}

/// Returns whether a line's idle lanes are worth a mark. A single active lane often works for its
/// warp. That is no waste, unless the kernel does little else.
bool has_noteworthy_idle_lanes(const KernelProfile& kernel, const Counters& line) {
  constexpr std::uint64_t kEighth = 8;
  const std::uint64_t all = kWarpSize * kernel.counters.warp_instructions;
  const std::uint64_t idle = wasted(line, Waste::lanes);
  const double active = line.active_lanes_avg().value_or(kWarpSize);
  const bool is_half_empty = active > 1 && 2 * active <= kWarpSize;
  return 2 * idle > all || (is_half_empty && kEighth * idle >= all);
}

/// Returns whether the line's waste is worth a mark.
bool is_noteworthy(const KernelProfile& kernel, const Counters& line, Waste waste) {
  if (waste == Waste::lanes) return has_noteworthy_idle_lanes(kernel, line);
  const std::uint64_t amount = wasted(line, waste);
  constexpr std::uint64_t kHundred = 100;
  std::uint64_t cost = 0;
  for (const AccessRow& row : access_rows(line))
    if (row.waste == waste) cost += row.cost;
  return amount > 0 && kHundred * amount >= cost;
}

/// Returns "16 of 32 lanes active".
std::string lanes_of(const Counters& counters) {
  return fmt::format("{} of {} lanes active", short_number(counters.active_lanes_avg().value_or(0)),
                     kWarpSize);
}

std::string reason_of(const LineProfile& line, Waste waste) {
  const auto instruction =
      std::max_element(line.instructions.begin(), line.instructions.end(),
                       [&](const InstructionProfile& a, const InstructionProfile& b) {
                         return wasted(a.counters, waste) < wasted(b.counters, waste);
                       });
  const std::vector<AccessRow> rows = access_rows(instruction->counters);
  const auto row =
      std::max_element(rows.begin(), rows.end(), [&](const AccessRow& a, const AccessRow& b) {
        return (a.waste == waste ? a.excess() : 0) < (b.waste == waste ? b.excess() : 0);
      });
  std::string text = row->access;
  if (!instruction->expression.empty()) text += " " + instruction->expression;
  text += ": ";
  const std::string lanes = lanes_of(instruction->counters);
  if (waste == Waste::lanes) return text + lanes;
  text += cost_per_request(*row) + " per request; " + ideal_per_request(*row) + " would do";
  constexpr double kNearlyAll = kWarpSize - 1;
  const double active = instruction->counters.active_lanes_avg().value_or(0);
  return active < kNearlyAll ? text + " (" + lanes + ")" : text;
}

/// Returns whether an earlier mark on the same line mentions the same idle lanes.
bool is_told(const std::vector<WorstLine>& worst, const WorstLine& mark) {
  if (mark.waste != Waste::lanes) return false;
  const std::string lanes = mark.reason.substr(mark.reason.rfind(": ") + 2);
  return std::any_of(worst.begin(), worst.end(), [&](const WorstLine& other) {
    return other.source == mark.source && other.line == mark.line &&
           other.reason.ends_with("(" + lanes + ")");
  });
}

// The end of the program.

void refuse_unknown_kernel() {
  std::string others;
  for (const std::string& name : collection().others) others += (others.empty() ? "" : ", ") + name;
  fmt::print(stderr, "emulator: no kernel named {} was launched; {}\n", settings().profile_kernel,
             others.empty() ? "nor was any other" : "these were: " + others);
  _exit(kUsageError);  // in an exit handler, only _exit can change the status
}

void write_profile(int status, void*) {
  const std::lock_guard lock(collection().mutex);
  std::fflush(stdout);
  if (status != 0 && collection().kernels.empty() && collection().others.empty()) return;
  if (!settings().profile_kernel.empty() && collection().kernels.empty()) refuse_unknown_kernel();
  Sources sources;
  std::vector<KernelProfile> kernels;
  for (const Collected& collected : collection().kernels)
    kernels.push_back(profile_of(collected, sources));
  const bool is_blind =
      std::any_of(kernels.begin(), kernels.end(), [](const KernelProfile& kernel) {
        return !kernel.sources.empty() && kernel.sources.back().file.empty();
      });
  if (is_blind)
    fmt::print(stderr,
               "emulator: the program has no debug information: some counters have no "
               "line\n");
  write_report(settings().profile_file, settings().profile->make()->print(kernels));
}

// Registered after the checks' handler, so that it runs before that one, which may end the process.
[[gnu::constructor(102)]] void write_profile_at_exit() {
  if (settings().profile) on_exit(write_profile, nullptr);
}

}  // namespace

void add_to_profile(const LaunchRecord& launch, const void* address) {
  if (!settings().profile) return;
  const std::lock_guard lock(collection().mutex);
  if (!is_wanted(launch.kernel)) {
    collection().others.insert(launch.kernel);
    return;
  }
  auto& kernels = collection().kernels;
  auto found = std::find_if(kernels.begin(), kernels.end(), [&](const Collected& one) {
    return one.address == address && one.signature == launch.signature;
  });
  if (found == kernels.end())
    found = kernels.insert(kernels.end(), {launch.kernel, launch.signature, address, 0, {}, {}});
  ++found->launches;
  found->counters += launch.counters;
  for (const AccessSiteCounters& site : launch.sites)
    found->sites[site.program_counter] += site.counters;
}

std::string repeated_loads_text(const Counters& counters) {
  constexpr std::uint64_t kHundred = 100;
  const std::uint64_t repeated = counters.repeated_global_loads;
  if (repeated == 0 || kHundred * repeated < counters.global_load.requests) return {};
  return fmt::format(
      "{} ask again for an unchanged value: __restrict__ may let the compiler keep it", repeated);
}

std::vector<WorstLine> worst_lines(const KernelProfile& kernel) {
  std::vector<WorstLine> worst;
  for (const Waste waste : kWastes) {
    const LineProfile* most = nullptr;
    std::size_t source = 0;
    for (std::size_t i = 0; i < kernel.sources.size(); ++i) {
      for (const LineProfile& line : kernel.sources[i].lines) {
        if (!is_noteworthy(kernel, line.counters, waste)) continue;
        if (most && wasted(line.counters, waste) <= wasted(most->counters, waste)) continue;
        most = &line;
        source = i;
      }
    }
    if (!most) continue;
    WorstLine mark{waste, source, most->number, reason_of(*most, waste)};
    if (!is_told(worst, mark)) worst.push_back(std::move(mark));
  }
  return worst;
}

std::vector<AccessRow> access_rows(const Counters& counters) {
  std::vector<AccessRow> rows;
  const auto& ideal = counters.sectors_ideal;
  const auto row = [&](const char* access, const auto& c, std::uint64_t cost,
                       std::uint64_t cost_ideal, Waste waste) {
    if (c.requests)
      rows.push_back({access, c.requests, cost, cost_ideal, waste, *c.efficiency_pct()});
  };
  const auto global = [&](const char* access, const course::GlobalCounters& c,
                          std::uint64_t sectors_ideal) {
    row(access, c, c.sectors, sectors_ideal, Waste::sectors);
  };
  const auto shared = [&](const char* access, const course::SharedCounters& c) {
    row(access, c, c.wavefronts, c.wavefronts_ideal, Waste::wavefronts);
  };
  const auto distributed = [&](const char* access, const course::DistributedCounters& c) {
    row(access, c, c.sectors, c.sectors_ideal, Waste::sectors);
  };
  global("global load", counters.global_load, ideal.global_load);
  global("global store", counters.global_store, ideal.global_store);
  global("global atomic", counters.global_atomic, ideal.global_atomic);
  shared("shared load", counters.shared_load);
  shared("shared store", counters.shared_store);
  shared("shared atomic", counters.shared_atomic);
  distributed("dshared load", counters.dshared_load);
  distributed("dshared store", counters.dshared_store);
  distributed("dshared atomic", counters.dshared_atomic);
  const course::ConstantCounters& constant = counters.constant_load;
  row("constant load", constant, constant.addresses, constant.requests, Waste::addresses);
  return rows;
}

std::string cost_per_request(const AccessRow& row) {
  const UnitName unit = unit_of(row.waste);
  return short_number(per_request(row.cost, row)) + " " +
         (row.cost == row.requests ? unit.one : unit.several);
}

std::string ideal_per_request(const AccessRow& row) {
  return short_number(per_request(row.ideal, row));
}

std::string short_number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace emu
