#pragma once

/// @file
/// What the runner's back end can say about launches beyond their results.

#include <cstdint>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace coursework {

/// Counts and checks everything from here on, on one thread, so that all is said in one order.
void start_observing();

/// Runs each launch again in so many other orders of its warps, from the next one on. What then
/// differs is a finding.
void set_orders(unsigned count);

/// Runs launches in the order that a seed stands for, from the next one on, neither counted nor
/// checked; 0: as usual.
void set_order(std::uint64_t seed);

/// Whether `__activemask()` and `coalesced_threads()` find only half of the lanes that are there,
/// from the next launch on.
void set_parted_warps(bool on);

/// Lets shuffles bring the value of the lane that comes so many places behind the one they ask,
/// from the next launch on; 0: as usual.
void set_lane_turn(unsigned lanes);

/// Counters since the last call, by their JSON names; null where the back end does not count.
nlohmann::json take_counters();

/// Findings of the hazard checker since the last call: a list of {"tool", "kind", "severity",
/// "title", "line", "other_line", "memory"}; null where there is no checker.
nlohmann::json take_findings();

/// Why the last launch failed, and where in its source; empty where findings say it or nothing
/// does.
std::string take_failure();

/// On a signal to stop: prints where in its source the kernel is, if it is in one, and ends.
void say_where_when_stopped();

}  // namespace coursework
