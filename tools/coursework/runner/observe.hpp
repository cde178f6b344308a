#pragma once

/// @file
/// What the runner's back end can report about launches besides results.

#include <cstdint>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace coursework {

/// Counts and checks all launches from now on; uses one thread, so that reports have a fixed order.
void start_observing();

/// Runs each following launch again in `count` other orders of its warps. A difference is reported
/// as a finding.
void set_orders(unsigned count);

/// Runs following launches in the order chosen by a seed, without counting or checking; 0: as
/// usual.
void set_order(std::uint64_t seed);

/// Makes `__activemask()` and `coalesced_threads()` report only half of the active lanes, from the
/// next launch on.
void set_parted_warps(bool on);

/// Makes shuffles return the value of the lane `lanes` places after the requested one, from the
/// next launch on; 0: as usual.
void set_lane_turn(unsigned lanes);

/// Returns the counters since the last call, by their JSON names; null if the back end does not
/// count.
nlohmann::json take_counters();

/// Returns the hazard checker's findings since the last call: a list of {"tool", "kind",
/// "severity", "title", "line", "other_line", "memory"}; null if there is no checker.
nlohmann::json take_findings();

/// Returns why the last launch failed, and its source line; empty if the findings say so or if the
/// reason is unknown.
std::string take_failure();

/// Installs a handler for the stop signal: prints the kernel's current source line, if one is
/// running, and exits.
void print_line_when_stopped();

}  // namespace coursework
