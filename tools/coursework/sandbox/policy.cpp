#include "tools/coursework/sandbox/policy.hpp"

#include <dirent.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <stdexcept>

#include "tools/coursework/sandbox/filter.hpp"
#include "tools/coursework/sandbox/folder.hpp"
#include "tools/coursework/sandbox/landlock.hpp"
#include "tools/coursework/sandbox/machine.hpp"

namespace coursework::inner {
namespace {

namespace fs = std::filesystem;
using Kind = MountStep::Kind;

constexpr std::array kDevices = {"/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"};

/// Adds steps for the folders and links along a path, so that the path leads to the same file in
/// the new root. Returns the resolved path.
fs::path lay_way(const fs::path& path, std::vector<MountStep>& steps) {
  constexpr int kMostLinks = 40;
  int links = 0;
  fs::path reached = "/";
  std::deque<fs::path> rest;
  for (const fs::path& part : path.relative_path()) rest.push_back(part);
  while (!rest.empty()) {
    const fs::path part = rest.front();
    rest.pop_front();
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      reached = reached.parent_path();
      continue;
    }
    const fs::path next = reached / part;
    if (fs::is_symlink(next)) {
      if (++links > kMostLinks) throw std::invalid_argument("too many links: " + path.string());
      const fs::path target = fs::read_symlink(next);
      steps.push_back({Kind::link, next.string(), target.string()});
      std::deque<fs::path> parts;
      for (const fs::path& step : target.relative_path()) parts.push_back(step);
      rest.insert(rest.begin(), parts.begin(), parts.end());
      if (target.is_absolute()) reached = "/";
      continue;
    }
    const Kind kind = fs::is_directory(next) ? Kind::folder : Kind::file;
    steps.push_back({kind, next.string(), {}});
    reached = next;
  }
  return reached;
}

void check_path(const fs::path& path, const char* what) {
  if (!path.is_absolute()) {
    throw std::invalid_argument(std::string(what) + " is not absolute: " + path.string());
  }
  if (!fs::exists(path)) {
    throw std::invalid_argument(std::string(what) + " does not exist: " + path.string());
  }
}

/// Collects the visible paths and their access rights.
class Files {
 public:
  void show(const fs::path& path, Kind kind, const char* what) {
    check_path(path, what);
    Kind& current = shown_.try_emplace(lay_way(path, steps_).string(), kind).first->second;
    current = std::max(current, kind);  // in the order read, execute, write
  }

  void put_into(Plan& plan) const {
    plan.mounts = steps_;
    for (const auto& [path, kind] : shown_) {  // sorted: a folder comes before its contents
      const bool memory = kind == Kind::bind_write && plan.folder_in_memory;
      plan.mounts.push_back(memory ? MountStep{Kind::memory, path, folder_options(plan)}
                                   : MountStep{kind, path, "/.old" + path});
      plan.rules.push_back({path, access_of(kind)});
    }
  }

 private:
  static std::string folder_options(const Plan& plan) {
    return "mode=700,size=" + std::to_string(plan.limits.folder_bytes) +
           ",nr_inodes=" + std::to_string(kMostEntries);
  }

  static std::uint64_t access_of(Kind kind) {
    switch (kind) {
      case Kind::bind_execute:
        return kMayExecute;
      case Kind::bind_write:
        return kMayWrite;
      case Kind::bind_device:
        return kMayUseDevice;
      default:
        return kMayRead;
    }
  }

