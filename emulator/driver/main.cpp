/// emulator-nvcc: accepts nvcc's command line or works as CMake's compiler launcher. Under another
/// name, it runs the host's linker.
#include <clocale>
#include <csignal>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>

#include "failure.hpp"
#include "host_link.hpp"
#include "launcher.hpp"
#include "nvcc.hpp"
#include "process.hpp"
#include "toolchain.hpp"

int main(int argc, char** argv) {
  using namespace emulator_nvcc;
  std::setlocale(LC_MESSAGES, "");  // in g++'s language, because we parse its messages
  try {
    const Command arguments(argv + 1, argv + argc);
    const Toolchain toolchain = read_toolchain();
    if (std::filesystem::path(argv[0]).filename() == kHostLinkName) {
      Command compiler = {toolchain.compiler};
      append(compiler, toolchain.flags);
      return link_on_host(compiler, arguments, toolchain);
    }
    if (!arguments.empty() && arguments.front() == "--launcher") {
      return launch_compiler(Command(arguments.begin() + 1, arguments.end()), toolchain);
    }
    return run_nvcc(arguments, toolchain);
  } catch (const Failure& failure) {
    const std::string message = failure.what();
    if (!message.empty()) std::cerr << message << '\n';
    // Temporary files are removed: end by the signal.
    if (failure.status > 128) std::raise(failure.status - 128);
    return failure.status;
  } catch (const std::exception& error) {
    std::cerr << "emulator-nvcc: " << error.what() << '\n';
    return 2;
  }
}
