/// @file
/// Writes the list of kernels that an exercise's runner is compiled with.
///
///     write_kernels chapters/NN_name/exercises/K_name OUTPUT.cpp

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/exercises/kernel_source.hpp"
#include "tools/support/subprocess.hpp"

namespace {

namespace fs = std::filesystem;

/// Writes a file unless it already has this text, so that nothing is compiled again.
void write(const fs::path& file, const std::string& text) {
  if (fs::exists(file) && tools::read_file(file) == text) return;
  std::ofstream stream(file);
  stream << text;
  if (!stream.flush()) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) throw std::runtime_error("usage: write_kernels EXERCISE_FOLDER OUTPUT.cpp");
  write(argv[2], coursework::kernel_source(coursework::read_exercise(argv[1])));
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
