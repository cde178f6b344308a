// Runs a program as if in an old container: old_container PROGRAM [ARGUMENTS].
//
// The kernel refuses namespaces and mounts, and lacks Landlock and other newer calls.
#include <sched.h>
#include <seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <initializer_list>

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  int failed = 0;
  for (const int number :
       {SYS_landlock_create_ruleset, SYS_landlock_add_rule, SYS_landlock_restrict_self, SYS_clone3,
        SYS_close_range, SYS_mount_setattr, SYS_faccessat2, SYS_openat2}) {
    failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), number, 0);
  }
  for (const int number : {SYS_unshare, SYS_setns, SYS_mount, SYS_pivot_root}) {
    failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 0);
  }
  for (const scmp_datum_t flag :
       {CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWUSER, CLONE_NEWIPC, CLONE_NEWUTS}) {
    failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SYS_clone, 1,
                               SCMP_A0_64(SCMP_CMP_MASKED_EQ, flag, flag));
  }
  failed |= seccomp_load(filter);
  seccomp_release(filter);
  if (failed != 0) return 2;
  execv(argv[1], argv + 1);
  std::perror(argv[1]);
  return 2;
}
