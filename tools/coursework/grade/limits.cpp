#include "tools/coursework/grade/limits.hpp"

namespace coursework {
namespace {

std::string seconds(std::chrono::seconds time) { return std::to_string(time.count()) + " s"; }

std::string gibibytes(std::uint64_t bytes) { return std::to_string(bytes >> 30) + " GiB"; }

std::string out_of_cpu(const std::string& who, std::chrono::seconds cpu) {
  return who + " had not ended after " + seconds(cpu) + " of CPU time";
}

std::string out_of_patience(const std::string& who, std::chrono::seconds cpu) {
  return who + " had not ended after " + seconds(cpu * kPatience) + " by the clock, less than " +
         seconds(cpu) + " of them CPU time";
}

}  // namespace

std::string compiler_limit_message(End end) {
  const std::string who = "The compiler";
  if (end == End::cpu_limit) return out_of_cpu(who, kCompileCpu);
  if (end == End::wall_limit) return out_of_patience(who, kCompileCpu);
  if (end == End::memory_limit)
    return who + " took more than " + gibibytes(kCompileMemory) + " of memory";
  return {};
}

std::string kernel_limit_message(Stopped why, std::chrono::seconds cpu) {
  if (why == Stopped::cpu_limit) return out_of_cpu("The kernels", cpu);
  if (why == Stopped::time_limit) return out_of_patience("The kernels", cpu);
  if (why == Stopped::memory_limit)
    return "The program took more than " + gibibytes(kRunMemory) + " of memory";
  return {};
}

}  // namespace coursework
