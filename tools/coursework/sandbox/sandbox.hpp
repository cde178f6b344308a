/// Runs one command that may be hostile, with access to nothing but what it needs.
///
/// A keeper process stands between the caller and the command. It sets up the walls, watches time
/// and memory, reads the output, and ends all descendants when the command ends. The caller only
/// reads the keeper's report. README.md says what each wall does and where one may be missing.

#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coursework {

/// A wall that a machine may lack.
enum class Protection {
  mount_namespace,    // the command sees only the listed files
  process_namespace,  // the command sees only its own processes, and they end together
  network_namespace,  // the command has its own network without devices
  landlock,           // the command may open only the listed files
  system_calls,       // the command may make only the listed system calls
  other_user,         // the command runs as a user that owns nothing (requires root)
};

/// The kind of command, which decides the list of system calls.
enum class Profile {
  compile,  // may start processes: a compiler and what it calls
  run,      // may start threads but no processes
};

/// Resources that the command may use. Exceeding a limit ends the command, except where noted.
struct Limits {
  std::chrono::milliseconds cpu{10'000};                  // of all its processes together
  std::chrono::milliseconds wall{20'000};                 // from the start
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;    // resident, all processes together
  std::uint64_t file_bytes = std::uint64_t{64} << 20;     // each file; a longer write fails
  std::uint64_t folder_bytes = std::uint64_t{256} << 20;  // all files in the writable folder
  std::uint64_t output_bytes = std::uint64_t{1} << 20;    // each stream; the rest is dropped
  int processes = 512;   // at one time; with Profile::run, threads: the emulator uses one per core
  int open_files = 128;  // each process; opening more fails
};

/// Everything that the command has access to.
struct Policy {
  Profile profile = Profile::run;
  std::vector<std::filesystem::path> readable;    // files, or folders with all that is in them
  std::vector<std::filesystem::path> executable;  // files or folders; readable and executable
  /// A folder for this command alone, used as working folder, TMPDIR and HOME. If possible, the
  /// command gets a copy in memory, whose files are copied back when the command exits by itself.
  std::filesystem::path writable;
  std::map<std::string, std::string> environment;
  // {number in the command, descriptor in the caller}
  std::vector<std::pair<int, int>> descriptors;
  Limits limits;
  std::vector<Protection> without;  // for tests: pretends that the machine lacks these
};

/// How the command ended.
enum class End {
  exited,           // status is its exit status
  signalled,        // status is the signal's number
  cpu_limit,        // the keeper ended it
  wall_limit,       // the keeper ended it
  memory_limit,     // the keeper ended it
  process_limit,    // the keeper ended it
  folder_limit,     // the keeper ended it; in a memory folder, writes fail instead
  killed,           // by Sandboxed::kill()
  could_not_start,  // the command has not run; message says why
};

struct Result {
  End end = End::could_not_start;
  int status = 0;
  std::string message;      // for could_not_start, one line
  std::string out, err;     // the command's output, up to the limit
  bool output_cut = false;  // the output exceeded the limit
  std::chrono::duration<double> cpu{0}, wall{0};
  std::uint64_t peak_memory_bytes = 0;  // largest sum measured by the keeper
};

/// A command running in a sandbox while the caller continues.
class Sandboxed {
 public:
  /// Starts `command`, whose first word is an absolute path.
  ///
  /// The first start makes the calling process ignore SIGPIPE, because a command may close its end
  /// of a pipe, and makes its memory unreadable through /proc for other users' processes. The
  /// policy's descriptors stay open in the caller.
  /// @throws std::invalid_argument if the policy names a path that does not exist or is relative
  /// @throws std::system_error     if there is no memory or no process left for the keeper
  Sandboxed(const std::vector<std::string>& command, const Policy& policy);
  /// Ends the command if it is still running.
  ~Sandboxed();
  Sandboxed(Sandboxed&&) noexcept;
  Sandboxed& operator=(Sandboxed&&) noexcept;

  /// Returns the result, or nothing if the command still runs at `deadline`. May be called again.
  std::optional<Result> wait_until(std::chrono::steady_clock::time_point deadline);
  /// Waits for the result, until the limit of wall time plus about a second at most.
  Result wait();
  /// Ends the command and its descendants; wait() then returns End::killed.
  void kill() noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Runs a command to its end, as Sandboxed does.
Result run_sandboxed(const std::vector<std::string>& command, const Policy& policy);

/// Returns the libraries and the loader that dynamically linked programs need, for Policy::readable
/// and Policy::executable: those of the usual places that exist here.
std::vector<std::filesystem::path> system_libraries();
/// Returns the system's compiler, assembler and linker with their headers and libraries.
std::vector<std::filesystem::path> system_compiler();

/// The walls that work on this machine and those that are missing; one readable sentence each.
struct SandboxReport {
  std::vector<std::string> active;
  std::vector<std::string> missing;
};
/// @param without  for tests: pretends that the machine lacks these
SandboxReport sandbox_report(const std::vector<Protection>& without = {});

/// Returns the name of an end in words: "CPU limit".
std::string name_of(End end);

}  // namespace coursework
