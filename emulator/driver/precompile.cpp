/// emulator-precompile OUTPUT [FLAGS]: the headers that every .cu file begins with, precompiled for
/// files that are compiled with these flags. Part of the build.
#include <exception>
#include <iostream>

#include "cuda_compilation.hpp"
#include "toolchain.hpp"

int main(int argc, char** argv) {
  using namespace emulator_nvcc;
  try {
    const Command arguments(argv + 1, argv + argc);
    if (arguments.empty()) {
      std::cerr << "usage: emulator-precompile OUTPUT [FLAGS]\n";
      return 2;
    }
    const Command flags(arguments.begin() + 1, arguments.end());
    return run(precompile_command(flags, read_toolchain(), arguments.front()));
  } catch (const std::exception& error) {
    std::cerr << "emulator-precompile: " << error.what() << '\n';
    return 2;
  }
}
