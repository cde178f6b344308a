/// coursework: checks a student's answers, and grades a class.
///
///     coursework check 02 --exercise 1 [--hint [LEVEL]]
///     coursework watch
///
/// Each subcommand has a folder of its own; command.hpp says how to add one.

#include "tools/coursework/command.hpp"

int main(int argc, char** argv) { return coursework::run_command_line(argc, argv); }
