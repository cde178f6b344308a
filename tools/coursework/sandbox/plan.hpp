/// What the keeper and the command's process do, worked out before the fork.
///
/// The caller may have threads, so after the fork there are only system calls and reads of what
/// stands here: no allocation, no lock.

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

/// What this machine lets us do. Found out by trying (machine.cpp).
struct Machine {
  bool user_namespace = false;  // the namespaces below come only inside a user namespace
  bool mount_namespace = false;
  bool process_namespace = false;
  bool network_namespace = false;
  bool fresh_proc = false;    // /proc of the process namespace can be mounted
  bool counts_apart = false;  // RLIMIT_NPROC counts a user namespace's processes alone
  bool other_user = false;
  bool system_calls = false;
  int landlock = 0;  // version; 0: none
};

/// One step on the way to the new root. Paths are absolute and begin with /.
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
  std::string path;    // in the new root
  std::string target;  // link: what it holds; bind_*: the same path below the old root;
                       // memory: options of the tmpfs
};

struct LandlockRule {
  std::string path;
  std::uint64_t access;
};

/// Shared by caller, keeper and the command's process until it becomes the command.
struct KeeperReport {
  End end;
  int failed_error;  // errno of the step that failed; 0: none
  std::array<char, 256> failed_step;
  int wait_status;  // of the command
  bool started;     // all walls stood
  bool ended;       // wait_status and usage are set
  rusage usage;     // of the command and what it has waited for
  double cpu_seconds;
  double wall_seconds;
  std::uint64_t peak_memory_bytes;
  std::uint64_t out_bytes, err_bytes;
  bool output_cut;
  bool finished;
};

/// In Plan::descriptors: the write ends of the output pipes, which the keeper makes.
constexpr int kOutput = -1, kErrors = -2;

/// Numbers of descriptors in the command are below it.
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
  uid_t user = 0;                // with machine.other_user; the keeper chooses it
  bool user_is_its_own = false;  // no other sandbox has it
  std::string tmpfs_options;     // of the new root
  bool folder_in_memory = false;
  int folder = -1;  // the writable folder as the caller sees it
  std::vector<MountStep> mounts;
  std::vector<LandlockRule> rules;
  std::vector<sock_filter> filter;
  std::vector<std::pair<int, int>> descriptors;  // as in the policy, standard streams included
  std::vector<int> moved;                        // scratch, as long as descriptors
  int control = -1;        // read end: closed by the caller, or one byte: kill
  int done = -1;           // write end: closed when the keeper is gone
  int most_processes = 0;  // RLIMIT_NPROC; 0: none, because it would count others' as well
  KeeperReport* report = nullptr;
  char* out_text = nullptr;  // [limits.output_bytes]
  char* err_text = nullptr;  // [limits.output_bytes]
};

}  // namespace coursework::inner
