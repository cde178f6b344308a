#include <unistd.h>

#include "tools/coursework/sandbox/descendants.hpp"
#include "tools/coursework/sandbox/machine.hpp"
#include "tools/coursework/sandbox/sandbox.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> those_that_exist(std::initializer_list<const char*> paths) {
  std::vector<fs::path> found;
  for (const char* path : paths) {
    if (fs::exists(path)) found.emplace_back(path);
  }
  return found;
}

}  // namespace

std::vector<fs::path> system_libraries() {
  return those_that_exist({"/lib", "/lib32", "/lib64", "/libx32", "/usr/lib", "/usr/lib32",
                           "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"});
}

std::vector<fs::path> system_compiler() {
  std::vector<fs::path> paths = system_libraries();
  for (const fs::path& path :
       those_that_exist({"/bin", "/usr/bin", "/usr/libexec", "/usr/include", "/usr/local/bin",
                         "/usr/local/include", "/etc/alternatives"})) {
    paths.push_back(path);
  }
  return paths;
}

SandboxReport sandbox_report(const std::vector<Protection>& without) {
  const inner::Machine machine = inner::machine_without(without);
  SandboxReport report;
  const auto tell = [&](bool has, const char* active, const char* missing) {
    (has ? report.active : report.missing).emplace_back(has ? active : missing);
  };
  tell(machine.mount_namespace, "Mount namespace: it sees only the files that are listed.",
       machine.landlock > 0
           ? "No mount namespace: the names of other files can be found out, though not opened."
           : "No mount namespace and no Landlock: it can read what any user of this machine can.");
  tell(machine.landlock > 0, "Landlock: it can open only the files that are listed.",
       "No Landlock: there is no second wall around files.");
  tell(machine.process_namespace,
       "Process namespace: it sees only its own processes, and they end together.",
       "No process namespace: it sees the numbers of other processes, and what it starts is ended "
       "one by one.");
  tell(machine.network_namespace, "Network namespace: it has no network device.",
       machine.system_calls
           ? "No network namespace: only the list of system calls keeps it from the network."
           : "No network namespace and no list of system calls: it can use the network.");
  tell(machine.system_calls,
       "List of system calls: it cannot open sockets, trace or signal others.",
       "No list of system calls: it may ask the kernel for anything that its user may.");
  tell(machine.other_user || machine.user_namespace,
       machine.other_user ? "Another user: it owns nothing on this machine."
                          : "User namespace: it has no rights outside it.",
       geteuid() == 0 ? "No other user: it runs as root. Root's capabilities are gone, but root's "
                        "files are its own."
                      : "No other user: it has the rights of the user who started it.");
  tell(inner::can_watch(),
       "Watch: memory, CPU and processes are looked at a hundred times a second.",
       "No /proc to watch: memory and processes are limited by the kernel's limits alone.");
  return report;
}

}  // namespace coursework
