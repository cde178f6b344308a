// Measures the emulator's time relative to C++ with the same arithmetic in the same run.
#include <cstring>

#include "measure.hpp"

int main(int argc, char** argv) {
  const int wrong = measure_quick();
  if (argc < 2 || std::strcmp(argv[1], "quick") != 0) measure_counting();
  return wrong;
}