  std::vector<MountStep> steps_;
  std::map<std::string, Kind> shown_;
};

void plan_files(Plan& plan, const Policy& policy) {
  // The first process of a process namespace copies the files out.
  plan.folder_in_memory = plan.machine.mount_namespace && plan.machine.process_namespace;
  Files files;
  for (const fs::path& path : policy.readable) files.show(path, Kind::bind_read, "readable");
  for (const fs::path& path : policy.executable) {
    files.show(path, Kind::bind_execute, "executable");
  }
  for (const char* device : kDevices) {
    if (fs::exists(device)) files.show(device, Kind::bind_device, "device");
  }
  files.show(policy.writable, Kind::bind_write, "writable");
  files.put_into(plan);

  if (plan.machine.fresh_proc) {
    plan.mounts.push_back({Kind::folder, "/proc", {}});
    plan.rules.push_back({"/proc", kMayRead});
  } else if (!plan.machine.mount_namespace && fs::exists("/proc/self")) {
    plan.rules.push_back({"/proc/self", kMayRead});
  }
  plan.tmpfs_options = "size=1m,mode=755,nr_inodes=" + std::to_string(plan.mounts.size() + 64);
}

/// Returns the number of threads in all of a user's processes.
int count_processes(uid_t user) {
  int count = 0;
  DIR* const folder = opendir("/proc");
  if (folder == nullptr) return 0;
  while (const dirent* const entry = readdir(folder)) {
    struct stat about {};
    if (entry->d_name[0] < '0' || entry->d_name[0] > '9') continue;
    if (fstatat(dirfd(folder), entry->d_name, &about, 0) != 0 || about.st_uid != user) continue;
    const std::string tasks = std::string("/proc/") + entry->d_name + "/task";
    struct stat threads {};
    if (stat(tasks.c_str(), &threads) == 0) count += static_cast<int>(threads.st_nlink) - 2;
  }
  closedir(folder);
  return count;
}

/// Returns the limit of processes. The kernel counts all of a user's processes and threads, so the
/// limit includes room for the others.
int most_processes(const Plan& plan) {
  constexpr int kThreadsOfAProcess = 4;
  const int own = plan.limits.processes * (plan.profile == Profile::run ? 1 : kThreadsOfAProcess);
  if ((plan.machine.other_user && has_many_users()) || plan.machine.counts_apart) return own;
  if (geteuid() == 0 && !plan.machine.other_user) return 0;  // root is exempt from the limit
  constexpr int kRoomForOthers = 256;
  return own + count_processes(plan.machine.other_user ? user_for(0) : geteuid()) + kRoomForOthers;
}

unsigned long namespaces_of(const Machine& machine) {
  unsigned long flags = 0;
  if (machine.user_namespace) flags |= CLONE_NEWUSER;
  if (machine.mount_namespace) flags |= CLONE_NEWNS;
  if (machine.process_namespace) flags |= CLONE_NEWPID;
  if (machine.network_namespace) flags |= CLONE_NEWNET;
  return flags;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

void plan_command(Plan& plan, const std::vector<std::string>& command, const Policy& policy) {
  if (command.empty() || command.front().empty() || command.front()[0] != '/') {
    throw std::invalid_argument("a sandboxed command begins with an absolute path");
  }
  plan.command = command;
  std::map<std::string, std::string> variables = policy.environment;
  variables.try_emplace("HOME", policy.writable.string());
  variables.try_emplace("TMPDIR", policy.writable.string());
  for (const auto& [name, value] : variables) plan.environment.push_back(name + "=" + value);
  plan.argv = pointers_to(plan.command);
  plan.envp = pointers_to(plan.environment);
}

void plan_descriptors(Plan& plan, const Policy& policy) {
  plan.descriptors = {{STDOUT_FILENO, kOutput}, {STDERR_FILENO, kErrors}};
  for (const auto& [number, descriptor] : policy.descriptors) {
    if (number < 0 || number >= kMostHandedOn || number == 1 || number == 2 || descriptor < 0) {
      throw std::invalid_argument("a command cannot be given a descriptor as number " +
                                  std::to_string(number));
    }
    plan.descriptors.emplace_back(number, descriptor);
  }
  plan.moved.resize(plan.descriptors.size() + 1);
}

const std::vector<sock_filter>& filter_of(Profile profile) {
  static const std::vector<sock_filter> compile = system_call_filter(Profile::compile);
  static const std::vector<sock_filter> run = system_call_filter(Profile::run);
  return profile == Profile::compile ? compile : run;
}

}  // namespace

std::unique_ptr<Plan> make_plan(const std::vector<std::string>& command, const Policy& policy) {
  auto plan = std::make_unique<Plan>();
  plan->machine = machine_without(policy.without);
  plan->profile = policy.profile;
  plan->limits = policy.limits;
  plan->writable = policy.writable.string();
  plan_command(*plan, command, policy);
  plan_files(*plan, policy);
  plan_descriptors(*plan, policy);
  plan->namespaces = namespaces_of(plan->machine);
  plan->user_map = user_map_line();
  plan->group_map = group_map_line();
  plan->user_is_its_own = has_many_users();
  plan->most_processes = most_processes(*plan);
  if (plan->machine.system_calls) plan->filter = filter_of(policy.profile);
  return plan;
}

}  // namespace coursework::inner
