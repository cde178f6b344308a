#include "tools/coursework/command.hpp"

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <map>
#include <stdexcept>

namespace coursework {
namespace {

struct Known {
  std::string description;
  Action (*add)(CLI::App& app);
};

/// Commands by name. The map sorts them, whatever order they were linked in.
std::map<std::string, Known>& commands() {
  static std::map<std::string, Known> all;
  return all;
}

constexpr int kCouldNotRun = 2;

int print_error(const std::exception& error) {
  const std::string text = error.what();
  std::cerr << "course: " << text.substr(0, text.find_last_not_of('\n') + 1) << '\n';
  return kCouldNotRun;
}

}  // namespace

Command::Command(const std::string& name, const std::string& description,
                 Action (*add)(CLI::App& app)) {
  if (!commands().emplace(name, Known{description, add}).second)
    throw std::logic_error("two commands are called " + name);
}

int run_command_line(int argc, char** argv) {
  CLI::App app("The exercises of Warp by Warp", "./course");
  app.require_subcommand(1);
  Action chosen;
  for (const auto& [name, known] : commands()) {
    CLI::App& subcommand = *app.add_subcommand(name, known.description);
    subcommand.callback([&chosen, action = known.add(subcommand)] { chosen = action; });
  }
  try {
    app.parse(argc, argv);
    return chosen();
  } catch (const CLI::RequiredError& error) {
    // Without this, CLI11 would report an unknown command as a missing one.
    if (argc < 2 || argv[1][0] == '-' || commands().contains(argv[1])) return print_error(error);
    return print_error(std::runtime_error("there is no command '" + std::string(argv[1]) + "'"));
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForAllHelp& help) {
    return app.exit(help);
  } catch (const std::exception& error) {
    return print_error(error);
  }
}

}  // namespace coursework
