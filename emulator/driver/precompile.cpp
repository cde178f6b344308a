/// emulator-precompile HEADER OUTPUT [FLAGS]: precompiles HEADER, which includes cuda_runtime.h,
/// for .cu files compiled with these flags. Used by the build.
#include <exception>
#include <iostream>

#include "cuda_compilation.hpp"
#include "toolchain.hpp"

int main(int argc, char** argv) {
  using namespace emulator_nvcc;
  try {
    const Command arguments(argv + 1, argv + argc);
    if (arguments.size() < 2) {
      std::cerr << "usage: emulator-precompile HEADER OUTPUT [FLAGS]\n";
      return 2;
    }
    const Command flags(arguments.begin() + 2, arguments.end());
    Toolchain toolchain = read_toolchain();
    toolchain.precompiled = arguments[0];
    return run(precompile_command(flags, toolchain, arguments[1]));
  } catch (const std::exception& error) {
    std::cerr << "emulator-precompile: " << error.what() << '\n';
    return 2;
  }
}
