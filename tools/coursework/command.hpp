#pragma once

/// @file
/// How a subcommand becomes part of the program: a file defines a Command.
///
///     coursework::Action add(CLI::App& app) {
///       auto options = std::make_shared<Options>();
///       app.add_option("CHAPTER", options->chapter, "two digits")->required();
///       return [options] { return grade(*options); };
///     }
///     const coursework::Command command("grade", "judge a class", add);
///
/// The program offers the subcommands that CMake links.

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace coursework {

/// Runs a subcommand after its options have been read, and returns the exit status. An exception
/// ends the subcommand with status 2; the exception's text becomes a one-line error.
using Action = std::function<int()>;

/// Registers a subcommand under a name.
class Command {
 public:
  /// @param add  adds options to the subcommand's parser, and returns the action
  Command(const std::string& name, const std::string& description, Action (*add)(CLI::App& app));
};

/// Parses the command line, runs the subcommand, and returns the exit status.
int run_command_line(int argc, char** argv);

}  // namespace coursework
