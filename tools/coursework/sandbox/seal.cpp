#include "tools/coursework/sandbox/seal.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace coursework {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif

constexpr std::uint32_t kFail = SECCOMP_RET_ERRNO | EPERM;

constexpr auto kAllowed = std::to_array<std::uint32_t>({
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_pwrite64,
    SYS_lseek,
    SYS_close,
    SYS_fstat,
    SYS_ppoll,
    SYS_pselect6,
    SYS_futex,
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    SYS_mincore,
    SYS_membarrier,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_getcpu,
    SYS_getrandom,
    SYS_getpid,
    SYS_gettid,
    SYS_getrusage,
    SYS_sysinfo,
    SYS_set_robust_list,
    SYS_set_tid_address,
    SYS_rseq,
    SYS_exit,
    SYS_exit_group,
#ifdef __x86_64__
    SYS_poll,
    SYS_select,
    SYS_time,
#endif
});

constexpr std::uint32_t argument(int index) {  // the lower half of a 64-bit argument
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) +
                                    static_cast<std::size_t>(index) * sizeof(std::uint64_t));
}

/// Builds a filter program. The first matching entry decides about a call.
class Program {
 public:
  Program() {
    load(offsetof(seccomp_data, arch));
    jump(BPF_JEQ, kArchitecture, 1, 0);
    answer(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
  }

  void allow(std::uint32_t call) {
    jump(BPF_JEQ, call, 0, 1);
    answer(SECCOMP_RET_ALLOW);
  }

  void refuse(std::uint32_t call, std::uint32_t result) {
    jump(BPF_JEQ, call, 0, 1);
    answer(result);
  }

  /// Allows a call if an argument, masked with `mask`, equals `wanted`.
  void allow_if(std::uint32_t call, int index, std::uint32_t mask, std::uint32_t wanted) {
    jump(BPF_JEQ, call, 0, 5);
    load(argument(index));
    add(BPF_ALU | BPF_AND | BPF_K, mask);
    jump(BPF_JEQ, wanted, 0, 1);
    answer(SECCOMP_RET_ALLOW);
    answer(kFail);
  }

  bool install() {
    answer(kFail);
    const sock_fprog program{static_cast<unsigned short>(instructions_.size()),
                             instructions_.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
  }

 private:
  void add(int code, std::uint32_t value, std::uint8_t if_true = 0, std::uint8_t if_false = 0) {
    instructions_.push_back({static_cast<std::uint16_t>(code), if_true, if_false, value});
  }
  void load(std::size_t offset) {
    add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
  }
  void jump(int test, std::uint32_t value, std::uint8_t if_true, std::uint8_t if_false) {
    add(BPF_JMP | test | BPF_K, value, if_true, if_false);
  }
  void answer(std::uint32_t result) { add(BPF_RET | BPF_K, result); }

  std::vector<sock_filter> instructions_;
};

}  // namespace

bool seal_process() {
  if (kArchitecture == 0) return false;
  const auto own = static_cast<std::uint32_t>(getpid());
  constexpr std::uint32_t kEveryBit = ~0U;
  Program program;
  for (const std::uint32_t call : kAllowed) program.allow(call);
  program.allow_if(SYS_mmap, 2, PROT_EXEC, 0);
  program.allow_if(SYS_mprotect, 2, PROT_EXEC, 0);
  program.allow_if(SYS_tgkill, 0, kEveryBit, own);  // abort() signals its own thread
  program.allow_if(SYS_clone, 0, CLONE_THREAD, CLONE_THREAD);
  program.refuse(SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);  // glibc falls back to clone
  return program.install();
}

}  // namespace coursework
