#include "engine/report/report_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "engine/settings.hpp"

namespace emu {

void write_report(const std::string& path, const std::string& text) {
  std::fflush(stdout);
  if (path.empty()) {
    std::fputs(text.c_str(), stderr);
    return;
  }
  std::FILE* file = std::fopen(path.c_str(), "w");
  const bool written = file && std::fputs(text.c_str(), file) >= 0;
  if ((file && std::fclose(file) != 0) || !written) {
    fmt::print(stderr, "emulator: cannot write {}: {}\n", path, std::strerror(errno));
    _exit(kUsageError);  // in an exit handler, only _exit can change the status
  }
}

}  // namespace emu
