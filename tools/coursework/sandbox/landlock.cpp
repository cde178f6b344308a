#include "tools/coursework/sandbox/landlock.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace coursework::inner {
namespace {

// Constants that Debian 12's header lacks.
constexpr std::uint64_t kTruncate = 1ULL << 14;                              // version 3
constexpr std::uint64_t kDeviceIoctl = 1ULL << 15;                           // version 5
constexpr std::uint64_t kBindTcp = 1ULL << 0, kConnectTcp = 1ULL << 1;       // version 4
constexpr std::uint64_t kAbstractSockets = 1ULL << 0, kSignals = 1ULL << 1;  // version 6

struct RulesetAttributes {
  std::uint64_t files = 0;
  std::uint64_t network = 0;  // from version 4 on
  std::uint64_t scoped = 0;   // from version 6 on
};

constexpr std::uint64_t kReadAccess = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kFolderAccess =
    LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
    LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REFER;

/// Returns all kinds of file access that this version controls.
std::uint64_t decided(int version) {
  std::uint64_t access = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
  if (version >= 2) access |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= 3) access |= kTruncate;
  if (version >= 5) access |= kDeviceIoctl;
  return access;
}

std::uint64_t access_of(std::uint64_t wanted) {
  std::uint64_t access = 0;
  if (wanted & (kMayRead | kMayExecute | kMayWrite)) access |= kReadAccess;
  if (wanted & kMayExecute) access |= LANDLOCK_ACCESS_FS_EXECUTE;
  if (wanted & kMayWrite) access |= LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate | kFolderAccess;
  if (wanted & kMayUseDevice) {
    access |= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate;
  }
  return access;
}

int make_ruleset(int version) {
  RulesetAttributes attributes;
  attributes.files = decided(version);
  std::size_t bytes = sizeof(std::uint64_t);
  if (version >= 4) {
    attributes.network = kBindTcp | kConnectTcp;
    bytes = 2 * sizeof(std::uint64_t);
  }
  if (version >= 6) {
    attributes.scoped = kAbstractSockets | kSignals;
    bytes = sizeof(attributes);
  }
  return static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, bytes, 0));
}

bool add_rule(int ruleset, const char* path, std::uint64_t access) {
  const int fd = open(path, O_PATH | O_CLOEXEC);
  if (fd < 0) return false;
  struct stat about {};
  if (fstat(fd, &about) == 0 && !S_ISDIR(about.st_mode)) access &= ~kFolderAccess;
  landlock_path_beneath_attr rule{access, fd};
  const bool added =
      syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
  close(fd);
  return added;
}

bool restrict_to(int ruleset) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
}

}  // namespace

int landlock_version() {
  const long version =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? static_cast<int>(version) : 0;
}

bool landlock_works(int version) {
  if (version < 1) return false;
  const int ruleset = make_ruleset(version);
  return ruleset >= 0 && restrict_to(ruleset) && open("/", O_RDONLY | O_CLOEXEC) < 0;
}

bool confine_by_landlock(const Plan& plan) {
  const int ruleset = make_ruleset(plan.machine.landlock);
  if (ruleset < 0) return false;
  for (const LandlockRule& rule : plan.rules) {
    const std::uint64_t access = access_of(rule.access) & decided(plan.machine.landlock);
    if (!add_rule(ruleset, rule.path.c_str(), access)) return false;
  }
  const bool restricted = restrict_to(ruleset);
  close(ruleset);
  return restricted;
}

}  // namespace coursework::inner
