/// The plan for the keeper and the command's process, computed before the fork.
///
/// The caller may have threads, so after the fork only system calls and reads of the plan are safe:
/// no allocation, no lock.

#pragma once

#include <linux/filter.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tools/coursework/sandbox/sandbox.hpp"

namespace coursework::inner {

/// The protections that this machine offers, found by trying (machine.cpp).
struct Machine {
  bool user_namespace = false;  // the other namespaces need a user namespace
  bool mount_namespace = false;
  bool process_namespace = false;
  bool network_namespace = false;
  bool fresh_proc = false;    // the process namespace's own /proc can be mounted
  bool counts_apart = false;  // RLIMIT_NPROC counts each user namespace separately
  bool other_user = false;
  bool system_calls = false;
  int landlock = 0;  // version; 0: none
};

/// One step in building the new root. Paths are absolute.
struct MountStep {
  enum class Kind {
    folder,
    file,
    link,
    bind_read,
    bind_execute,
    bind_write,
    bind_device,
    memory
  } kind;
  std::string path;  // in the new root
  // Link: its target; bind_*: the path below the old root; memory: options of the tmpfs.
  std::string target;
};

struct LandlockRule {
  std::string path;
  std::uint64_t access;
};

/// Memory shared by the caller, the keeper and the command's process until exec.
struct KeeperReport {
  End end;
  int failed_error;  // errno of the step that failed; 0: none
  std::array<char, 256> failed_step;
  int wait_status;  // the command's
  bool started;     // all protections were set up
  bool ended;       // wait_status and usage are set
  rusage usage;     // of the command and the children that it waited for
  double cpu_seconds;
  double wall_seconds;
  std::uint64_t peak_memory_bytes;
  std::uint64_t out_bytes, err_bytes;
  bool output_cut;
  bool finished;
};

/// Entries of Plan::descriptors for the output pipes, which the keeper creates.
constexpr int kOutput = -1, kErrors = -2;

/// Upper bound of descriptor numbers in the command.
constexpr int kMostHandedOn = 100;

struct Plan {
  std::vector<std::string> command, environment;
  std::vector<char*> argv, envp;
  std::string writable;
  Profile profile = Profile::run;
  Limits limits;
  Machine machine;
  unsigned long namespaces = 0;  // CLONE_NEW*
  std::string user_map, group_map;
  uid_t user = 0;                // if machine.other_user; the keeper chooses it
  bool user_is_its_own = false;  // no other sandbox uses it
  std::string tmpfs_options;     // for the new root
  bool folder_in_memory = false;
  int folder = -1;  // the writable folder in the caller's file system
  std::vector<MountStep> mounts;
  std::vector<LandlockRule> rules;
  std::vector<sock_filter> filter;
  std::vector<std::pair<int, int>> descriptors;  // as in the policy, plus the standard streams
  std::vector<int> moved;                        // scratch space, as long as `descriptors`
  int control = -1;        // read end; end of file or one byte: kill the command
  int done = -1;           // write end, closed when the keeper exits
  int most_processes = 0;  // RLIMIT_NPROC; 0: none, because it would count other processes too
  KeeperReport* report = nullptr;
  char* out_text = nullptr;  // [limits.output_bytes]
  char* err_text = nullptr;  // [limits.output_bytes]
};

}  // namespace coursework::inner
