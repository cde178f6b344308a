/// Turns a policy into a plan: does everything that can be done before the fork.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/coursework/sandbox/plan.hpp"

namespace coursework::inner {

/// @throws std::invalid_argument for a path that is relative or does not exist, and similar errors
std::unique_ptr<Plan> make_plan(const std::vector<std::string>& command, const Policy& policy);

}  // namespace coursework::inner
