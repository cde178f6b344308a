#pragma once

/// @file
/// How a subcommand becomes part of the program: its file defines a Command.
///
///     coursework::Action add(CLI::App& app) {
///       auto options = std::make_shared<Options>();
///       app.add_option("CHAPTER", options->chapter, "two digits")->required();
///       return [options] { return grade(*options); };
///     }
///     const coursework::Command command("grade", "judge a class", add);
///
/// What CMake links is what the program offers.

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace coursework {

/// What a subcommand does once its options are read; its exit status. An exception ends it with 2,
/// and what it says becomes the one line of the error.
using Action = std::function<int()>;

/// Makes a subcommand known under its name.
class Command {
 public:
  /// @param add  gives options to the subcommand's parser, and returns what it does
  Command(const std::string& name, const std::string& description, Action (*add)(CLI::App& app));
};

/// Reads the command line, does what it asks for, and returns the exit status.
int run_command_line(int argc, char** argv);

}  // namespace coursework
