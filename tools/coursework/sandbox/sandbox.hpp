/// Runs one command that may be hostile, so that it reaches nothing but what it needs.
///
/// A keeper process stands between the caller and the command. It makes the walls, watches time
/// and memory, reads the output, and ends every descendant when the command ends. The caller only
/// reads what the keeper found. README.md says what each wall does and where one may be missing.

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
  mount_namespace,    // sees only the files that are listed
  process_namespace,  // sees only its own processes, and they end together
  network_namespace,  // has a network of its own, without any device
  landlock,           // may open only the files that are listed
  system_calls,       // may make only the system calls on a list
  other_user,         // runs as a user that owns nothing (only root can arrange that)
};

/// What the command is. It decides which system calls are on the list.
enum class Profile {
  compile,  // may start processes: a compiler and what it calls
  run,      // may start threads, but no processes
};

/// What the command may use. It ends when it uses more, except where a limit only refuses.
struct Limits {
  std::chrono::milliseconds cpu{10'000};                  // of all its processes together
  std::chrono::milliseconds wall{20'000};                 // from its start
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;    // resident, all processes together
  std::uint64_t file_bytes = std::uint64_t{64} << 20;     // each file; a longer write is refused
  std::uint64_t folder_bytes = std::uint64_t{256} << 20;  // all files in its folder
  std::uint64_t output_bytes = std::uint64_t{1} << 20;  // kept of each stream; the rest is dropped
  int processes = 512;   // at one time; with Profile::run, threads: the emulator has one a core
  int open_files = 128;  // of each process; opening more is refused
};

/// Everything that the command is given. What does not stand here, it does not get.
struct Policy {
  Profile profile = Profile::run;
  std::vector<std::filesystem::path> readable;    // files, or folders with all that is in them
  std::vector<std::filesystem::path> executable;  // the same, and may be executed as well
  /// A folder of its own, nobody else's: working folder, TMPDIR and HOME. Where it can, the command
  /// gets a copy in memory, whose files are brought back when the command has ended by itself.
  std::filesystem::path writable;
  std::map<std::string, std::string> environment;
  std::vector<std::pair<int, int>> descriptors;  // {number in the command, descriptor of ours}
  Limits limits;
  std::vector<Protection> without;  // for tests: does as if the machine lacked these
};

/// How it ended.
enum class End {
  exited,           // by itself: status is its exit status
  signalled,        // by a signal: status is the signal's number
  cpu_limit,        // the keeper ended it
  wall_limit,       // the keeper ended it
  memory_limit,     // the keeper ended it
  process_limit,    // the keeper ended it
  folder_limit,     // the keeper ended it; a folder in memory refuses further writes instead
  killed,           // Sandboxed::kill() ended it
  could_not_start,  // message says why; the command has not run
};

struct Result {
  End end = End::could_not_start;
  int status = 0;
  std::string message;      // for could_not_start: one line
  std::string out, err;     // what it wrote, up to the limit
  bool output_cut = false;  // it wrote more
  std::chrono::duration<double> cpu{0}, wall{0};
  std::uint64_t peak_memory_bytes = 0;  // the largest sum that the keeper saw
};

/// A command that runs in its sandbox while the caller does something else.
class Sandboxed {
 public:
  /// Starts `command`, whose first word is an absolute path.
  ///
  /// From the first start on, the calling process ignores SIGPIPE, so that a command that closes
  /// its end of a pipe does no harm, and its memory cannot be read through /proc by other users'
  /// processes. The descriptors of the policy stay open in the caller.
  /// @throws std::invalid_argument if the policy names a path that does not exist or is relative
  /// @throws std::system_error     if there is no memory or no process left for the keeper
  Sandboxed(const std::vector<std::string>& command, const Policy& policy);
  /// Ends the command if it still runs.
  ~Sandboxed();
  Sandboxed(Sandboxed&&) noexcept;
  Sandboxed& operator=(Sandboxed&&) noexcept;

  /// The result, or nothing if the command still runs at `deadline`. It may be asked for again.
  std::optional<Result> wait_until(std::chrono::steady_clock::time_point deadline);
  /// The result. It comes at the limit of wall time at the latest, give or take a second.
  Result wait();
  /// Ends the command and all its descendants; wait() then says End::killed.
  void kill() noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Runs a command to its end; see Sandboxed.
Result run_sandboxed(const std::vector<std::string>& command, const Policy& policy);

/// The libraries and the loader that a dynamically linked program needs, for Policy::readable and
/// Policy::executable: those of the usual places that this machine has.
std::vector<std::filesystem::path> system_libraries();
/// The system's compiler, assembler and linker with their headers and libraries.
std::vector<std::filesystem::path> system_compiler();

/// Which walls stand on this machine. Each entry is a sentence for a person.
struct SandboxReport {
  std::vector<std::string> active;
  std::vector<std::string> missing;
};
/// @param without  for tests: does as if the machine lacked these
SandboxReport sandbox_report(const std::vector<Protection>& without = {});

/// The name of an end in words: "CPU limit".
std::string name_of(End end);

}  // namespace coursework
