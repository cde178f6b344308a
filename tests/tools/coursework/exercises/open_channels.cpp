#include "open_channels.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "course/arithmetic.hpp"
#include "tools/coursework/judging/sums.hpp"

namespace course_test {
namespace {

using coursework::Exercise;
using coursework::Requirement;
using Values = std::map<std::string, double>;

// The increase of counters when each of eight warps makes one more request.
constexpr double kWarps = 8, kSectors = 4 * kWarps, kBytes = 32 * kSectors;

/// Name for figures that no warp causes, but that add_sums() adds to the busiest warp's.
const std::string kBySums = "by sums";

/// A way to do some work.
struct Channel {
  std::string name;
  Values counts;        ///< counters added by the work of all warps
  std::string busiest;  ///< the busiest warp's figure that rises with the work; empty: none
};

Channel global_channel(const std::string& kind) {
  const std::string prefix = "global_" + kind;
  return {"global " + kind + "s",
          {{prefix + "_requests", kWarps},
           {prefix + "_sectors", kSectors},
           {prefix + "_lines", kWarps},
           {prefix + "_bytes", kBytes}},
          "busiest_warp_global_requests"};
}

Channel shared_channel(const std::string& kind) {
  const std::string prefix = "shared_" + kind;
  return {"shared " + kind + "s",
          {{prefix + "_requests", kWarps},
           {prefix + "_wavefronts", 2 * kWarps},
           {prefix + "_wavefronts_ideal", kWarps}},
          "busiest_warp_shared_requests"};
}

/// Returns the channel of shared memory of other blocks in the cluster, which the busiest warp's
/// figure excludes.
Channel far_shared_channel(const std::string& kind) {
  const std::string prefix = "dshared_" + kind;
  return {"other blocks' shared " + kind + "s",
          {{prefix + "_requests", kWarps},
           {prefix + "_sectors", 2 * kWarps},
           {prefix + "_sectors_ideal", kWarps}},
          ""};
}

/// Returns kinds of work with their channels. Authors of requirements think of the first channel.
const std::vector<std::vector<Channel>>& kinds_of_work() {
  static const std::vector<std::vector<Channel>> kinds = {
      {global_channel("load"),
       global_channel("atomic"),
       {"bulk copies",
        {{"bulk_copies", kWarps}, {"bulk_sectors", kSectors}, {"bulk_bytes", kBytes}},
        kBySums}},
      {global_channel("store"),
       global_channel("atomic"),
       {"bulk stores",
        {{"bulk_stores", kWarps}, {"bulk_store_sectors", kSectors}, {"bulk_store_bytes", kBytes}},
        kBySums}},
      {shared_channel("load"), shared_channel("atomic"), far_shared_channel("load"),
       far_shared_channel("atomic")},
      {shared_channel("store"), shared_channel("atomic"), far_shared_channel("store"),
       far_shared_channel("atomic")},
      {{"barriers", {{"barriers", kWarps}}, ""},
       {"mbarriers", {{"mbarrier_operations", kWarps}}, ""}}};
  return kinds;
}

/// Returns the counters of a launch that does some of everything.
Values some_work() {
  Values values = {{"busiest_warp_global_requests", 40}, {"busiest_warp_shared_requests", 50}};
  double next = 1000;
  for (const auto& kind : kinds_of_work())
    for (const Channel& channel : kind)
      for (const auto& [name, added] : channel.counts) values[name] = next += 7 * added + 1;
  return values;
}

/// Evaluates an expression. Sizes of the case and values of judge.cpp equal the number of warps.
double value_of(const std::string& expression, Values counters) {
  coursework::add_sums(counters);
  return course::evaluate(
      expression,
      [&](const std::string& name) {
        const auto found = counters.find(name);
        return found == counters.end() ? kWarps : found->second;
      },
      course::Names::end_at_operators);
}

enum class By { sums, busiest_warp };

/// Returns whether a measure changes with the work of a channel, through its sums or through the
/// busiest warp.
bool sees(const Requirement& one, const Channel& channel, By by) {
  if (one.kind != Requirement::Kind::measure) return false;
  Values more = some_work();
  const double before = value_of(one.measure, more);
  for (const auto& [name, added] : channel.counts) more[name] += added;
  if (by == By::busiest_warp && !channel.busiest.empty()) ++more[channel.busiest];
  constexpr double kRounding = 1e-9;
  return std::abs(value_of(one.measure, std::move(more)) - before) > kRounding;
}

}  // namespace

std::vector<std::string> open_channels(const Exercise& exercise) {
  std::vector<std::string> open;
  const auto somebody_sees = [&](const Channel& channel) {
    return std::ranges::any_of(exercise.requirements, [&](const Requirement& one) {
      return sees(one, channel, By::busiest_warp);
    });
  };
  for (const Requirement& one : exercise.requirements) {
    const auto names = [&](const char* tool) {
      return std::ranges::find(one.tools, tool) != one.tools.end();
    };
    if (names("racecheck") && !names("schedules")) open.push_back(one.name + ": other orders");
    for (const auto& channels : kinds_of_work()) {
      if (!sees(one, channels.front(), By::busiest_warp)) continue;
      const bool is_sum = sees(one, channels.front(), By::sums);
      for (const Channel& channel : channels)
        if ((is_sum || !channel.busiest.empty()) && !somebody_sees(channel))
          open.push_back(one.name + ": " + channel.name);
    }
  }
  return open;
}

}  // namespace course_test
