/// @file
/// coursework grade on a machine that cannot confine submissions: prints why.

#include <CLI/CLI.hpp>
#include <stdexcept>

#include "tools/coursework/command.hpp"
#include "tools/coursework/confine/elsewhere.hpp"

namespace coursework::grade_elsewhere {
namespace {

Action add(CLI::App& app) {
  app.allow_extras();
  return []() -> int { throw std::runtime_error(kNotConfinedHere); };
}

const Command command("grade", "judge a class: on x86-64 machines alone", add);

}  // namespace
}  // namespace coursework::grade_elsewhere
