/// From a policy to a plan: everything that can be worked out before the fork.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/coursework/sandbox/plan.hpp"

namespace coursework::inner {

/// @throws std::invalid_argument for a path that does not exist or is relative, and the like
std::unique_ptr<Plan> make_plan(const std::vector<std::string>& command, const Policy& policy);

}  // namespace coursework::inner
